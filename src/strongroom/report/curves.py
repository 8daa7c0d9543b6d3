"""A player's chance to win over a game: a curve with its marked moves, in characters and as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Final

from rich.text import Text

Points = Sequence[tuple[int, float]]
"""Chances by the number of the step, in order."""
GUTTER: Final = 5
"""The width of the scale at the left, including its axis, in columns."""
WIDEST_STEP: Final = 6
"""The most columns between two moves, so that a short game is not stretched."""
END: Final = "end"
WIDTH: Final = 760
PANEL: Final = 190
"""The height of a panel, including its heading."""
LEFT, RIGHT, ABOVE, BELOW = 52, 28, 40, 12
"""The margins of the plot in a panel."""
FOOT: Final = 36
"""The height below the last panel, for the turn numbers."""
MOST_NUMBERS: Final = 24
"""In a game with more turns, some numbers are left out."""
LOW, HIGH = 0.12, 0.9
"""Chances below and above which there is no room for a label on that side."""
MOST_POINTS: Final = 600
"""The most points of a curve."""
STYLE: Final = """\
  .paper { fill: #f6f1e4 } .card { fill: #fffdf6 } .line { stroke: #d9cfb6 }
  text { fill: #6d6650; font: 13px system-ui, sans-serif; font-variant-numeric: tabular-nums }
  .head { fill: #1d2230; font: 16px 'Iowan Old Style', Palatino, Georgia, serif }
  .curve { fill: none; stroke-width: 2; stroke-linejoin: round; stroke: #1d2230 }
  .one { stroke: #0f6f8f } .two { stroke: #a63a63 } .truth { stroke-dasharray: 5 3 }
  .mark { stroke: none; font-weight: 600 } .mark.one { fill: #0f6f8f } .mark.two { fill: #a63a63 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #12171f } .card { fill: #1a212c } .line { stroke: #2f3947 }
    text { fill: #a39c88 } .head { fill: #efe8d6 } .curve { stroke: #efe8d6 }
    .one { stroke: #5cc3e0 } .two { stroke: #f08bb1 }
    .mark.one { fill: #5cc3e0 } .mark.two { fill: #f08bb1 }
  }
"""
"""The colours of the paper, the ink and each player, in a light and a dark scheme."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked move on a curve."""

    texts: tuple[str, ...]
    """Its labels, from the longest to the shortest; the first that fits is used."""
    owner: str
    """Whose move it is: `one` or `two`."""
    title: str = ""
    """The move in a sentence."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve, from 0 to 1."""

    points: Points
    owner: str = "truth"
    """Whose chance it is: `one` or `two`, or `truth` if it is what nobody knew."""
    heading: str = ""
    marks: Mapping[int, Mark] = field(default_factory=dict)
    """The marked moves, by the number of the step; each stands where the line shows what it did."""


def thin(points: Points, most: int) -> Points:
    """At most `most` points of a curve: of each stretch the one farthest from the last shown.

    So swings stay visible, however long the game was. The first and the last point are kept.
    """
    if len(points) <= most:
        return points
    shown, between = [points[0]], points[1:-1]
    bounds = [i * len(between) // (most - 2) for i in range(most - 1)]
    for begin, end in pairwise(bounds):
        shown.append(max(between[begin:end], key=lambda point: abs(point[1] - shown[-1][1])))
    return [*shown, points[-1]]


# --- in characters --------------------------------------------------------------------------------


def count_columns(width: int) -> int:
    """How many points there is room for in a width."""
    return max(3, width - GUTTER - len(END))


def draw_text(
    curve: Curve,
    turns: Mapping[int, int],
    width: int,
    height: int,
    styles: Mapping[str, str],
) -> list[Text]:
    """The curve above the turn numbers, in `height` lines and two for the axis.

    `turns` are keyed by step; a step without a turn has no number below it. `styles` are those of
    the owners, of the `scale` and of the `axis`.
    """
    points = thin(curve.points, count_columns(width))
    step = min(WIDEST_STEP, count_columns(width) // len(points))
    canvas = _Canvas(height, width - GUTTER)
    rows = [canvas.row(chance) for _, chance in points]
    canvas.draw(rows, step, styles[curve.owner])
    for place, (number, _) in enumerate(points[:-1], 1):  # where the line shows what the move did
        if mark := curve.marks.get(number):
            canvas.write(mark.texts, f"bold {styles[mark.owner]}", rows[place], place * step)
    scale = {0: "100", canvas.row(0.5): " 50", height - 1: "  0"}
    lines = []
    for row in range(height):
        axis = "┼" if row == rows[0] else "┤"
        line = Text(f"{scale.get(row, ''):>3} ", styles["scale"]).append(axis, styles["axis"])
        lines.append(line.append_text(canvas.line(row)))
    ticks, below = _axis([turns.get(number) for number, _ in points], step)
    return [*lines, Text(ticks, styles["axis"]), Text(below, styles["scale"])]


class _Canvas:
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

    def write(self, texts: Sequence[str], style: str, row: int, column: int) -> None:
        """Write the first text that has room near a point; if none has, leave it out."""
        for text in texts:
            for near in (row - 1, row + 1, row - 2, row + 2):
                for begin in (column, column + 1, column - len(text) + 1):
                    if self._free(near, begin - 1, begin + len(text) + 1):
                        for cell, character in enumerate(text, begin):
                            self._cells[near, cell] = (character, style)
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
        return Text.assemble(*(self._cells.get((row, at), (" ", "")) for at in range(last + 1)))


def _axis(turns: list[int | None], step: int) -> tuple[str, str]:
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
    return f"{'└':>{GUTTER}}{''.join(ticks)}", f"{'':{GUTTER}}{below:<{end}}{END}"


# --- as SVG ---------------------------------------------------------------------------------------


def draw_svg(curves: Sequence[Curve], turns: Mapping[int, int]) -> str:
    """The curves of a game below each other, above the numbers of its turns."""
    height, last = len(curves) * PANEL + FOOT, curves[0].points[-1][0] if curves else 1

    def across(number: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (number - 1) / max(1, last - 1), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}">',
        f"<style>\n{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
    ]
    for row, curve in enumerate(curves):
        places = [(across(number), chance) for number, chance in thin(curve.points, MOST_POINTS)]
        marked = [
            (curve.marks[move], across(number), chance, before)
            for (move, before), (number, chance) in pairwise(curve.points)
            if move in curve.marks
        ]
        parts += _panel(curve, row * PANEL, places, marked)
    firsts: dict[int, int] = {}  # the set-up has no number
    for step, turn in turns.items():
        firsts.setdefault(turn, step)
    y = len(curves) * PANEL + 8
    for turn in [*firsts][:: len(firsts) // MOST_NUMBERS + 1]:
        parts.append(f'<text x="{across(firsts[turn])}" y="{y}" text-anchor="middle">{turn}</text>')
    parts.append(f'<text x="{WIDTH / 2}" y="{y + 18}" text-anchor="middle">turn</text>')
    return "\n".join([*parts, "</svg>\n"])


def _panel(
    curve: Curve,
    top: float,
    places: Sequence[tuple[float, float]],
    marked: Sequence[tuple[Mark, float, float, float]],
) -> Iterator[str]:
    """A curve with its heading and its marks, each with the chances there and before."""
    high = PANEL - ABOVE - BELOW

    def down(chance: float) -> float:
        return round(top + PANEL - BELOW - high * chance, 1)

    yield f'<text class="head" x="{LEFT}" y="{top + 26}">{_text(curve.heading)}</text>'
    card = f'x="{LEFT}" y="{top + ABOVE}" width="{WIDTH - LEFT - RIGHT}" height="{high}"'
    yield f'<rect class="card" {card}/>'
    for chance in (0, 0.5, 1):
        y = down(chance)
        yield f'<path class="line" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{chance:.0%}</text>'
    # A step function: a chance holds until the next one.
    points, before = [], down(places[0][1])
    for x, chance in places:
        y = down(chance)
        points += [f"{x},{before}"] * (y != before) + [f"{x},{y}"]
        before = y
    yield f'<polyline class="curve {curve.owner}" points="{" ".join(points)}"/>'
    for mark, x, chance, earlier in marked:
        # If the line descends to the mark, the label fits below it.
        below = chance > HIGH or (earlier > chance > LOW)
        y = down(chance)
        yield f'<circle class="mark {mark.owner}" cx="{x}" cy="{y}" r="4">'
        yield f"<title>{_text(mark.title)}</title></circle>"
        room = "start" if x < 2 * LEFT else "end" if x > WIDTH - 2 * LEFT else "middle"
        place = f'x="{x}" y="{y + (19 if below else -9)}" text-anchor="{room}"'
        yield f'<text class="mark {mark.owner}" {place}>{_text(mark.texts[0])}</text>'


def _text(text: str) -> str:
    return escape(text, quote=False)
