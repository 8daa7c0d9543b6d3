"""Candidates: what can still be hidden from a seat, by all that happened in the open."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from typing import Self

from strongroom.contract.move import Event

Left = Collection[tuple[int, ...]]
"""What can still be hidden from somebody, each as its numbers: `(3, 1, 2)` is the code 3-1-2."""


class Candidates(Left):
    """What a seat's opponent can still hide: a value that goes on from event to event.

    Its length is known without listing it, because there may be half a million.
    """

    __slots__ = ()

    @abstractmethod
    def after(self, event: Event) -> Self:
        """What is left after the next event; this very object if the event rules nothing out."""
