"""Programs that tests and proofs start, with default signal handling whoever runs the tests.

`python -m strongroom` is forked from a process that has already imported it (`nursery.py`), because
thousands of starts would spend most of their time importing. Any other program is executed, and so
is this one if asked for, or if its environment has variables that an interpreter reads only at
start-up.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import IO, Any, Final, Self

import luck

PATIENCE: Final = 300.0
"""The timeout for anything awaited, in seconds; long, because the machine may be busy."""
STRONGROOM: Final = (sys.executable, "-m", "strongroom")
"""The command: a program and its first arguments."""
AT_START: Final = ("PYTHON", "LANG", "LC_")
"""Prefixes of the variables that an interpreter reads only at start-up."""
NURSERY: Final = Path(__file__).with_name("nursery.py")


def surroundings() -> dict[str, str]:
    """The environment of the tests, without settings for the interpreter and the locale."""
    kept = (each for each in os.environ if not each.startswith(AT_START) or each == "PYTHONPATH")
    return {**{name: os.environ[name] for name in kept}, "LANG": "C.UTF-8"}


@cache
def _door() -> socket.socket:
    """The socket on which the nursery takes orders; closing it ends the nursery."""
    here, there = socket.socketpair()
    with there:
        # A fork copies only one thread, so the nursery has no other, not even numpy's.
        process = subprocess.Popen(
            [sys.executable, str(NURSERY), str(there.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[there.fileno()],
            env={**surroundings(), "OPENBLAS_NUM_THREADS": "1"},
        )

    def close() -> None:
        here.close()
        process.wait()

    atexit.register(close)
    return here


def can_be_forked(program: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Whether a forked process would behave like a newly started one."""

    def read(variables: Mapping[str, str]) -> dict[str, str]:
        return {name: value for name, value in variables.items() if name.startswith(AT_START)}

    return tuple(program[:2]) == STRONGROOM[:2] and read(environment) == read(surroundings())


class Port:
    """A port kept for a server, so that nobody else gets it while that server is down.

    A socket stays bound to it and never listens: whoever connects is refused, and a server that
    reuses addresses can listen beside it.
    """

    def __init__(self) -> None:
        with socket.socket() as kept:
            kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            kept.bind(("127.0.0.1", 0))
            self.number: int = kept.getsockname()[1]
            """Its number."""
            weakref.finalize(self, os.close, kept.detach())

    @property
    def address(self) -> str:
        """The base URL of whoever listens there."""
        return f"http://127.0.0.1:{self.number}"


class Started:
    """A program that was started, with the method names of `subprocess.Popen`."""

    def __init__(
        self,
        program: Sequence[str],
        files: tuple[int, int, int],
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | str = ".",
        session: bool = False,
        prepare: tuple[str, Any] | None = None,
        afresh: bool = False,
    ) -> None:
        """`session`: run it in its own session, controlled by its input if that is a terminal.

        `prepare`: a function in a module beside this one, as `module:NAME`, and its argument as
        JSON data; it is called in the forked process before the program runs. `afresh`: do not
        fork. Where `luck` is fixed, that of a forked program is fixed too.
        """
        environment = surroundings() if environment is None else environment
        order = {
            "program": list(program),
            "environment": dict(environment),
            "folder": str(Path(folder).absolute()),
            "session": session,
            "prepare": prepare,
            "luck": luck.for_a_program(),
            "forked": not afresh and can_be_forked(program, environment),
        }
        self._line, there = socket.socketpair()
        with there:
            socket.send_fds(_door(), [b"!"], [there.fileno()])
        written = json.dumps(order).encode()
        socket.send_fds(self._line, [len(written).to_bytes(4), written], files)
        self.returncode: int | None = None
        """Its exit code, or minus the signal that killed it."""
        self.pid: int = self._told()

    def _told(self) -> int:
        """The next number from the process that waits for the program."""
        told = b""
        while not told.endswith(b"\n"):
            read = self._line.recv(1)
            assert read, "the program was never started"
            told += read
        return int(told)

    def poll(self) -> int | None:
        """Its exit code, or None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = PATIENCE) -> int:
        """Wait until it ends; return its exit code, or minus the signal that killed it."""
        if self.returncode is None:
            if not select.select([self._line], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("the program", timeout or 0)
            self.returncode = self._told()
            self._line.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            # It may have ended without the nursery having reported it yet.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.send_signal(signal.SIGKILL)


class Piped(Started):
    """A program with pipes for its input and output, and a pipe or a file for its errors."""

    stdin: IO[str]
    stdout: IO[str]

    def __init__(self, program: Sequence[str], *, log: Path | None = None, **terms: Any) -> None:
        with contextlib.ExitStack() as theirs:
            given, self.stdin = _pipe(theirs, "w")
            printed, self.stdout = _pipe(theirs, "r")
            self.stderr: IO[str] | None = None
            if log is None:
                complained, self.stderr = _pipe(theirs, "r")
            else:
                complained = theirs.enter_context(log.open("ab")).fileno()
            super().__init__(program, (given, printed, complained), **terms)

    def communicate(self, text: str = "", timeout: float = PATIENCE) -> tuple[str, str]:
        """Write the rest of its input, and read everything it prints until it ends."""
        late = Timer(timeout, self.kill)
        late.start()
        with ThreadPoolExecutor(2) as both:
            complained = both.submit(self.stderr.read if self.stderr else str)
            both.submit(self._give, text)
            printed = self.stdout.read()
        self.wait(timeout)
        late.cancel()
        return printed, complained.result()

    def _give(self, text: str) -> None:
        with contextlib.suppress(BrokenPipeError):
            if text:
                self.stdin.write(text)
            self.stdin.close()

    def close(self) -> None:
        """Close its pipes."""
        for stream in (self.stdout, self.stderr):
            if stream is not None:
                stream.close()
        self._give("")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
        self.wait()


def _pipe(theirs: contextlib.ExitStack, mode: str) -> tuple[int, IO[str]]:
    """The program's end of a pipe, and the other end as text that preserves every byte."""
    reading, writing = os.pipe()
    end, kept = (reading, writing) if mode == "w" else (writing, reading)
    theirs.callback(os.close, end)
    return end, open(kept, mode, encoding="utf-8", errors="surrogateescape", newline="")
