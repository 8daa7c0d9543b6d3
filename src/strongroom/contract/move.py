"""Moves, and the public events that report them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from strongroom.contract.refusal import NotUnderstood, shown_value
from strongroom.contract.seat import Actor

Json = dict[str, Any]
"""A JSON object."""


@dataclass(frozen=True, slots=True)
class Move:
    """Something an actor does; `str(move)` is its canonical text."""


Answer = Move | Enum | int | None
"""What the referee tells both players about a move: a typed value of the game."""


class Event(NamedTuple):
    """One public event: who did what, and what the referee answered."""

    actor: Actor
    """Who did it."""
    move: Move
    """What was done."""
    answer: Answer = None
    """What the referee told both players about it."""


def require_int(value: object, low: int, high: int, what: str) -> None:
    """Refuse a part of a move that is not a whole number in its range.

    >>> require_int(4, 1, 5, "A digit")
    """
    if type(value) is not int:
        raise NotUnderstood(f"{what} must be a whole number, not {shown_value(value)}.")
    if not low <= value <= high:
        raise NotUnderstood(f"{what} must be from {low} to {high}, not {shown_value(value)}.")
