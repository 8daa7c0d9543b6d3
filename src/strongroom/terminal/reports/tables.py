"""Tables that fit the screen: text wraps, minor columns are dropped, values are never truncated.

If even the required columns do not fit side by side, each row becomes a block of lines.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.console import Console, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Span, Text

from strongroom.terminal.printing import has_unicode, spell
from strongroom.terminal.screen.palette import printed_colours, recolour

Cell: TypeAlias = str | Text
"""The content of a table cell."""

GAP: Final = 2
"""The number of spaces between two columns."""
COMFORT: Final = 12
"""Text is wrapped no narrower than this, even if every word is shorter."""
UNBOUNDED: Final = 10_000
"""The width of output that does not go to a terminal."""


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    heading: str
    """The text above it."""
    worth: int = 0
    """Without room, the column with the largest `worth` is dropped first; one with 0 never is."""
    right: bool = False
    """Whether it holds values, which are right-aligned and never wrapped."""


def table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int) -> Table:
    """The rows below their headings, in lines of at most `width` characters."""
    texts = [[cell if isinstance(cell, Text) else Text(cell) for cell in row] for row in rows]
    sizes = [_sizes(column, [row[i] for row in texts]) for i, column in enumerate(columns)]
    kept = list(range(len(columns)))
    while _total_width([sizes[i][0] for i in kept]) > width:
        worth, last = max((columns[i].worth, i) for i in kept)
        if worth == 0 or len(kept) == 1:
            return _blocks(columns, texts)
        kept.remove(last)
    headed = any(columns[i].heading for i in kept)
    grid = Table(box=None, pad_edge=False, padding=(0, GAP // 2), show_header=headed)
    for i, size in zip(kept, _fit_widths([sizes[i] for i in kept], width), strict=True):
        side: JustifyMethod = "right" if columns[i].right else "left"
        grid.add_column(Text(columns[i].heading), width=size, justify=side, overflow="fold")
    for row in texts:
        grid.add_row(*(row[i] for i in kept))
    return grid


def print_table(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], *, stderr: bool = False
) -> None:
    """Print a table to fit the screen; if output is not a terminal, at its full width."""
    out = sys.stderr if stderr else sys.stdout
    if not has_unicode():
        rows = [[_in_ascii(cell) for cell in row] for row in rows]
    width = shutil.get_terminal_size().columns if out.isatty() else UNBOUNDED
    Console(width=width, highlight=False, stderr=stderr).print(table(columns, rows, width))


def print_lines(lines: Iterable[Text], console: Console) -> None:
    """Print lines drawn with the palette, in colours that are readable on any background."""
    colours = printed_colours(console.color_system or "")
    for line in lines:
        line = line.copy()
        line.plain = spell(line.plain, has_unicode())
        line.spans = [Span(a, b, recolour(style, colours)) for a, b, style in line.spans]
        line.style = recolour(line.style, colours)
        console.print(line, soft_wrap=True)


def render_lines(drawn: RenderableType, width: int) -> list[Text]:
    """What is drawn as lines of at most `width` characters, none of which ends with a blank."""
    console = Console(width=width, color_system="truecolor", legacy_windows=False)
    lines = []
    for segments in console.render_lines(drawn, pad=False):
        line = Text.assemble(*((part.text, part.style or "") for part in segments))
        line.rstrip()
        lines.append(line)
    return lines


def _in_ascii(cell: Cell) -> Cell:
    return cell.replace("±", "+/-") if isinstance(cell, str) else cell


def _sizes(column: Column, cells: Sequence[Text]) -> tuple[int, int]:
    """The smallest width of a column, and its full width."""
    texts = [column.heading, *(cell.plain for cell in cells)]
    widest = max(cell_len(line) for text in texts for line in text.splitlines() or [""])
    if column.right:
        return widest, widest
    longest_word = max(cell_len(word) for text in texts for word in text.split() or [""])
    return max(longest_word, min(widest, COMFORT)), widest


def _total_width(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _fit_widths(sizes: Sequence[tuple[int, int]], width: int) -> list[int]:
    """Column widths that fit: the widest column shrinks first."""
    widths = [widest for _, widest in sizes]
    while _total_width(widths) > width:
        givers = [i for i, (narrowest, _) in enumerate(sizes) if widths[i] > narrowest]
        widths[max(givers, key=lambda i: widths[i])] -= 1
    return widths


def _blocks(columns: Sequence[Column], rows: Sequence[Sequence[Text]]) -> Table:
    """Each row as lines of heading and value, with a blank line between rows."""
    grid = Table.grid()
    grid.add_column(overflow="fold")
    for number, row in enumerate(rows):
        if number:
            grid.add_row("")
        for column, cell in zip(columns, row, strict=True):
            if cell.plain:
                heading = f"{column.heading}: " if column.heading else ""
                grid.add_row(Text(heading).append_text(cell))
    return grid
