"""What is left: an aid that counts what a player has still to reckon with."""

from __future__ import annotations

from strongroom.contract import Candidates, Event, History, Rules, Seat


class CandidateTracker:
    """What each seat's opponent can still hide, read on from where the history was last read."""

    def __init__(self, game: Rules) -> None:
        self._game = game
        self._begin()

    def _begin(self) -> None:
        self._read: History[Event] = History()
        self._left: dict[Seat, Candidates] = {}
        for seat in Seat:
            if (candidates := self._game.candidates(seat)) is not None:
                self._left[seat] = candidates

    def left_for(self, seat: Seat, history: History[Event]) -> Candidates | None:
        """What is left for a seat after all that happened in the open; None: nothing is counted."""
        if self._left and history != self._read:
            self._go_on(history)
        return self._left.get(seat)

    def _go_on(self, history: History[Event]) -> None:
        if not history.begins_with(self._read):
            self._begin()
        for event in history[len(self._read) :]:
            for seat, left in self._left.items():
                self._left[seat] = left.after(event)
        self._read = history
