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


def test_arrow_up_brings_back_nothing(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions")
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


def test_arrow_keys_in_a_secret_are_no_part_of_it(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions")
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "8\x1b[A7")
    terminal.answers(AGAIN, "87")
    terminal.sees(" is next, to choose in private.")


def test_control_c_saves_exits_130_and_resume_finishes_the_game(
    sit_down: SitDown, games: Path
) -> None:
    terminal = sit_down("play", "digit-deductions")
    terminal.chooses("37")
    terminal.chooses("56")
    terminal.answers("Input Guess: ", "55")
    terminal.sees("Player 2's Turn:", "Input Guess: ")
    terminal.process.sendintr()
    assert terminal.ends() == 130
    (file,) = games.iterdir()
    again = sit_down("resume")
    again.answers("Input Guess: ", "35")
    again.answers("Input Guess: ", "56")
    again.sees("Player 1 Wins", "Player 1's secret: 3-7", "Turns: 3")
    again.leaves()
    assert store.read(file).outcome is not None


def test_the_resume_command_is_one_unbroken_line_that_can_be_copied(
    sit_down: SitDown, games: Path
) -> None:
    terminal = sit_down("play", "quantum-duel")
    terminal.answers("observe: ", "3")
    terminal.answers("observe: ", "quit")
    assert terminal.ends() == 4
    (file,) = games.iterdir()
    shown = re.search(r"Go on with: strongroom (.+)", terminal.text)
    assert shown
    assert shlex.split(shown[1]) == ["resume", str(file)]


def test_control_c_while_typing_a_secret_saves_and_gives_the_echo_back(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", shell=True)
    terminal.answers(ALONE, "")
    terminal.sees("from 1-9): ")
    assert not terminal.echo_is_on
    terminal.presses("8")
    terminal.process.sendintr()
    terminal.sees("Saved.", "code=130")
    assert terminal.echo_is_on
    terminal.types("")
    assert terminal.ends() == 0


def test_control_c_at_a_hand_over_page_saves(sit_down: SitDown, games: Path) -> None:
    terminal = sit_down("play", "safe-cracker")
    terminal.chooses("213")
    terminal.sees(ALONE)
    terminal.process.sendintr()
    assert terminal.ends() == 130
    (file,) = games.iterdir()
    assert len(store.read(file).steps) == 1


@pytest.mark.parametrize("place", ["turn", "secret", "hand-over"])
def test_control_d_saves_and_exits_4(sit_down: SitDown, games: Path, place: str) -> None:
    terminal = sit_down("play", "quantum-duel" if place == "turn" else "digit-deductions")
    if place == "turn":
        terminal.sees("observe: ")
    else:
        terminal.sees(ALONE)
    if place == "secret":
        terminal.types("")
        terminal.sees("from 1-9): ")
    terminal.process.sendeof()
    assert terminal.ends() == 4
    assert "Saved. Go on with: strongroom resume" in terminal.text
    assert len([*games.iterdir()]) == 1


def test_control_c_in_the_menu_leaves_with_130(sit_down: SitDown) -> None:
    terminal = sit_down()
    terminal.sees("(or quit): ")
    terminal.process.sendintr()
    assert terminal.ends() == 130


def test_control_z_does_not_bring_the_echo_back_while_a_secret_is_typed(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--vs", "random")
    terminal.sees("from 1-9): ")
    terminal.presses("\x1a")
    terminal.types("87")
    terminal.sees("Type it again to confirm: ")
    assert b"87" not in terminal.raw
