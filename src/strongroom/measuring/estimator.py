"""Estimates of a player's expected score, with luck taken out.

Three of them, all without bias: results counted; V at the start minus the costs; results minus a
multiple of luck. The multiple is fitted on other games than those it is applied to, because one
that is chosen by looking at the same games can be made to say anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLDS = 10
"""Into how many parts the games are divided to fit the multiples of luck."""
RIDGE = 20
"""How many games' worth of luck draws the multiples towards the nearest simple choice."""
FEWEST = 10
"""How many games there must be for each multiple, or the nearest simple choice is taken."""
DOUBT = 20
"""How many games of doubt there are about taking out luck at all."""
RARE = 1.5
"""How many games' worth of error come from what was not seen.

By the rule of three, what never happened in n games may happen in up to three of n, with 95 %
confidence; and an interval reaches two errors to either side.
"""
ROUNDING = 1e-9
"""A standard error up to this is one of rounding."""
TINY = 1e-12
"""Added where a baseline knows no luck at all."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated mean score a game, both seats weighted alike."""

    mean: float
    error: float
    """The standard error of the mean."""
    freedom: float
    """The degrees of freedom of the error."""
    unseen: float = 0.0
    """The error of not having seen what is rare."""

    @property
    def reach(self) -> float:
        """Half the width of the 95 % interval, by Student's distribution.

        Few games may not have shown what happens seldom, so it allows for that, too.
        """
        return student(self.freedom) * hypot(self.error, self.unseen)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval, within 0 and 1."""
        low, high = self.mean - self.reach, self.mean + self.reach
        return min(1.0, max(0.0, low)), min(1.0, max(0.0, high))


def counted(seats: Ints, results: Floats) -> Estimate:
    """The estimate that counts results."""
    return _balanced(seats, results)


def adjusted(seats: Ints, results: Floats, lucks: Floats) -> Estimate:
    """The estimate that takes luck out of the results; `lucks` has a column for each baseline."""
    return _balanced(seats, without_luck(seats, results, lucks))


def without_luck(seats: Ints, results: Floats, lucks: Floats) -> Floats:
    """The results minus multiples of luck that are fitted on other games."""
    found: Floats = (lucks * multiples(seats, results, lucks)[_folds(len(results))]).sum(axis=1)
    return results - found


def multiples(seats: Ints, results: Floats, lucks: Floats) -> Floats:
    """The multiples of luck to take out of the games of each fold, fitted on all other folds.

    The simple choices are no luck at all, and the whole luck by one baseline. The one that leaves
    the least variance is corrected by a ridge regression, if there are games enough.
    """
    wide = lucks.shape[1]
    counts, scatter = _scatter(seats, np.column_stack([lucks, results]))
    square, with_result = scatter[:, :-1, :-1], scatter[:, :-1, -1]
    choices = np.vstack([np.zeros(wide), np.eye(wide)])
    rests = scatter[:, -1, -1, None] - 2 * with_result @ choices.T
    rests += np.einsum("ci,fij,cj->fc", choices, square, choices)
    rests[:, 1:] *= 1 + DOUBT / np.maximum(1, counts)
    found: Floats = choices[rests.argmin(axis=1)]
    if counts.min() >= FEWEST * wide:
        own = square.diagonal(axis1=1, axis2=2)
        ridge = (own * RIDGE / counts + TINY)[:, :, None] * np.eye(wide)
        rest = with_result[:, :, None] - square @ found[:, :, None]
        found += np.linalg.solve(square + ridge, rest)[:, :, 0]
    return found


def _scatter(seats: Ints, values: Floats) -> tuple[Floats, Floats]:
    """For each fold, how many games the others have, and how their values vary together.

    Values are taken from the mean of their seat.
    """
    fold, (names, seat) = _folds(len(seats)), np.unique(seats, return_inverse=True)
    rows = np.column_stack([np.ones(len(values)), values])
    folds, wide = fold.max() + 1, rows.shape[1]
    sums = np.zeros((folds, len(names), wide, wide))
    np.add.at(sums, (fold, seat), rows[:, :, None] * rows[:, None])
    others = np.tensordot(1 - np.eye(folds), sums, 1)
    counts, totals = others[:, :, 0, 0], others[:, :, 0, 1:]
    means = totals / np.maximum(1, counts)[:, :, None]
    around = others[:, :, 1:, 1:] - totals[:, :, :, None] * means[:, :, None]
    return counts.sum(axis=1)[:, None], around.sum(axis=1)


def _folds(count: int) -> Ints:
    """The fold of each game; both games of a round are in the same one."""
    return np.arange(count) // 2 % min(FOLDS, max(1, count // 2))


def _balanced(seats: Ints, values: Floats) -> Estimate:
    """The mean of the seats' means, with its error."""
    parts = [values[seats == seat] for seat in np.unique(seats)]
    return balanced([Sample(len(part), float(part.mean()), float(part.var())) for part in parts])


class Sample(NamedTuple):
    """The games of a seat, in brief."""

    games: int
    mean: float
    spread: float
    """The mean square of the distance from the mean."""


def balanced(samples: Sequence[Sample]) -> Estimate:
    """The mean of the seats' means, with its error.

    >>> balanced([Sample(100, 0.75, 0.1875), Sample(100, 0.25, 0.1875)]).mean
    0.5
    """
    games = np.array([each.games for each in samples])
    mean = float(np.mean([each.mean for each in samples]))
    unseen = RARE * max(abs(mean), abs(1 - mean)) / int(games.sum())
    if games.min() < 2:
        return Estimate(mean, float("inf"), 1.0, unseen)
    variances = np.array([each.spread for each in samples]) / (games - 1)
    spread, total = variances**2 / (games - 1), variances.sum()
    # Welch's degrees of freedom for the sum of independent means.
    freedom = total**2 / spread.sum() if total else games.sum() - len(samples)
    error = sqrt(total) / len(samples)
    return Estimate(mean, error if error > ROUNDING else 0.0, max(1.0, float(freedom)), unseen)


def student(freedom: float) -> float:
    """The 97.5 % quantile of Student's distribution, by its expansion around the normal one.

    Below three degrees of freedom, where that is too small, it is interpolated between the
    exact quantiles.

    >>> round(student(10), 3), round(student(1e9), 3), student(1)
    (2.228, 1.96, 12.706)
    """
    if freedom < 3:
        return float(np.interp(freedom, (1, 2, 3), (12.706, 4.303, 3.182)))
    z = 1.959963984540054
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, 1))
