"""Server time: seconds since 1970 that no set clock moves, and the gaps in which nothing ran."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Final

CLOCK: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that nobody sets and that counts the sleep of the machine.

Linux's `CLOCK_MONOTONIC` stands still while a laptop's lid is closed; macOS's does not.
"""
TICK: Final = 0.25
"""How often the thread notes that the process runs, in seconds."""
FROZEN: Final = 1.0
"""How long a gap between two ticks must be to be a freeze, in seconds."""
BUSY: Final = 0.5
"""The share of a gap for which a process may have been busy that was frozen for the rest."""
READINGS: Final = 3
"""How often it is read again how busy the process was, if that takes as long as a freeze."""
THREADS: Final = "/proc/self/task"
"""Where Linux says of each thread for how long it waited for a processor, in nanoseconds."""

Frozen = Callable[[float, float], None]
"""Is told from when to when the process was frozen, in server time."""


def elapsed() -> float:
    """The seconds that `CLOCK` has counted."""
    return time.clock_gettime(CLOCK)


def busy() -> float:
    """For how many seconds the threads of this process ran, or waited for a processor."""
    waited = 0
    with suppress(OSError):  # another system, or a kernel that does not count it
        for thread in os.listdir(THREADS):
            with (
                suppress(FileNotFoundError, ProcessLookupError),  # it has ended meanwhile
                open(f"{THREADS}/{thread}/schedstat", "rb") as stat,
            ):
                waited += int(stat.read().split()[1])
    return time.process_time() + waited / 1e9


class Timekeeper:
    """The server time of one process.

    It starts from the wall clock and then counts by a clock that nobody sets. A process whose time
    is behind what is stored, or behind another process, is moved up to it, so times that are stored
    never run backwards.

    A thread that only sleeps notices when the process did not run: it was stopped, or the machine
    slept. A thread that wakes late proves nothing by itself, because another one may hold the
    interpreter, and what that one does is up to the clients. But at every moment of such a gap one
    of the two runs, or waits for a processor. The system counts both, so together they are at least
    as long as the gap; in a frozen process they are next to nothing.
    """

    def __init__(self) -> None:
        self._offset = time.time() - elapsed()
        self._lock = Lock()
        self._busy, self._tick_at = busy(), elapsed()
        self._gaps: deque[tuple[float, float]] = deque()
        """The freezes of which nobody has been told, by `elapsed`."""
        self._ended = Event()
        self._thread: Thread | None = None
        self._tell: Frozen | None = None

    def now(self) -> float:
        """The server time. Only the thread that calls `watch` may ask for it while it watches.

        Whoever wants to know of freezes has been told of all of them before this returns, so that
        nothing is judged by a time in which a freeze is still hidden.
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
        """Move to a later time that is stored already; by how many seconds that was."""
        ahead = max(0.0, to - self.now())
        self._offset += ahead
        return ahead

    def watch(self, tell: Frozen) -> None:
        """Watch for freezes from now on, and tell of each."""
        self._busy, self._tick_at = busy(), elapsed()
        self._tell = tell
        self._thread = Thread(target=self._tick_on, name="timekeeper", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Watch no longer, once all has been told."""
        if self._thread is not None:
            self.now()
            self._ended.set()
            self._thread.join()
            self._thread = self._tell = None

    def _tick_on(self) -> None:
        while not self._ended.wait(TICK):
            self._tick()

    def _tick(self) -> None:
        """Note that the process runs, and a freeze if it did not run before."""
        with self._lock:
            # What is counted covers at least the gap, because it was read before the one and is
            # read after the other; unless the freeze comes just then.
            for _ in range(READINGS):
                at, worked = elapsed(), busy()
                if (done := elapsed()) - at < FROZEN:
                    break
            gap = at - self._tick_at
            if gap > FROZEN and worked - self._busy < BUSY * gap:
                self._gaps.append((self._tick_at, at))
            self._tick_at, self._busy = done, worked
