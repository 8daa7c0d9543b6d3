"""Draw what `training_curves.py` has written: a panel a game, a line a reward.

    python examples/vector/training_chart.py training.jsonl training.svg
    python examples/vector/training_chart.py docs/charts/training.jsonl docs/charts/training.svg

A line is the median of the seeds, and the band around it reaches from the best to the worst. Both
scales are logarithmic. It needs neither JAX nor a GPU.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from pathlib import Path
from statistics import median

from strongroom import load
from strongroom.report.charts import plot_of
from strongroom.report.page import WIDE, picture

TOP, TALL, FOOT = 88, 280, 44
"""Where the panels begin, how tall they are, and the room for the figures below them."""
LEFT, GAP = 34, 50
"""The room for the figures beside a panel: of the first, and between panels."""
WON = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
"""The figures on the scale of what is won, in games of a hundred."""
LEVEL = 10
"""At which figure it is said how many fewer moves costs need."""
NOTHING = 10_000
"""Looks after fewer moves are not drawn: nothing has been learned by then."""
WORDS = {"result": "rewarded by results", "cost": "rewarded by costs"}
STYLE = (
    ".curve { fill: none; stroke: var(--of); stroke-width: 3; stroke-linejoin: round; "
    "stroke-linecap: round; } .band { fill: var(--of); opacity: .18; } "
    ".dash { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 2 5; } "
    ".reach { stroke: var(--brass); stroke-width: 2.5; fill: none; } .plot .of { fill: var(--of); "
    "font-weight: 600; } .plot .headline { font: 600 21px var(--serif); } "
    ".plot .game { font: 600 17px var(--serif); } .plot .soft { fill: var(--soft); } "
    ".plot .times { fill: var(--brass-ink); font: 600 17px var(--serif); }"
)


@dataclass(frozen=True)
class Curve:
    """What best responses win against one game's policies, trained with one reward."""

    game: str
    reward: str
    moves: list[int]
    """The moves played at each look; at the first, none."""
    won: list[list[float]]
    """For each look and seed, the games of a hundred won beyond the value of the game."""

    @property
    def shown(self) -> list[int]:
        """Which looks are drawn."""
        return [look for look, moves in enumerate(self.moves) if moves >= NOTHING]

    @property
    def middle(self) -> list[float]:
        """The median of each look."""
        return [median(each) for each in self.won]

    def reaches(self, won: float) -> float | None:
        """After how many moves no more than this is won, between two looks; None if never."""
        levels = self.middle
        for at in range(2, len(levels)):
            if levels[at] <= won < levels[at - 1]:
                share = log10(levels[at - 1] / won) / log10(levels[at - 1] / levels[at])
                return float(self.moves[at - 1] * (self.moves[at] / self.moves[at - 1]) ** share)
        return None


def read(file: Path) -> list[Curve]:
    """The curves in a file of `training_curves.py`, in its order."""
    looks: dict[tuple[str, str], list[tuple[int, list[float]]]] = {}
    for text in file.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if "moves" in line:
            won = [max(100 * each, WON[0] / 10) for each in line["exploitability"]]
            looks.setdefault((line["game"], line["reward"]), []).append((line["moves"], won))
    curves = [
        Curve(game, reward, *map(list, zip(*sorted(those), strict=True)))
        for (game, reward), those in looks.items()
    ]
    if not curves or any(curve.moves[-1] < 10 * NOTHING for curve in curves):
        raise ValueError(f"a training of fewer than {10 * NOTHING:,} moves")
    return curves


