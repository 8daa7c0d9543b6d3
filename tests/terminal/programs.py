"""Programs at their own terminals: how they start and end, and a terminal emulator."""

from __future__ import annotations

import copy
import os
import signal
import termios
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pyte
from ptyprocess import PtyProcess  # type: ignore[import-untyped]
from starting import PATIENCE, Started


class _Pty(PtyProcess):  # type: ignore[misc]
    """A program with its terminal; `Started` reports when it ends."""

    def __init__(self, program: Sequence[str], dimensions: tuple[int, int], **terms: Any) -> None:
        terminal, theirs = os.openpty()
        termios.tcsetwinsize(theirs, dimensions)
        self._started = Started(program, (theirs,) * 3, session=True, **terms)
        os.close(theirs)
        super().__init__(self._started.pid, terminal)

    def isalive(self) -> bool:
        if self.flag_eof:
            self.wait()
        else:
            self._note(self._started.poll())
        return not self.terminated

    def kill(self, sig: int) -> None:
        self._started.send_signal(sig)

    def wait(self) -> int | None:
        self._note(self._started.wait(None))
        code: int | None = self.exitstatus
        return code

    def _note(self, code: int | None) -> None:
        if code is not None:
            self.terminated = True
            self.exitstatus = code if code >= 0 else None
            self.signalstatus = -code if code < 0 else None


class Spawned(pexpect.spawn):  # type: ignore[misc]
    """A program at a terminal, driven by pexpect; for `afresh` and `prepare` see `Started`."""

    def __init__(
        self,
        program: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        dimensions: tuple[int, int],
        **how: Any,
    ) -> None:
        self._terms = {"environment": environment, "folder": folder, **how}
        super().__init__(program[0], list(program[1:]), dimensions=dimensions, timeout=PATIENCE)
        # A program prompts only when it is ready to read, so no delay is needed.
        self.delaybeforesend = None
        self.ptyproc.delayafterclose = 0

    def _spawnpty(self, args: list[str], *, dimensions: tuple[int, int], **_: Any) -> _Pty:
        return _Pty(args, dimensions, **self._terms)

    def kill(self, sig: int) -> None:
        self.ptyproc.kill(sig)

    def end(self) -> None:
        """End it, however long that takes; pexpect itself waits only a tenth of a second."""
        if not self.closed and self.isalive():
            self.kill(signal.SIGKILL)
            self.wait()
        self.close()


def wait_for_state(pid: int, state: str) -> None:
    """Wait until a process, with those that it started, is asleep (S) or stopped (T)."""
    while any(_state(each) != state for each in (pid, *children(pid))):
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]


SECOND_SCREEN = 1049


class Emulator(pyte.HistoryScreen):
    """While the second screen is on, the first one is kept with its scroll-back."""

    scrolls = 0
    _first: tuple[Any, Any, Any] | None = None
    __getattribute__ = object.__getattribute__
    """pyte looks at every attribute for commands to page through the history; nobody pages here."""

    @property
    def display(self) -> list[str]:
        """The lines on the screen; nothing follows the first half of a wide character."""
        columns, rows = range(self.columns), range(self.lines)
        return ["".join([self.buffer[y][x].data for x in columns]) for y in rows]

    @property
    def on_second_screen(self) -> bool:
        return self._first is not None

    def index(self) -> None:
        if self.on_second_screen and self.cursor.y == (self.margins or (0, self.lines - 1))[1]:
            self.scrolls += 1
        super().index()

    def set_mode(self, *modes: int, **how: bool) -> None:
        if how.get("private") and SECOND_SCREEN in modes and self._first is None:
            self._first = copy.deepcopy(self.buffer), self.history, copy.copy(self.cursor)
            nothing: deque[Any] = deque(maxlen=self.history.size)
            self.history = self.history._replace(top=nothing, bottom=nothing.copy())
            self.erase_in_display(2)
        super().set_mode(*modes, **how)

    def reset_mode(self, *modes: int, **how: bool) -> None:
        super().reset_mode(*modes, **how)
        if how.get("private") and SECOND_SCREEN in modes and self._first is not None:
            self.buffer, self.history, self.cursor = self._first
            self._first = None
            self.dirty.update(range(self.lines))
