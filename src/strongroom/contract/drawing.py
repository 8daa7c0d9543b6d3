"""The board on a screen: as tiles to draw, and as controls by which arrows and clicks choose."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar

from strongroom.contract.codec import json_form
from strongroom.contract.moves import Seat

# --- drawings ------------------------------------------------------------------------------------


class Look(Enum):
    """How a part of a board stands out."""

    PLAIN = "plain"
    FAINT = "faint"
    """It is ruled out."""
    TOUCHED = "touched"
    """The last turn was about it."""
    PENDING = "pending"
    """It is not yet decided whether it stays."""
    LIT = "lit"
    """It won the game."""
    CHOSEN = "chosen"
    """The player is about to choose it; no board has it before that."""
    BEST = "best"
    """It was the right choice, and OWN the player's; only the end of a puzzle has them."""
    OWN = "own"


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


@json_form("framed rows")
@dataclass(frozen=True, slots=True)
class Drawing:
    """A board as rows of tiles."""

    rows: tuple[tuple[Tile, ...], ...]
    framed: bool = False
    """Whether each tile has a frame of its own, like a dial, or is a cell of a plain grid."""


# --- controls ------------------------------------------------------------------------------------


Spot = tuple[int, ...]
"""What is chosen at the moment, in numbers that only its control understands."""


class Way(Enum):
    """An arrow: how many rows and columns it leads on."""

    UP = (-1, 0)
    DOWN = (1, 0)
    LEFT = (0, -1)
    RIGHT = (0, 1)


class Control(ABC):
    """How arrows choose the answer to a question."""

    keys: ClassVar[str] = "←→ choose"
    """What each arrow does."""

    @abstractmethod
    def move_spot(self, spot: Spot | None, way: Way) -> Spot:
        """Where an arrow leads; the first one, from None, leads to where choosing begins."""

    @abstractmethod
    def answer(self, spot: Spot) -> str:
        """The line that answers the question with what is chosen."""

    def find(self, answer: str) -> Spot | None:
        """Where an answer is chosen, if it can be."""
        return None

    def click_spot(self, spot: Spot | None, row: int, column: int) -> Spot | None:
        """What a click on a tile of the board chooses; None if it chooses nothing."""
        return None

    def mark_spot(self, drawing: Drawing, spot: Spot) -> Drawing:
        """The board with what is chosen on it."""
        return drawing


@dataclass(frozen=True, slots=True)
class Choices(Control):
    """Answers in a row, apart from the board: a menu, or yes and no."""

    answers: Sequence[str]
    names: Sequence[str] = ()
    """What each is called; by default, the answer itself."""

    def move_spot(self, spot: Spot | None, way: Way) -> Spot:
        """The next answer or the one before; behind the last comes the first.

        >>> Choices(("yes", "no")).move_spot((1,), Way.RIGHT)
        (0,)
        """
        return (0,) if spot is None else ((spot[0] + sum(way.value)) % len(self.answers),)

    def answer(self, spot: Spot) -> str:
        """The chosen answer."""
        return self.answers[spot[0]]

    def find(self, answer: str) -> Spot | None:
        """The place of the answer in the row."""
        return ([*self.answers].index(answer),) if answer in self.answers else None


@dataclass(frozen=True, slots=True)
class Cells(Control):
    """Answers given by choosing a tile of the board."""

    keys = "←↑↓→ choose"

    rows: Sequence[Sequence[str]]
    """The answer of each tile, in the board's own rows; empty for one that cannot be chosen."""
    start: Spot | None = None
    """Where choosing begins; by default, at the first tile that can be chosen."""

    def move_spot(self, spot: Spot | None, way: Way) -> Spot:
        """The next tile in that direction that can be chosen; behind the last comes the first.

        >>> cells = Cells([["1", "", "3"]])
        >>> cells.move_spot((0, 0), Way.RIGHT), cells.move_spot((0, 2), Way.RIGHT)
        ((0, 2), (0, 0))
        """
        if spot is None:
            return self.start or next(
                (row, column)
                for row, answers in enumerate(self.rows)
                for column, answer in enumerate(answers)
                if answer
            )
        down, right = way.value
        row, column = spot[0], spot[1]
        for _ in range(max(len(self.rows), len(self.rows[row]))):
            row = (row + down) % len(self.rows)
            column = (column + right) % len(self.rows[row])
            if self.rows[row][column]:
                return row, column
        return row, column

    def click_spot(self, spot: Spot | None, row: int, column: int) -> Spot | None:
        """The tile itself, if it can be chosen.

        >>> Cells([["1", "", "3"]]).click_spot(None, 0, 2)
        (0, 2)
        """
        has_tile = row < len(self.rows) and column < len(self.rows[row])
        return (row, column) if has_tile and self.rows[row][column] else None

    def answer(self, spot: Spot) -> str:
        """The answer of the chosen tile."""
        return self.rows[spot[0]][spot[1]]

    def find(self, answer: str) -> Spot | None:
        """The tile with this answer.

        >>> Cells([["1", "", "3"]]).find("3")
        (0, 2)
        """
        tiles = ((row, at) for row, answers in enumerate(self.rows) for at in range(len(answers)))
        return next((spot for spot in tiles if answer and self.answer(spot) == answer), None)

    def mark_spot(self, drawing: Drawing, spot: Spot) -> Drawing:
        """The board with the tile marked."""
        return with_tile(drawing, spot[0], spot[1])


