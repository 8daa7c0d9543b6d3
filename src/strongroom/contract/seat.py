"""Who acts: the two seats, and chance."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from strongroom.contract.refusal import Refusal, shown_value


class Seat(Enum):
    """One of the two places at the table; Seat.ONE moves first.

    >>> Seat.ONE.other
    <Seat.TWO: 2>
    """

    ONE = 1
    TWO = 2

    # Plain attributes and a plain hash: every move uses them, and an enum's own are slow.
    index: int
    """The index of this seat in a pair: 0 or 1."""
    other: Seat
    """The opponent's seat."""

    def __init__(self, number: int) -> None:
        self.index = number - 1

    __hash__ = object.__hash__


Seat.ONE.other, Seat.TWO.other = Seat.TWO, Seat.ONE


class Chance(Enum):
    """The actor in a state where nobody decides and the odds are known."""

    CHANCE = "chance"


CHANCE: Final = Chance.CHANCE
"""Chance as an actor."""
Actor = Seat | Chance
"""Who can make a move."""
Names = Mapping[Seat, str]
"""The players' names, by seat."""
NAMES: Final[Names] = MappingProxyType({Seat.ONE: "Player 1", Seat.TWO: "Player 2"})
"""The default names."""


def actor_of(number: Any) -> Actor:
    """The actor from its JSON form: 1, 2 or "chance"."""
    if type(number) is int and number in (1, 2):
        return Seat(number)
    if number == CHANCE.value:
        return CHANCE
    raise Refusal(f"{shown_value(number)} is not a seat.", "Seats are 1 and 2.")


def seat_of(number: Any) -> Seat:
    """The seat from its JSON form: 1 or 2."""
    actor = actor_of(number)
    if not isinstance(actor, Seat):
        raise Refusal("Chance has no seat.", "Seats are 1 and 2.")
    return actor
