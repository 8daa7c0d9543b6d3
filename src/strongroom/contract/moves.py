"""What happens in a game: who acts, what they do, what the referee answers, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple

from strongroom.contract.codec import as_it_is, from_json, json_form
from strongroom.contract.refusal import NotUnderstood, Refusal, shown_value

# --- who acts ------------------------------------------------------------------------------------


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


def seat_of(number: Any) -> Seat:
    """The seat from its JSON form: 1 or 2."""
    return from_json(Seat, number)


# --- moves and events ----------------------------------------------------------------------------


Json = dict[str, Any]
"""A JSON object."""


@dataclass(frozen=True, slots=True)
class Move:
    """Something an actor does; `str(move)` is its canonical text."""

    def to_json(self) -> str:
        """The move as JSON data: its text."""
        return str(self)

    @classmethod
    def from_json(cls, data: Any, game: Any) -> Move:
        """The move of a game with this text, or a refusal."""
        move: Move = game.move(data)
        return move


Answer = Move | Enum | int | None
"""What the referee tells both players about a move: a typed value of the game."""


@json_form("seat=actor move answer")
class Event(NamedTuple):
    """One public event: who did what, and what the referee answered."""

    actor: Actor
    """Who did it."""
    move: Move
    """What was done."""
    answer: Annotated[Answer, as_it_is] = None
    """What the referee answered; its form in JSON is the game's."""


def require_int(value: object, low: int, high: int, what: str) -> None:
    """Refuse a part of a move that is not a whole number in its range.

    >>> require_int(4, 1, 5, "A digit")
    """
    if type(value) is not int:
        raise NotUnderstood(f"{what} must be a whole number, not {shown_value(value)}.")
    if not low <= value <= high:
        raise NotUnderstood(f"{what} must be from {low} to {high}, not {shown_value(value)}.")


def numbers_of(move: Move) -> tuple[int, ...]:
    """The numbers that a move is made of, field after field; empty if it is made of anything else.

    >>> from strongroom.games.codes import Code
    >>> numbers_of(Code((3, 4, 2)))
    (3, 4, 2)
    """
    numbers: list[int] = []
    for each in fields(move):
        value = getattr(move, each.name)
        numbers += value if isinstance(value, tuple) else [value]
    return tuple(numbers) if all(type(each) is int for each in numbers) else ()


# --- how a game ends -----------------------------------------------------------------------------


class Reason(Enum):
    """Why a game ended; every game lists its own reasons as a subclass."""

    @classmethod
    def from_json(cls, data: Any, game: Any) -> Reason:
        """The ending of a game, or of any match, with this value; or a refusal."""
        reasons: tuple[Reason, ...] = (*game.reasons, *Ending)
        for reason in reasons:
            if reason.value == data:
                return reason
        raise Refusal(f"{shown_value(data)} is not an ending of {game.name}.")


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

    def score(self, seat: Seat) -> float:
        """What the match is worth to a player in wins: 1, 0, or one half if nobody won.

        >>> Outcome(None, Ending.UNDECIDED).score(Seat.ONE)
        0.5
        """
        return 0.5 if self.winner is None else float(self.winner is seat)

    def reward(self, seat: Seat) -> float:
        """What agents learn from: 1 for a win, -1 for a loss, 0 if nobody won.

        >>> Outcome(Seat.ONE, Ending.RESIGNED).reward(Seat.TWO)
        -1.0
        """
        return 0.0 if self.winner is None else 1.0 if self.winner is seat else -1.0
