"""Ratings by the Bradley-Terry model: one number a player, from everybody's games.

They are on Elo's scale: 400 points are ten to one. An undecided game counts as half a win for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.arena.score import NORMAL, Score
from strongroom.contract import Json
from strongroom.players import CERTIFIED
from strongroom.plugins.extras import extra

SCALE: Final = 400 / log(10)
"""The points of one unit of the model's logarithmic scale."""
DOUBT: Final = 0.05
"""The probability of a clean sweep at the rating that bounds it."""
FARTHEST: Final = 30.0
"""How far from the others a bound is looked for, in units of the model."""
ITERATIONS: Final = 10_000
EXACT: Final = 1e-6

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating, with a 95 % interval; only a bound after a clean sweep.

    It is empty if the player has met nobody who is rated.
    """

    value: float | None = None
    """None if the games only say that it is beyond a bound."""
    low: float | None = None
    high: float | None = None

    def to_json(self) -> Json:
        """The rating as JSON data."""
        return {"value": self.value, "low": self.low, "high": self.high}

    def __str__(self) -> str:
        if self.value is None:
            if self.low is not None:
                return f"over {_sign(self.low)}"
            return "–" if self.high is None else f"under {_sign(self.high)}"
        if self.low == self.high:
            return _sign(self.value)
        return f"{_sign(self.value)} ({_sign(self.low)} to {_sign(self.high)})"


def _sign(value: float | None) -> str:
    """A rating in whole points, with a real minus sign."""
    return f"{round(value or 0.0)}".replace("-", "−")


def anchor_of(players: Sequence[str]) -> str:
    """The player whose rating is 0: master or, without it, the one named first.

    >>> anchor_of(["casual", "master"]), anchor_of(["casual", "random"])
    ('master', 'casual')
    """
    return CERTIFIED if CERTIFIED in players else players[0]


def ratings(players: Sequence[str], scores: Iterable[Score]) -> dict[str, Rating]:
    """The rating of each player, relative to the anchor's.

    Somebody who won, or lost, every game against all players that are rated has only a bound: the
    rating at which that would happen with a probability of 5 %.

    >>> rated = ratings(["a", "b"], [Score("a", "b", wins=10, losses=90)])
    >>> str(rated["a"]), str(rated["b"])
    ('0', '382 (268 to 495)')
    """
    with extra("arena", "A rating"):
        import choix
        from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]
    place = {name: number for number, name in enumerate(players)}
    wins = np.zeros((len(players), len(players)))
    for score in scores:
        one, two = place[score.player], place[score.opponent]
        wins[one, two] += score.wins + score.undecided / 2
        wins[two, one] += score.losses + score.undecided / 2
    anchor = place[anchor_of(players)]
    _, group = connected_components(wins > 0, connection="strong")
    rated = np.flatnonzero(group == group[anchor])
    among, fixed = wins[np.ix_(rated, rated)], int(np.searchsorted(rated, anchor))
    strength = np.zeros(1)
    if len(rated) > 1:
        strength = choix.ilsr_pairwise_dense(among, max_iter=ITERATIONS)
        strength = strength - strength[fixed]
    reach = NORMAL * _errors(among + among.T, strength, fixed)
    found = {
        int(number): Rating(SCALE * value, SCALE * (value - half), SCALE * (value + half))
        for number, value, half in zip(rated, strength, reach, strict=True)
    }
    for number in set(place.values()) - found.keys():
        won, lost = wins[number, rated], wins[rated, number]
        found[number] = Rating(
            low=SCALE * _sweep(won, strength) if won.any() else None,
            high=-SCALE * _sweep(lost, -strength) if lost.any() else None,
        )
    return {name: found[number] for name, number in place.items()}


def _errors(games: Floats, strength: Floats, fixed: int) -> Floats:
    """The standard errors of strengths, by the information in the games, if one is fixed."""
    chance = 1 / (1 + np.exp(strength - strength[:, None]))
    told = games * chance * (1 - chance)
    information = np.diag(told.sum(axis=1)) - told
    error = np.zeros(len(strength))
    free = np.arange(len(strength)) != fixed
    error[free] = np.sqrt(np.diag(np.linalg.inv(information[np.ix_(free, free)])))
    return error


def _sweep(games: Floats, strength: Floats) -> float:
    """The strength at which all these games are won with a probability of 5 %."""
    low, high = float(strength.min()) - FARTHEST, float(strength.max()) + FARTHEST
    while high - low > EXACT:
        middle = (low + high) / 2
        chance = -float(games @ np.log1p(np.exp(strength - middle)))
        low, high = (middle, high) if chance < log(DOUBT) else (low, middle)
    return low
