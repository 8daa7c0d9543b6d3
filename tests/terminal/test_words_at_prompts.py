"""The commands that work at every prompt, and secrets that are picked at random."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.terminal.conftest import Strongroom, Whole

WITHOUT_AIDS = "This game is played without hints and notebook."
LEFT = ["Left for you: 6 of 27. 1-1-1, 1-1-2, 1-2-3, 1-3-3, 2-1-3, 3-1-3"]
GUESSED = ["37", "56", "55", "35"]


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


def test_every_first_prompt_has_help_with_an_example(strongroom: Strongroom, whole: Whole) -> None:
    ran = strongroom("play", whole.name, "--vs", "random", lines=["?"])
    assert re.search(r"\blike \w", ran.out), ran.out
    assert "At every prompt: help," in ran.out
    assert ("Or type random to have one picked for you." in ran.lines) is bool(whole.set_up)


@pytest.mark.parametrize(
    ("game", "lines", "answers"),
    [
        ("quantum-duel", ["3", "rules", "5"], ["# Quantum Duel", "You have observed cell 5."]),
        ("quantum-duel", ["secret", "3"], ["Nothing is secret in this game."]),
        ("quantum-duel --vs random", ["notebook"], ["Nothing is hidden here."]),
        ("safe-cracker --vs casual --seed 1", ["312", "113", "notebook"], LEFT),
        ("digit-deductions", ["37", "56", "notebook"], [f"{WITHOUT_AIDS} To switch them on: aids"]),
        ("quantum-duel", ["history", "3"], ["Nothing has been played yet."]),
        ("quantum-duel", ["3", "history"], ["1. Player 1: 3"]),
        ("quantum-duel", ["3", "board"], ["[ _ ] [ _ ] [ X ] [ _ ] [ _ ] [ _ ] [ _ ]"] * 2),
        ("digit-deductions", ["37", "56", "board"], ["This game has no board; try history."]),
        ("digit-deductions", [*GUESSED, "history"], ["1. Player 1: 5-5: 1", "2. Player 2: 3-5: 2"]),
        ("digit-deductions --vs random", ["secret", "37"], ["You have chosen nothing yet."]),
        ("digit-deductions --vs random", ["37", "secret"], ["Your secret: 3-7"]),
    ],
)
def test_a_command_answers_and_the_question_stays(
    strongroom: Strongroom, game: str, lines: list[str], answers: list[str]
) -> None:
    ran = strongroom("play", *game.split(), lines=lines, code=4)
    assert [line for line in ran.lines if line in answers] == answers


def test_no_secret_is_shown_in_a_transcript_that_two_people_share(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", lines=["37", "secret", "56", "secret", "5 6"])
    assert "3-7" not in ran.out.partition("Game over")[0]
    assert ran.code == 0


def test_hints_of_two_people_are_in_no_transcript(strongroom: Strongroom, whole: Whole) -> None:
    lines = [*whole.all_but_the_last_turn, "hint", *whole.turns[-1]]
    ran = strongroom("play", whole.name, "--aids", lines=lines, code=0)
    assert f"Turns: {len(whole.turns)}" in ran.lines
    assert "%" not in ran.out
    assert "%" in ran.err, "the player who asked finds it on stderr"


@pytest.mark.parametrize("switched", [False, True])
@pytest.mark.parametrize("option", ["--aids", "--no-aids", "--fast"])
def test_two_people_get_hints_only_if_they_agreed_also_in_a_resumed_game(
    strongroom: Strongroom, option: str, switched: bool
) -> None:
    typed = ["aids"] if switched else []
    ran = strongroom("play", "digit-deductions", option, lines=["37", "56", *typed])
    for _ in range(2):
        ran = strongroom(*ran.resume, lines=["hint"])
        hinted = (option == "--aids") != switched
        assert ("% to win" in ran.err) is hinted
        assert (ran.out + ran.err).count(WITHOUT_AIDS) == (not hinted)


def test_a_game_against_a_bot_has_hints_unless_switched_off(strongroom: Strongroom) -> None:
    game = ("play", "quantum-duel", "--vs", "random", "--seed", "1")
    for option, hinted in (("--aids", True), ("--fast", True), ("--no-aids", False)):
        assert ("% to win" in strongroom(*game, option, lines=["hint"]).out) is hinted
    ran = strongroom(*game, "--aids", lines=["4", "aids"])
    ran = strongroom(*ran.resume, lines=["hint"])
    assert "% to win" not in ran.out
    assert WITHOUT_AIDS in ran.out


def test_a_hint_says_once_where_it_is_not_certified_play(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", "--aids", lines=["37", "56", "5 5", "hint"])
    shared, certified, held = ran.err.splitlines()[:3]
    assert shared.startswith("1-4 or 1-6 (45% to win): It may hit, and splits the 81 numbers left")
    assert certified.startswith("1-1 (45% to win, as Master plays): It may hit, and ")
    assert held.startswith("The percentages hold if the opponent hid like Master but has strayed ")
    assert "Master picks at random, 1-1 among others: that is safe against anybody." in held
    lines = ["87", "52", "97", "14", "98", "hint"]
    ran = strongroom("play", "digit-deductions", "--aids", lines=lines)
    assert ran.err.count("The percentages hold if") == 1
    assert "Master plays 9-2: that is safe against anybody.\n" in ran.err
    ran = strongroom("play", "safe-code", "--aids", lines=["hint", "7", "hint"])
    assert ran.err.startswith("The number 1, 2 or 3 (52% to win, as Master plays): All 30 ")
    assert ran.err.splitlines()[-1].endswith("asks for clues only as long as that pays.")


def test_resign_asks_once_and_no_goes_on_at_any_prompt(strongroom: Strongroom) -> None:
    lines = ["resign", "no", "3", "resign", "perhaps", "YES"]
    ran = strongroom("play", "quantum-duel", "--save", "a.json", lines=lines, code=0)
    assert ran.out.count("Resign? (yes/no): ") == 3
    assert "'perhaps' is neither yes nor no." in ran.out
    assert "The game goes on." in ran.lines
    assert "You have observed cell 3." in ran.lines
    over = "Game over: Player 1 won, because Player 2 resigned."
    assert over in ran.lines
    assert over in strongroom("replay", "a.json").lines
    set_up = strongroom("play", "safe-code", lines=["18", "resign", "y"])
    assert "Game over: Player 2 won, because Player 1 resigned." in set_up.lines
    challenge = strongroom("play", "quantum-duel", lines=["1", "7", "2", "resign", "y"])
    assert "Game over: Player 1 won, because Player 2 resigned." in challenge.lines


def test_save_says_where_or_why_not_and_a_copy_goes_on(
    strongroom: Strongroom, tmp_path: Path, games: Path
) -> None:
    copy = tmp_path / "my copy.json"
    names = ["/", ".", "~nobody-has-this-name/x", "/dev/null/x", "a" * 300]
    mistyped = tmp_path / "nope" / "er"
    saves = ["save", *(f"save {name}" for name in (copy, mistyped / "x", *names))]
    ran = strongroom("play", "quantum-duel", lines=["3", *saves, "5"])
    (file,) = games.iterdir()
    assert f"Saved to {file}" in ran.lines
    assert f"Saved to {copy}" in ran.lines
    assert sum("Cannot save to" in line for line in ran.lines) == len(names)
    assert f"There is no folder '{mistyped}'." in ran.out
    assert not mistyped.parent.exists()
    assert "You have observed cell 5." in ran.lines
    assert copy.stat().st_mode & 0o777 == 0o600
    again = strongroom("resume", str(copy), lines=["board"])
    assert "[ _ ] [ _ ] [ X ] [ _ ] [ _ ] [ _ ] [ _ ]" in again.lines


def test_an_empty_line_picks_no_secret_and_random_all_of_them(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", lines=["", "37", "56", "56"])
    assert ran.out.count("Player 1, choose your secret number") == 2
    assert "Nothing typed. " in ran.err
    assert "Or type random to have one picked for you." in ran.err
    assert "Player 1's secret: 3-7" in ran.lines
    ran = strongroom("play", "safe-code", lines=["r"] * 8 + ["1"])
    assert len(re.findall("Picked for you: ", ran.err)) == 8
    assert "Player 2's Clue: " in ran.out
    assert "[Player 1's Turn]" in ran.lines


@pytest.mark.parametrize(("line", "face"), [("random", []), ("R", ["--json"])])
def test_random_or_r_picks_a_secret_and_tells_only_its_owner(
    strongroom: Strongroom, line: str, face: list[str]
) -> None:
    ran = strongroom("play", "digit-deductions", "--save", "a", *face, lines=[line, "56"])
    picked = re.search(r"Picked for you: (\d-\d)", ran.err)
    assert picked
    assert "Picked" not in ran.out
    # The prompt's own range and example are codes too.
    assert picked[1] not in re.sub("from 1-9|like 2-3", "", ran.before_the_goodbye)
    over = strongroom("resume", "a", lines=["11", "22", "56"])
    assert f"Player 1's secret: {picked[1]}" in over.lines
    assert {"Player 1's Turn:", "Player 2's Turn:"} <= {*over.lines}
