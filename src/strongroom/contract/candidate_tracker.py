"""What is left for both seats, counted on as the public history grows."""

from __future__ import annotations

from functools import cached_property

from strongroom.contract.candidates import Candidates
from strongroom.contract.history import History, HistoryFold
from strongroom.contract.move import Event
from strongroom.contract.rules import Rules
from strongroom.contract.seat import Seat

LeftFor = dict[Seat, Candidates | None]


class CandidateTracker:
    """What each seat's opponent can still hide; only the new part of a history is read."""

    def __init__(self, game: Rules) -> None:
        self._game = game

    def left_for(self, seat: Seat, history: History[Event]) -> Candidates | None:
        """What is left for a seat after the public history; None if nothing is counted."""
        return self._left.after(history)[seat]

    @cached_property
    def _left(self) -> HistoryFold[Event, LeftFor]:
        return HistoryFold({seat: self._game.candidates(seat) for seat in Seat}, _after)


def _after(left: LeftFor, event: Event) -> LeftFor:
    return {seat: None if each is None else each.after(event) for seat, each in left.items()}