@dataclass(frozen=True, slots=True)
class Wheels(Control):
    """Answers given by turning wheels that stand side by side; all of them count."""

    keys = "←→ wheel   ↑↓ digit"

    faces: Sequence[str]
    """What each wheel can show, from the top to the bottom."""
    start: Spot
    """The number of the face that each wheel shows before it is turned."""
    between: str = "-"
    """What the answer has between the faces."""
    framed: bool = False
    """Whether the board shows one face of each wheel, and not all of them below each other."""

    def move_spot(self, spot: Spot | None, way: Way) -> Spot:
        """Up and down turn a wheel; left and right go to another.

        >>> wheels = Wheels("123", (0, 0))
        >>> wheels.answer(wheels.move_spot(wheels.move_spot(None, Way.DOWN), Way.DOWN))
        '2-1'
        """
        at, *turned = (0, *self.start) if spot is None else spot
        down, right = (0, 0) if spot is None else way.value
        turned[at] = (turned[at] + down) % len(self.faces)
        return ((at + right) % len(turned), *turned)

    def click_spot(self, spot: Spot | None, row: int, column: int) -> Spot | None:
        """The wheel, turned to the face that was clicked; a framed one is turned on if chosen.

        >>> Wheels("123", (0, 0)).click_spot(None, 2, 1)
        (1, 0, 2)
        """
        turned = list(self.start if spot is None else spot[1:])
        if column >= len(turned) or row >= (1 if self.framed else len(self.faces)):
            return None
        if not self.framed:
            turned[column] = row
        elif spot is not None and spot[0] == column:
            turned[column] = (turned[column] - 1) % len(self.faces)
        return (column, *turned)

    def answer(self, spot: Spot) -> str:
        """What all wheels show."""
        return self.between.join(self.faces[each] for each in spot[1:])

    def find(self, answer: str) -> Spot | None:
        """The wheels turned to this answer.

        >>> Wheels("123", (0, 0)).find("3-1")
        (0, 2, 0)
        """
        faces = answer.split(self.between)
        if len(faces) != len(self.start) or not set(faces) <= set(self.faces):
            return None
        return (0, *(list(self.faces).index(face) for face in faces))

    def mark_spot(self, drawing: Drawing, spot: Spot) -> Drawing:
        """The board with the wheels turned; the one that the arrows turn stands out most."""
        for place, face in enumerate(spot[1:]):
            turns = place == spot[0]
            if drawing.framed:
                look = Look.CHOSEN if turns else Look.PLAIN
                drawing = with_tile(drawing, 0, place, look, self.faces[face])
            else:
                look = Look.CHOSEN if turns else Look.TOUCHED
                drawing = with_tile(_clear_touch(drawing, place), face, place, look)
        return drawing


def with_tile(
    drawing: Drawing, row: int, column: int, look: Look = Look.CHOSEN, text: str | None = None
) -> Drawing:
    """A drawing in which one tile has another look, and perhaps shows another text."""

    def change(tile: Tile) -> Tile:
        return replace(tile, look=look, text=tile.text if text is None else text)

    return _change_tiles(drawing, {(row, column): change(drawing.rows[row][column])})


def _clear_touch(drawing: Drawing, column: int) -> Drawing:
    touched = {
        (row, column): replace(tiles[column], look=Look.PLAIN)
        for row, tiles in enumerate(drawing.rows)
        if tiles[column].look is Look.TOUCHED
    }
    return _change_tiles(drawing, touched)


def _change_tiles(drawing: Drawing, changes: dict[tuple[int, int], Tile]) -> Drawing:
    rows = tuple(
        tuple(changes.get((row, column), tile) for column, tile in enumerate(tiles))
        for row, tiles in enumerate(drawing.rows)
    )
    return replace(drawing, rows=rows)
