"""Comparisons of measurements: who is better at what, the same seeds paired."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import hypot
from typing import Any

import numpy as np

from strongroom.contract import Json, Refusal, Seat
from strongroom.contract.codec import to_json
from strongroom.measuring.estimator import ROUNDING, Estimate, Scale, counted
from strongroom.report.text import Interval

Games = dict[tuple[int, Seat], float]
"""A number for each game of a measurement, by its round and the player's seat."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much the first player's mean exceeds the second's."""

    mean: float
    interval: Interval
    """It contains the truth in at least 95 % of all comparisons."""

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes no difference, rounding aside."""
        low, high = self.interval
        return low > ROUNDING or high < -ROUNDING


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two players at one game."""

    game: str
    title: str
    players: tuple[str, str]
    scores: tuple[float, float]
    pairs: int
    """How many games of the same seed were paired; only these make the differences, if any."""
    score: Difference
    kinds: dict[str, Difference]
    """What decisions of each kind cost a game; above zero where the first player's cost more."""

    @property
    def paired(self) -> bool:
        """Whether the same seeds were paired, game by game."""
        return self.pairs > 0

    @property
    def better(self) -> str:
        """Who is better, beyond doubt; an empty string if that is not clear."""
        return self._ahead(self.score, self.score.mean > 0)

    def better_at(self, kind: str) -> str:
        """Who loses less by decisions of a kind, beyond doubt."""
        return self._ahead(self.kinds[kind], self.kinds[kind].mean < 0)

    def _ahead(self, difference: Difference, first: bool) -> str:
        return self.players[0 if first else 1] if difference.is_clear else ""

    def to_json(self) -> Json:
        """The comparison as JSON data."""
        return {
            "game": self.game,
            "players": list(self.players),
            "scores": list(self.scores),
            "paired": self.paired,
            "pairs": self.pairs,
            "score": to_json(self.score),
            "better": self.better or None,
            "costs": {
                kind: to_json(difference) | {"better": self.better_at(kind) or None}
                for kind, difference in self.kinds.items()
            },
        }


def compare(one: Json, two: Json) -> list[Comparison]:
    """Two reports, game by game; those of different games or opponents cannot be compared."""
    if one["against"] != two["against"]:
        raise Refusal(
            f"One player met {one['against']}, the other {two['against']}.",
            "Measure both against the same opponent.",
        )
    if one["seats"] != two["seats"]:
        raise Refusal("The players sat in different seats.", "Measure both in the same ones.")
    found = list(_compare_games(one, two))
    if not found:
        raise Refusal("The reports have no game with the same options in common.")
    return found


def _compare_games(one: Json, two: Json) -> Iterator[Comparison]:
    for name, first in one["results"].items():
        second = two["results"].get(name)
        if second is None or first["options"] != second["options"]:
            continue
        records = one["records"][name], two["records"][name]
        values = [_numbers(each, lambda data: data["value"]) for each in records]
        pairs = len(values[0].keys() & values[1].keys()) if one["seed"] == two["seed"] else 0
        paired = pairs > 0
        kinds = dict.fromkeys(kind for each in records for data in each for kind in data["costs"])
        yield Comparison(
            name,
            first["title"],
            (one["player"], two["player"]),
            (first["score"], second["score"]),
            pairs,
            _difference(values[0], values[1], paired),
            {
                kind: _difference(_costs(records[0], kind), _costs(records[1], kind), paired)
                for kind in kinds
            },
        )


def _costs(records: Any, kind: str) -> Games:
    return _numbers(records, lambda data: data["costs"].get(kind, 0.0))


def _numbers(records: Any, number: Callable[[Any], float]) -> Games:
    return {(data["round"], Seat(data["seat"])): float(number(data)) for data in records}


def _difference(one: Games, two: Games, paired: bool) -> Difference:
    if paired:
        found = _mean({place: one[place] - two[place] for place in one if place in two}, least=-1.0)
        return Difference(found.mean, found.interval)
    first, second = _mean(one), _mean(two)
    (low, high), (lower, upper) = first.interval, second.interval
    mean = first.mean - second.mean
    down = hypot(first.mean - low, upper - second.mean)
    up = hypot(high - first.mean, second.mean - lower)
    return Difference(mean, (mean - down, mean + up))


def _mean(games: Games, least: float = 0.0) -> Estimate:
    """The mean of numbers of games, each between `least` and 1."""
    seats = np.array([seat.index for _, seat in games])
    parts = len(np.unique(seats))
    return counted(seats, np.array(list(games.values())), Scale([least] * parts, [1.0] * parts))
