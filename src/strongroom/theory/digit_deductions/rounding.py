"""Plans in integers: a programme's floating-point result made exact, as the table stores it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from strongroom.theory.digit_deductions.player import Path, Weights

WholePlan = dict[tuple[Path, int], Weights]
"""How often each guess is made, by path and secret (or ANYBODY)."""
NO_SHARE = 1e-9
"""Shares up to this are 0 but for floating-point error."""


def integers(shares: Mapping[int, float], total: int) -> Weights:
    """Integers with this total in these proportions, exact where the shares are."""
    kept = {g: share for g, share in shares.items() if share > NO_SHARE}
    scaled = {
        g: Fraction(share) * total / Fraction(sum(kept.values())) for g, share in kept.items()
    }
    whole = {g: round(share) for g, share in scaled.items()}
    biggest = max(scaled, key=lambda g: scaled[g])
    whole[biggest] += total - sum(whole.values())
    return {g: n for g, n in whole.items() if n}


def rounded(
    plan: Mapping[tuple[Path, int, int], float], first: int, total: Callable[[int], int]
) -> WholePlan:
    """A plan in integers, rounded choice by choice so that the weights add up exactly.

    The first choices lie at the end of paths of length `first`; each later one divides the weight
    of the guess before it, two trials back.
    """
    choices: dict[tuple[Path, int], dict[int, float]] = {}
    for (path, who, guess), share in plan.items():
        choices.setdefault((path, who), {})[guess] = max(share, 0.0)
    lines: WholePlan = {}
    for path, who in sorted(choices, key=lambda key: len(key[0])):
        before = (path[:-2], who)
        left = total(who) if len(path) == first else lines.get(before, {}).get(path[-2][0], 0)
        if left and sum(choices[path, who].values()) > NO_SHARE:
            lines[path, who] = integers(choices[path, who], left)
        elif left:  # reached by rounding alone
            lines[path, who] = integers(dict.fromkeys(choices[path, who], 1.0), left)
    return lines


def common(shares: Iterable[float]) -> int:
    """The least common denominator of the shares, capped at 2**40."""
    least = lcm(*(Fraction(x).limit_denominator(10**6).denominator for x in shares if x > NO_SHARE))
    return min(least, 2**40)


def arrays(lines: WholePlan) -> tuple[NDArray[Any], NDArray[Any]]:
    """A plan as two arrays: the lines (path, secret, guess), padded, and their weights."""
    longest = max(len(path) for path, _ in lines)
    rows, weights = [], []
    for (path, who), shares in sorted(lines.items()):
        flat = [n for trial in path for n in trial] + [-1] * 2 * (longest - len(path))
        for guess, weight in sorted(shares.items()):
            rows.append([*flat, who, guess])
            weights.append(weight)
    return np.array(rows, np.int8), np.array(weights, np.int64)
