"""How games and matches end: the winner and a typed reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from strongroom.contract.seat import Seat


class Reason(Enum):
    """Why a game ended; every game lists its own reasons as a subclass."""


class Ending(Reason):
    """Why a match ended that the rules did not end."""

    RESIGNED = "resigned"
    FORFEITED = "forfeited"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game or a match ended: who won (None: undecided) and why."""

    winner: Seat | None
    """Who won; nobody, if the match was undecided."""
    reason: Reason
    """Why: one of the game's own reasons, or an `Ending`."""
    detail: str = ""
    """Why a player forfeited, as a clause on "it": "its time ran out."; otherwise nothing."""

    def points(self, seat: Seat) -> float:
        """What the match adds to a player's score in a sitting: a point for a win, else nothing.

        >>> Outcome(None, Ending.UNDECIDED).points(Seat.ONE)
        0.0
        """
        return float(self.winner is seat)
