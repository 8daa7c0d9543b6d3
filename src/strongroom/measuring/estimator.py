"""Estimates of a player's expected score, with luck taken out.

Three of them, all without bias: results counted; V at the start minus the costs; results minus a
multiple of luck. The multiple is fitted on other games than those it is applied to, because one
that is chosen by looking at the same games can be made to say anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, inf, isfinite, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.report.text import Interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLDS: Final = 10
"""Into how many parts the games are divided to fit the multiples of luck."""
RIDGE: Final = 20
"""How many games' worth of luck draws the multiples towards the nearest simple choice."""
FEWEST: Final = 10
"""How many games there must be for each multiple, or the nearest simple choice is taken."""
DOUBT: Final = 20
"""How many games of doubt there are about taking out luck at all."""
ROUNDING: Final = 1e-9
"""A standard error up to this is one of rounding."""
TINY: Final = 1e-12
"""Added where a baseline knows no luck at all."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated mean a game, both seats weighted alike."""

    mean: float
    error: float
    """The standard error of the mean."""
    interval: Interval
    """It contains the truth in at least 95 % of all measurements."""

    @property
    def known_error(self) -> float | None:
        """The error; None if a single game in a seat leaves it unknown."""
        return self.error if isfinite(self.error) else None


class Scale(NamedTuple):
    """How little and how much a game can add to a mean, for each seat."""

    worst: Sequence[float]
    best: Sequence[float]


def plain_estimate(seats: Ints, values: Floats, scale: Scale | None = None) -> Estimate:
    """The estimate that counts results, or other values of games."""
    parts = [values[seats == seat] for seat in np.unique(seats)]
    samples = [Sample(len(part), float(part.mean()), float(part.var())) for part in parts]
    return balance_seats(samples, scale)


def adjusted_estimate(
    seats: Ints, results: Floats, lucks: Floats, ceilings: Sequence[float]
) -> Estimate:
    """The estimate that takes luck out of the results; `lucks` has a column for each baseline.

    `ceilings` is the most that any player can expect to win from each seat. Where all luck is
    taken out, no game is worth more; where none is, a game can still be won.
    """
    found = multiples(seats, results, lucks)
    luck_left = 1 - min(1.0, max(0.0, float(found.sum(axis=1).mean())))
    best = [ceiling + luck_left * (1 - ceiling) for ceiling in ceilings]
    estimate = plain_estimate(
        seats, _subtract_luck(results, lucks, found), Scale([0.0] * len(best), best)
    )
    low, high = estimate.interval
    most = float(np.mean(ceilings))
    return replace(estimate, interval=(low, min(high, max(most, estimate.mean))))


def without_luck(seats: Ints, results: Floats, lucks: Floats) -> Floats:
    """The results minus multiples of luck that are fitted on other games."""
    return _subtract_luck(results, lucks, multiples(seats, results, lucks))


def _subtract_luck(results: Floats, lucks: Floats, found: Floats) -> Floats:
    left: Floats = results - (lucks * found[_folds(len(results))]).sum(axis=1)
    return left


def multiples(seats: Ints, results: Floats, lucks: Floats) -> Floats:
    """How much of each baseline's luck to subtract from the results: a row for each fold of games.

    1 subtracts all of a baseline's luck, 0 none. The games are dealt into ten folds, and the row of
    a fold is fitted on the other nine, so that no game decides what is subtracted from itself. The
    row is all zeros if, tried on those nine, subtracting luck would only have added noise.

    Here all that varies is luck, so all of it is subtracted in each fold:

    >>> luck = np.tile([0.5, -0.5], 20)
    >>> multiples(np.ones(40, int), 0.5 + luck, luck[:, np.newaxis]).round(3).T
    array([[1., 1., 1., 1., 1., 1., 1., 1., 1., 1.]])
    """
    fold = _folds(len(results))
    folds = np.arange(fold.max() + 1)
    table = _sums(seats, np.column_stack([lucks, results]))
    without = folds[:, None] != folds
    found = _fit_multiples(table, without)
    if len(folds) < 3:
        return found
    without_two = (without[:, None] & without).reshape(-1, len(folds))
    within = _fit_multiples(table, without_two).reshape(len(folds), len(folds), -1)
    for each in folds:
        rest, others = _subtract_luck(results, lucks, within[each]), fold != each
        if _variance(seats[others], rest[others]) > _variance(seats[others], results[others]):
            found[each] = 0
    return found


def _fit_multiples(sums: Floats, used: NDArray[np.bool_]) -> Floats:
    """The multiples fitted on the folds that are used, a row for each row of those.

    The simple choices are no luck at all, and the whole luck by one baseline. The one that leaves
    the least variance is corrected by a ridge regression, if there are games enough.
    """
    counts, scatter = _scatter(np.tensordot(used.astype(float), sums, 1))
    square, with_result = scatter[:, :-1, :-1], scatter[:, :-1, -1]
    wide = square.shape[1]
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


