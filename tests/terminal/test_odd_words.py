"""Words of other packages that fail or try to control the screen cost a line, never a page."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from strongroom.plugins import registry
from tests.terminal.conftest import SitDown, Strongroom

MODULE = '''
import sys
from strongroom.contract import Drawing, Question, Tile, Turn
from strongroom.games.quantum_duel.words import QuantumDuelWords

EVIL = "\\x1b]0;owned\\x07\\x9b2J"


class Evil(QuantumDuelWords):
    """Acts on the screen wherever it can."""

    title = goal = result_name = EVIL
    symbols = EVIL, EVIL

    def question(self, view, names):
        return Question(EVIL + "cell: ", EVIL, EVIL)

    def announce(self, view, names):
        return EVIL

    narrate = announce
    welcome = picture = board_shown = lambda self, view: EVIL

    def drawing(self, view, seat, names, left):
        return Drawing(((Tile(EVIL, EVIL),),), framed=True)

    def count(self, seat, names, left):
        return EVIL

    def turn(self, events):
        return Turn(None, EVIL, EVIL, EVIL)

    def notes(self, view, names):
        return [EVIL]


class Fails(QuantumDuelWords):
    """Cannot say what happened."""

    def announce(self, view, names):
        raise RuntimeError(EVIL)

    narrate = announce


class Exits(Fails):
    """Leaves instead of saying what happened."""

    def announce(self, view, names):
        sys.exit(0)

    narrate = announce
'''
POINTS = """\
[strongroom.words]
quantum-duel.evil = odd_words:Evil
quantum-duel.fails = odd_words:Fails
quantum-duel.exits = odd_words:Exits
"""
ACTS = (b"\x1b]0;", b"\x07", "\x9b".encode())


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment in which the words are installed."""
    folder = tmp_path / "packages"
    (folder / "odd-1.dist-info").mkdir(parents=True)
    (folder / "odd-1.dist-info" / "entry_points.txt").write_text(POINTS)
    (folder / "odd_words.py").write_text(MODULE)
    source = Path(registry.__file__).parents[2]
    return {"PYTHONPATH": f"{folder}{os.pathsep}{source}"}


@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["drawn", "plain"])
def test_no_words_control_the_screen(
    sit_down: SitDown, env: dict[str, str], face: list[str]
) -> None:
    terminal = sit_down("play", "quantum-duel", "--words", "evil", *face, env=env)
    for line in ("3", "help", "history", "quit"):
        terminal.answers("cell: ", line)
    assert terminal.ends() == 4
    assert [each for each in ACTS if each in terminal.raw] == []


def test_no_words_control_what_a_script_prints(strongroom: Strongroom, env: dict[str, str]) -> None:
    ran = strongroom("play", "quantum-duel", "--words", "evil", lines=["3", "help"], env=env)
    assert [each for each in ACTS if each in ran.raw + ran.raw_err] == []


@pytest.mark.parametrize(("words", "face"), [("fails", []), ("exits", []), ("exits", ["--plain"])])
def test_words_that_fail_cost_a_line_and_no_move(
    sit_down: SitDown, strongroom: Strongroom, env: dict[str, str], words: str, face: list[str]
) -> None:
    terminal = sit_down("play", "quantum-duel", "--words", words, *face, env=env)
    terminal.answers("want to observe: ", "3")
    assert terminal.ends() == 1
    told = " ".join(terminal.text.split())
    assert "strongroom: Something broke: " in told
    assert "What was played is saved: strongroom list" in told
    assert not terminal.screen.on_second_screen
    assert [each for each in ACTS if each in terminal.raw] == []
    assert "3" in strongroom("resume", lines=["history"]).out


def test_the_full_error_is_available_for_debugging(sit_down: SitDown, env: dict[str, str]) -> None:
    developing = {**env, "PYTHONDEVMODE": "1"}
    terminal = sit_down("play", "quantum-duel", "--words", "fails", "--plain", env=developing)
    terminal.answers("want to observe: ", "3")
    terminal.sees("Traceback", "odd_words.py", "RuntimeError")
