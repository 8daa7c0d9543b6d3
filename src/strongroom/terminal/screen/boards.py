"""A game as rows of a page: its board, and its ledger of turns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from strongroom.contract import Drawing, Look, Names, Seat, Tile, Turn
from strongroom.terminal.screen.keys import Kind, Target, mark
from strongroom.terminal.screen.palette import BRASS, BRIGHT, LINE, PLAYERS, SOFT
from strongroom.terminal.screen.wrapping import wrap

FRAME: Final = tuple("╭─╮│╰╯")
FAINT, ASCII_FAINT = "·", "."
POINTER, CURSOR = "▲", "▸"
WIDEST_GAP: Final = 5
"""The most columns between the tiles of a large plane."""
GAP: Final = 3
"""The columns between framed tiles, where there is room."""


LARGE: Final = 16
"""From so many rows on, a board is drawn larger than it need be."""
GLYPHS: Final = {
    "1": ("╺┓ ", " ┃ ", "╺┻╸"),
    "2": ("╺━┓", "┏━┛", "┗━╸"),
    "3": ("╺━┓", " ━┫", "╺━┛"),
    "4": ("╻ ╻", "┗━┫", "  ╹"),
    "5": ("┏━╸", "┗━┓", "╺━┛"),
    "6": ("┏━╸", "┣━┓", "┗━┛"),
    "7": ("╺━┓", "  ┃", "  ╹"),
    "8": ("┏━┓", "┣━┫", "┗━┛"),
    "9": ("┏━┓", "┗━┫", "╺━┛"),
    "X": ("╲ ╱", " ╳ ", "╱ ╲"),
    "O": ("╭─╮", "│ │", "╰─╯"),
}
"""The texts of large tiles, drawn with lines."""


def board(drawing: Drawing, width: int, unicode: bool = True, height: int = 0) -> list[Text]:
    """A drawing as rows of text that fit a width; empty if there is too little room for it.

    It is drawn larger if it has many rows to fill.
    """
    large = height >= LARGE
    if not drawing.framed:
        return _plane(drawing.rows, width, unicode, height if large else 0)
    return [
        row
        for number, tiles in enumerate(drawing.rows)
        for row in _framed_rows(number, tiles, width, unicode, large)
    ]


def style(tile: Tile) -> str:
    """The style of a tile, from its owner or its look."""
    if tile.look is Look.LIT:
        return f"bold reverse {PLAYERS[tile.owner.index] if tile.owner else BRIGHT}"
    if tile.look is Look.CHOSEN:
        return f"bold reverse {BRASS}"
    if tile.owner is not None:
        return f"bold {PLAYERS[tile.owner.index]}"
    return {Look.FAINT: SOFT, Look.TOUCHED: f"bold {BRIGHT}", Look.PLAIN: "bold"}[tile.look]


def _framed_rows(
    number: int, tiles: tuple[Tile, ...], width: int, unicode: bool, large: bool
) -> list[Text]:
    corner, across, other, side, low, last = FRAME
    breadth = max((len(tile.text) for tile in tiles), default=0) or 1
    inner, tall = breadth + 2, 1
    if large:
        sizes = ((11, 5), (7, 3), (5, 3))
        fits = (size for size in sizes if len(tiles) * (size[0] + 2) + GAP <= width)
        inner, tall = next((size for size in fits if size[0] > breadth), (inner, tall))
    gap = GAP if len(tiles) * (inner + 2 + GAP) <= width else 0
    if len(tiles) * (inner + 2) > width:
        return _bare_rows(number, tiles)
    top, bottom, labels = Text(), Text(), Text()
    inside = [Text() for _ in range(tall)]
    for column, tile in enumerate(tiles):
        starts = len(top)
        frame = style(tile) if tile.look is Look.LIT else SOFT
        marked = tile.look in (Look.TOUCHED, Look.CHOSEN)
        frame = f"bold {BRASS}" if marked else frame.replace("reverse ", "")
        top.append(f"{corner}{across * inner}{other}", frame).append(" " * gap)
        for row, shown in zip(inside, _inside(tile.text, inner, tall, unicode), strict=True):
            row.append(side, frame).append(shown, style(tile)).append(side, frame)
            row.append(" " * gap)
        bottom.append(f"{low}{across * inner}{last}", frame).append(" " * gap)
        sign = (CURSOR if tile.look is Look.CHOSEN else POINTER) if marked else " "
        label = f"{sign}{tile.label}"
        labels.append(f"{label:^{inner + 2}}"[: inner + 2], BRASS if marked else SOFT)
        labels.append(" " * gap)
        for row in (top, *inside, bottom, labels):
            mark(row, Target(Kind.TILE, (number, column)), starts, starts + inner + 2)
    rows = [top, *inside, bottom, labels]
    for row in rows:
        row.rstrip()
    return rows


def _inside(text: str, inner: int, tall: int, unicode: bool) -> list[str]:
    """The inside of a frame: a text in its middle, drawn with lines where there is room."""
    drawn = GLYPHS.get(text) if unicode and tall >= len(GLYPHS["1"]) else None
    rows = list(drawn or (text,))
    above = (tall - len(rows)) // 2
    rows = [""] * above + rows + [""] * (tall - len(rows) - above)
    return [f"{row:^{inner}}" for row in rows]


def _bare_rows(number: int, tiles: tuple[Tile, ...]) -> list[Text]:
    """Tiles and labels alone, for a screen too narrow for frames."""
    marks, labels = Text(), Text()
    for column, tile in enumerate(tiles):
        starts = len(marks)
        breadth = max(len(tile.text), len(tile.label), 1) + 1
        marks.append(f"{tile.text or '_':{breadth}}", style(tile))
        labels.append(f"{tile.label:{breadth}}", SOFT)
        for row in (marks, labels):
            mark(row, Target(Kind.TILE, (number, column)), starts)
    return [marks, labels]


def _plane(rows: Sequence[Sequence[Tile]], width: int, unicode: bool, height: int) -> list[Text]:
    """Rows of tiles, two columns apart, or one where space is tight, or more where it is not."""
    breadth = max((len(tile.text) for tiles in rows for tile in tiles), default=0)
    across = max(map(len, rows), default=0)
    airy = across and height > 2 * len(rows) and across * (breadth + 3) <= width
    between = next((gap for gap in (2, 1) if across * (breadth + gap) + 2 - gap <= width), 0)
    if airy:
        between = min(WIDEST_GAP, width // across - breadth)
    drawn = [
        _plane_row(number, tiles, breadth, FAINT if unicode else ASCII_FAINT, between)
        for number, tiles in enumerate(rows if between else ())
    ]
    return [row for each in drawn for row in (each, Text())][:-1] if airy else drawn


def _plane_row(number: int, tiles: Sequence[Tile], breadth: int, dot: str, between: int) -> Text:
    row, before = Text(), False
    for column, tile in enumerate(tiles):
        faint = tile.look is Look.FAINT
        text = dot if faint else tile.text
        marked = tile.look in (Look.TOUCHED, Look.LIT, Look.CHOSEN)
        # Brackets make marked tiles stand out without colour.
        closed = "]" if before else " "
        opened = "[" if marked else " "
        if between == 1:
            row.append(opened if marked else closed, BRASS)
        else:
            gap = closed + " " * (between - 2) if row else " " * (between - 2)
            row.append(gap + opened, BRASS)
        row.append(f"{text:>{breadth}}", LINE if faint else style(tile))
        aimed = Target(Kind.TILE, (number, column))
        mark(row, aimed, max(0, len(row) - breadth - between // 2), len(row) + 1)
        before = marked
    return row.append("]" if before else " ", BRASS)


INDENT: Final = 2
"""The indent of a turn's second and later lines."""
LEAST: Final = 6
"""The minimum width of a column in which a turn is readable."""


