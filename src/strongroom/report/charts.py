"""Plots and boards as inline SVG.

Plots keep the size of their text at any width: places across are in percent. Boards come from the
same drawings as in the terminal.

Colours come from the classes of the page; every mark has a title, and every plot a description.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil
from typing import Final

from strongroom.contract import Drawing, Look, Tile
from strongroom.report.text import Interval, percent, points, with_interval

LINE: Final = 22
"""The height of a line of text, in pixels."""
LANES: Final = 36
"""The height of a player's two intervals."""
BAR: Final = 12
"""The height of a bar."""
STEPS: Final = tuple(base * 10.0**power for power in range(-3, 3) for base in (1, 2, 5))
"""The distances that the lines of a grid can have."""
GRID: Final = 6
"""The most intervals between the lines of a grid."""
ROOM: Final = 0.085
"""The least share of a bar's width that has room for a figure."""
SHAPES: Final = (
    "M-6 0A6 6 0 1 1 6 0A6 6 0 1 1-6 0Z",
    "M0-7.5L7.5 0L0 7.5L-7.5 0Z",
    "M-5.5-5.5H5.5V5.5H-5.5Z",
    "M0-7L7 5.5H-7Z",
)
"""The players' marks, told apart by shape as well as by colour: disc, diamond, square, triangle."""
EXACT: Final = "M0-9V9M-4-9H4M-4 9H4"
"""The mark of an exact score."""
CELL: Final = 30
"""The size of a cell of a grid, in pixels."""
DIAL: Final = 44
"""The size of a tile with a frame of its own."""
LABEL: Final = 20
"""The height of the labels below tiles."""
MOST: Final = 400
"""A drawing of more tiles is no picture for a page."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis across a plot."""

    low: float
    high: float
    step: float
    """The distance between the lines of its grid."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Axis:
        """An axis with zero and all of these values on it, which ends at a line of its grid.

        >>> Axis.of([0.12, 0.53])
        Axis(low=0.0, high=0.6000000000000001, step=0.1)
        """
        low, high = min([0.0, *values]), max([0.0, *values])
        span = high - low
        step = next((step for step in STEPS if span <= GRID * step), span / GRID)
        return cls(low, step * max(1, ceil(high / step - 1e-9)), step)

    def at(self, value: float) -> str:
        """The place of a value across the plot; one beyond the axis stands at its end."""
        share = (value - self.low) / (self.high - self.low)
        return f"{100 * min(1.0, max(0.0, share)):.2f}%"

    def grid(self, height: float) -> Iterator[str]:
        """The lines of the grid with their figures below them."""
        first, last = ceil(self.low / self.step - 1e-9), round(self.high / self.step)
        for number in range(first, last + 1):
            value = number * self.step
            x = self.at(value)
            side = "end" if number == last else "middle" if value > self.low else "start"
            zero = "" if number else " zero"
            yield f'<line class="grid{zero}" x1="{x}" x2="{x}" y1="0" y2="{height}"/>'
            told = f"{round(value, 9):g}".replace("-", "−")
            yield f'<text class="axis {side}" x="{x}" y="{height + 18}">{told}</text>'


@dataclass(frozen=True, slots=True)
class PlottedScore:
    """A player's score at a game, as it is drawn."""

    player: str
    score: float
    interval: Interval
    counted: float
    counted_interval: Interval
    exact: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """A game's row in the plot of scores."""

    title: str
    start: float | None
    """What a best response wins, if that is known."""
    estimates: Sequence[PlottedScore]


def scores(rows: Sequence[Row]) -> str:
    """Scores with their intervals: above with luck taken out, below counted."""
    values = [
        value
        for row in rows
        for each in row.estimates
        for value in (*each.interval, *each.counted_interval, each.exact or 0, row.start or 0)
    ]
    axis, y, parts, told = Axis.of(values), 0.0, list[str](), list[str]()
    for row in rows:
        top, y = y, y + LINE + 4
        parts.append(label_at(row.title, y - 10))
        if len(row.estimates) == 1:
            one = row.estimates[0]
            parts.append(value_at(with_interval(one.score, one.interval), y=y - 10))
        if row.start is not None:
            bottom = y + LANES * len(row.estimates) - 8
            x, title = axis.at(row.start), f"{row.title}: a best response wins {row.start:.3f}"
            parts.append(
                f'<line class="best" x1="{x}" x2="{x}" y1="{top + LINE}" y2="{bottom}">'
                f"<title>{escape(title)}</title></line>"
            )
        for number, each in enumerate(row.estimates):
            parts += _estimate(axis, each, number, y + 6)
            y += LANES
            told.append(f"{row.title}, {each.player}: {_score_text(each)}")
        y += 8
    plot = [*axis.grid(y), *parts]
    return plot_of("Score a game, with intervals of at least 95 %", told, y + 26, plot)


def _estimate(axis: Axis, each: PlottedScore, number: int, y: float) -> Iterator[str]:
    """A player's two intervals and their marks."""
    shape = SHAPES[number % len(SHAPES)]
    owner = f"p{number % len(SHAPES)}"
    bounds = ((each.interval, "clear", y), (each.counted_interval, "counted", y + 16))
    for (low, high), kind, at in bounds:
        yield (
            f'<line class="{kind} {owner}" x1="{axis.at(low)}" x2="{axis.at(high)}" '
            f'y1="{at}" y2="{at}"/>'
        )
    if each.exact is not None:
        yield mark_at(axis.at(each.exact), y, EXACT, "exact", f"exact: {each.exact:.5f}")
    title = f"{each.player}: {_score_text(each)}"
    yield mark_at(axis.at(each.counted), y + 16, shape, f"hollow {owner}", title)
    yield mark_at(axis.at(each.score), y, shape, f"full {owner}", title)


