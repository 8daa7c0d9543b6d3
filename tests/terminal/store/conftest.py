"""Saved games on the disk, with a state folder for each test.

Where processes matter, tests run real ones: small programs that use the store.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest
from starting import PATIENCE

from strongroom.contract import Refusal, Seat
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.record import Record
from strongroom.referee.sitter import Sitter
from strongroom.terminal.store import Journal

PEOPLE = (Sitter("Zoë"), Sitter("李雷"))
"""Names whose characters are several bytes each, so that a cut can go through one."""
WRITER = """
import sys
from pathlib import Path
from strongroom.referee.match import Match
from strongroom.plugins.registry import load
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


# --- games ----------------------------------------------------------------------------------------


class Started(Protocol):
    """A new game."""

    def __call__(self) -> Match: ...


@pytest.fixture(scope="session")
def started() -> Started:
    return lambda: Match.start(load("digit-deductions"), PEOPLE)


class After(Protocol):
    """A game after some more moves."""

    def __call__(self, match: Match, *texts: str) -> Match: ...


@pytest.fixture(scope="session")
def after() -> After:
    def played(match: Match, *texts: str) -> Match:
        for text in texts:
            assert isinstance(match.actor, Seat)
            match, _ = match.step(match.actor, match.record.game.move(text))
        return match

    return played


class Saved(Protocol):
    """Saves a new game after these moves in a file, and returns its record."""

    def __call__(self, file: Path, *texts: str) -> Record: ...


@pytest.fixture(scope="session")
def saved(started: Started, after: After) -> Saved:
    def save(file: Path, *texts: str) -> Record:
        record = after(started(), *texts).record
        Journal.create(file, record).close()
        return record

    return save


# --- files, refusals and programs -----------------------------------------------------------------


@pytest.fixture(scope="session")
def mode() -> Callable[[Path], int]:
    """The permission bits of a file."""
    return lambda path: path.stat().st_mode & 0o7777


class Refused(Protocol):
    """Calls a function that must refuse, and returns the one harmless line of the refusal."""

    def __call__(self, call: Callable[..., object], *arguments: object) -> str: ...


@pytest.fixture(scope="session")
def refused() -> Refused:
    def told(call: Callable[..., object], *arguments: object) -> str:
        with pytest.raises(Refusal) as refusal:
            call(*arguments)
        line = str(refusal.value)
        assert line.isprintable()
        assert len(line) < 500
        return line

    return told


class Command(Protocol):
    """The command that runs a small program on a file."""

    def __call__(self, program: str, *arguments: object) -> list[str]: ...


@pytest.fixture(scope="session")
def command() -> Command:
    return lambda program, *arguments: [
        sys.executable, "-c", WRITER + program, *map(str, arguments)
    ]  # fmt: skip


class Run(Protocol):
    """Runs a small program, which must succeed, and returns what it printed."""

    def __call__(self, program: str, *arguments: object, **more: Any) -> str: ...


@pytest.fixture(scope="session")
def run(command: Command) -> Run:
    def output(program: str, *arguments: object, **more: Any) -> str:
        done = subprocess.run(
            command(program, *arguments), capture_output=True, text=True, timeout=PATIENCE, **more
        )
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    return output
