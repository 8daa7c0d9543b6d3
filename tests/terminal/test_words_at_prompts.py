"""The commands that work at every prompt, and secrets that are picked at random."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom, Whole


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
    assert ("Or type random to have one picked for you." in ran.lines) is bool(whole.set_up)


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
    assert ran.has_block("1. Player 1: 5-5: 1\n2. Player 2: 3-5: 2")


def test_secret_shows_a_person_playing_alone_their_own_secret(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", "--vs", "random", lines=["secret", "37", "secret"])
    assert "You have chosen nothing yet." in ran.lines
    assert "Your secret: 3-7" in ran.lines


def test_secret_says_so_where_nothing_is_secret(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", lines=["secret"])
    assert "Nothing is secret in this game." in ran.lines


def test_no_secret_is_shown_in_a_transcript_that_two_people_share(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", lines=["37", "secret", "56", "secret", "5 6"])
    assert "3-7" not in ran.out.partition("Game over")[0]
    assert ran.code == 0


def test_a_hint_costs_no_turn_and_is_not_in_a_shared_transcript(
    strongroom: Strongroom, whole: Whole
) -> None:
    lines = [*whole.all_but_the_last_turn, "hint", *whole.turns[-1]]
    ran = strongroom("play", whole.name, "--aids", lines=lines)
    assert ran.code == 0
    assert f"Turns: {len(whole.turns)}" in ran.lines
    assert ran.err, "the player who asked finds it on stderr"
    assert "%" not in ran.out


def test_two_people_get_no_hint_unless_they_agreed_on_it(
    strongroom: Strongroom, whole: Whole
) -> None:
    lines = [*whole.all_but_the_last_turn, "hint", *whole.turns[-1]]
    ran = strongroom("play", whole.name, lines=lines)
    assert f"Turns: {len(whole.turns)}" in ran.lines
    told = "This game is played without hints and notebook."
    assert (ran.out + ran.err).count(told) == 1
    assert "%" not in ran.out + ran.err


@pytest.mark.parametrize("aids", [True, False])
def test_a_resumed_game_keeps_what_was_agreed_on_hints(strongroom: Strongroom, aids: bool) -> None:
    option = "--aids" if aids else "--no-aids"
    ran = strongroom("play", "digit-deductions", option, lines=["37", "56"])
    ran = strongroom(*ran.resume, lines=["hint"])
    assert ("% to win" in ran.err) is aids


@pytest.mark.parametrize("begun", [True, False])
def test_a_resumed_game_has_the_aids_as_they_were_switched(
    strongroom: Strongroom, begun: bool
) -> None:
    option = "--aids" if begun else "--no-aids"
    ran = strongroom("play", "digit-deductions", option, lines=["37", "56", "aids"])
    for _ in range(2):
        ran = strongroom(*ran.resume, lines=["hint"])
        assert ("% to win" in ran.err) is not begun


def test_aids_that_were_switched_off_against_a_bot_stay_off_when_the_game_is_resumed(
    strongroom: Strongroom,
) -> None:
    game = ("play", "quantum-duel", "--vs", "random", "--seed", "1", "--aids")
    ran = strongroom(*game, lines=["4", "aids"])
    ran = strongroom(*ran.resume, lines=["hint"])
    assert "% to win" not in ran.out
    assert "This game is played without hints and notebook." in ran.out


def test_a_game_against_a_bot_has_hints_unless_it_was_started_without(
    strongroom: Strongroom,
) -> None:
    for option, hinted in (("--aids", True), ("--fast", True), ("--no-aids", False)):
        ran = strongroom("play", "quantum-duel", "--vs", "random", option, lines=["hint"])
        assert ("% to win" in ran.out) is hinted


def test_a_hint_says_once_at_its_end_where_the_estimate_is_not_certified_play(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("play", "digit-deductions", "--aids", lines=["37", "56", "5 5", "hint"])
    *moves, last = ran.err.splitlines()[:3]
    assert moves == [
        "1-4 or 1-6 (45% to win): It may hit, and splits the 81 numbers left into 14 parts of at "
        "most 9.",
        "1-1 (45% to win, certified): It may hit, and splits the 81 numbers left into 17 parts of "
        "at most 9.",
    ]
    assert last == (
        "The percentages hold if the opponent left the certified strategy but hid by it, and "
        "both now race. The certified player draws its move, 1-1 among others, and so keeps its "
        "guarantee against anybody."
    )
    lines = ["87", "52", "97", "14", "98", "hint"]
    ran = strongroom("play", "digit-deductions", "--aids", lines=lines)
    assert ran.err.count("The percentages hold if") == 1
    assert "The certified player plays 9-2, which keeps its guarantee against anybody.\n" in ran.err


def test_moves_for_which_a_hint_says_the_same_share_a_line(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safe-code", "--aids", lines=["hint"])
    assert ran.err.startswith(
        "The number 1, 2 or 3 (52% to win, certified): All 30 codes are equally good if you "
        "pick one at random.\n"
    )
    assert "percentages" not in ran.err


def test_resign_asks_once_and_no_goes_on(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", lines=["resign", "no", "3", "resign", "YES"])
    assert ran.out.count("Resign? (yes/no): ") == 2
    assert "The game goes on." in ran.lines
    assert "You have observed cell 3." in ran.lines
    assert "Game over: Player 1 won, because Player 2 resigned." in ran.lines
    assert ran.code == 0


def test_resigning_is_possible_in_the_set_up_and_at_a_challenge(strongroom: Strongroom) -> None:
    set_up = strongroom("play", "safe-code", lines=["18", "resign", "y"])
    assert "Game over: Player 2 won, because Player 1 resigned." in set_up.lines
    challenge = strongroom("play", "quantum-duel", lines=["1", "7", "2", "resign", "y"])
    assert "Game over: Player 1 won, because Player 2 resigned." in challenge.lines


def test_a_resignation_is_in_the_record(strongroom: Strongroom) -> None:
    strongroom("play", "quantum-duel", "--save", "a.json", lines=["resign", "y"])
    ran = strongroom("replay", "a.json")
    assert "Game over: Player 2 won, because Player 1 resigned." in ran.lines


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


def test_quit_saves_and_shows_the_resume_command(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", lines=["3", "Quit", "5"])
    assert ran.code == 4
    again = strongroom(*ran.resume, lines=["5"])
    assert "You have observed cell 5." in again.lines


# --- picked at random -----------------------------------------------------------------------------


def test_an_empty_line_picks_no_secret(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", lines=["", "37", "56", "56"])
    assert ran.out.count("Player 1, choose your secret number") == 2
    assert "Nothing typed. " in ran.err
    assert "Or type random to have one picked for you." in ran.err
    assert "Player 1's secret: 3-7" in ran.lines


@pytest.mark.parametrize("line", ["random", "R"])
def test_random_or_r_picks_a_secret_and_tells_only_its_owner(
    strongroom: Strongroom, line: str
) -> None:
    ran = strongroom("play", "digit-deductions", lines=[line, "56"])
    picked = re.search(r"Picked for you: (\d-\d)", ran.err)
    assert picked
    assert "Picked" not in ran.out
    # The prompt itself says "from 1-9", which is a code too.
    assert picked[1] not in ran.before_the_goodbye.replace("from 1-9", "")
    over = strongroom(*ran.resume, lines=["56"])
    assert f"Player 1's secret: {picked[1]}" in over.lines


def test_after_a_random_secret_the_heading_of_the_first_turn_is_still_shown(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("play", "digit-deductions", "--seed", "3", lines=["r", "r", "11", "22"])
    assert ran.lines.count("Player 1's Turn:") >= 1
    assert ran.lines.count("Player 2's Turn:") >= 1


def test_random_picks_fill_the_whole_set_up_of_safe_code(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safe-code", lines=["r"] * 8 + ["1"])
    assert len(re.findall("Picked for you: ", ran.err)) == 8
    assert "Player 2's Clue: " in ran.out
