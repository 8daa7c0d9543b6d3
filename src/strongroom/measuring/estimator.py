"""Estimates of a player's expected score, with luck taken out.

Three of them, all without bias: results counted; V at the start minus the costs; results minus a
multiple of luck. The multiple is fitted on other games than those it is applied to, because one
that is chosen by looking at the same games can be made to say anything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FOLDS = 10
"""Into how many parts the games are divided to fit the multiples of luck."""
RIDGE = 1e-3
"""How strongly the multiples are drawn towards zero, relative to the variance of luck."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated mean score a game, both seats weighted alike."""

    mean: float
    error: float
    """The standard error of the mean."""
    freedom: float
    """The degrees of freedom of the error."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval by Student's distribution, within 0 and 1."""
        reach = student(self.freedom) * self.error
        return max(0.0, self.mean - reach), min(1.0, self.mean + reach)


def counted(seats: NDArray[np.int64], results: Floats) -> Estimate:
    """The estimate that counts results."""
    return _balanced(seats, results)


def adjusted(seats: NDArray[np.int64], results: Floats, lucks: Floats) -> Estimate:
    """The estimate that takes luck out of the results; `lucks` has a column for each baseline."""
    count, rest = len(results), without_luck(seats, results, lucks)
    found, wide = _balanced(seats, rest), lucks.shape[1] * bool(lucks.any())
    # The multiples were estimated too: with few games that adds to the error.
    return replace(found, error=found.error * sqrt(count / max(1, count - 1 - wide)))


def without_luck(seats: NDArray[np.int64], results: Floats, lucks: Floats) -> Floats:
    """The results minus multiples of luck that are fitted on other games."""
    count, rest = len(results), results.copy()
    fold = np.arange(count) // 2 % min(FOLDS, max(1, count // 2))
    for each in range(fold.max() + 1):
        part = fold == each
        rest[part] -= lucks[part] @ _fitted(seats[~part], results[~part], lucks[~part])
    return rest


def _fitted(seats: NDArray[np.int64], results: Floats, lucks: Floats) -> Floats:
    """The multiples of luck that explain these results best, seat by seat."""
    wide = lucks.shape[1]
    if len(results) < 2 * wide:
        return np.zeros(wide)
    left, right = results.copy(), lucks.copy()
    for seat in np.unique(seats):
        part = seats == seat
        left[part] -= left[part].mean()
        right[part] -= right[part].mean(axis=0)
    square = right.T @ right
    ridge = RIDGE * np.trace(square) / wide
    if ridge == 0:
        return np.zeros(wide)
    found: Floats = np.linalg.solve(square + ridge * np.eye(wide), right.T @ left)
    return found


def _balanced(seats: NDArray[np.int64], values: Floats) -> Estimate:
    """The mean of the seats' means, with its error."""
    means, variances, counts = [], [], []
    for seat in np.unique(seats):
        part = values[seats == seat]
        means.append(part.mean())
        counts.append(len(part))
        variances.append(part.var(ddof=1) / len(part) if len(part) > 1 else np.inf)
    total = sum(variances)
    if np.isinf(total):  # a seat with a single game
        return Estimate(float(np.mean(means)), float("inf"), 1.0)
    # Welch's degrees of freedom for the sum of independent means.
    parts = sum(v**2 / max(1, n - 1) for v, n in zip(variances, counts, strict=True))
    freedom = total**2 / parts if parts else float(sum(counts) - len(counts))
    return Estimate(float(np.mean(means)), sqrt(total) / len(means), max(1.0, float(freedom)))


def student(freedom: float) -> float:
    """The 97.5 % quantile of Student's distribution, by its expansion around the normal one.

    >>> round(student(10), 3), round(student(1e9), 3)
    (2.228, 1.96)
    """
    z = 1.959963984540054
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, 1))
