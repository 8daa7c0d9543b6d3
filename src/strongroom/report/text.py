"""Figures, names and tables as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

Interval = tuple[float, float]
"""The bounds of a 95 % interval."""
POINTS: Final = 100
"""How many points a won game has."""


def with_interval(
    mean: float, interval: Interval, digits: int = 3, *, sign: str = "", scale: int = 1
) -> str:
    """A mean with its interval: ± half of it if both halves are equal as shown, else both ends.

    >>> with_interval(0.25, (0.2, 0.3)), with_interval(0.013, (0, 0.0473))
    ('0.250 ± 0.050', '0.013 (0.000 to 0.047)')
    >>> with_interval(4.25, (-1.05, 9.8), 1, sign="+")
    '+4.2 (-1.1 to +9.8)'
    """
    mean, low, high = (scale * each for each in (mean, *interval))
    below, above = f"{mean - low:.{digits}f}", f"{high - mean:.{digits}f}"
    if below == above:
        return f"{mean:{sign}.{digits}f} ± {below}"
    return f"{mean:{sign}.{digits}f} ({low:{sign}.{digits}f} to {high:{sign}.{digits}f})"


def points(value: float | None) -> str:
    """A cost in points, of which a won game has a hundred.

    >>> points(12.345), points(-0.02)
    ('12.3', '0.0')
    """
    if value is None:
        return "–"
    return f"{0.0 if abs(value) < 0.05 else value:.1f}".replace("-", "−")


def in_points(cost: float) -> str:
    """What a move costs, in words; a won game has a hundred points.

    >>> in_points(0.0625), in_points(0.01)
    ('6.2 points', '1.0 points')
    """
    return f"{POINTS * cost:.1f} points"


def percent(share: float) -> str:
    """A share in per cent.

    >>> percent(0.614), percent(0.004)
    ('61 %', '0.4 %')
    """
    return f"{100 * share:.0f} %" if share == 0 or share >= 0.01 else f"{100 * share:.1f} %"


def join_names(names: Sequence[str]) -> str:
    """Names in a sentence, with "and" before the last.

    >>> join_names(["a"]), join_names(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""A table in Markdown.

    >>> print(markdown_table(["", "b"], [["a", "1"]]))
    | | b |
    |---|---|
    | a | 1 |
    >>> print(markdown_table(["a|b"], []).splitlines()[0])
    | a\|b |
    """
    escaped = ([cell.replace("|", r"\|") for cell in row] for row in (headings, *rows))
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in escaped]
    return "\n".join([lines[0], "|---" * len(headings) + "|", *lines[1:]])