def ledger_rows(
    turns: Sequence[Turn],
    names: Names,
    result_name: str,
    width: int,
    height: int,
    scrolled: int = 0,
    lit: bool = False,
) -> list[Text]:
    """The ledger at a size: the newest turns, or older ones if it is scrolled back.

    `lit` highlights the last turn, which won the game.
    """
    number = len(str(len(turns) + 1)) + 1
    result = max([len(result_name), *(len(turn.result) for turn in turns)]) + 1
    if not result_name or width - number - 1 - result < 2 * LEAST:
        result_name, result = "", 0  # the board shows it too
    column = (width - number - 1 - result) // 2
    if height < 2 or column < LEAST:
        return []
    head = Text().append(f"{'#':>{number - 1}}  ", SOFT)
    for seat in Seat:
        head.append(pad_or_cut(names[seat], column - 1) + " ", f"bold {PLAYERS[seat.index]}")
    head.append(result_name, SOFT)
    room = height - 1
    last = max(0, len(turns) - max(0, scrolled))
    body: list[list[Text]] = []
    first = last
    while first > 0:
        newest = first == len(turns)
        turn = turns[first - 1] if result else turns[first - 1]._replace(result="")
        drawn = _turn(first, turn, number, column, newest, newest and lit)
        if sum(map(len, body)) + len(drawn) > room:
            break
        body.insert(0, drawn)
        first -= 1
    if first > 0 and len(body) > 1:
        body[0] = [Text(f"{'':{number + 1}}⋮ {first + 1} earlier"[:width], SOFT)]
    return [head, *chain(*body)]


def _turn(number: int, turn: Turn, margin: int, column: int, newest: bool, lit: bool) -> list[Text]:
    style = f"bold reverse {BRIGHT}" if lit else ("bold" if newest else "")
    index = turn.seat.index if turn.seat else 0
    lines = wrap(turn.text, column - 1, INDENT)
    drawn = []
    for at, line in enumerate(lines):
        row = Text().append(f"{number if at == 0 else '':>{margin - 1}}  ", SOFT)
        row.append(" " * (column * index))
        row.append(line, style).append(" " * (column - cell_len(line) + column * (1 - index)))
        row.append(turn.result if at == 0 else "", style)
        drawn.append(row)
    if turn.mark:
        mark = wrap(f"── {turn.mark} ──", 2 * column)
        drawn += [Text(" " * (margin + 1) + line, LINE) for line in mark]
    return drawn


def pad_or_cut(text: str, width: int) -> str:
    """A text padded to a width, or cut with an ellipsis if it is longer."""
    if cell_len(text) > width:
        text = set_cell_size(text, width - 1) + "…"
    return set_cell_size(text, width)
