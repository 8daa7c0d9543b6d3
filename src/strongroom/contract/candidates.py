"""Candidates: what can still be hidden from a seat, given all public events."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable
from functools import reduce
from itertools import islice
from typing import TYPE_CHECKING, Self

from strongroom.contract.history import History
from strongroom.contract.moves import Event, Seat

if TYPE_CHECKING:  # the rules count candidates themselves
    from strongroom.contract.rules import Rules

Left = Collection[tuple[int, ...]]
"""The candidates that are left, each as numbers; `Rules.secret_of` gives the move it stands for."""


class Candidates(Left):
    """What a seat's opponent can still hide: an immutable value, updated event by event.

    Its length is known without iterating, because there may be half a million candidates.
    """

    __slots__ = ()

    def __contains__(self, candidate: object) -> bool:
        return any(each == candidate for each in self)

    def nth(self, number: int) -> tuple[int, ...]:
        """The candidate with this number, counted from 0 in the order of iteration."""
        return next(islice(self, number, None))

    @abstractmethod
    def after(self, event: Event) -> Self:
        """What is left after the next event; the same object if the event rules nothing out."""

    def after_all(self, events: Iterable[Event]) -> Self:
        """What is left after several events."""
        return reduce(type(self).after, events, self)


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
