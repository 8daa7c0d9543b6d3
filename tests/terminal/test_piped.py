"""The command with its input piped in: what it accepts, answers, refuses, hides and exits with."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from strongroom.match import Match
from strongroom.record import DamagedRecord, Record
from strongroom.registry import load
from strongroom.terminal.main import main

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean, Ran, Strongroom, Whole

GAMES = ("safecracker-duel", "safe-cracker", "safe-code", "digit-deductions", "quantum-duel")
NOT_ACCEPTED = "That line was not accepted."


def before_the_goodbye(ran: Ran) -> str:
    """The transcript without the line that names the saved file, whose name is full of digits."""
    return ran.out.partition("\nSaved. Go on with:")[0]


# --- whole games ----------------------------------------------------------------------------------


def test_a_whole_game_ends_with_the_winner_the_secrets_the_turns_and_the_score(
    strongroom: Strongroom, whole: Whole, games: Path
) -> None:
    ran = strongroom("play", whole.name, "--strict", lines=whole.lines)
    assert ran.code == 0
    assert ran.err == ""
    end = ran.out[ran.out.index("Game over: Player 1 ") :]
    assert f"Turns: {len(whole.turns)}" in end
    assert "Score: Player 1 1, Player 2 0" in end
    assert len(re.findall(r"Player [12]'s secret: ", end)) == (2 if whole.set_up else 0)
    assert all(re.search(hidden, end) for hidden in whole.hidden)
    (file,) = games.iterdir()
    assert f"Record: {file}" in end


def test_an_unfinished_game_hides_its_secrets_and_the_command_shown_goes_on(
    strongroom: Strongroom, whole: Whole
) -> None:
    ran = strongroom("play", whole.name, lines=whole.all_but_the_last_turn)
    assert ran.code == 4
    assert whole.leaks(before_the_goodbye(ran)) == []
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


def test_position_and_digit_come_on_one_line_or_one_by_one(strongroom: Strongroom) -> None:
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


def test_safe_code_takes_words_for_its_menu_and_everyday_clues(strongroom: Strongroom) -> None:
    clues = [["EVEN", "multiple of 3", "> 15"], ["it's a prime", "< 10", "isn't even"]]
    turns = ["CLUE", "Guess 5", "guess", "7"]
    ran = strongroom("play", "safe-code", lines=["18", *clues[0], "7", *clues[1], *turns])
    assert 'Player 2\'s Clue: "The number is a prime."' in ran.lines
    assert 'Player 1 says: "Incorrect."' in ran.lines
    assert ran.code == 0


def test_a_number_with_many_zeros_in_front_is_that_number_or_refused(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("play", "quantum-duel", lines=["0000000031", "000000000000001"])
    assert "You have observed cell 3." not in ran.lines, "31 was read as 3"


# --- commands -------------------------------------------------------------------------------------


def test_help_says_what_is_accepted_here_with_an_example(strongroom: Strongroom) -> None:
    lines = ["342", "513", "1 3", "3 3", "help", "2", "HELP", "4"]
    ran = strongroom("play", "safecracker-duel", lines=lines)
    assert "Type a position and a new digit, like 2 4, or the position alone." in ran.lines
    assert "Type the new digit, 1 to 5." in ran.lines
    (commands, again) = (line for line in ran.lines if line.startswith("At every prompt: "))
    assert commands == again
    for command in ("help", "rules", "board", "history", "resign", "save", "quit"):
        assert command in commands
    assert "Updated Safe Combination: 3-4-3" in ran.lines, "help costs no turn"


def test_a_question_mark_asks_for_help_too(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", lines=["?"])
    assert "Type the number of an unobserved cell, like 1: 1, 2, 3, 4, 5, 6, 7." in ran.lines


def test_every_first_prompt_of_every_game_has_help_with_an_example(
    strongroom: Strongroom, whole: Whole
) -> None:
    ran = strongroom("play", whole.name, "--vs", "random", lines=["help"])
    assert re.search(r"\blike \w", ran.out), ran.out
    assert "At every prompt: help," in ran.out
    assert ("picks one for you" in ran.out) is bool(whole.set_up)


def test_rules_prints_the_rules_in_the_middle_of_a_game(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", lines=["3", "rules", "5"])
    assert "# Quantum Duel" in ran.lines
    assert "You have observed cell 5." in ran.lines


def test_board_shows_the_board(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", lines=["3", "board"])
    assert ran.lines.count("[ _ ] [ _ ] [ X ] [ _ ] [ _ ] [ _ ] [ _ ]") == 2


def test_board_says_so_where_there_is_none(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", lines=["37", "56", "board"])
    assert "This game has no board; try history." in ran.lines


def test_history_lists_what_was_played_by_both(strongroom: Strongroom) -> None:
    ran = strongroom(
        "play", "digit-deductions", lines=["37", "56", "history", "55", "35", "history"]
    )
    assert "Nothing has been played yet." in ran.lines
    assert ran.has_block("Player 1: 5-5: 1\nPlayer 2: 3-5: 2")


def test_secret_shows_a_lone_person_their_own_secret(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", "--vs", "random", lines=["secret", "37", "secret"])
    assert "Your secret: nothing yet" in ran.lines
    assert "Your secret: 3-7" in ran.lines


def test_no_secret_is_shown_in_a_transcript_that_two_people_share(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", lines=["37", "secret", "56", "secret", "5 6"])
    assert "3-7" not in ran.out.partition("Game over")[0]
    assert ran.code == 0


def test_a_hint_costs_no_turn_and_is_not_in_a_shared_transcript(
    strongroom: Strongroom, whole: Whole
) -> None:
    lines = [*whole.all_but_the_last_turn, "hint", *whole.turns[-1]]
    ran = strongroom("play", whole.name, lines=lines)
    assert ran.code == 0
    assert f"Turns: {len(whole.turns)}" in ran.lines
    assert ran.err, "its own reader finds it on the other stream"
    assert "%" not in ran.out


def test_resign_asks_once_and_no_goes_on(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", lines=["resign", "no", "3", "resign", "YES"])
    assert ran.out.count("Resign? (yes/no): ") == 2
    assert "The game goes on." in ran.lines
    assert "You have observed cell 3." in ran.lines
    assert "Game over: Player 1 won by the opponent's resignation." in ran.lines
    assert ran.code == 0


def test_resigning_is_possible_in_the_set_up_and_at_a_challenge(strongroom: Strongroom) -> None:
    set_up = strongroom("play", "safe-code", lines=["18", "resign", "y"])
    assert "Game over: Player 2 won by the opponent's resignation." in set_up.lines
    challenge = strongroom("play", "quantum-duel", lines=["1", "7", "2", "resign", "y"])
    assert "Game over: Player 1 won by the opponent's resignation." in challenge.lines


def test_a_resignation_is_in_the_record(strongroom: Strongroom) -> None:
    strongroom("play", "quantum-duel", "--save", "a.json", lines=["resign", "y"])
    ran = strongroom("replay", "a.json")
    assert "Game over: Player 2 won by the opponent's resignation." in ran.lines


def test_save_says_where(strongroom: Strongroom, games: Path) -> None:
    ran = strongroom("play", "quantum-duel", lines=["3", "save"])
    (file,) = games.iterdir()
    assert f"Saved to {file}" in ran.lines


def test_save_takes_a_file_and_that_copy_goes_on(strongroom: Strongroom, tmp_path: Path) -> None:
    copy = tmp_path / "my copy.json"
    ran = strongroom("play", "quantum-duel", lines=["3", f"save {copy}", "5"])
    assert f"Saved to {copy}" in ran.lines
    assert copy.stat().st_mode & 0o777 == 0o600
    again = strongroom("resume", str(copy), lines=["board"])
    assert "[ _ ] [ _ ] [ X ] [ _ ] [ _ ] [ _ ] [ _ ]" in again.lines


@pytest.mark.parametrize("name", ["/", ".", "~nobody-has-this-name/x", "/dev/null/x", "a" * 300])
def test_save_to_an_impossible_place_says_so_and_the_game_goes_on(
    strongroom: Strongroom, name: str
) -> None:
    ran = strongroom("play", "quantum-duel", lines=[f"save {name}", "3"])
    assert "Cannot save to" in ran.out
    assert "You have observed cell 3." in ran.lines


def test_quit_saves_and_shows_the_way_back(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", lines=["3", "Quit", "5"])
    assert ran.code == 4
    again = strongroom(*ran.resume, lines=["5"])
    assert "You have observed cell 5." in again.lines


# --- refusals -------------------------------------------------------------------------------------


DUEL = ["342", "513", "1 3", "3 3"]


@pytest.mark.parametrize(
    ("game", "before", "line", "reason", "form"),
    [
        ("safecracker-duel", DUEL, "2 7", "Digits run from 1 to 5; you typed 7.", "like 2 4"),
        ("safecracker-duel", DUEL, "4 1", "Positions run from 1 to 3; you typed 4.", "like 2 4"),
        ("safecracker-duel", DUEL, "1 3", "Position 1 already shows 3.", "exactly one digit"),
        ("safe-cracker", ["111", "222"], "127", "Digits run from 1 to 3; you typed 7.", "2-3-1"),
        ("safe-cracker", ["111", "222"], "12", "A code has three digits; you typed 2.", "2-3-1"),
        ("digit-deductions", ["37", "56"], "50", "Digits run from 1 to 9; you typed 0.", "2-3"),
        ("digit-deductions", ["37", "56"], "fifty", "digits only; 'fifty' has more.", "like 2-3"),
        ("quantum-duel", ["3"], "3", "Cell 3 already holds X.", "Unobserved: 1, 2, 4, 5, 6, 7."),
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
    assert asked[0] == asked[1], "the same player is asked the same again"
    history = re.findall(r"^(?:Player \d: .*|Nothing has .*)$", ran.out, re.M)
    assert history[: len(history) // 2] == history[len(history) // 2 :]


def test_safe_code_refuses_a_false_an_empty_and_a_strange_clue(strongroom: Strongroom) -> None:
    clues = ["prime", "less than 99", "my favourite", "even", "not odd", "> 15", "< 20"]
    ran = strongroom("play", "safe-code", lines=["18", *clues])
    assert "18 is not prime." in ran.err or "18 is not a prime." in ran.err
    assert "rules out no number from 1 to 30" in ran.err
    assert "'my favourite' is no clue that I understand." in ran.err
    assert 'That says the same as your clue "The number is even."' in ran.err
    assert ran.out.count(NOT_ACCEPTED) == 4
    assert "Player 2, choose your safe code (1-30): " in ran.out, "three clues were accepted"


def test_a_fourth_clue_is_refused_and_a_guess_is_still_possible(strongroom: Strongroom) -> None:
    set_up = ["18", "even", "> 15", "< 20", "7", "odd", "prime", "< 10"]
    asked = ["1", "2", "1", "1", "2", "1", "1", "2", "1"]
    ran = strongroom("play", "safe-code", lines=[*set_up, *asked, "1", "2", "7"])
    assert "All three clues have been given. Make a guess." in ran.lines
    assert ran.code == 0


def test_a_refusal_in_the_set_up_shows_nothing_of_the_line_on_stdout(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("play", "digit-deductions", lines=["307", "70", "37"])
    assert "0" not in ran.out.replace("1-9", "").partition("Saved")[0]
    assert ran.lines.count(NOT_ACCEPTED) == 2
    assert "A code has two digits; you typed 3." in ran.err or "you typed 0." in ran.err


# --- the first turn of Safecracker Duel -----------------------------------------------------------


def first_turn(strongroom: Strongroom, *lines: str) -> str:
    """What everyone reads when Player 1, whose code is 2-1-1, types these lines on a first turn."""
    return before_the_goodbye(strongroom("play", "safecracker-duel", lines=["211", "513", *lines]))


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


def test_the_reason_of_a_refused_first_turn_is_on_the_other_stream(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safecracker-duel", lines=["211", "513", "1 2"])
    assert "That would set the safe to your own code." in ran.err
    assert "own code" not in ran.out


def test_a_lone_person_reads_the_reason_at_once(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safecracker-duel", "--vs", "random", lines=["211", "1 2"])
    assert "That would set the safe to your own code." in ran.out


@pytest.mark.parametrize("line", ["1 2", "1 9"])
def test_a_strict_script_ends_alike_at_a_refused_and_a_mistyped_first_turn(
    strongroom: Strongroom, line: str
) -> None:
    ran = strongroom("play", "safecracker-duel", "--strict", lines=["211", "513", line, "3 4"])
    assert ran.code == 3
    assert before_the_goodbye(ran).splitlines()[-1] == NOT_ACCEPTED


# --- picked at random -----------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["", "R"])
def test_an_empty_line_or_r_picks_a_secret_and_tells_only_its_owner(
    strongroom: Strongroom, line: str
) -> None:
    ran = strongroom("play", "digit-deductions", lines=[line, "56"])
    picked = re.search(r"Picked for you: (\d-\d)", ran.err)
    assert picked
    assert "Picked" not in ran.out
    assert picked[1] not in before_the_goodbye(ran)
    over = strongroom(*ran.resume, lines=["56"])
    assert f"Player 1's secret: {picked[1]}" in over.lines


def test_whoever_had_a_secret_picked_still_gets_the_heading_of_the_first_turn(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("play", "digit-deductions", "--seed", "3", lines=["r", "r", "11", "22"])
    assert ran.lines.count("Player 1's Turn:") >= 1
    assert ran.lines.count("Player 2's Turn:") >= 1


def test_random_picks_fill_the_whole_set_up_of_safe_code(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safe-code", lines=["r"] * 8 + ["1"])
    assert len(re.findall("Picked for you: ", ran.err)) == 8
    assert "Player 2's Clue: " in ran.out


# --- options --------------------------------------------------------------------------------------


def test_a_strict_script_ends_at_its_first_illegal_line_and_is_saved(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("play", "quantum-duel", "--strict", lines=["3", "3", "5"])
    assert ran.code == 3
    assert "Cell 3 already holds X." in ran.out
    assert "You have observed cell 5." not in ran.lines
    again = strongroom(*ran.resume, lines=["5"])
    assert "You have observed cell 5." in again.lines


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play"], "GAME"),
        (["play", "chess"], "There is no game 'chess'. There are: safecracker-duel, safe-cracker"),
        (["play", "safe"], "'safe' could be"),
        (["play", "quantum-duel", "--nonsense"], "--nonsense"),
        (["play", "quantum-duel", "--vs", "nobody"], "--vs"),
        (["play", "quantum-duel", "--seed", "x"], "--seed"),
        (["play", "quantum-duel", "--turn-limit", "0"], "runs from 1 to 1000000; you gave '0'"),
        (["play", "quantum-duel", "--turn-limit", "9" * 40], "runs from 1 to 1000000"),
        (["play", "quantum-duel", "--names", "Ada", "Ada"], "The two names must differ."),
        (["play", "quantum-duel", "--names", "Ada", ""], "A name has 1 to 24 printable"),
        (["play", "quantum-duel", "--names", "Ada", "B\x1b[2J"], "1 to 24 printable characters."),
        (["play", "quantum-duel", "--plain", "--json"], "not allowed with"),
        (["play", "quantum-duel", "--set", "digits=4"], "There is no option 'digits'."),
        (["play", "safe-cracker", "--set", "digits"], "--set takes KEY=VALUE; you gave 'digits'."),
        (["play", "safe-cracker", "--set", "digits=2"], "digits runs from 3 to 9; you gave 2."),
        (["play", "safe-cracker", "--set", "attempts=0"], "attempts runs none, or from 1 to 100"),
        (["play", "safecracker-duel", "--set", "allow_same_digit=maybe"], "is yes or no"),
        (["rules", "chess"], "There is no game 'chess'."),
        (["replay", "nothing.json"], "There is no file nothing.json."),
        (["resume", "nothing.json"], "There is no file nothing.json."),
        (["resume"], "There is no unfinished game to resume. Start one: strongroom play GAME"),
        (["completion", "tcsh"], "tcsh"),
        (["dance"], "dance"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)  # fmt: skip
def test_wrong_usage_is_answered_in_a_line_and_exits_2(
    strongroom: Strongroom, arguments: list[str], says: str
) -> None:
    ran = strongroom(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert says in ran.err
    assert len(ran.err.splitlines()) <= 2
    assert "\x1b" not in ran.err


def test_the_same_seed_gives_the_same_transcript(strongroom: Strongroom) -> None:
    arguments = ["play", "quantum-duel", "--vs", "random", "--seat", "toss", "--seed", "7"]
    lines = [x for cell in range(1, 8) for x in ("yes", str(cell))] * 3
    first, second = (before_the_goodbye(strongroom(*arguments, lines=lines)) for _ in range(2))
    one, two = (re.sub(r"Record: .*", "", text) for text in (first, second))
    assert one == two
    assert "Result: " in one, "a coin was flipped"


def test_different_seeds_give_different_coins(strongroom: Strongroom) -> None:
    results: set[str] = set()
    for seed in range(40):
        arguments = ["play", "quantum-duel", "--seed", str(seed)]
        ran = strongroom(*arguments, lines=["3", "5", "4", "y"])
        results |= set(re.findall("Result: (.*)", ran.out))
        if len(results) > 1:
            break
    assert results == {"Heads", "Tails"}


def test_seat_2_lets_the_bot_move_first(strongroom: Strongroom) -> None:
    arguments = ["play", "quantum-duel", "--vs", "random", "--seed", "1"]
    ran = strongroom(*arguments, "--seat", "2", "--names", "Ada", "Bot")
    assert re.search(r"Bot \(X\), it's your turn\.\nEnter the cell .*: \d\n", ran.out)
    assert "Ada (O), it's your turn." in ran.lines
    first = strongroom(*arguments, "--seat", "1", "--names", "Ada", "Bot")
    assert "Ada (X), it's your turn." in first.lines


def test_a_toss_seats_by_the_seed_either_way(strongroom: Strongroom) -> None:
    starters = set()
    for seed in range(10):
        ran = strongroom(
            "play", "quantum-duel", "--seat", "toss", "--names", "Ada", "Bob", "--seed", str(seed)
        )
        starters |= set(re.findall(r"(\w+) \(X\), it's your turn", ran.out))
        if len(starters) == 2:
            break
    assert starters == {"Ada", "Bob"}


def test_names_are_used_everywhere(strongroom: Strongroom) -> None:
    lines = ["18", "even", "> 15", "< 20", "7", "odd", "prime", "< 10", "1", "2", "16", "2", "7"]
    ran = strongroom("play", "safe-code", "--names", "Ada", "Bob", lines=lines)
    assert "Player" not in ran.out
    assert "Bob's Clue: " in ran.out
    assert "Congratulations, Ada! You have cracked the safe." in ran.lines
    assert "Game over: Ada cracked the safe." in ran.lines
    assert "Score: Ada 1, Bob 0" in ran.lines


def test_a_turn_limit_ends_the_match_undecided(strongroom: Strongroom) -> None:
    ran = strongroom(
        "play", "digit-deductions", "--turn-limit", "2", lines=["37", "56", "55", "35", "56"]
    )
    assert ran.code == 0
    assert "Game over: undecided at the turn limit." in ran.lines
    assert "Turns: 2" in ran.lines
    assert "Player 1's secret: 3-7" in ran.lines
    assert "Score: Player 1 0.5, Player 2 0.5" in ran.lines
    assert "Feedback: 0" not in ran.lines


def test_a_win_on_the_last_turn_of_the_limit_is_a_win(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", "--turn-limit", "1", lines=["37", "56", "56"])
    assert "Game over: Player 1 guessed the secret number." in ran.lines


def test_options_of_a_game_are_set(strongroom: Strongroom) -> None:
    ran = strongroom(
        "play", "safe-cracker", "--set", "digits=4", "--set", "length=4", "--set", "attempts=1",
        lines=["4444", "3333", "3-3-3-1", "1111"],
    )  # fmt: skip
    assert "Enter your guess (four digits from 1-4): 3-3-3-1" in ran.lines
    assert "Game over: Player 1 had the most exact matches in one guess." in ran.lines


def test_the_same_digit_is_allowed_where_the_option_says_so(strongroom: Strongroom) -> None:
    lines = ["342", "513", "1 1"]
    ran = strongroom("play", "safecracker-duel", "--set", "allow_same_digit=yes", lines=lines)
    assert "Updated Safe Combination: 1-1-1" in ran.lines


def test_a_whole_game_against_a_bot(strongroom: Strongroom) -> None:
    every_code = [f"{a}{b}{c}" for a in "123" for b in "123" for c in "123"]
    ran = strongroom(
        "play", "safe-cracker", "--vs", "random", "--seed", "4", lines=["213", *every_code]
    )
    assert ran.code == 0
    assert re.search(r"Enter your guess \(three digits from 1-3\): \d-\d-\d\n", ran.out)
    assert re.search(r"Game over: Player [12] cracked the code\.", ran.out)


def test_a_bot_shows_nothing_of_its_secret_before_the_end(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", "--vs", "random", "--seed", "5", lines=["37"])
    over = strongroom(*ran.resume, lines=["resign", "y"])
    secret = re.search(r"Player 2's secret: (\d-\d)", over.out)
    assert secret
    assert secret[1] not in before_the_goodbye(ran) + ran.err


def test_a_game_is_found_by_the_beginning_of_its_name_in_any_case(strongroom: Strongroom) -> None:
    for name in ("QUANTUM", "quantum duel"):
        assert strongroom("play", name).lines[0] == "Welcome to Quantum Duel!"


# --- events ---------------------------------------------------------------------------------------


def test_every_line_of_json_is_an_event_and_they_come_in_order(
    strongroom: Strongroom, whole: Whole
) -> None:
    ran = strongroom("play", whole.name, "--json", lines=whole.lines)
    events = ran.events
    kinds = [event["event"] for event in events]
    assert ran.code == 0
    assert kinds[0] == "start"
    assert kinds[-1] == "end"
    assert set(kinds[1:-1]) == {"ask", "move"}
    assert kinds.count("ask") == len(whole.lines)
    assert events[0]["game"] == whole.name
    moves = [event for event in events if event["event"] == "move"]
    assert kinds.index("move") > len(whole.set_up)
    assert moves[-1]["turns"] == len(whole.turns)
    assert events[-1]["winner"] == 1
    for earlier, later in pairwise(events):
        if later["event"] == "move" and earlier["event"] == "ask":
            assert later["seat"] == earlier["seat"], "who is asked is who moves"


def test_no_event_before_the_end_holds_a_secret(strongroom: Strongroom, whole: Whole) -> None:
    ran = strongroom("play", whole.name, "--json", lines=whole.all_but_the_last_turn)
    *events, saved = ran.events
    assert ran.code == 4
    assert saved["event"] == "saved"
    text = "\n".join(json.dumps(event) for event in events)
    assert whole.leaks(text.replace("(1-30)", "").replace("allow_same_digit", "")) == []
    again = strongroom(*saved["resume"].split()[1:], "--json", lines=whole.turns[-1])
    end = again.events[-1]
    assert end["event"] == "end"
    assert all(re.search(hidden, str(end["secrets"])) for hidden in whole.hidden)


def test_a_refused_line_is_an_event_with_its_kind_reason_and_form(strongroom: Strongroom) -> None:
    events = strongroom("play", "quantum-duel", "--json", lines=["9", "3", "3"]).events
    refused = [event for event in events if event["event"] == "refused"]
    assert [event["kind"] for event in refused] == ["NotUnderstood", "NotLegal"]
    assert refused[0]["reason"] == "Cells run from 1 to 7; you typed 9."
    assert refused[1]["accepted"] == "Unobserved: 1, 2, 4, 5, 6, 7."


def test_a_private_refusal_is_an_event_that_tells_nothing(strongroom: Strongroom) -> None:
    def events(line: str) -> list[dict[str, Any]]:
        lines = ["211", "513", line, "3 4"]
        return strongroom("play", "safecracker-duel", "--json", lines=lines).events[:-1]

    assert events("1 2") == events("1 9")
    assert {"event": "refused", "kind": "private", "reason": None, "accepted": None} in events("12")


def test_commands_in_json_keep_every_line_an_event(strongroom: Strongroom) -> None:
    lines = ["help", "rules", "board", "history", "secret", "resign", "no", "save", "3", "quit"]
    ran = strongroom("play", "quantum-duel", "--json", lines=lines)
    assert [event["event"] for event in ran.events].count("note") >= 5


def test_a_secret_picked_at_random_is_in_no_event(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", "--json", lines=["r", "56"])
    picked = re.search(r"\d-\d", ran.err)
    assert picked
    *events, _ = ran.events
    assert picked[0] not in json.dumps(events).replace("1-9", "")


# --- strange input --------------------------------------------------------------------------------

STRANGE = (
    b"x\x00y\x00\n",  # NUL bytes
    b"\xff\xfe\x80\xc3\n",  # invalid UTF-8
    b"\xed\xa0\x80\n",  # a surrogate
    b"\x1b[2J\x1b[A\x1b]0;title\x07\x08\x7f\n",  # control sequences
    b"x\x1b\n",  # a lone escape
    "\x9b2J\x85\u2028\u202e\n".encode(),  # a C1 control
    "３ ٣ ² ①\n".encode(),  # other digits
    b"a" * 100_000 + b"\n",  # a long word
    b"9" * 100_000 + b"\n",  # a long number
    b"1 " * 50_000 + b"\n",  # many digits
    b"not is a the " * 8_000 + b"\n",  # many words
    b"%s %d {0} {} {{ }} \\n $HOME `id`\n",  # percents and braces
    b"[bold red]x[/] [/nonsense] [link=x]\n",  # rich markup
)
"""Lines that nobody means as an answer; none of them is a move of any game."""


def test_strange_lines_are_refused_and_never_a_traceback(
    strongroom: Strongroom, whole: Whole
) -> None:
    strange = b"".join(STRANGE)
    script = b"".join(strange + line.encode() + b"\n" for line in whole.lines)
    ran = strongroom("play", whole.name, lines=script)
    assert ran.code == 0
    assert not re.search(rb"[\x00\x1b]", ran.raw + ran.raw_err)
    longest = max(len(line) for line in ran.raw_err.splitlines() or [b""])
    assert longest < 1000, "a refusal does not quote a hundred kilobytes back"


def test_no_control_character_of_a_line_is_echoed(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", lines="\x9b2J\x9d0;x\x9c\u202e3\n".encode())
    assert not re.search("[\x80-\x9f\u202e]", ran.out)


def test_a_closed_input_is_an_ended_input(clean: Clean, tmp_path: Path) -> None:
    for arguments in ("play quantum-duel", ""):
        done = subprocess.run(
            ["sh", "-c", f'"{sys.executable}" -m strongroom {arguments} <&-'],
            env=clean(),
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        assert done.returncode == 4


@pytest.mark.parametrize("arguments", ["games", "play quantum-duel", "--help"])
def test_a_reader_who_leaves_early_causes_no_traceback(
    clean: Clean, tmp_path: Path, arguments: str
) -> None:
    # Standard output is a pipe that nobody reads: every write to it fails.
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m strongroom {arguments} <<< 3 > >(exec >&- <&-)'],
        env=clean(),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert b"Exception ignored" not in done.stderr, done.stderr.decode()


@pytest.mark.parametrize("arguments", ["games", "play quantum-duel", "--help"])
def test_a_full_disk_behind_the_output_causes_no_traceback(
    clean: Clean, tmp_path: Path, arguments: str
) -> None:
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m strongroom {arguments} <<< 3 >/dev/full'],
        env=clean(),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert b"Exception ignored" not in done.stderr, done.stderr.decode()
    assert done.returncode != 0


# --- games, rules, help ---------------------------------------------------------------------------


def test_games_lists_the_five_with_a_line_each(strongroom: Strongroom) -> None:
    ran = strongroom("games")
    assert [line.split()[0] for line in ran.lines] == list(GAMES)
    assert all(len(line.split(maxsplit=1)[1]) > 20 for line in ran.lines)
    assert max(map(len, ran.lines)) <= 100
    assert strongroom("games", "--names").lines == list(GAMES)


def test_rules_prints_each_games_page(strongroom: Strongroom) -> None:
    for name in GAMES:
        ran = strongroom("rules", name)
        title = name.replace("-", " ").title()
        assert ran.code == 0
        assert ran.lines[0] == f"# {title}"
        assert len(ran.lines) > 40


@pytest.mark.parametrize(
    "command", ["", "games", "rules", "play", "replay", "resume", "completion"]
)
def test_help_of_every_command_shows_an_example_first(strongroom: Strongroom, command: str) -> None:
    ran = strongroom(*command.split(), "--help")
    assert ran.code == 0
    example = re.search(rf"examples?:\n  .*strongroom {command}", ran.out)
    assert example, ran.out
    assert example.start() < ran.out.index("options:")
    assert max(map(len, ran.lines)) <= 80


def test_version_is_printed(strongroom: Strongroom) -> None:
    assert re.fullmatch(r"strongroom \d+\.\d+\S*\n", strongroom("--version").out)


# --- the menu -------------------------------------------------------------------------------------


def test_the_menu_asks_for_everything_and_then_plays(strongroom: Strongroom) -> None:
    lines = ["4", "1", "1", "Ada", "Bob", "37", "56", "5 6"]
    ran = strongroom(lines=lines)
    assert ran.code == 0
    assert "Enter 1 to 5 (or quit): 4" in ran.lines
    assert "Welcome to Digit Deductions!" in ran.lines
    assert "Ada Wins" in ran.lines


def test_the_menu_takes_names_too_and_seats_the_other_first(strongroom: Strongroom) -> None:
    ran = strongroom(lines=["Quantum", "person", "other", "Ada", "Bob", "3"])
    assert "Bob (X), it's your turn." in ran.lines
    assert "You have observed cell 3." in ran.lines


def test_the_menu_tosses_and_says_who_starts(strongroom: Strongroom) -> None:
    ran = strongroom(lines=["5", "2", "toss", "Ada"])
    starts = re.search(r"The toss: (Ada|Master) starts\.", ran.out)
    assert starts
    assert f"{starts[1]} (X), it's your turn." in ran.lines


def test_the_menu_asks_again_after_a_wrong_answer_and_lets_go(strongroom: Strongroom) -> None:
    wrong = ["9", "chess", "", "safe", "0", "-1", "0000000019", "9" * 5000]
    ran = strongroom(lines=[*wrong, "quit"])
    assert ran.code == 0
    assert ran.out.count("is none of these. Type a number from 1 to 5.") == len(wrong)


def test_the_menu_asks_again_for_names_that_are_alike(strongroom: Strongroom) -> None:
    ran = strongroom(lines=["5", "1", "1", "Ada", "Ada", "Ada", "Bob", "3"])
    assert "The two names must differ." in ran.out
    assert "Ada (X), it's your turn." in ran.lines


def test_the_menu_ends_with_its_input(strongroom: Strongroom) -> None:
    assert strongroom().code == 4
    assert strongroom(lines=["5", "1", "1", "Ada"]).code == 4


# --- replay ---------------------------------------------------------------------------------------


def test_a_finished_game_replays_to_its_end_with_its_secrets(
    strongroom: Strongroom, whole: Whole
) -> None:
    played = strongroom("play", whole.name, "--save", "a.json", lines=whole.lines)
    ran = strongroom("replay", "a.json")
    assert ran.code == 0
    assert ran.err == ""
    said = [x for x in played.lines if re.match("Feedback|Updated|Player . says|You have obs", x)]
    assert said == [x for x in ran.lines if x in said]
    end = ran.out[ran.out.index("Game over: Player 1 ") :]
    assert all(re.search(hidden, end) for hidden in whole.hidden)
    events = strongroom("replay", "a.json", "--json").events
    kinds = [event["event"] for event in events]
    assert kinds == ["start", *["move"] * (len(kinds) - 2), "end"]
    assert events[-2]["turns"] == len(whole.turns)


def test_an_unfinished_game_replays_without_its_secrets(
    strongroom: Strongroom, whole: Whole
) -> None:
    strongroom("play", whole.name, "--save", "a.json", lines=whole.all_but_the_last_turn)
    for face in ([], ["--json"]):
        ran = strongroom("replay", "a.json", *face)
        assert ran.code == 0
        assert "The game is not over." in ran.out
        assert whole.leaks(ran.out.replace("(1-30)", "").replace("allow_same_digit", "")) == []


# --- resume ---------------------------------------------------------------------------------------


def test_resume_without_a_file_takes_the_newest_unfinished_game(strongroom: Strongroom) -> None:
    strongroom("play", "safe-code", lines=["18"])
    strongroom("play", "quantum-duel", lines=["3"])
    strongroom("play", "digit-deductions", lines=["37", "56"])
    strongroom("play", "safe-cracker", lines=["213", "331", "331"])  # finished: passed over
    assert "Digit Deductions" in strongroom("resume").lines[0]


def test_resume_without_a_file_passes_over_a_damaged_one(
    strongroom: Strongroom, games: Path
) -> None:
    strongroom("play", "quantum-duel", lines=["3"])
    (games / "99991231-235959-quantum-duel-ffffff.json").write_text("{")
    assert "Player 2 (O), it's your turn." in strongroom("resume").lines


def test_resume_keeps_names_options_limit_and_opponent(strongroom: Strongroom) -> None:
    arguments = [
        "--names",
        "Ada",
        "Bot",
        "--vs",
        "random",
        "--set",
        "digits=4",
        "--turn-limit",
        "2",
    ]
    ran = strongroom("play", "safe-cracker", *arguments, lines=["444"])
    again = strongroom(*ran.resume, lines=["111"])
    assert "Ada's Turn:" in again.lines
    assert "Enter your guess (three digits from 1-4): 111" in again.lines
    assert re.search(r"Game over: (undecided at the turn limit|\w+ cracked the code)\.", again.out)
    assert again.code == 0


def test_a_finished_game_is_not_resumed(strongroom: Strongroom) -> None:
    strongroom("play", "digit-deductions", "--save", "a.json", lines=["37", "56", "56"])
    ran = strongroom("resume", "a.json")
    assert ran.code == 2
    assert ran.err == (
        "strongroom: The game in a.json is over. Look at it: strongroom replay a.json\n"
    )


@pytest.fixture(scope="module")
def record() -> str:
    """An unfinished game of Digit Deductions, with both numbers chosen and two guesses made."""
    match = Match(load("digit-deductions"), Random(1))
    for text in ("3-7", "5-6", "5-5", "3-5"):
        match.play(match.record.game.move(text))
    return match.record.dumps()


def damage(data: dict[str, Any], kind: str) -> str:
    """What to look for in the answer to a record that is damaged in this way."""
    match kind:
        case "another schema":
            data["schema"] = 99
            return "schema 99"
        case "an unknown game":
            data["game"] = "chess"
            return "chess"
        case "an option out of range":
            data["options"] = {"digits": 4}
            return "digits"
        case "a missing part":
            del data["moves"]
            return "moves"
        case "a move that is none":
            data["moves"][2]["move"] = "0-0"
            return "Move 3: '0-0'"
        case "a move out of turn":
            data["moves"][2]["seat"] = 2
            return "Move 3 (5-5) is out of turn."
        case "an edited secret":
            data["moves"][0]["move"] = "3-8"
            return "commitments"
        case "an edited commitment":
            data["commitments"][1] = "0" * 64
            return "commitments"
        case "a secret without its nonce":
            data["moves"][1]["nonce"] = None
            del data["commitments"][1]
            return "damaged"
        case "an edited outcome":
            data["outcome"] = {"winner": 1, "reason": "guessed the secret number"}
            return "outcome"
        case "a winner who is no seat":
            data["outcome"] = {"winner": 0, "reason": "won by the opponent's resignation"}
            return "damaged"
        case "an outcome that is false":
            data["outcome"] = False
            return "damaged"
        case "three seats":
            data["seats"].append(data["seats"][0])
            return "damaged"
        case "a turn limit in words":
            data["turn_limit"] = "many"
            return "turn_limit"
        case _:
            raise AssertionError(kind)


@pytest.mark.parametrize(
    "kind",
    [
        "another schema", "an unknown game", "an option out of range", "a missing part",
        "a move that is none", "a move out of turn", "an edited secret", "an edited commitment",
        "a secret without its nonce", "an edited outcome", "a winner who is no seat",
        "an outcome that is false", "three seats", "a turn limit in words",
    ],
)  # fmt: skip
def test_a_damaged_record_is_refused_with_what_is_wrong(
    record: str, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(record)
    says = damage(data, kind)
    file = tmp_path / "a.json"
    file.write_text(json.dumps(data))
    assert main(["replay", str(file)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"strongroom: {file} is damaged.")
    assert says in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"null", b"[]", b"7", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"schema": 1}'],
    ids=["empty", "cut", "null", "list", "number", "string", "bytes", "deep", "alone"],
)
def test_a_file_that_is_no_record_is_refused(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(content)
    assert main(["replay", str(file)]) == 2
    assert f"{file} is damaged." in capsys.readouterr().err


def test_a_record_is_refused_wherever_it_is_cut_off(record: str) -> None:
    for cut in range(len(record.rstrip())):
        with pytest.raises(DamagedRecord, match="This is not a record"):
            Record.loads(record[:cut])


def test_an_edited_guess_that_would_have_ended_the_game_is_refused(
    strongroom: Strongroom, record: str, tmp_path: Path
) -> None:
    data = json.loads(record)
    data["moves"][2]["move"] = "5-6"
    (tmp_path / "a.json").write_text(json.dumps(data))
    for command in ("resume", "replay"):
        ran = strongroom(command, "a.json")
        assert ran.code == 2
        assert "a.json is damaged. Move 4 (3-5) is out of turn." in ran.err


# --- no Unicode -----------------------------------------------------------------------------------


def test_every_command_speaks_ascii_where_the_locale_is_c(
    strongroom: Strongroom, whole: Whole
) -> None:
    c = {"LANG": "C"}
    commands = [["help", "rules", "history", "board"], []]
    lines = [*commands[0], *whole.all_but_the_last_turn, *commands[0], *whole.turns[-1]]
    runs = [
        strongroom("play", whole.name, "--save", "a.json", lines=lines, env=c),
        strongroom("replay", "a.json", env=c),
        strongroom("rules", whole.name, env=c),
    ]
    assert [ran.code for ran in runs] == [0, 0, 0]
    for ran in runs:
        assert (ran.raw + ran.raw_err).isascii()


@pytest.mark.parametrize(
    "arguments", ["", "games", "--help", "play --help", "completion bash", "completion fish"]
)
def test_the_small_commands_speak_ascii_too(strongroom: Strongroom, arguments: str) -> None:
    ran = strongroom(*arguments.split(), env={"LANG": "C"})
    assert ran.raw
    assert (ran.raw + ran.raw_err).isascii()


# --- bots that cannot play ------------------------------------------------------------------------


def test_a_bot_that_has_no_table_is_refused_before_anything_is_saved(
    strongroom: Strongroom, games: Path
) -> None:
    ran = strongroom("play", "safe-cracker", "--set", "digits=9", "--vs", "master")
    assert ran.code == 2
    assert ran.err == (
        "strongroom: There is no table for safe-cracker,digits=9. "
        "The usual options of every game have one.\n"
    )
    assert not games.exists()
