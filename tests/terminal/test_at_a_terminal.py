"""People at a real terminal: whole games in plain lines, rematches, and the way back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.terminal.conftest import AGAIN, ALONE, ANALYSIS, REMATCH, SitDown, Terminal

FACES = pytest.mark.parametrize("face", [["--plain"], ["--fast"]], ids=["plain", "page"])
DOWN, RIGHT = "\x1b[B", "\x1b[C"


def resigns(terminal: Terminal) -> None:
    """Resign a game of Quantum Duel."""
    terminal.answers("observe: ", "resign")
    terminal.answers("Resign? (yes/no): ", "yes")


# --- a whole game of each kind --------------------------------------------------------------------


def test_a_whole_game_of_safecracker_duel(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel", "--plain", "--names", "Ada", "Bob")
    terminal.chooses("342")
    terminal.chooses("513")
    for turn in ("1 3", "2 2"):
        terminal.answers(ALONE, "")
        terminal.answers("(1-3): ", turn)
    terminal.answers("(1-3): ", "2")
    terminal.answers("(1-5): ", "4")
    terminal.turns("(1-3): ", "3 3", "3 2")
    terminal.sees("Game over: Ada set the safe to the secret code.")
    terminal.sees("Ada's secret: 3-4-2", "Bob's secret: 5-1-3", "Turns: 5", "Score: Ada 1, Bob 0")
    assert not re.search(r"342|5-?1-?3", terminal.before_the_end)
    assert terminal.text.count("Updated Safe Combination: 3-4-1") == 1
    terminal.leaves()


def test_a_whole_game_of_safe_cracker(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-cracker", "--plain")
    terminal.chooses("213")
    terminal.chooses("331")
    terminal.turns("from 1-3): ", "111", "122", "331")
    terminal.sees("Game over: Player 1 cracked the code.", "Player 1's secret: 2-1-3")
    assert not re.search(r"2-?1-?3", terminal.before_the_end)
    terminal.leaves()
    assert terminal.text.count("Feedback: ") == 3


def test_a_whole_game_of_safe_code(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code", "--plain")
    terminal.chooses("23", "(1-30): ")
    for number, clue in enumerate(("odd", "prime", "greater than 20"), 1):
        terminal.writes(f"clue {number} of 3: ", clue)
    terminal.sees(ALONE)
    assert "greater than" not in terminal.everything, "clues are typed in the open, and cleared"
    terminal.types("")
    terminal.answers("(1-30): ", "14")
    terminal.answers(AGAIN, "14")
    for number, clue in enumerate(("even", "divisible by 7", "less than 20"), 1):
        terminal.writes(f"clue {number} of 3: ", clue)
    terminal.answers("Enter 1 or 2: ", "1")
    terminal.sees('Player 2\'s Clue: "The number is even."')
    assert not re.search("divisible by 7|prime", terminal.everything)
    terminal.answers("Enter 1 or 2: ", "2")
    terminal.answers("(1-30): ", "16")
    terminal.answers("Enter 1 or 2: ", "guess 14")
    terminal.sees("Congratulations, Player 1! You have cracked the safe.", "Game over")
    assert not re.search(r"\b23\b", terminal.before_the_end)
    terminal.leaves()


def test_a_whole_game_of_digit_deductions(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--plain")
    terminal.chooses("37")
    terminal.chooses("56")
    terminal.turns("Input Guess: ", "55", "35")
    terminal.sees("Input Guess: ")
    assert not re.search("3-?7|5-?6", terminal.text)
    terminal.types("56")
    terminal.sees("Player 1 Wins", "Game over: Player 1 guessed the secret number.")
    terminal.leaves()


def test_a_whole_game_of_quantum_duel_needs_no_hand_over(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--plain")
    for cell, challenged in zip("1726354", (0, 0, 1, 1, 1, 1, 1), strict=True):
        terminal.answers("observe: ", cell)
        if challenged:
            terminal.answers("(yes/no): ", "no")
    terminal.sees("Game over: Player 1 made an unbroken chain of 4.")
    terminal.leaves()
    assert ALONE not in terminal.text
    assert b"\x1b[2J" not in terminal.raw, "public lines stay visible"


@FACES
def test_a_whole_game_against_a_bot_needs_no_hand_over_and_nothing_is_typed_twice(
    sit_down: SitDown, face: list[str]
) -> None:
    terminal = sit_down("play", "digit-deductions", "--vs", "random", "--seed", "2", *face)
    terminal.answers("from 1-9): ", "r")
    terminal.sees("Picked for you: ")
    terminal.answers('Press Enter to keep it, or type "again" for another: ', "")
    terminal.sees("Your turn")
    terminal.turns("Input Guess: ", "55", "resign")
    terminal.answers("Resign? (yes/no): ", "yes")
    terminal.sees("Game over: Random won, because", "resigned.")
    terminal.leaves()
    assert not any(each in terminal.text for each in (ALONE, AGAIN, "You's"))


# --- another game ---------------------------------------------------------------------------------


@FACES
def test_a_rematch_swaps_the_seats_and_the_score_runs_on(
    sit_down: SitDown, games: Path, face: list[str]
) -> None:
    game = ("play", "quantum-duel", "--names", "Ada", "Bob", "--seat", "toss", "--seed", "2")
    terminal = sit_down(*game, *face)
    terminal.sees("Ada won the toss and begins.")
    starts = []
    for starter, other, score in (
        ("Ada", "Bob", "Score: Ada 0, Bob 1"),
        ("Bob", "Ada", "Score: Ada 1, Bob 1"),
        ("Ada", "Bob", "Score: Ada 1, Bob 2"),
    ):
        terminal.sees(f"{starter} (X), it's your turn.")
        resigns(terminal)
        terminal.sees(f"Game over: {other} won, because", starter, "resigned.", score)
        terminal.wants_another(rematch=score != "Score: Ada 1, Bob 2")
        starts.append(len(terminal.raw))
    assert terminal.ends() == 0
    assert len([*games.iterdir()]) == 3
    assert b"won the toss" not in terminal.raw[starts[0] :], "a rematch is not tossed for again"


@FACES
def test_in_a_rematch_without_names_whoever_moves_first_is_player_1(
    sit_down: SitDown, games: Path, face: list[str]
) -> None:
    terminal = sit_down("play", "quantum-duel", *face)
    scores = ("Player 1: 0, Player 2: 1", "Player 1: 1, Player 2: 1", "Player 1: 1, Player 2: 2")
    for number, score in enumerate(scores, 1):
        if number > 1:
            terminal.sees("The seats are swapped: the former Player 2 is now Player 1.")
        terminal.sees("Player 1 (X), it's your turn.")
        resigns(terminal)
        terminal.sees("Game over: Player 2 won, because", "resigned.", f"Score: {score}")
        if number == 2:
            terminal.sees("seats are swapped: Player 1", "was Player 2", "first game.")
        terminal.wants_another(rematch=number < len(scores))
    assert terminal.ends() == 0
    headers = [json.loads(file.read_text().splitlines()[0]) for file in sorted(games.iterdir())]
    for header in headers:
        assert [seat["name"] for seat in header["seats"]] == ["Player 1", "Player 2"]
    assert sorted(header["score"] for header in headers) == [[0, 0], [1, 0], [1, 1]]


def test_anything_but_yes_or_no_after_a_game_is_asked_again(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--plain")
    resigns(terminal)
    for question, answer in ((ANALYSIS, "no"), (REMATCH, "yes")):
        terminal.answers(question, "ys")
        terminal.sees("'ys' is neither yes nor no.")
        terminal.answers(question, answer)
    terminal.answers("observe: ", "quit")
    assert terminal.ends() == 4


def test_the_set_up_page_leads_to_a_game_and_comes_back_after_it(sit_down: SitDown) -> None:
    terminal = sit_down()
    terminal.shows(r"(?s)› Game .*Esc leave")
    terminal.presses("5" + DOWN + "1" + DOWN + RIGHT + DOWN + "Ada" + DOWN + "Bob")
    terminal.shows(r"(?s)Quantum Duel.*another person.*Bob.*Ada.*› Other name +Bob")
    terminal.presses("\r")
    terminal.sees("Bob (X), it's your turn.")
    resigns(terminal)
    terminal.wants_another(rematch=False)
    terminal.shows(r"(?s)› Game +‹ Quantum Duel ›.*Other name +Bob.*Esc leave")
    terminal.presses("q")
    assert terminal.ends() == 0
    assert not terminal.screen.on_second_screen
    assert "Game over: Ada won, because Bob resigned." in terminal.shown


def test_the_set_up_page_shows_rules_and_a_game_that_is_quit_leads_back_to_it(
    sit_down: SitDown,
) -> None:
    terminal = sit_down()
    terminal.shows(r"(?s)› Game .*Esc leave")
    terminal.presses(RIGHT * 3 + "\t")
    terminal.sees("Digit Deductions: the rules", "q back")
    terminal.presses("q")
    terminal.shows("› Game +‹ Digit Deductions ›")
    terminal.presses("\r")
    terminal.answers("from 1-9): ", "quit")
    terminal.shows(r"(?s)Play .*› Game .*Esc leave")
    terminal.presses("\x1b[A" + RIGHT)
    terminal.shows("resume Digit Deductions")
    terminal.presses("\x1b")
    assert terminal.ends() == 0
    assert "Saved. Resume with: " in terminal.shown


def test_json_is_refused_at_a_keyboard(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code", "--json")
    terminal.sees("--json reads answers from a script.")
