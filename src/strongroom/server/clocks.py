"""The server's time, the pauses in which nothing ran, and the players' clocks.

What a player has left is computed from the times of the steps and the pauses. Both are stored, so
every process computes the same, even after a restart.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Final

from strongroom.contract import Json, Outcome, Refusal, Seat
from strongroom.referee.record import Step
from strongroom.server.settings import DEFAULTS, Settings

CLOCK: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that cannot be set and that includes the time in which the machine sleeps.

Linux's `CLOCK_MONOTONIC` stops while a laptop's lid is closed; macOS's does not.
"""
THREADS: Final = "/proc/self/task"
"""Where Linux reports how long each thread waited for a processor, in nanoseconds."""

Frozen = Callable[[float, float], None]
"""A callback that is given the start and end of a freeze, in server time."""


def seconds_now() -> float:
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
    """The server time of one process: seconds since 1970, immune to changes of the wall clock.

    It starts from the wall clock and then follows a clock that cannot be set. A process whose time
    is behind a stored time, or behind another process, is moved forward to it, so stored times
    never run backwards.

    A thread that only sleeps detects when the process did not run because it was stopped or the
    machine slept. Waking late proves nothing by itself: another thread may hold the interpreter
    lock, and what that one does is up to the clients. But at every moment of such a gap, one of the
    two threads runs or waits for a processor. The system counts both times, so their sum is at
    least as long as the gap; in a frozen process it is next to nothing.
    """

    def __init__(self, settings: Settings = DEFAULTS) -> None:
        self._settings = settings
        self._offset = time.time() - seconds_now()
        self._lock = Lock()
        self._busy, self._tick_at = busy(), seconds_now()
        self._gaps: deque[tuple[float, float]] = deque()
        """The freezes not reported yet, in the time of `seconds_now`."""
        self._ended = Event()
        self._thread: Thread | None = None
        self._tell: Frozen | None = None

    def now(self) -> float:
        """The server time. While it watches, only the thread that called `watch` may ask for it.

        All freezes are reported before this returns, so that nothing is judged by a time that
        still includes an unreported freeze.
        """
        at = seconds_now()
        if self._tell is not None:
            if at - self._tick_at > self._settings.shortest_freeze:
                self._tick()
                at = seconds_now()
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
        self._busy, self._tick_at = busy(), seconds_now()
        self._tell = tell
        self._thread = Thread(target=self._keep_ticking, name="timekeeper", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Report the remaining freezes, and stop watching."""
        if self._thread is not None:
            self.now()
            self._ended.set()
            self._thread.join()
            self._thread = self._tell = None

    def _keep_ticking(self) -> None:
        while not self._ended.wait(self._settings.freeze_tick):
            self._tick()

    def _tick(self) -> None:
        """Note that the process is running, and record a freeze if it was not."""
        shortest, busy_share = self._settings.shortest_freeze, self._settings.busy_share
        with self._lock:
            # The busy time covers at least the gap, because it was read before the gap began and
            # is read after the gap ended. If a freeze comes in between, both are read again.
            for _ in range(self._settings.busy_readings):
                at, worked = seconds_now(), busy()
                if (done := seconds_now()) - at < shortest:
                    break
            gap = at - self._tick_at
            if gap > shortest and worked - self._busy < busy_share * gap:
                self._gaps.append((self._tick_at, at))
            self._tick_at, self._busy = done, worked


LONGEST_CLOCK: Final = 180
"""The most minutes of a clock, and the most seconds of its increment."""
OUT_OF_TIME: Final = "its time ran out."
"""The reason for a forfeit by a player whose clock has run out."""
Span = tuple[float, float]
"""When something began and ended, in server time."""


class Pauses:
    """Spans of time in which a clock does not run, sorted and disjoint.

    >>> list(Pauses([(50.0, 60.0), (10.0, 20.0), (15.0, 30.0)]))
    [(10.0, 30.0), (50.0, 60.0)]
    """

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self._spans: list[Span] = []
        for began, ended in sorted(spans):
            if self._spans and began <= self._spans[-1][1]:
                began, last = self._spans.pop()
                ended = max(last, ended)
            self._spans.append((began, ended))

    def __iter__(self) -> Iterator[Span]:
        return iter(self._spans)

    def add(self, *spans: Span) -> None:
        """Add spans, which may overlap others."""
        self._spans = list(Pauses([*self._spans, *spans]))

    def after(self, begin: float) -> list[Span]:
        """The spans that end after a moment."""
        return self._spans[bisect_right(self._spans, begin, key=lambda span: span[1]) :]


NO_PAUSES: Final = Pauses()
"""No pauses."""


def running_time(begin: float, end: float, *pauses: Pauses) -> float:
    """How many seconds from `begin` to `end` no pause covers.

    >>> all_clocks, own = Pauses([(90.0, 110.0), (150.0, 155.0)]), Pauses([(105.0, 120.0)])
    >>> running_time(100.0, 160.0, all_clocks, own)
    35.0
    """
    counted, at = 0.0, begin
    for began, ended in sorted(span for each in pauses for span in each.after(begin)):
        counted += max(0.0, min(began, end) - at)
        at = max(at, ended)
    return counted + max(0.0, end - at)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control: the initial minutes, and the increment in seconds per move."""

    minutes: float
    increment: float

    def __post_init__(self) -> None:
        for number in (self.minutes, self.increment):
            if type(number) not in (int, float) or not 0 <= number <= LONGEST_CLOCK:
                raise Refusal(f"A clock has 0 to {LONGEST_CLOCK} minutes and seconds per move.")
        if (self.minutes * 60 or self.increment) < 1:  # the increment comes after the first move
            raise Refusal("A clock must allow at least one second.")


class Clocks:
    """The two players' clocks; only the mover's runs."""

    def __init__(
        self, clock: TimeControl, started: float, pauses: Pauses, seat_pauses: Mapping[Seat, Pauses]
    ) -> None:
        self._increment = clock.increment
        self._pauses = pauses
        """The pauses of the whole server."""
        self._seat_pauses = seat_pauses
        """The pauses of single seats, whose process was frozen while others ran."""
        self._since = started
        self._left = dict.fromkeys(Seat, clock.minutes * 60 or clock.increment)

    def step(self, step: Step) -> None:
        """Update the clocks for a step that was made."""
        if isinstance(step.actor, Seat):
            self._left[step.actor] += self._increment - self._time_spent(step.actor, step.time)
            self._since = step.time

    def end(self, outcome: Outcome) -> None:
        """Update the clocks for the end of the match."""
        if outcome.winner is not None and outcome.detail == OUT_OF_TIME:
            self._left[outcome.winner.other] = 0.0

    def left(self, seat: Seat, actor: object, now: float) -> float:
        """How many seconds a player has left while `actor` is to move."""
        spent = self._time_spent(seat, now) if seat is actor else 0.0
        return max(0.0, self._left[seat] - spent)

    def to_json(self, actor: object, now: float) -> Json:
        """The clocks as JSON data."""
        return {
            "left": [round(self.left(seat, actor, now), 1) for seat in Seat],
            "running": actor.value if isinstance(actor, Seat) else None,
            "at": round(now, 3),
        }

    def _time_spent(self, seat: Seat, now: float) -> float:
        return running_time(self._since, now, self._pauses, self._seat_pauses.get(seat, NO_PAUSES))