def _score_text(each: PlottedScore) -> str:
    exact = "" if each.exact is None else f", exactly {each.exact:.5f}"
    counted = (
        f"{each.counted:.3f} from {each.counted_interval[0]:.3f} to {each.counted_interval[1]:.3f}"
    )
    return (
        f"{each.score:.3f} from {each.interval[0]:.3f} to {each.interval[1]:.3f}, "
        f"counted {counted}{exact}"
    )


@dataclass(frozen=True, slots=True)
class Bars:
    """What one kind of decision costs each player, in points a game."""

    kind: str
    values: Sequence[float | None]
    """None for a player who never met it."""
    titles: Sequence[str]


def profile(title: str, kinds: Sequence[Bars], axis: Axis) -> str:
    """A bar for each kind of decision and player."""
    y, parts, told = 0.0, list[str](), list[str]()
    for each in kinds:
        y += LINE
        parts.append(label_at(each.kind, y - 6))
        parts.append(value_at(*map(points, each.values), y=y - 6))
        for number, value in enumerate(each.values):
            ends = sorted((0.0, value or 0.0))
            left, right = (float(axis.at(end).rstrip("%")) for end in ends)
            parts.append(
                f'<rect class="bar p{number % len(SHAPES)}" x="{left:.2f}%" y="{y}" '
                f'width="{right - left:.2f}%" height="{BAR}" rx="2">'
                f"<title>{escape(each.titles[number])}</title></rect>"
            )
            told.append(each.titles[number])
            y += BAR + 2
        y += 8
    return plot_of(f"{title}: cost by kind of decision", told, y + 24, [*axis.grid(y), *parts])


@dataclass(frozen=True, slots=True)
class Shares:
    """How a player's decisions at a game are divided, in parts that add up to one."""

    label: str
    parts: Sequence[float]


def shares(name: str, rows: Sequence[Shares], classes: Sequence[str]) -> str:
    """A bar for each row, divided into the shares of the classes."""
    y, parts, told = 0.0, list[str](), list[str]()
    for row in rows:
        y += LINE
        parts.append(label_at(row.label, y - 6))
        left = 0.0
        for number, share in enumerate(row.parts):
            title = f"{row.label}: {percent(share)} {classes[number]}"
            told.append(title)
            if share <= 0:
                continue
            parts.append(
                f'<rect class="share s{number}" x="{100 * left:.2f}%" y="{y}" '
                f'width="{100 * share:.2f}%" height="22"><title>{escape(title)}</title></rect>'
            )
            if share >= ROOM:
                middle = f"{100 * (left + share / 2):.2f}%"
                parts.append(
                    f'<text class="in s{number}" x="{middle}" y="{y + 16}">{percent(share)}</text>'
                )
            left += share
        y += 32
    return plot_of(name, told, y, parts)


def symbol(number: int) -> str:
    """A player's mark on its own, for a legend."""
    shape = SHAPES[number % len(SHAPES)]
    kind = f"full p{number % len(SHAPES)}"
    return (
        '<svg class="sign" width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">'
        f'<path class="{kind}" d="{shape}"/></svg>'
    )


def label_at(text: str, y: float) -> str:
    """The name of a line."""
    return f'<text class="label" x="0" y="{y}">{escape(text)}</text>'


def value_at(*texts: str, y: float) -> str:
    """Figures at the end of a line; of several, each in its player's colour."""
    told = [escape(text) for text in texts]
    if len(told) > 1:
        told = [
            f'<tspan class="p{number % len(SHAPES)}" dx="{10 * bool(number)}">{text}</tspan>'
            for number, text in enumerate(told)
        ]
    return f'<text class="value end" x="100%" y="{y}">{"".join(told)}</text>'


def mark_at(x: str, y: float, path: str, kind: str, title: str) -> str:
    """A mark with a title."""
    return (
        f'<svg x="{x}" y="{y}" overflow="visible"><path class="{kind}" d="{path}">'
        f"<title>{escape(title)}</title></path></svg>"
    )


def plot_of(name: str, told: Sequence[str], height: float, parts: Sequence[str]) -> str:
    """A whole plot, described in words."""
    label = escape(f"{name}. {'; '.join(told)}.")
    return (
        f'<svg class="plot" role="img" aria-label="{label}" '
        f'width="100%" height="{height:g}">{"".join(parts)}</svg>'
    )


# --- boards ---------------------------------------------------------------------------------------


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
        f'aria-label="{escape(_board_text(drawing, played, better))}" width="{width + 8}" '
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


def _board_text(drawing: Drawing, played: str, better: str) -> str:
    tiles = [tile for row in drawing.rows for tile in row]
    shown = [tile for tile in tiles if tile.text and tile.look is not Look.FAINT]
    texts = ", ".join(f"{tile.label}: {tile.text}" if tile.label else tile.text for tile in shown)
    marked = [
        f"{name} {move}"
        for name, move in (("played", played), ("better", better))
        if any(_is_about(move, tile) for tile in tiles)
    ]
    return f"The board. {'; '.join((texts or 'empty', *marked))}."
