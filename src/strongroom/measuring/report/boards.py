"""Boards as small inline SVGs, from the same drawings as in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from strongroom.contract import Drawing, Look, Tile

CELL: Final = 30
"""The size of a cell of a grid, in pixels."""
DIAL: Final = 44
"""The size of a tile with a frame of its own."""
LABEL: Final = 20
"""The height of the labels below tiles."""
MOST: Final = 400
"""A drawing of more tiles is no picture for a page."""


def board(drawing: Drawing, played: str, better: str) -> str:
    """A board with the tiles of the move played and of the better one marked, where they are."""
    wide = max(map(len, drawing.rows))
    labelled = any(tile.label for row in drawing.rows for tile in row)
    size, gap = (DIAL, 6) if drawing.framed else (CELL, 2)
    high = size + gap + LABEL * labelled
    width, height = wide * (size + gap) - gap, len(drawing.rows) * high - gap
    parts, rings = list[str](), list[str]()
    for down, row in enumerate(drawing.rows):
        for across, tile in enumerate(row):
            x, y = across * (size + gap), down * high
            parts += _tile(tile, x, y, size)
            rings += [
                _ring(mark, x, y, size)
                for move, mark in ((played, "played"), (better, "better"))
                if _is_about(move, tile)
            ]
    return (
        f'<svg class="board" role="img" '
        f'aria-label="{escape(_told(drawing, played, better))}" width="{width + 8}" '
        f'viewBox="-4 -4 {width + 8} {height + 8}">{"".join(parts + rings)}</svg>'
    )


def fits(drawing: Drawing | None) -> bool:
    """Whether a drawing is small enough for a page."""
    return drawing is not None and sum(map(len, drawing.rows)) <= MOST


def _tile(tile: Tile, x: int, y: int, size: int) -> Iterator[str]:
    owner = f" {tile.owner.name.lower()}" if tile.owner else ""
    kind = f"tile {tile.look.value}{owner}"
    yield f'<rect class="{kind}" x="{x}" y="{y}" width="{size}" height="{size}" rx="6"/>'
    middle = x + size / 2
    yield f'<text class="{kind}" x="{middle}" y="{y + size / 2}">{escape(tile.text)}</text>'
    if tile.label:
        below = y + size + 16
        yield f'<text class="name" x="{middle}" y="{below}">{escape(tile.label)}</text>'


def _ring(mark: str, x: int, y: int, size: int) -> str:
    place = f'x="{x - 2}" y="{y - 2}" width="{size + 4}" height="{size + 4}" rx="8"'
    return f'<rect class="{mark}" {place}><title>{mark}</title></rect>'


def _is_about(move: str, tile: Tile) -> bool:
    """Whether a move names a tile: `3` and `3 5` that labelled 3, `3-4` the one that shows 34."""
    return bool(move) and move.split(" ")[0].replace("-", "") == (tile.label or tile.text)


def _told(drawing: Drawing, played: str, better: str) -> str:
    tiles = [tile for row in drawing.rows for tile in row]
    shown = [tile for tile in tiles if tile.text and tile.look is not Look.FAINT]
    texts = ", ".join(f"{tile.label}: {tile.text}" if tile.label else tile.text for tile in shown)
    marked = [
        f"{name} {move}"
        for name, move in (("played", played), ("better", better))
        if any(_is_about(move, tile) for tile in tiles)
    ]
    return f"The board. {'; '.join((texts or 'empty', *marked))}."
