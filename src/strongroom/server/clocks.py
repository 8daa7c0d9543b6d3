"""Clocks: how long each player has left, computed from the times of the steps and the pauses.

Both are stored, so every process computes the same, even after a restart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from strongroom.contract import Json, Outcome, Seat
from strongroom.referee.record import Step
from strongroom.server.deal import TimeControl

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


NONE: Final = Pauses()
"""No pauses."""


def running(begin: float, end: float, *pauses: Pauses) -> float:
    """How many seconds from `begin` to `end` no pause covers.

    >>> running(100.0, 160.0, Pauses([(90.0, 110.0), (150.0, 155.0)]), Pauses([(105.0, 120.0)]))
    35.0
    """
    counted, at = 0.0, begin
    for began, ended in sorted(span for each in pauses for span in each.after(begin)):
        counted += max(0.0, min(began, end) - at)
        at = max(at, ended)
    return counted + max(0.0, end - at)


class Clocks:
    """The two players' clocks, of which the mover's runs."""

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
            self._left[step.actor] += self._increment - self._spent(step.actor, step.time)
            self._since = step.time

    def end(self, outcome: Outcome) -> None:
        """Update the clocks for the end of the match."""
        if outcome.winner is not None and outcome.detail == OUT_OF_TIME:
            self._left[outcome.winner.other] = 0.0

    def left(self, seat: Seat, actor: object, now: float) -> float:
        """How many seconds a player has left while `actor` is to move."""
        spent = self._spent(seat, now) if seat is actor else 0.0
        return max(0.0, self._left[seat] - spent)

    def to_json(self, actor: object, now: float) -> Json:
        """The clocks as JSON data."""
        return {
            "left": [round(self.left(seat, actor, now), 1) for seat in Seat],
            "running": actor.value if isinstance(actor, Seat) else None,
            "at": round(now, 3),
        }

    def _spent(self, seat: Seat, now: float) -> float:
        return running(self._since, now, self._pauses, self._seat_pauses.get(seat, NONE))
