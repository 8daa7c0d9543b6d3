"""Clocks: how long each player has left, reckoned from the times of the steps alone.

So no process keeps anything, and what was spent while the server was down is given back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from strongroom.contract import Json, Outcome, Seat
from strongroom.record import Step
from strongroom.server.deal import Clock

OUT_OF_TIME: Final = "its time ran out."
"""Why a match is forfeited whose loser's clock has run out."""
Pauses = Sequence[tuple[float, float]]
"""When the server was down: from, to."""


def running(begin: float, end: float, pauses: Pauses) -> float:
    """How many seconds of some time the server was up.

    >>> running(100.0, 160.0, [(90.0, 110.0), (150.0, 155.0)])
    45.0
    """
    down = sum(max(0.0, min(end, to) - max(begin, since)) for since, to in pauses)
    return max(0.0, end - begin - down)


class Clocks:
    """The two players' clocks: the mover's runs."""

    def __init__(self, clock: Clock, started: float, pauses: Pauses) -> None:
        self._increment = clock.increment
        self._pauses = pauses
        self._since = started
        self._left = dict.fromkeys(Seat, clock.minutes * 60 or clock.increment)

    def step(self, step: Step) -> None:
        """Reckon with a step that was made."""
        if isinstance(step.actor, Seat):
            spent = running(self._since, step.time, self._pauses)
            self._left[step.actor] += self._increment - spent
            self._since = step.time

    def end(self, outcome: Outcome) -> None:
        """Reckon with how the match ended."""
        if outcome.winner is not None and outcome.detail == OUT_OF_TIME:
            self._left[outcome.winner.other] = 0.0

    def left(self, seat: Seat, actor: object, now: float) -> float:
        """How many seconds a player has left, if that actor is to move."""
        spent = running(self._since, now, self._pauses) if seat is actor else 0.0
        return max(0.0, self._left[seat] - spent)

    def to_json(self, actor: object, now: float) -> Json:
        """The clocks as JSON data."""
        return {
            "left": [round(self.left(seat, actor, now), 1) for seat in Seat],
            "running": actor.value if isinstance(actor, Seat) else None,
            "at": round(now, 3),
        }
