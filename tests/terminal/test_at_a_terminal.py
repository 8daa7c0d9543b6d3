"""People at a real terminal: whole games in plain lines, rematches, and the way back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.terminal.conftest import AGAIN, ALONE, ANALYSIS, REMATCH, SitDown, Terminal, Whole

FACES = pytest.mark.parametrize("face", [["--plain"], ["--fast"]], ids=["plain", "page"])
DOWN, RIGHT = "\x1b[B", "\x1b[C"


def resigns(terminal: Terminal) -> None:
    """Resign a game of Quantum Duel."""
    terminal.answers("observe: ", "resign")
    terminal.answers("Resign? (yes/no): ", "yes")


# --- whole games ----------------------------------------------------------------------------------


def test_two_people_play_a_whole_game_in_plain_lines(sit_down: SitDown, whole: Whole) -> None:
    terminal = sit_down("play", whole.name, "--plain")
    terminal.sets_up(whole)
    for number, turn in enumerate(whole.turns):
        if number < whole.private_turns:
            terminal.answers(ALONE, "")
        for line in turn:
            terminal.process.expect(rb"\): |Guess: |observe: |1 or 2: ")
            # Clues are typed in the open, and cleared; nothing else is ever shown.
            seen = terminal.everything if "safe-code" in whole.name else terminal.text
            assert whole.leaks(seen.replace("(1-30)", "")) == []
            terminal.types(line)
    terminal.sees("Game over: Player 1 ", f"Turns: {len(whole.turns)}", "Score: Player 1: 1, ")
    assert all(re.search(hidden, terminal.everything) for hidden in whole.hidden)
    terminal.leaves()
    assert (ALONE in terminal.text) is bool(whole.set_up)
    assert (b"\x1b[2J" in terminal.raw) is bool(whole.set_up), "public lines stay visible"


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
