"""Incremental folds over a game's history."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from strongroom.contract import Event, History

T = TypeVar("T")


class HistoryFold(Generic[T]):
    """Folds a history into a value; a caller that follows a game pays for each event once.

    A history that does not continue the last one is read from its beginning.
    """

    def __init__(self, start: T, step: Callable[[T, Event], T]) -> None:
        self._start, self._step = start, step
        # One reference for both, so that concurrent callers cannot mix them up.
        self._last: tuple[History[Event], T] = (History(), start)

    def after(self, history: History[Event]) -> T:
        """The value after a whole history.

        >>> from strongroom.contract import Seat
        >>> from strongroom.games.quantum_duel.rules import Observe
        >>> counted = HistoryFold(0, lambda count, event: count + 1)
        >>> counted.after(History(Event(Seat.ONE, Observe(4)), Event(Seat.TWO, Observe(1))))
        2
        """
        read, value = self._last
        if not history.begins_with(read):
            read, value = History(), self._start
        for event in history[len(read) :]:
            value = self._step(value, event)
        self._last = (history, value)
        return value
