"""A game as a job of a shell, started through make: Ctrl-Z, `fg`, `bg` and Ctrl-C."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect  # type: ignore[import-untyped]
import pytest
from starting import PATIENCE, STRONGROOM

from tests.terminal.conftest import ALONE, Clean, Terminal
from tests.terminal.emulator import Emulator
from tests.terminal.programs import AtTerminal, end

ROOT = Path(__file__).parents[2]
AT_PROMPT = r"shell>\s*$"
"""The end of what is on the screen, while the shell waits."""
CTRL_C, CTRL_Z = "\x03", "\x1a"
STOPPED = rf"Stopped +make play .*\n(?:.*\n)*{AT_PROMPT}"
"""The shell is back at its prompt, and says that the whole job is stopped."""

Play = Callable[..., Terminal]


@pytest.fixture
def play(clean: Clean, tmp_path: Path) -> Iterator[Play]:
    """Types `make play` into a shell; what it installs is there, and starts with the arguments."""
    processes: list[pexpect.spawn] = []
    program = tmp_path / "venv" / "bin" / "strongroom"
    program.parent.mkdir(parents=True)
    for made in (program.with_name("pip"), tmp_path / "venv" / "play.stamp"):
        made.touch()

    def start(*arguments: str) -> Terminal:
        program.write_text(f"#!/bin/sh\nexec {shlex.join([*STRONGROOM, *arguments])}\n")
        program.chmod(0o755)
        process = AtTerminal(
            ["bash", "--norc", "--noprofile", "-i", "-b"],  # which tells of a stop at once
            env=clean(PS1="shell> ", HISTFILE=""),
            cwd=str(ROOT),
            dimensions=(24, 80),
            timeout=PATIENCE,
        )
        processes.append(process)
        terminal = Terminal(process, Emulator(80, 24, history=5000))
        terminal.shows(AT_PROMPT)
        terminal.types(f"make play VENV={shlex.quote(str(tmp_path / 'venv'))}")
        return terminal

    yield start
    for process in processes:
        end(process)


def stops(terminal: Terminal, secret: str = "") -> None:
    """Press Ctrl-Z, wait for the shell's prompt, and look for a secret there; then clear it."""
    terminal.presses(CTRL_Z)
    terminal.shows(STOPPED)
    assert not terminal.screen.on_second_screen
    assert not terminal.screen.cursor.hidden
    assert not secret or secret not in terminal.everything
    terminal.types("clear")
    terminal.shows(f"^{AT_PROMPT}")


@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["drawn", "plain"])
def test_ctrl_z_hides_a_private_page_and_whoever_comes_back_must_be_alone(
    play: Play, face: list[str]
) -> None:
    terminal = play("play", "safe-code", *face)
    terminal.chooses("23", "(1-30): ")
    terminal.writes("clue 1 of 3: ", "greater than 20")
    terminal.shows("clue 2 of 3:")
    terminal.presses("prim")
    terminal.shows("clue 2 of 3: prim")
    for _ in range(2):
        stops(terminal, "greater than 20")
        terminal.types("fg")
        terminal.shows(ALONE)
        assert "greater than 20" not in terminal.everything
        assert "prim" not in terminal.everything
    terminal.types("")
    terminal.shows("clue 2 of 3: prim")
    if face:
        assert "Taken as: It is greater than 20." in terminal.shown, "the page is whole"
    terminal.types("e")
    terminal.shows("Taken as: .*prime")


def test_a_page_is_whole_after_bg_fg_and_another_size(play: Play) -> None:
    terminal = play("play", "quantum-duel", "--fast")
    terminal.answers("want to observe: ", "3")
    terminal.shows("it's your turn.\n(?:.*\n)*.*want to observe:")
    stops(terminal)
    terminal.types("bg")  # as soon as it wants the terminal, it is stopped again
    terminal.shows("&\n(?:.*\n)*.*Stopped.* make play")
    terminal.resizes(100, 30)
    terminal.types("fg")
    terminal.shows("want to observe:")
    assert terminal.screen.on_second_screen
    title, rule, *_ = terminal.shown.splitlines()
    assert title.lstrip().startswith("Quantum Duel")
    assert rule == "─" * 100
    assert "│ X │" in terminal.shown
    terminal.types("quit")
    terminal.shows(rf"Saved\. Resume with: (?:.*\n)+{AT_PROMPT}")
    assert "make:" not in terminal.shown


def test_ctrl_z_stops_the_menu_too_and_ctrl_c_ends_without_a_word_of_make(play: Play) -> None:
    terminal = play()
    terminal.shows("Esc leave")
    stops(terminal)
    terminal.types("fg")
    terminal.shows("Esc leave")
    terminal.presses(CTRL_C)
    terminal.shows(rf"^shell> fg\nmake play (?:.*\n)+{AT_PROMPT}")
    assert "***" not in terminal.text


def test_ctrl_c_in_a_game_under_make_leaves_only_the_advice(play: Play) -> None:
    terminal = play("play", "digit-deductions", "--vs", "random", "--plain")
    terminal.shows(r"from 1-9\):")
    terminal.presses("8")
    terminal.shows(r"from 1-9\): •")
    stops(terminal)
    terminal.types("fg")
    terminal.shows(r"from 1-9\): •")
    terminal.presses(CTRL_C)
    terminal.shows(rf"Saved\. Resume with: (?:.*\n)+{AT_PROMPT}")
    assert "***" not in terminal.text
