"""A win probability over a game as a line of box-drawing characters."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from rich.text import Text

from strongroom.accounts.analysis import Curve
from strongroom.terminal.screen.palette import LINE, SOFT
from strongroom.terminal.signs import spelled

ASCII: Final = str.maketrans("─│╭╮╰╯┤┼└┬", "-|++++|+++")
"""The characters of a curve without Unicode."""
GUTTER: Final = 5
"""The width of the scale at the left, including its axis."""
WIDEST: Final = 6
"""The most columns between two moves, so that a short game is not stretched."""
END: Final = "end"


class Note(NamedTuple):
    """A label for a move on the curve."""

    texts: tuple[str, ...]
    """The alternatives, from the longest to the shortest; the first that fits is used."""
    style: str


def thinned(curve: Curve, most: int) -> Curve:
    """At most `most` points of a curve: of each stretch the one farthest from the last shown.

    So swings stay visible, however long the game was. The first and the last point are kept.
    """
    if len(curve) <= most:
        return curve
    shown, between = [curve[0]], curve[1:-1]
    bounds = [i * len(between) // (most - 2) for i in range(most - 1)]
    for begin, end in pairwise(bounds):
        shown.append(max(between[begin:end], key=lambda point: abs(point[1] - shown[-1][1])))
    return [*shown, curve[-1]]


def columns(width: int) -> int:
    """How many points there is room for."""
    return max(3, width - GUTTER - len(END))


def plotted(
    curve: Curve,
    style: str,
    notes: Mapping[int, Note],
    turns: Mapping[int, int],
    width: int,
    height: int,
    unicode: bool,
) -> list[Text]:
    """The curve above the turn numbers, in `height` lines and two for the axis.

    `notes` and `turns` are keyed by step; a step without a turn has no number below it.
    """
    room = columns(width)
    points = thinned(curve, room)
    step = min(WIDEST, room // len(points))
    canvas = Canvas(height, width - GUTTER)
    rows = [canvas.row(chance) for _, chance in points]
    canvas.draw(rows, step, style)
    for place, (number, _) in enumerate(points):
        if number in notes:
            canvas.write(notes[number], rows[place], place * step)
    scale = {0: "100", canvas.row(0.5): " 50", height - 1: "  0"}
    lines = []
    for row in range(height):
        axis = "┼" if row == rows[0] else "┤"
        line = Text(f"{scale.get(row, ''):>3} ", style=SOFT).append(axis, style=LINE)
        lines.append(line.append_text(canvas.line(row)))
    lines += _axis([turns.get(number) for number, _ in points], step)
    return lines if unicode else [in_ascii(line) for line in lines]


class Canvas:
    """A sparse grid of characters."""

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width = height, width
        self._cells: dict[tuple[int, int], tuple[str, str]] = {}

    def row(self, chance: float) -> int:
        """The row of a probability, from the top."""
        return round((1 - chance) * (self.height - 1))

    def draw(self, rows: list[int], step: int, style: str) -> None:
        """Draw a line that changes rows at each step and is horizontal in between."""
        for place, row in enumerate(rows):
            before, column = rows[max(0, place - 1)], place * step
            for straight in range(step if place < len(rows) - 1 else min(step, len(END))):
                self._cells[row, column + straight] = ("─", style)
            if before == row:
                continue
            leaves, arrives = ("╯", "╭") if row < before else ("╮", "╰")
            for between in range(min(before, row) + 1, max(before, row)):
                self._cells[between, column] = ("│", style)
            self._cells[before, column] = (leaves, style)
            self._cells[row, column] = (arrives, style)

    def write(self, note: Note, row: int, column: int) -> None:
        """Write a note near a point where there is room; if there is none, leave it out."""
        for text in note.texts:
            for near in (row - 1, row + 1, row - 2, row + 2):
                for begin in (column, column + 1, column - len(text) + 1):
                    cells = [(near, begin + i) for i in range(len(text))]
                    if self._free(near, begin - 1, begin + len(text) + 1):
                        for cell, character in zip(cells, text, strict=True):
                            self._cells[cell] = (character, f"bold {note.style}")
                        return

    def _free(self, row: int, begin: int, end: int) -> bool:
        """Whether the inner cells are blank and no other text touches them."""
        inside = 0 <= row < self.height and begin >= -1 and end <= self.width + 1
        inner = range(begin + 1, end - 1)
        blank = all((row, column) not in self._cells for column in inner)
        apart = all(
            self._cells.get((row, column), (" ",))[0] in " ─│╭╮╰╯" for column in (begin, end - 1)
        )
        return inside and blank and apart

    def line(self, row: int) -> Text:
        """One row of characters."""
        last = max((column for r, column in self._cells if r == row), default=-1)
        text = Text()
        for column in range(last + 1):
            text.append(*self._cells.get((row, column), (" ", "")))
        return text


def _axis(turns: list[int | None], step: int) -> list[Text]:
    """The axis, with a tick above each turn number; as many numbers as there is room for."""
    end = (len(turns) - 1) * step
    ticks, below, last = ["─"] * (end + 1), "", None
    for place, turn in enumerate(turns[:-1]):
        column, label = place * step, str(turn)
        has_room = (column > len(below) or not below) and column + len(label) < end
        if turn not in (None, last) and has_room:
            below, last = f"{below:<{column}}{label}", turn
            ticks[column] = "┬"
    ticks[end] = "┬"
    below = f"{below:<{end}}{END}"
    return [
        Text(" " * (GUTTER - 1) + "└" + "".join(ticks), style=LINE),
        Text(" " * GUTTER + below, style=SOFT),
    ]


def in_ascii(line: Text) -> Text:
    """A line without box-drawing and other characters that the terminal may not have."""
    plain = line.copy()
    plain.plain = spelled(line.plain.translate(ASCII), unicode=False)
    return plain
