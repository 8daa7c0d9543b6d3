"""Server time: seconds since 1970, immune to clock changes, and the gaps in which nothing ran."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Final

CLOCK: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that cannot be set and that includes the time in which the machine sleeps.

Linux's `CLOCK_MONOTONIC` stops while a laptop's lid is closed; macOS's does not.
"""
TICK: Final = 0.25
"""How often the thread notes that the process is running, in seconds."""
FROZEN: Final = 1.0
"""How long a gap between two ticks must be to count as a freeze, in seconds."""
BUSY: Final = 0.5
"""A gap is a freeze only if the process was busy for less than this share of it."""
READINGS: Final = 3
"""How often to read the busy time if a reading takes as long as a freeze."""
THREADS: Final = "/proc/self/task"
"""Where Linux reports how long each thread waited for a processor, in nanoseconds."""

Frozen = Callable[[float, float], None]
"""A callback that is given the start and end of a freeze, in server time."""


def elapsed() -> float:
    """The reading of `CLOCK`, in seconds."""
    return time.clock_gettime(CLOCK)


def busy() -> float:
    """How many seconds the threads of this process ran or waited for a processor."""
    waited = 0
    with suppress(OSError):  # another system, or a kernel that does not count it
        for thread in os.listdir(THREADS):
            with (
                suppress(FileNotFoundError, ProcessLookupError),  # it has ended in the meantime
                open(f"{THREADS}/{thread}/schedstat", "rb") as stat,
            ):
                waited += int(stat.read().split()[1])
    return time.process_time() + waited / 1e9


class Timekeeper:
    """The server time of one process.

    It starts from the wall clock and then follows a clock that cannot be set. A process whose time
    is behind a stored time, or behind another process, is moved forward to it, so stored times
    never run backwards.

    A thread that only sleeps detects when the process did not run because it was stopped or the
    machine slept. Waking late proves nothing by itself: another thread may hold the interpreter
    lock, and what that one does is up to the clients. But at every moment of such a gap, one of the
    two threads runs or waits for a processor. The system counts both times, so their sum is at
    least as long as the gap; in a frozen process it is next to nothing.
    """

    def __init__(self) -> None:
        self._offset = time.time() - elapsed()
        self._lock = Lock()
        self._busy, self._tick_at = busy(), elapsed()
        self._gaps: deque[tuple[float, float]] = deque()
        """The freezes not reported yet, in the time of `elapsed`."""
        self._ended = Event()
        self._thread: Thread | None = None
        self._tell: Frozen | None = None

    def now(self) -> float:
        """The server time. While it watches, only the thread that called `watch` may ask for it.

        All freezes are reported before this returns, so that nothing is judged by a time that
        still includes an unreported freeze.
        """
        at = elapsed()
        if self._tell is not None:
            if at - self._tick_at > FROZEN:
                self._tick()
                at = elapsed()
            while self._gaps:
                began, ended = self._gaps.popleft()
                self._tell(self._offset + began, self._offset + ended)
        return self._offset + at

    def move_up(self, to: float) -> float:
        """Move forward to a time that is already stored; return by how many seconds."""
        ahead = max(0.0, to - self.now())
        self._offset += ahead
        return ahead

    def watch(self, tell: Frozen) -> None:
        """Watch for freezes from now on, and report each one."""
        self._busy, self._tick_at = busy(), elapsed()
        self._tell = tell
        self._thread = Thread(target=self._tick_on, name="timekeeper", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Report the remaining freezes, and stop watching."""
        if self._thread is not None:
            self.now()
            self._ended.set()
            self._thread.join()
            self._thread = self._tell = None

    def _tick_on(self) -> None:
        while not self._ended.wait(TICK):
            self._tick()

    def _tick(self) -> None:
        """Note that the process is running, and record a freeze if it was not."""
        with self._lock:
            # The busy time covers at least the gap, because it was read before the gap began and
            # is read after the gap ended. If a freeze comes in between, both are read again.
            for _ in range(READINGS):
                at, worked = elapsed(), busy()
                if (done := elapsed()) - at < FROZEN:
                    break
            gap = at - self._tick_at
            if gap > FROZEN and worked - self._busy < BUSY * gap:
                self._gaps.append((self._tick_at, at))
            self._tick_at, self._busy = done, worked
