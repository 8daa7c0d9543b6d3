"""Drawings: a board as data, for any face that can draw more than lines of text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from strongroom.contract.candidates import Left
from strongroom.contract.move import Json
from strongroom.contract.naming import whom
from strongroom.contract.seat import Seat


class Look(Enum):
    """How a part of a board stands out."""

    PLAIN = "plain"
    FAINT = "faint"
    """It is ruled out."""
    TOUCHED = "touched"
    """The last turn was about it."""
    LIT = "lit"
    """It won the game."""
    CHOSEN = "chosen"
    """The player is about to choose it; no board has it before that."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One part of a board: a dial, a cell, a number."""

    text: str
    """What it shows; empty if nothing yet."""
    label: str = ""
    """Its name, written below it."""
    owner: Seat | None = None
    """The player it belongs to, if any."""
    look: Look = Look.PLAIN

    def to_json(self) -> Json:
        """The tile as JSON data."""
        owner = self.owner and self.owner.value
        return {"text": self.text, "label": self.label, "owner": owner, "look": self.look.value}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board as rows of tiles."""

    rows: tuple[tuple[Tile, ...], ...]
    framed: bool = False
    """Whether each tile has a frame of its own, like a dial, or is a cell of a plain grid."""

    def to_json(self) -> Json:
        """The drawing as JSON data."""
        rows = [[tile.to_json() for tile in row] for row in self.rows]
        return {"framed": self.framed, "rows": rows}


def what_is_left(name: str, left: Left, of: int) -> str:
    """How many candidates are left for a player, in a sentence.

    >>> what_is_left("Ada", {(3,), (9,)}, 30)
    'Left for Ada: 2 of 30.'
    """
    return f"Left for {whom(name)}: {len(left)} of {of}."
