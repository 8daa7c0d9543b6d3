"""How games and matches end: the winner and a typed reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from strongroom.contract.seat import Seat


class Reason(Enum):
    """Why a game ended; every game lists its own reasons as a subclass."""


class Ending(Reason):
    """Why a match ended other than by the rules."""

    RESIGNED = "resigned"
    FORFEITED = "forfeited"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game or a match ended: who won (None if undecided) and why."""

    winner: Seat | None
    """Who won; None if the match was undecided."""
    reason: Reason
    """Why: one of the game's own reasons, or an `Ending`."""
    detail: str = ""
    """Why a player forfeited, as a clause about "it": "its time ran out."; otherwise empty."""

    def points(self, seat: Seat) -> float:
        """What the match adds to a player's score over several matches: 1 for a win, otherwise 0.

        >>> Outcome(None, Ending.UNDECIDED).points(Seat.ONE)
        0.0
        """
        return float(self.winner is seat)

    def reward(self, seat: Seat) -> float:
        """What agents learn from: 1 for a win, -1 for a loss, 0 if nobody won.

        >>> Outcome(Seat.ONE, Ending.RESIGNED).reward(Seat.TWO)
        -1.0
        """
        return 0.0 if self.winner is None else 1.0 if self.winner is seat else -1.0