class Panel:
    """The plot of one game."""

    def __init__(self, curves: Sequence[Curve], left: float, right: float, low: float) -> None:
        self.curves, self.left, self.right = curves, left, right
        self.bottom, self.top = log10(low), log10(WON[-1])
        self.first = log10(min(m for curve in curves for m in curve.moves if m >= NOTHING))
        self.last = max(log10(curve.moves[-1]) for curve in curves)

    def x(self, moves: float) -> float:
        """The place across of a number of moves."""
        share = (log10(moves) - self.first) / (self.last - self.first)
        return round(self.left + share * (self.right - self.left), 1)

    def y(self, won: float) -> float:
        """The height of what is won."""
        share = (self.top - log10(won)) / (self.top - self.bottom)
        return round(TOP + TALL * min(1.0, share), 1)

    def drawn(self) -> Iterator[str]:
        """All parts, from the back to the front."""
        yield from self._scales()
        title = load(self.curves[0].game).title
        yield f'<text class="game" x="{self.left}" y="{TOP - 14}">{escape(title)}</text>'
        start = self.y(self.curves[0].middle[0])
        yield line("dash", self.left, self.right, start, start)
        yield text("axis", self.right, start - 6, "random moves", "end")
        for curve in self.curves:
            yield from self._curve(curve)
        yield from self._reach()

    def _scales(self) -> Iterator[str]:
        for won in WON:
            if log10(won) >= self.bottom - 1e-9:
                y = self.y(won)
                yield line("grid", self.left, self.right, y, y)
                yield text("axis", self.left - 8, y + 4, f"{won:g}", "end")
        for power in range(ceil(self.first), floor(self.last + 1e-9) + 1):
            x = self.x(10**power)
            yield line("grid", x, x, TOP, TOP + TALL)
            yield text("axis", x, TOP + TALL + 20, said(10**power), "middle")

    def _curve(self, curve: Curve) -> Iterator[str]:
        paint = f"p{[*WORDS].index(curve.reward)}"
        across = [self.x(curve.moves[n]) for n in curve.shown]
        worst, best, middle = (
            [(x, self.y(of(curve.won[n]))) for x, n in zip(across, curve.shown, strict=True)]
            for of in (max, min, median)
        )
        yield f'<polygon class="band {paint}" points="{points([*worst, *reversed(best)])}"/>'
        title = f"{curve.game}, {WORDS[curve.reward]}: {curve.middle[-1]:.2f} at the end"
        yield (
            f'<polyline class="curve {paint}" points="{points(middle)}">'
            f"<title>{escape(title)}</title></polyline>"
        )
        place = [*WORDS].index(curve.reward)
        x, y = self.left + 14, TOP + TALL - 40 + 24 * place
        yield f'<path class="curve {paint}" d="M{x} {y - 5}h22"/>'
        yield text(f"of {paint}", x + 32, y, WORDS[curve.reward], "start")

    def _reach(self) -> Iterator[str]:
        """How much sooner costs lead to the same level."""
        reached = {curve.reward: curve.reaches(LEVEL) for curve in self.curves}
        later, sooner = reached.get("result"), reached.get("cost")
        if later is None or sooner is None or later < 1.2 * sooner:
            return
        y, x, end = self.y(LEVEL), self.x(sooner), self.x(later)
        yield f'<path class="reach" d="M{end - 3} {y}H{x + 4}m8 -6l-8 6l8 6"/>'
        for line, told in enumerate((f"{later / sooner:.1f} times", "fewer moves")):
            yield text("times", x - 10, y - 3 + 20 * line, told, "end")


def said(number: int) -> str:
    """A round number of moves, in short.

    >>> said(10_000), said(10_000_000)
    ('10k', '10M')
    """
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number // size}{letter}"
    return str(number)


def line(kind: str, x1: float, x2: float, y1: float, y2: float) -> str:
    """A straight line."""
    return f'<line class="{kind}" x1="{x1}" x2="{x2}" y1="{y1}" y2="{y2}"/>'


def text(kind: str, x: float, y: float, words: str, anchor: str) -> str:
    """Some words."""
    placed = f'x="{x:g}" y="{y:g}" style="text-anchor: {anchor}"'
    return f'<text class="{kind}" {placed}>{escape(words)}</text>'


def points(places: Sequence[tuple[float, float]]) -> str:
    """Places as SVG writes them."""
    return " ".join(f"{x},{y}" for x, y in places)


def drawn(curves: Sequence[Curve]) -> str:
    """The whole picture."""
    games = [*dict.fromkeys(curve.game for curve in curves)]
    least = min(min(each) for curve in curves for each in curve.won)
    low = max((won for won in WON if won <= least), default=WON[0])
    width = (WIDE - LEFT - GAP * (len(games) - 1)) / len(games)
    parts = [
        f"<style>{STYLE}</style>",
        text("headline", 0, 20, "What a perfect opponent wins from a policy in training", "start"),
        text("soft", 0, 44, "Games of a hundred beyond the value of the game", "start"),
    ]
    for number, game in enumerate(games):
        left = LEFT + number * (width + GAP)
        of_game = [curve for curve in curves if curve.game == game]
        parts += Panel(of_game, left, left + width, low).drawn()
    foot = TOP + TALL + FOOT
    parts.append(text("soft", WIDE, foot, "moves played", "end"))
    told = [
        f"{curve.game}, {WORDS[curve.reward]}: {curve.middle[0]:.1f} at first, "
        f"{curve.middle[-1]:.2f} after {curve.moves[-1]:,} moves"
        for curve in curves
    ]
    name = "Games of a hundred that a best response wins beyond the value, along training"
    return picture(plot_of(name, told, foot + 6, parts))


def main(given: Sequence[str] | None = None) -> None:
    """Read, draw and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="what training_curves.py has written")
    parser.add_argument("picture", type=Path, help="where the SVG is written")
    chosen = parser.parse_args(given)
    try:
        chosen.picture.write_text(drawn(read(chosen.data)), encoding="utf-8")
    except OSError as trouble:
        sys.exit(str(trouble))
    except (ValueError, KeyError, TypeError) as trouble:
        sys.exit(f"{chosen.data} is not a file of training_curves.py ({trouble}).")


if __name__ == "__main__":
    main()
