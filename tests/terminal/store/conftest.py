"""A state folder and a file for each test of the store, saved games, and programs that save."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from strongroom.contract import Refusal, Seat
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.record import Record
from strongroom.referee.sitter import Sitter
from strongroom.terminal.store import Journal

WRITER = """
import sys
from pathlib import Path
from strongroom.referee.match import Match
from strongroom.plugins.registry import load
from strongroom.terminal import store
from strongroom.terminal.store import CannotSave, Journal
match = Match.start(load("digit-deductions"))
file = Path(sys.argv[1])

def play(text):
    global match
    match, _ = match.step(match.actor, match.record.game.move(text))
"""
"""The beginning of each small program."""


@pytest.fixture(autouse=True)
def _own_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.json"


def played(*moves: str) -> Match:
    """A new game after these moves."""
    # Names whose characters are several bytes each, so that a cut can go through one.
    return after(Match.start(load("digit-deductions"), (Sitter("Zoë"), Sitter("李雷"))), *moves)


def after(match: Match, *moves: str) -> Match:
    for text in moves:
        assert isinstance(match.actor, Seat)
        match, _ = match.step(match.actor, match.record.game.move(text))
    return match


def saved(file: Path, *moves: str) -> Record:
    """Save a new game after these moves."""
    record = played(*moves).record
    Journal.create(file, record).close()
    return record


def mode(path: Path) -> int:
    """The permission bits of a file."""
    return path.stat().st_mode & 0o7777


def refused(call: Callable[..., object], *arguments: object) -> str:
    """The one harmless line with which a call refuses."""
    with pytest.raises(Refusal) as refusal:
        call(*arguments)
    line = str(refusal.value)
    assert line.isprintable()
    assert len(line) < 500
    return line


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    """A small program that reads lines and prints lines."""
    command = [sys.executable, "-c", WRITER + program, *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
