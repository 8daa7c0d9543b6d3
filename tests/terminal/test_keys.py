"""Keys at a terminal: arrows, Ctrl-C, Ctrl-D and Ctrl-Z."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.terminal import store

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown

ALONE = "Press Enter when nobody else is looking: "
AGAIN = "Type it again to confirm: "


FACES = pytest.mark.parametrize("face", [["--plain"], ["--fast"]], ids=["plain", "page"])


def test_arrow_up_recalls_nothing(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--plain")
    terminal.chooses("87")
    terminal.chooses("65")
    terminal.answers("Input Guess: ", "34")
    for _ in range(2):
        terminal.sees("Input Guess: ")
        start = len(terminal.raw)
        terminal.presses("\x1b[A\x1b[A\x10\r")  # twice up, then Ctrl-P
        terminal.sees("Nothing typed.")
        assert not re.search(rb"34|87|65", bytes(terminal.raw[start:]))
    terminal.answers("Input Guess: ", "43")
    terminal.sees("Feedback: ")


def test_arrow_up_recalls_nothing_on_the_page_either(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions")
    terminal.chooses("87")
    terminal.chooses("65")
    terminal.answers("Input Guess: ", "34")
    terminal.sees("Player 2's Turn", "Input Guess: ")
    terminal.presses("\x1b[A\x1b[A\x10")
    terminal.sees("Input Guess: 3-5")  # where two steps lead from the middle of the board
    terminal.presses("\x1b")
    terminal.shows(r"Input Guess:\s*\Z")
    terminal.presses("7\x1b[A")
    terminal.sees("Input Guess: 7")
    assert terminal.shown.splitlines()[-1] == " Input Guess: 7"
    assert not re.search(r"8-?7|6-?5", terminal.shown.replace("87", "", 1).replace("65", "", 1)), (
        "once each, as on every board"
    )


@FACES
def test_arrow_keys_are_not_part_of_a_secret(sit_down: SitDown, face: list[str]) -> None:
    terminal = sit_down("play", "digit-deductions", *face)
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "8\x1b[A7")
    terminal.answers(AGAIN, "87")
    terminal.sees(" is next, to choose in private.")


@FACES
def test_control_c_saves_and_exits_with_130_and_resume_finishes_the_game(
    sit_down: SitDown, games: Path, face: list[str]
) -> None:
    terminal = sit_down("play", "digit-deductions", *face)
    terminal.chooses("37")
    terminal.chooses("56")
    terminal.answers("Input Guess: ", "55")
    terminal.sees("Player 2's Turn", "Input Guess: ")
    terminal.interrupts()
    assert terminal.ends() == 130
    assert "Saved. Resume with: strongroom resume\n" in terminal.everything
    (file,) = games.iterdir()
    again = sit_down("resume", *(each for each in face if each == "--plain"))
    again.answers("Input Guess: ", "35")
    again.sees("Player 1's Turn")
    again.answers("Input Guess: ", "56")
    again.sees("Player 1 Wins", "Player 1's secret: 3-7", "Turns: 3")
    again.leaves()
    assert store.read(file).outcome is not None


@FACES
def test_the_resume_command_names_a_file_only_if_it_would_not_be_found(
    sit_down: SitDown, tmp_path: Path, face: list[str]
) -> None:
    elsewhere = tmp_path / ("very " * 20 + "long name.jsonl")
    named = ["--save", str(elsewhere)]
    for save, advice in (([], ["resume"]), (named, ["resume", str(elsewhere)])):
        terminal = sit_down("play", "quantum-duel", *face, *save)
        terminal.answers("observe: ", "3")
        terminal.answers("observe: ", "quit")
        assert terminal.ends() == 4
        shown = re.search(r"Resume with: strongroom (.+)", terminal.text)
        assert shown, "and it is one unbroken line that can be copied"
        assert shlex.split(shown[1]) == advice


@FACES
def test_control_c_while_typing_a_secret_saves_and_gives_the_echo_back(
    sit_down: SitDown, face: list[str]
) -> None:
    terminal = sit_down("play", "digit-deductions", *face, shell=True)
    terminal.answers(ALONE, "")
    terminal.sees("from 1-9): ")
    assert not terminal.echo_is_on
    terminal.presses("8")
    terminal.interrupts()
    terminal.sees("Saved.", "code=130")
    assert terminal.echo_is_on
    terminal.types("")
    assert terminal.ends() == 0


def test_control_c_at_a_hand_over_page_saves(sit_down: SitDown, games: Path) -> None:
    terminal = sit_down("play", "safe-cracker")
    terminal.chooses("213")
    terminal.sees(ALONE)
    terminal.interrupts()
    assert terminal.ends() == 130
    (file,) = games.iterdir()
    assert len(store.read(file).steps) == 1


@FACES
@pytest.mark.parametrize("place", ["turn", "secret", "hand-over"])
def test_control_d_saves_and_exits_4(
    sit_down: SitDown, games: Path, place: str, face: list[str]
) -> None:
    terminal = sit_down("play", "quantum-duel" if place == "turn" else "digit-deductions", *face)
    if place == "turn":
        terminal.sees("observe: ")
    else:
        terminal.sees(ALONE)
    if place == "secret":
        terminal.types("")
        terminal.sees("from 1-9): ")
    terminal.process.sendeof()
    assert terminal.ends() == 4
    assert "Saved. Resume with: strongroom resume" in terminal.text
    assert len([*games.iterdir()]) == 1


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_control_c_in_the_menu_leaves_with_130(sit_down: SitDown, term: str) -> None:
    terminal = sit_down(env={"TERM": term})
    terminal.sees("quit): " if term == "dumb" else "Esc leave")
    terminal.interrupts()
    assert terminal.ends() == 130
    assert not terminal.screen.on_second_screen


def test_control_z_does_not_bring_the_echo_back_while_a_secret_is_typed(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--vs", "random", "--plain")
    terminal.sees("from 1-9): ")
    terminal.presses("\x1a")
    terminal.types("87")
    terminal.sees("Input Guess: ")
    assert b"87" not in terminal.raw


def test_control_z_without_a_shell_covers_a_private_page(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code")
    terminal.chooses("23", "(1-30): ")
    terminal.writes("clue 1 of 3: ", "greater than 20")
    terminal.sees("clue 2 of 3: ")
    terminal.presses("\x1a")
    terminal.shows("^ Press Enter when nobody else is looking:\\s*$")
    terminal.types("", "prime")
    terminal.answers("keep it", "")
    terminal.sees("clue 3 of 3: ")
    assert terminal.screen.on_second_screen
