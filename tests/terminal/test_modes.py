"""The terminal after signals and stops, also while a private page is open."""

from __future__ import annotations

import os
import signal
import termios
from typing import TYPE_CHECKING

import pytest

from tests.terminal.programs import wait_for_state

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Terminal

PLAIN = ("play", "safe-code", "--plain")


def writes_clues(terminal: Terminal) -> None:
    """Bring Player 1 to the third clue, with two clues readable on the screen."""
    terminal.chooses("23", "(1-30): ")
    terminal.writes("of 3: ", "greater than 20")
    terminal.writes("clue 2 of 3: ", "odd")
    terminal.sees("clue 3 of 3: ")


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGUSR1, signal.SIGTERM])
def test_no_signal_leaves_private_plain_lines_on_the_screen(
    sit_down: SitDown, number: signal.Signals
) -> None:
    terminal = sit_down(*PLAIN, shell=True, before="trap : QUIT USR1 TERM")
    writes_clues(terminal)
    terminal.rests()
    os.killpg(terminal.process.pid, number)
    terminal.sees(f"code={128 + number}")
    assert not terminal.screen.on_second_screen
    assert terminal.echo_is_on
    assert "greater" not in terminal.everything


def test_keys_pressed_before_the_hand_over_do_not_pass_it(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--plain")
    terminal.chooses("87", "from 1-9): ")
    terminal.chooses("65", "from 1-9): ")
    terminal.sees("Input Guess: ")
    terminal.presses("secret\r\r\r\r")
    terminal.sees("looking: ")
    terminal.types("board")  # if the Enters had passed, another prompt would get this
    terminal.sees("no board", "Input Guess: ")
    assert "8-7" not in terminal.text


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGALRM, signal.SIGXCPU])
def test_unexpected_signals_restore_the_screen_too(
    sit_down: SitDown, number: signal.Signals
) -> None:
    terminal = sit_down("play", "quantum-duel", shell=True, before=f"trap : {int(number)}")
    terminal.sees("want to observe: ")
    terminal.rests()
    os.killpg(terminal.process.pid, number)
    terminal.sees(f"code={128 + number}")
    assert not terminal.screen.on_second_screen
    assert not terminal.screen.cursor.hidden
    assert terminal.echo_is_on


def test_ctrl_z_is_ignored_without_a_shell(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel")
    terminal.sees("want to observe: ")
    terminal.presses("\x1a")
    terminal.sees("want to observe: ")
    terminal.types("quit")
    assert terminal.ends() == 4


@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["drawn", "plain"])
def test_a_game_continued_after_sigstop_shows_no_secret(sit_down: SitDown, face: list[str]) -> None:
    terminal = sit_down("play", "safe-cracker", "--set", "digits=9", *face)
    terminal.answers("looking: ", "")
    terminal.sees("from 1-9): ")
    game = terminal.process
    game.kill(signal.SIGSTOP)
    wait_for_state(game.pid, "T")
    modes = termios.tcgetattr(game.fileno())
    modes[3] |= termios.ECHO | termios.ICANON  # as a shell sets them
    termios.tcsetattr(game.fileno(), termios.TCSANOW, modes)
    game.kill(signal.SIGCONT)
    while terminal.echo_is_on:
        assert game.isalive()
    terminal.types("987")
    terminal.answers("again to confirm: ", "987")
    terminal.sees("Player 2 is next")
    assert "987" not in terminal.text
