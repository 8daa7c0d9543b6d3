"""Real terminals, started by `somebody`, at the servers of `tests/server`."""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pexpect  # type: ignore[import-untyped]
import pytest

from tests.server.conftest import local, serve, shared, sqlite  # noqa: F401
from tests.terminal.conftest import (  # noqa: F401
    PATIENCE,
    SitDown,
    Terminal,
    at_terminal,
    clean,
    games,
    sit_down,
    strongroom,
    whole,
)


@pytest.fixture(autouse=True)
def _bots_play_alike(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """Bots draw the same numbers in every game, and no server has a fault."""
    monkeypatch.setattr("strongroom.server.catalog.SystemRandom", lambda: Random("tests"))
    yield
    assert "fault" not in [line.message for line in caplog.get_records("call")]


@dataclass(kw_only=True, eq=False)
class Seated(Terminal):
    """The terminal of somebody who plays others: whoever waits reads all terminals."""

    everybody: list[Seated]
    home: Path

    @property
    def asked(self) -> str:
        """The prompt: the last line that is not blank."""
        rows = self.shown.rstrip().splitlines()
        return rows[-1].strip() if rows else ""

    def until(self, holds: Callable[[], bool], what: str = "") -> None:
        """Wait until a condition holds, while all terminals are read."""
        begin = time.monotonic()
        while not holds():
            if time.monotonic() - begin > PATIENCE:
                screens = "\n---\n".join(each.shown for each in self.everybody)
                raise AssertionError(f"{what} never came:\n{screens}")
            read = [each.reads_on() for each in self.everybody]
            if not any(read):
                time.sleep(0.01)

    def reads_on(self) -> bool:
        """Read what the command has printed since; whether there was anything."""
        with contextlib.suppress(pexpect.TIMEOUT, pexpect.EOF):
            return not self.process.closed and bool(self.process.read_nonblocking(65536, 0))
        return False

    def shows(self, *patterns: str) -> None:
        for pattern in patterns:
            self.until(lambda: re.search(pattern, self.shown) is not None, pattern)  # noqa: B023

    def reads(self, *patterns: str) -> None:
        """Wait until each pattern has been printed, wherever it is now."""
        for pattern in patterns:
            self.until(lambda: re.search(pattern, self.text) is not None, pattern)  # noqa: B023

    def replies(self, line: str) -> None:
        """Wait for a question, answer it, and wait until the server has taken the answer."""
        self.until(lambda: self.asked.endswith((":", "?")), "a question")
        asked = self.asked
        self.types(line)

        def is_taken() -> bool:
            waits = re.findall("Waiting for .* …", self.shown)[-1:]  # plain lines show earlier ones
            is_sent = self.asked == ">" and waits == ["Waiting for the server …"]
            return not self.asked.startswith(asked) and not is_sent

        self.until(is_taken, f"an answer to {line}")

    @property
    def records(self) -> list[Path]:
        return sorted((self.home / "state" / "strongroom" / "games").glob("*.jsonl"))


SomebodySits = Callable[..., Seated]
"""Takes a name, the arguments of a command, and perhaps the columns and rows of the terminal."""


@pytest.fixture
def somebody(sit_down: SitDown, tmp_path: Path) -> SomebodySits:  # noqa: F811
    """Starts a command for a person with a home folder of their own."""
    everybody: list[Seated] = []

    def start(name: str, *arguments: str, columns: int = 80, rows: int = 24) -> Seated:
        home = tmp_path / name
        env = {"XDG_STATE_HOME": str(home / "state"), "XDG_CONFIG_HOME": str(home / "config")}
        terminal = sit_down(*arguments, columns=columns, rows=rows, env=env)
        everybody.append(Seated(terminal.process, terminal.screen, everybody=everybody, home=home))
        return everybody[-1]

    return start


def invitation(host: Seated) -> str:
    """The invitation link, which the host's terminal shows on a line of its own."""
    link = r"(?m)^http://\S+/#join/[0-9a-f]{32}/[0-9a-f]{32}$"
    host.reads(link)
    return str(re.findall(link, host.text)[0])


def last_link(state: Path) -> str:
    """The link of the seat saved last in a state folder."""
    link: str = json.loads((state / "seats").read_text().splitlines()[-1])["link"]
    return link
