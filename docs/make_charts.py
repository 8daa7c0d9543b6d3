"""Draws the charts of the page about the measure, from the tables that its commands printed.

python docs/make_charts.py docs/charts
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

DOCS: Final = Path(__file__).parent
LEFT, RIGHT, LINE, TOP = 170, 690, 19, 56
STYLE: Final = """
.paper { fill: #f6f1e4; }
text { font: 13px system-ui, sans-serif; fill: #1d2230; }
.soft { fill: #6d6650; } .game { font-weight: 600; }
line { stroke: #d9cfb6; } .aim { stroke: #b07d2b; stroke-width: 2; }
.one { fill: #0f6f8f; stroke: #0f6f8f; } .two { fill: none; stroke: #a63a63; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #12171f; }
  text { fill: #efe8d6; } .soft { fill: #a39c88; } line { stroke: #2f3947; }
  .aim { stroke: #d9a441; } .one { fill: #5cc3e0; stroke: #5cc3e0; } .two { stroke: #f08bb1; }
}
"""


class Point(NamedTuple):
    """A row of a chart: a full mark and, beside it, a hollow one."""

    game: str
    player: str
    full: float
    hollow: float | None
    label: str


class Scale(NamedTuple):
    """Where values lie, and which are named."""

    low: float
    high: float
    named: dict[float, str]
    aim: float
    log: bool = False

    def x(self, value: float) -> float:
        """The place of a value, or of the nearest end."""
        low, high, at = (
            math.log(each) if self.log else each for each in (self.low, self.high, value)
        )
        return LEFT + (RIGHT - LEFT) * (min(max(at, low), high) - low) / (high - low)


def rows(text: str) -> list[list[str]]:
    """The cells of the rows of a table about players at games."""
    lines = re.findall(r"^\| ([A-Z].*) \|$", text, re.MULTILINE)
    return [[cell.strip(" `") for cell in line.split("|")] for line in lines]


def chart(title: str, legend: str, points: list[Point], scale: Scale) -> str:
    """A chart with a line for each player at each game."""
    parts = list(_parts(points, scale))
    height = TOP + LINE * (len(points) + 6)
    label = escape(f"{title} {legend}", {'"': "&quot;"})
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 -16 792 {height + 16}" '
            f'role="img" aria-label="{label}">',
            f"<style>{STYLE}</style>",
            '<rect class="paper" x="-16" y="-16" width="100%" height="100%" rx="14"/>',
            f'<text x="0" y="16" class="game">{escape(title)}</text>',
            f'<text x="0" y="34" class="soft">{escape(legend)}</text>',
            *parts,
            "</svg>\n",
        ]
    )


def _parts(points: list[Point], scale: Scale) -> Iterator[str]:
    y = TOP
    bottom = TOP + LINE * (len(points) + 6) - 8
    for value, name in scale.named.items():
        kind = ' class="aim"' if value == scale.aim else ""
        x = scale.x(value)
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP + 6}" y2="{bottom}"{kind}/>'
        yield f'<text x="{x:.1f}" y="{TOP}" text-anchor="middle" class="soft">{name}</text>'
    for game, lines in groupby(points, lambda point: point.game):
        y += LINE
        yield f'<text x="0" y="{y + 4}" class="game">{escape(game)}</text>'
        for each in lines:
            y += LINE
            x = scale.x(each.full)
            yield f'<text x="14" y="{y + 4}" class="soft">{escape(each.player)}</text>'
            if each.hollow is not None:
                yield f'<circle class="two" cx="{scale.x(each.hollow):.1f}" cy="{y}" r="4.5"/>'
            yield f'<circle class="one" cx="{x:.1f}" cy="{y}" r="4"/>'
            yield f'<text x="{RIGHT + 12}" y="{y + 4}">{escape(each.label)}</text>'


def savings() -> str:
    """How many times as many games counting needs, by the page's own table."""
    page = (DOCS / "measure.md").read_text(encoding="utf-8")
    table = page.partition("| ratio |")[2].partition("\n\n")[0]
    points = []
    for game, player, *_, saved, _exact in rows(table):
        points.append(Point(game, player, float(saved.replace(",", "")), None, saved))
    scale = Scale(1, 2000, {1: "as many", 10: "10", 100: "100", 1000: "1,000"}, 1, log=True)
    legend = "times the games, for an interval as narrow; each line is ten times the last"
    return chart("How many games counting wins would need", legend, points, scale)


def coverage() -> str:
    """How often an interval holds the true score, by what the command printed."""
    points = []
    for game, player, _, hundred, _ in rows((DOCS / "charts/coverage.txt").read_text()):
        ours, counted = re.findall(r"(\d+\.\d)(?:,|\))", hundred)
        points.append(Point(game, player, float(ours), float(counted), f"{ours} %"))
    scale = Scale(93, 100, {93: "93 %", 95: "95 %", 97: "97 %", 99: "99 %", 100: ""}, 95)
    legend = "of 1,000 measurements of 100 games; hollow: by counting"
    return chart("How often the interval holds the true score", legend, points, scale)


def main(folder: Path) -> None:
    """Draw all of them into a folder."""
    (folder / "saved.svg").write_text(savings(), encoding="utf-8")
    (folder / "coverage.svg").write_text(coverage(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
