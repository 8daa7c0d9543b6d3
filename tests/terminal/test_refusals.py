"""Lines that are not accepted: the reason, the accepted form, and who is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom

NOT_ACCEPTED = "That line was not accepted."


# --- refusals -------------------------------------------------------------------------------------


DUEL = ["342", "513", "1 3", "3 3"]


@pytest.mark.parametrize(
    ("game", "before", "line", "reason", "form"),
    [
        ("safecracker-duel", DUEL, "2 7", "Digits run from 1 to 5; you typed 7.", "like 2 4"),
        ("safecracker-duel", DUEL, "4 1", "Positions run from 1 to 3; you typed 4.", "like 2 4"),
        ("safecracker-duel", DUEL, "1 3", "Position 1 already shows 3.", "exactly one digit"),
        ("safe-cracker", ["111", "222"], "127", "Digits run from 1 to 3; you typed 7.", "2-3-1"),
        ("safe-cracker", ["111", "222"], "12", "A code has three digits; '12' has two.", "2-3-1"),
        ("digit-deductions", ["37", "56"], "50", "Digits run from 1 to 9; you typed 0.", "2-3"),
        (
            "digit-deductions",
            ["37", "56"],
            "fifty",
            "A number is digits only, not 'fifty'.",
            "like 2-3",
        ),
        (
            "quantum-duel",
            ["3"],
            "3",
            "Cell 3 is already observed.",
            "Unobserved: 1, 2, 4, 5, 6, 7.",
        ),
        ("quantum-duel", ["3"], "8", "Cells run from 1 to 7; you typed 8.", "Type the number"),
        ("quantum-duel", ["1", "7", "2"], "hm", "'hm' is neither yes nor no.", "Type yes (or y)"),
        ("quantum-duel", [], "", "Nothing typed.", "like 1"),
    ],
)
def test_a_refusal_says_the_reason_and_the_form_and_costs_no_turn(
    strongroom: Strongroom, game: str, before: list[str], line: str, reason: str, form: str
) -> None:
    ran = strongroom("play", game, lines=[*before, "history", line, "history"])
    (answer,) = (each for each in ran.lines if reason in each)
    assert form in answer
    asked = [each for each in ran.lines if each.endswith(": history")]
    assert len(asked) == 2
    assert asked[0] == asked[1], "the same player gets the same prompt again"
    history = re.findall(r"^(?:\d+\. Player \d: .*|Nothing has .*)$", ran.out, re.M)
    assert history[: len(history) // 2] == history[len(history) // 2 :]


def test_safe_code_refuses_a_false_an_empty_and_a_strange_clue(strongroom: Strongroom) -> None:
    clues = ["prime", "less than 99", "my favourite", "even", "not odd", "> 15", "< 20"]
    ran = strongroom("play", "safe-code", lines=["18", *clues])
    assert "18 is not prime." in ran.err or "18 is not a prime." in ran.err
    assert "rules out no number from 1 to 30" in ran.err
    assert "I do not understand 'my favourite' as a clue." in ran.err
    assert 'That says the same as your clue "The number is even."' in ran.err
    assert ran.out.count(NOT_ACCEPTED) == 4
    assert "Player 2, choose your safe code (1-30): " in ran.out, "three clues were accepted"


def test_every_clue_of_a_script_is_read_back_only_to_its_author(strongroom: Strongroom) -> None:
    lines = ["18", "even", "over fifteen", "It is less than 20.", "7", "not even", "prime", "< 10"]
    ran = strongroom("play", "safe-code", lines=lines)
    assert re.findall("Taken as: (.*)", ran.err) == [
        "The number is even.",
        "It is greater than 15.",
        "It is less than 20.",
        "The number is odd.",
        "The number is a prime.",
        "It is less than 10.",
    ]
    assert "Taken as" not in ran.out
    alone = strongroom("play", "safe-code", "--vs", "random", lines=lines[:4])
    assert alone.out.count("Taken as: ") == 3


def test_a_clue_that_is_refused_is_not_read_back(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safe-code", lines=["18", "odd", "less than 99"])
    assert "Taken as" not in ran.err + ran.out


def test_zero_at_the_menu_does_not_suggest_guessing_it(strongroom: Strongroom) -> None:
    set_up = ["18", "even", "> 15", "< 20", "7", "odd", "prime", "< 10"]
    ran = strongroom("play", "safe-code", lines=[*set_up, "0", "00", "31"])
    assert ran.out.count("Codes run from 1 to 30; you typed 0.") == 2
    assert "guess 0" not in ran.out
    asked_back = strongroom("play", "safe-code", lines=[*set_up, "3", "9", "07"]).out
    for number in (3, 9, 7):
        assert f"is neither 1 nor 2. To guess it: guess {number}." in asked_back
    assert "Turns: " not in asked_back


def test_a_number_with_a_leading_zero_at_the_menu_costs_no_turn(strongroom: Strongroom) -> None:
    set_up = ["18", "even", "> 15", "< 20", "7", "odd", "prime", "< 10"]
    ran = strongroom("play", "safe-code", lines=[*set_up, "01", "002"])
    assert "'01' is neither 1 nor 2. To guess it: guess 1." in ran.out
    assert "'002' is neither 1 nor 2. To guess it: guess 2." in ran.out
    assert "Clue: " not in ran.out
    assert "Enter your guess" not in ran.out


@pytest.mark.parametrize("word", ["seven", "Thirty"])
@pytest.mark.parametrize(
    ("game", "before"),
    [("digit-deductions", ["37", "56"]), ("quantum-duel", [])],
)
def test_a_number_in_words_is_not_taken_for_a_command(
    strongroom: Strongroom, game: str, before: list[str], word: str
) -> None:
    ran = strongroom("play", game, lines=[*before, word])
    told = ran.err + ran.out
    assert f"'{word}'" in told
    assert "Did you mean" not in told
    assert "Did you mean save?" in strongroom("play", "quantum-duel", lines=["svae"]).out


def test_a_fourth_clue_is_refused_and_a_guess_is_still_possible(strongroom: Strongroom) -> None:
    set_up = ["18", "even", "> 15", "< 20", "7", "odd", "prime", "< 10"]
    asked = ["1", "2", "1", "1", "2", "1", "1", "2", "1"]
    ran = strongroom("play", "safe-code", lines=[*set_up, *asked, "1", "2", "7"])
    assert "All three clues have been given. Make a guess." in ran.lines
    assert ran.code == 0


def test_a_refusal_in_the_set_up_shows_nothing_of_the_line_on_stdout(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("play", "digit-deductions", lines=["317", "70", "37"])
    assert not re.search("0|317", ran.out.replace("1-9", "").partition("Saved")[0])
    assert ran.lines.count(NOT_ACCEPTED) == 2
    assert not re.search("317|typed", ran.err), "nor anywhere else"
    assert ran.err.count("That was not accepted. Type two digits from 1-9") == 2


# --- the first turn of Safecracker Duel -----------------------------------------------------------


def first_turn(strongroom: Strongroom, *lines: str) -> str:
    """What everyone sees when Player 1, whose code is 2-1-1, types these lines on a first turn."""
    return strongroom("play", "safecracker-duel", lines=["211", "513", *lines]).before_the_goodbye


def test_a_first_turn_that_is_refused_reads_like_a_mistyped_line(strongroom: Strongroom) -> None:
    refused = first_turn(strongroom, "1 2", "3 4")
    assert refused.count(NOT_ACCEPTED) == 1
    assert "Updated Safe Combination: 1-1-4" in refused
    for mistyped in ("1 9", "nonsense", "1 1"):
        assert first_turn(strongroom, mistyped, "3 4") == refused


def test_a_first_turn_refused_at_its_digit_reads_like_a_mistyped_digit(
    strongroom: Strongroom,
) -> None:
    assert first_turn(strongroom, "1", "2") == first_turn(strongroom, "1", "9")


def test_a_transcript_does_not_reveal_at_which_line_a_first_turn_was_refused(
    strongroom: Strongroom,
) -> None:
    at_the_digit = first_turn(strongroom, "1", "2", "4")
    assert at_the_digit.count(NOT_ACCEPTED) == 1
    assert "Enter position to change (1-3): 1 4" in at_the_digit
    for lines in (
        ["1", "9", "4"],  # mistyped in the second line
        ["nonsense", "1", "4"],  # mistyped in the first, then typed in two lines
        ["1 2", "1 4"],  # forbidden in one line, then typed in one
        ["", "1 4"],
        ["1", "-4", "4"],
    ):
        assert first_turn(strongroom, *lines) == at_the_digit
    helped = first_turn(strongroom, "1", "9", "help", "4")
    assert helped == first_turn(strongroom, "x", "help", "1", "4")


def test_a_script_that_ends_after_a_refused_first_turn_does_not_reveal_the_line_either(
    strongroom: Strongroom,
) -> None:
    ended = first_turn(strongroom, "1", "2")
    for lines in (["1", "9"], ["nonsense"], ["1 2"]):
        assert first_turn(strongroom, *lines) == ended


def test_a_first_turn_in_two_lines_is_echoed_as_it_was_typed(strongroom: Strongroom) -> None:
    told = first_turn(strongroom, "1", "4")
    assert "Enter position to change (1-3): 1\nEnter new digit (1-5): 4\n" in told
    assert "***\nEnter position" not in told.partition("Player 1's Turn:")[2]


def test_the_reason_of_a_refused_first_turn_goes_to_stderr(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safecracker-duel", lines=["211", "513", "1 2"])
    assert "That would set the safe to your own code." in ran.err
    assert "own code" not in ran.out


def test_a_person_playing_alone_sees_the_reason_at_once(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safecracker-duel", "--vs", "random", lines=["211", "1 2"])
    assert "That would set the safe to your own code." in ran.out


@pytest.mark.parametrize("line", ["1 2", "1 9"])
def test_a_strict_script_ends_alike_at_a_refused_and_a_mistyped_first_turn(
    strongroom: Strongroom, line: str
) -> None:
    ran = strongroom("play", "safecracker-duel", "--strict", lines=["211", "513", line, "3 4"])
    assert ran.code == 3
    assert ran.before_the_goodbye.splitlines()[-1] == NOT_ACCEPTED
