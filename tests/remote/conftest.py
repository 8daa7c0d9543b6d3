"""Real servers, started by `serving`, and real terminals, started by `somebody`."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import luck
import pexpect  # type: ignore[import-untyped]
import pytest
from serving import SAME_LUCK
from starting import STRONGROOM, Piped, Port

from tests.terminal.conftest import (  # noqa: F401
    PATIENCE,
    SitDown,
    Terminal,
    clean,
    games,
    sit_down,
    strongroom,
    whole,
)


class Serving:
    """`strongroom serve` in a subprocess, which can be killed and restarted at its address."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._options = ("--database", str(folder / "games.db"), "--no-limits", *options)
        self._log = folder / "log"
        self._port = Port()
        self.url = self._port.address
        self.process: Piped

    def start(self) -> Serving:
        command = [*STRONGROOM, "serve", "--fast", "--port", str(self._port.number)]
        self.process = Piped([*command, *self._options], log=self._log, prepare=SAME_LUCK)
        assert f"{self.url}/" in self.process.stdout.readline(), self._log.read_text()
        return self

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(how)
            with self.process:
                self.process.wait()
        assert '"event": "fault"' not in self._log.read_text()


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server for all tests that leave it as it is."""
    luck.fix("the server of all tests")
    server = Serving(tmp_path_factory.mktemp("server")).start()
    yield server
    server.stop()


class Serve(Protocol):
    def __call__(self, *options: str) -> Serving: ...


@pytest.fixture
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Starts a server for one test."""
    servers: list[Serving] = []

    def start(*options: str) -> Serving:
        servers.append(Serving(tmp_path_factory.mktemp("server"), *options))
        return servers[-1].start()

    yield start
    for server in servers:
        server.stop()


class Seated:
    """A person at their own terminal."""

    def __init__(
        self, terminal: Terminal, everybody: list[Terminal], pump: Callable[[], None], home: Path
    ) -> None:
        self.terminal = terminal
        self._everybody = everybody
        self._pump = pump
        self.home = home

    @property
    def shown(self) -> str:
        return self.terminal.shown

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
                screens = "\n---\n".join(each.shown for each in (self.terminal, *self._everybody))
                raise AssertionError(f"{what} never came:\n{screens}")
            self._pump()

    def shows(self, *patterns: str) -> None:
        for pattern in patterns:
            self.until(lambda: re.search(pattern, self.shown) is not None, pattern)  # noqa: B023

    def reads(self, *patterns: str) -> None:
        """Wait until each pattern has been printed, wherever it is now."""
        for pattern in patterns:
            self.until(lambda: re.search(pattern, self.terminal.text) is not None, pattern)  # noqa: B023

    def answers(self, line: str) -> None:
        """Wait for a question, answer it, and wait until the server has taken the answer."""
        self.until(lambda: self.asked.endswith((":", "?")), "a question")
        asked = self.asked
        self.terminal.types(line)

        def is_taken() -> bool:
            waits = re.findall("Waiting for .* …", self.shown)[-1:]  # plain lines show earlier ones
            is_sent = self.asked == ">" and waits == ["Waiting for the server …"]
            return not self.asked.startswith(asked) and not is_sent

        self.until(is_taken, f"an answer to {line}")

    def types(self, line: str) -> None:
        self.terminal.types(line)

    def presses(self, keys: str) -> None:
        self.terminal.presses(keys)

    def ends(self) -> int:
        return self.terminal.ends()

    @property
    def records(self) -> list[Path]:
        return sorted((self.home / "state" / "strongroom" / "games").glob("*.jsonl"))


class SomebodySits(Protocol):
    def __call__(self, name: str, *arguments: str, columns: int = 80, rows: int = 24) -> Seated: ...


@pytest.fixture
def somebody(sit_down: SitDown, tmp_path: Path) -> SomebodySits:  # noqa: F811
    """Starts a command for a person with a home folder of their own."""
    terminals: list[Terminal] = []

    def pump() -> None:
        quiet = True
        for terminal in (each for each in terminals if not each.process.closed):
            with contextlib.suppress(pexpect.TIMEOUT, pexpect.EOF):
                terminal.process.read_nonblocking(65536, 0)
                quiet = False
        if quiet:
            time.sleep(0.01)

    def start(name: str, *arguments: str, columns: int = 80, rows: int = 24) -> Seated:
        home = tmp_path / name
        env = {
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_CONFIG_HOME": str(home / "config"),
        }
        terminal = sit_down(*arguments, columns=columns, rows=rows, env=env)
        terminals.append(terminal)
        return Seated(terminal, terminals, pump, home)

    return start


def invitation(host: Seated) -> str:
    """The invitation link, which the host's terminal shows on a line of its own."""
    found = re.compile(r"^(http://\S+/#join/[0-9a-f]{32}/[0-9a-f]{32})\r?$", re.MULTILINE)
    host.until(lambda: found.search(host.terminal.text) is not None, "the invitation")
    match = found.search(host.terminal.text)
    assert match
    return match[1]


def last_link(state: Path) -> str:
    """The link of the seat saved last in a state folder."""
    link: str = json.loads((state / "seats").read_text().splitlines()[-1])["link"]
    return link
