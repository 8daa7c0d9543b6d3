"""An analysis as an SVG: one panel per curve, stacked above a shared axis of turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from strongroom.accounts.analysis import Analysis, Curve, Decision
from strongroom.contract import Seat
from strongroom.terminal.faces.analysis import GLYPHS, SHORT, heading, placed
from strongroom.terminal.faces.curves import thinned

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


def draw(analysis: Analysis) -> str:
    """Draw each player's chance by what it knew, and the truth, as an SVG."""
    panels = [seat for seat in (*Seat, None) if analysis.curve(seat)]
    height = len(panels) * PANEL + FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}">',
        f"<style>\n{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
    ]
    last = len(analysis.record.steps) + 1
    for row, seat in enumerate(panels):
        parts += _Panel(analysis, seat, row * PANEL, last).parts()
    parts += _numbers(analysis, last, len(panels) * PANEL + 8)
    return "\n".join([*parts, "</svg>\n"])


def _across(number: int, last: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * (number - 1) / max(1, last - 1), 1)


def _numbers(analysis: Analysis, last: int, y: float) -> Iterator[str]:
    """The turn numbers, each below its first step; the set-up has none."""
    firsts: dict[int, int] = {}
    for step, turn in analysis.record.turns().items():
        firsts.setdefault(turn, step)
    for turn in [*firsts][:: len(firsts) // MOST_NUMBERS + 1]:
        x = _across(firsts[turn], last)
        yield f'<text x="{x}" y="{y}" text-anchor="middle">{turn}</text>'
    yield f'<text x="{WIDTH / 2}" y="{y + 18}" text-anchor="middle">turn</text>'


class _Panel:
    """One curve with its heading and the marked moves."""

    def __init__(self, analysis: Analysis, seat: Seat | None, top: float, last: int) -> None:
        self.analysis, self.seat, self.top, self.last = analysis, seat, top, last
        self.curve: Curve = analysis.curve(seat)

    def parts(self) -> Iterator[str]:
        """The panel's elements."""
        y, high = self.top + ABOVE, PANEL - ABOVE - BELOW
        words = escape(heading(self.analysis, self.seat))
        yield f'<text class="head" x="{LEFT}" y="{self.top + 26}">{words}</text>'
        field = f'x="{LEFT}" y="{y}" width="{WIDTH - LEFT - RIGHT}" height="{high}"'
        yield f'<rect class="card" {field}/>'
        for chance in (0, 0.5, 1):
            y = self._down(chance)
            yield f'<path class="line" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
            yield f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{chance:.0%}</text>'
        owner = "truth" if self.seat is None else self.seat.name.lower()
        points = " ".join(self._steps(thinned(self.curve, MOST_POINTS)))
        yield f'<polyline class="curve {owner}" points="{points}"/>'
        marked = {each.number: each for each in self.analysis.decisions if each.mark}
        before = 0.0
        for number, chance in self.curve:
            if number in marked and self.seat in (None, marked[number].seat):
                # If the line descends to the mark, the label fits below it.
                below = chance > HIGH or (before > chance > LOW)
                yield from self._marked(marked[number], chance, below)
            before = chance

    def _down(self, chance: float) -> float:
        return round(self.top + PANEL - BELOW - (PANEL - ABOVE - BELOW) * chance, 1)

    def _steps(self, curve: Curve) -> Iterator[str]:
        """The curve's points as a step function: a chance holds until the next one."""
        before: float | None = None
        for number, chance in curve:
            x, y = _across(number, self.last), self._down(chance)
            if before is not None and before != y:
                yield f"{x},{before}"
            yield f"{x},{y}"
            before = y

    def _marked(self, each: Decision, chance: float, below: bool) -> Iterator[str]:
        owner, glyph = each.seat.name.lower(), GLYPHS[each.mark]
        name = self.analysis.record.sitters[each.seat.index].name
        move = self.analysis.record.game.words.text(each.move)
        spoken = self.analysis.record.game.words.spoken(each.move)
        x, y = _across(each.number, self.last), self._down(chance)
        words = escape(f"{placed(each, name)} {spoken}, {each.mark}, {each.cost:.0%}")
        label = escape(f"{move}{glyph}" if len(move) <= SHORT else glyph)
        yield f'<circle class="mark {owner}" cx="{x}" cy="{y}" r="4">'
        yield f"<title>{words}</title></circle>"
        room = "start" if x < 2 * LEFT else "end" if x > WIDTH - 2 * LEFT else "middle"
        place = f'x="{x}" y="{y + (19 if below else -9)}" text-anchor="{room}"'
        yield f'<text class="mark {owner}" {place}>{label}</text>'
