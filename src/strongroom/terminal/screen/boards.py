"""Boards: a game's drawing as rows of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from strongroom.contract import Drawing, Look, Tile
from strongroom.terminal.screen.palette import BRASS, BRIGHT, LINE, PLAYERS, SOFT

ROUND, ASCII = tuple("╭─╮│╰╯"), tuple("+-+|++")
"""The characters of a frame."""
FAINT, ASCII_FAINT = "·", "."
POINTER, ASCII_POINTER = "▲", "^"
GAP: Final = 3
"""The columns between framed tiles, where there is room."""


def board(drawing: Drawing, width: int, unicode: bool) -> list[Text]:
    """A drawing as rows of text that fit a width; empty if there is too little room for it."""
    if not drawing.framed:
        return _plane(drawing.rows, width, unicode)
    return [row for tiles in drawing.rows for row in _framed(tiles, width, unicode)]


def style(tile: Tile) -> str:
    """The style of a tile, from its owner or its look."""
    if tile.look is Look.LIT:
        return f"bold reverse {PLAYERS[tile.owner.index] if tile.owner else BRIGHT}"
    if tile.look is Look.CHOSEN:
        return f"bold reverse {BRASS}"
    if tile.owner is not None:
        return f"bold {PLAYERS[tile.owner.index]}"
    return {Look.FAINT: SOFT, Look.TOUCHED: f"bold {BRIGHT}", Look.PLAIN: "bold"}[tile.look]


def _framed(tiles: tuple[Tile, ...], width: int, unicode: bool) -> list[Text]:
    corner, across, other, side, low, last = ROUND if unicode else ASCII
    breadth = max((len(tile.text) for tile in tiles), default=0) or 1
    inner = breadth + 2
    gap = GAP if len(tiles) * (inner + 2 + GAP) <= width else 0
    if len(tiles) * (inner + 2) > width:
        return _bare(tiles)
    top, middle, bottom, labels = Text(), Text(), Text(), Text()
    pointer = POINTER if unicode else ASCII_POINTER
    for tile in tiles:
        frame = style(tile) if tile.look is Look.LIT else SOFT
        marked = tile.look in (Look.TOUCHED, Look.CHOSEN)
        frame = f"bold {BRASS}" if marked else frame.replace("reverse ", "")
        top.append(f"{corner}{across * inner}{other}", frame).append(" " * gap)
        middle.append(side, frame).append(f" {tile.text:{breadth}} ", style(tile))
        middle.append(side, frame).append(" " * gap)
        bottom.append(f"{low}{across * inner}{last}", frame).append(" " * gap)
        mark = pointer if marked else " "
        label = f"{mark}{tile.label}"
        labels.append(f"{label:^{inner + 2}}"[: inner + 2], BRASS if mark.strip() else SOFT)
        labels.append(" " * gap)
    return [top, middle, bottom, labels]


def _bare(tiles: tuple[Tile, ...]) -> list[Text]:
    """Tiles and labels alone, for a screen too narrow for frames."""
    marks, labels = Text(), Text()
    for tile in tiles:
        breadth = max(len(tile.text), len(tile.label), 1) + 1
        marks.append(f"{tile.text or '_':{breadth}}", style(tile))
        labels.append(f"{tile.label:{breadth}}", SOFT)
    return [marks, labels]


def _plane(rows: Sequence[Sequence[Tile]], width: int, unicode: bool) -> list[Text]:
    """Rows of tiles, two columns apart, or one where space is tight."""
    breadth = max((len(tile.text) for tiles in rows for tile in tiles), default=0)
    across = max(map(len, rows), default=0)
    if across * (breadth + 2) <= width:
        return [_in_plane(tiles, breadth, unicode, between=2) for tiles in rows]
    if across * (breadth + 1) + 1 <= width:
        return [_in_plane(tiles, breadth, unicode, between=1) for tiles in rows]
    return []


def _in_plane(tiles: Sequence[Tile], breadth: int, unicode: bool, between: int) -> Text:
    row, before = Text(), False
    for tile in tiles:
        faint = tile.look is Look.FAINT
        text = (FAINT if unicode else ASCII_FAINT) if faint else tile.text
        marked = tile.look in (Look.TOUCHED, Look.LIT, Look.CHOSEN)
        # Brackets make marked tiles stand out without colour.
        closed = "]" if before else " "
        gap = "[" if marked else closed
        row.append(
            gap if between == 1 else (closed if row else "") + ("[" if marked else " "), BRASS
        )
        row.append(f"{text:>{breadth}}", LINE if faint else style(tile))
        before = marked
    return row.append("]" if before else " ", BRASS)
