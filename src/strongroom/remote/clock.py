"""The players' clocks as shown here: set by the server, and running on between its updates."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Final

from strongroom.contract import Refusal, Seat
from strongroom.contract.moves import seat_of
from strongroom.contract.rules import listed, parts

LONGEST: Final = 10**9
"""A player has fewer seconds left than this."""


@dataclass(frozen=True, slots=True)
class RemoteClock:
    """Each player's remaining time at the server's last update, and whose clock has run since."""

    left: tuple[float, float]
    running: Seat | None
    at: float = field(default_factory=time.monotonic)
    """When the update arrived, by this computer's clock."""

    @classmethod
    def from_json(cls, data: Any) -> RemoteClock:
        """The clock from an update that has just arrived."""
        left, running = parts(data, "left", "running")
        if len(listed(left)) != 2 or not all(map(_is_time, left)):
            raise Refusal("Two players have two clocks.")
        one, two = left
        return cls((float(one), float(two)), None if running is None else seat_of(running))

    def shown(self, seat: Seat, now: float | None = None) -> str:
        """A player's remaining time, in minutes and seconds.

        >>> clock = RemoteClock((300.0, 65.0), Seat.TWO, at=10.0)
        >>> clock.shown(Seat.ONE, now=20.0), clock.shown(Seat.TWO, now=20.0)
        ('5:00', '0:55')
        """
        minutes, seconds = divmod(round(self._left(seat, now)), 60)
        return f"{minutes}:{seconds:02}"

    def stopped(self, now: float | None = None) -> RemoteClock:
        """The clock, stopped now: without a connection nobody knows how it goes on.

        >>> clock = RemoteClock((300.0, 65.0), Seat.TWO, at=10.0).stopped(now=20.0)
        >>> clock.shown(Seat.TWO, now=30.0)
        '0:55'
        """
        return RemoteClock((self._left(Seat.ONE, now), self._left(Seat.TWO, now)), None)

    def _left(self, seat: Seat, now: float | None) -> float:
        now = time.monotonic() if now is None else now
        spent = max(0.0, now - self.at) if seat is self.running else 0.0
        return max(0.0, self.left[seat.index] - spent)


def _is_time(seconds: Any) -> bool:
    """Whether something is a number of seconds that can be shown; infinity cannot."""
    return type(seconds) in (int, float) and 0 <= seconds < LONGEST
