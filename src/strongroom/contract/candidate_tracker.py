"""What is left for both seats, counted on as the public history grows."""

from __future__ import annotations

from strongroom.contract.candidates import Candidates
from strongroom.contract.history import History
from strongroom.contract.move import Event
from strongroom.contract.rules import Rules
from strongroom.contract.seat import Seat


class CandidateTracker:
    """What each seat's opponent can still hide; only the new part of a history is read."""

    def __init__(self, game: Rules) -> None:
        self._game = game
        self._read: History[Event] = History()
        self._left: dict[Seat, Candidates | None] = {}

    def left_for(self, seat: Seat, history: History[Event]) -> Candidates | None:
        """What is left for a seat after the public history; None if nothing is counted."""
        if not self._left or history != self._read:
            self._go_on(history)
        return self._left[seat]

    def _go_on(self, history: History[Event]) -> None:
        if not self._left or not history.begins_with(self._read):
            self._read = History()
            self._left = {seat: self._game.candidates(seat) for seat in Seat}
        events = history[len(self._read) :]
        for seat, left in self._left.items():
            for event in events:
                left = None if left is None else left.after(event)
            self._left[seat] = left
        self._read = history
