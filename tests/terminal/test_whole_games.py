"""Whole games with piped input: played, broken off, resumed, and typed leniently."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom, Whole


# --- whole games ----------------------------------------------------------------------------------


def test_a_whole_game_ends_with_the_winner_the_secrets_the_turns_and_the_score(
    strongroom: Strongroom, whole: Whole, games: Path
) -> None:
    ran = strongroom("play", whole.name, "--strict", lines=whole.lines)
    assert ran.code == 0
    read_back = 6 if whole.name == "safe-code" else 0  # clues, which only their authors see
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == ["Taken as"] * read_back
    end = ran.out[ran.out.index("Game over: Player 1 ") :]
    assert f"Turns: {len(whole.turns)}" in end
    assert "Score: Player 1: 1, Player 2: 0" in end
    assert len(re.findall(r"Player [12]'s secret: ", end)) == (2 if whole.set_up else 0)
    assert all(re.search(hidden, end) for hidden in whole.hidden)
    (file,) = games.iterdir()
    assert f"Record: {file}" in end


def test_an_unfinished_game_hides_its_secrets_and_the_shown_command_resumes_it(
    strongroom: Strongroom, whole: Whole
) -> None:
    ran = strongroom("play", whole.name, lines=whole.all_but_the_last_turn)
    assert ran.code == 4
    assert whole.leaks(ran.before_the_goodbye) == []
    assert ran.out.count(": ***\n") >= len(whole.set_up)
    again = strongroom(*ran.resume, lines=whole.turns[-1])
    assert again.code == 0
    assert "Game over: Player 1 " in again.out
    assert f"Turns: {len(whole.turns)}" in again.lines


def test_the_input_may_end_in_the_set_up(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", lines=["3 7"])
    assert ran.code == 4
    again = strongroom(*ran.resume, lines=["5 6", "5 6"])
    assert again.code == 0
    assert "Player 1's secret: 3-7" in again.lines


def test_the_input_may_end_between_a_position_and_its_digit(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safecracker-duel", lines=["342", "513", "1"])
    assert ran.code == 4
    again = strongroom(*ran.resume, lines=["1", "3"])
    assert "Updated Safe Combination: 3-1-1" in again.lines


def test_the_resume_command_works_for_a_file_with_spaces_and_quotes_in_its_name(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("play", "quantum-duel", "--save", "an odd 'name'.json", lines=["3"])
    again = strongroom(*ran.resume, lines=["5"])
    assert "You have observed cell 5." in again.lines


def test_the_last_line_counts_without_its_newline(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", lines=b"37\n56\n56")
    assert ran.code == 0
    assert "Player 1 Wins" in ran.lines


def test_windows_line_ends_are_line_ends(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", lines=b"37\r\n56\r\n5 6\r\n")
    assert ran.code == 0
    assert "Input Guess: 5 6" in ran.lines


# --- lenient input --------------------------------------------------------------------------------


def test_a_code_is_typed_in_any_everyday_form(strongroom: Strongroom) -> None:
    guesses = ["1-2-3", "123", "1 2 3", "  1   2  3 ", "1,2,3", "1 - 2 - 3"]
    ran = strongroom("play", "safe-cracker", lines=["2-1-3", "3 3 1", *guesses])
    assert ran.lines.count("Feedback: 0 exact matches") == 3
    assert ran.lines.count("Feedback: 1 exact match") == 3
    assert ran.err == ""


def test_position_and_digit_are_typed_on_one_line_or_two(strongroom: Strongroom) -> None:
    turns = ["1 4", "2-2", " 2   3 ", "2", "4", "2,5", "3", " 4 "]
    ran = strongroom("play", "safecracker-duel", lines=["342", "513", *turns])
    safe = [line.split()[-1] for line in ran.lines if line.startswith("Updated")]
    assert safe == ["4-1-1", "4-2-1", "4-3-1", "4-4-1", "4-5-1", "4-5-4"]


@pytest.mark.parametrize(("reply", "means"), [("y", True), (" Yes ", True), ("N", False)])
def test_a_challenge_is_answered_in_any_case(
    strongroom: Strongroom, reply: str, means: bool
) -> None:
    ran = strongroom("play", "quantum-duel", lines=["1", "7", " 2 ", reply])
    assert ("Challenge initiated!" in ran.lines) is means
    assert ("You have observed cell 2." in ran.lines) is not means


def test_safe_code_accepts_words_at_its_menu_and_everyday_clues(strongroom: Strongroom) -> None:
    clues = [["EVEN", "multiple of 3", "> 15"], ["it's a prime", "< 10", "isn't even"]]
    turns = ["CLUE", "Guess 5", "guess", "7"]
    ran = strongroom("play", "safe-code", lines=["18", *clues[0], "7", *clues[1], *turns])
    assert 'Player 2\'s Clue: "The number is a prime."' in ran.lines
    assert 'Player 1 says: "Incorrect."' in ran.lines
    assert ran.code == 0


def test_a_number_with_many_leading_zeros_is_that_number_or_refused(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("play", "quantum-duel", lines=["0000000031", "000000000000001"])
    assert "You have observed cell 3." not in ran.lines, "31 was read as 3"
