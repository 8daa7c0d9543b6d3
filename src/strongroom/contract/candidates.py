"""Candidates: what can still be hidden from a seat, given all public events."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable
from functools import reduce
from itertools import islice
from typing import Self

from strongroom.contract.moves import Event

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