def _sums(seats: Ints, values: Floats) -> Floats:
    """For each fold and seat, the sums of the products of all values, and of 1."""
    fold, (names, seat) = _folds(len(seats)), np.unique(seats, return_inverse=True)
    rows = np.column_stack([np.ones(len(values)), values])
    wide = rows.shape[1]
    sums = np.zeros((fold.max() + 1, len(names), wide, wide))
    np.add.at(sums, (fold, seat), rows[:, :, None] * rows[:, None])
    return sums


def _scatter(sums: Floats) -> tuple[Floats, Floats]:
    """How many games there are, and how their values vary together, around their seats' means."""
    counts, totals = sums[:, :, 0, 0], sums[:, :, 0, 1:]
    means = totals / np.maximum(1, counts)[:, :, None]
    around = sums[:, :, 1:, 1:] - totals[:, :, :, None] * means[:, :, None]
    return counts.sum(axis=1)[:, None], around.sum(axis=1)


def _variance(seats: Ints, values: Floats) -> float:
    """The sum of the squared distances of values from the mean of their seat."""
    parts = (values[seats == seat] for seat in np.unique(seats))
    return sum(float(((part - part.mean()) ** 2).sum()) for part in parts)


def _folds(count: int) -> Ints:
    """The fold of each game; both games of a round are in the same one."""
    return np.arange(count) // 2 % min(FOLDS, max(1, count // 2))


class Sample(NamedTuple):
    """The games of a seat, in brief."""

    games: float
    mean: float
    spread: float
    """The mean square of the distance from the mean."""

    def with_more(self, games: float, value: float) -> Sample:
        """The sample with so many more games of this value."""
        total = self.games + games
        away = (value - self.mean) * games / total
        spread = (self.games * self.spread + self.games * away * (value - self.mean)) / total
        return Sample(total, self.mean + away, spread)


def balance_seats(samples: Sequence[Sample], scale: Scale | None = None) -> Estimate:
    """The mean of the seats' means, with its error and its interval on a scale; 0 to 1 by default.

    What happens seldom may not have been seen. So each end is that of Student's interval for the
    same games and one more, at that end of the scale: where all games are alike it lies about
    three games in n away, as by the rule of three.

    >>> balance_seats([Sample(100, 0.75, 0.1875), Sample(100, 0.25, 0.1875)]).mean
    0.5
    >>> low, high = balance_seats([Sample(100, 0.5, 0.0)]).interval
    >>> round(low, 3), round(high, 3)
    (0.485, 0.515)
    """
    worst, best = scale or Scale([0.0] * len(samples), [1.0] * len(samples))
    mean, error, _ = _welch(samples)
    low, high = _end(samples, worst, -1), _end(samples, best, 1)
    least, most = float(np.mean(worst)), float(np.mean(best))
    # An estimate can lie beyond the scale, and then its interval does so with it.
    interval = max(low, min(least, mean)), min(high, max(most, mean))
    return Estimate(mean, error, interval)


def _end(samples: Sequence[Sample], ends: Sequence[float], side: int) -> float:
    """One end of the interval, with one more game at that end of the scale."""
    share = 1 / len(samples)
    both = zip(samples, ends, strict=True)
    mean, error, freedom = _welch([sample.with_more(share, end) for sample, end in both])
    return mean + side * student(freedom) * error


def _welch(samples: Sequence[Sample]) -> tuple[float, float, float]:
    """The mean of the seats' means, its error, and Welch's degrees of freedom."""
    games = np.array([each.games for each in samples])
    mean = float(np.mean([each.mean for each in samples]))
    if games.min() <= 1:
        return mean, inf, 1.0
    variances = np.array([each.spread for each in samples]) / (games - 1)
    spread, total = variances**2 / (games - 1), variances.sum()
    freedom = total**2 / spread.sum() if total else games.sum() - len(samples)
    error = sqrt(total) / len(samples)
    return mean, error if error > ROUNDING else 0.0, float(freedom)


def weighted_mean(
    means: Sequence[tuple[float, Interval]], shares: Sequence[float]
) -> tuple[float, Interval]:
    """The mean of independent means with their intervals, and its own interval."""
    both = list(zip(means, shares, strict=True))
    middle = sum(share * mean for (mean, _), share in both)
    below = hypot(*(share * (mean - low) for (mean, (low, _)), share in both))
    above = hypot(*(share * (high - mean) for (mean, (_, high)), share in both))
    return middle, (middle - below, middle + above)


def games_saved(plain: Estimate, found: Estimate) -> float | None:
    """How many times as many games one estimate needs for an interval as narrow as the other's.

    None if that is a point.
    """
    wide, narrow = (high - low for low, high in (plain.interval, found.interval))
    return (wide / narrow) ** 2 if narrow > ROUNDING else None


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
