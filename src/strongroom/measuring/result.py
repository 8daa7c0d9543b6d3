"""What the games of a player at one game say about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import isfinite, sqrt
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Ending, Game, Json, Seat
from strongroom.measuring.account import MARKS
from strongroom.measuring.estimator import (
    Estimate,
    Floats,
    Scale,
    adjusted,
    counted,
    games_saved,
    without_luck,
)
from strongroom.measuring.mistakes import mistake
from strongroom.measuring.protocol import Protocol, Spent, Trial
from strongroom.measuring.yardstick import Yardstick, policy_of
from strongroom.players import CERTIFIED, player
from strongroom.players.ideas import UnknownMixture
from strongroom.plugins.registry import PLAYERS
from strongroom.referee.bout import TURN_LIMIT
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import WEIGHING, Policy

PERFECT: Final = 1e-9
"""A decision that costs no more than this is perfect."""
CLASSES: Final = (0.0, 0.01, *sorted(least for least, _ in MARKS), 0.3)
"""The costs at which the classes of decisions begin; the first holds what costs nothing, too."""
WORST: Final = 5
"""How many of the worst moves are shown."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision, in brief."""

    number: int
    """The number of its step in the record."""
    kind: str
    """What kind of decision the game calls it."""
    cost: float
    """How much less the move is worth than V before it."""
    vacuous: bool = False
    """Whether every move was worth the same."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One game, accounted for."""

    trial: Trial
    result: float
    """1 for a win, 0 for a loss, 1/2 if nobody won."""
    start: float = 0.5
    """V before the first move."""
    luck: float = 0.0
    """What chance, hidden answers and the opponent's draws gave, by the main V."""
    lucks: tuple[float, ...] = ()
    """Luck by each baseline; none, if the opponent was not the certified player."""
    choices: tuple[Choice, ...] = ()
    cost: float = 0.0
    """What all decisions cost together, each from V before it."""

    @property
    def forfeited(self) -> bool:
        """Whether the measured player forfeited."""
        outcome = self.trial.record.outcome
        assert outcome is not None
        return outcome.reason is Ending.FORFEITED and not self.result


@cache
def yardstick(game: Game) -> Yardstick:
    """What a game is measured with, loaded once."""
    return Yardstick(game)


@cache
def mixtures(name: str, game: Game) -> Policy | None:
    """A built-in bot's mixtures, if it tells them; those of others could not be checked later."""
    policy = policy_of(player(name, game, Random(0))) if name in PLAYERS else None
    try:
        if policy is not None:
            policy(game.start().view(Seat.ONE))
    except UnknownMixture:
        return None
    return policy


@cache
def exact_score(game: Game, name: str, seats: tuple[Seat, ...]) -> float | None:
    """A bot's exact expected score, computed once."""
    return yardstick(game).exact(name, seats)


def judge(protocol: Protocol, trial: Trial) -> Judged:
    """One game of a measurement, accounted for."""
    game, seat, outcome = trial.fixture.game, trial.fixture.seat, trial.record.outcome
    assert outcome is not None
    if protocol.against != CERTIFIED:
        return Judged(trial, 0.5 if outcome.winner is None else float(outcome.winner is seat))
    with WEIGHING:
        found = yardstick(game).judge(trial.record, seat, mixtures(protocol.player, game))
    own = found.account
    choices = tuple(
        Choice(
            each.number,
            game.words.deciding(each.view),
            each.cost,
            each.move is not None and each.at_stake <= PERFECT,
        )
        for each in own.decisions
    )
    return Judged(trial, own.result, own.start, own.luck, found.lucks, choices, own.cost)


class Result:
    """A player's games at one game, and the figures that follow from them."""

    def __init__(self, game: Game, protocol: Protocol, judged: Iterable[Judged]) -> None:
        self.game, self.protocol = game, protocol
        self.judged = sorted(judged, key=_place)
        self._seats: NDArray[np.int64] = np.array(
            [each.trial.fixture.seat.index for each in self.judged]
        )
        self._results: Floats = np.array([each.result for each in self.judged])
        self._lucks: Floats = np.array([each.lucks for each in self.judged])

    @property
    def exact_worth(self) -> bool:
        """Whether decisions have an exact worth: the opponent was the certified player."""
        return self.protocol.against == CERTIFIED

    @cached_property
    def counted(self) -> Estimate:
        """The score by results alone."""
        return counted(self._seats, self._results)

    @cached_property
    def score(self) -> Estimate:
        """The score with luck taken out; by results alone, where luck is not known."""
        if not self.exact_worth:
            return self.counted
        return adjusted(self._seats, self._results, self._lucks, self._ceilings)

    @property
    def _ceilings(self) -> list[float]:
        """The most that any player can expect to win from each seat of the games."""
        worth, seats = yardstick(self.game).worth, tuple(Seat)
        return [worth.ceiling(seats[index], TURN_LIMIT) for index in np.unique(self._seats)]

    @cached_property
    def values(self) -> Floats:
        """What each game adds to the score: its result without luck."""
        if not self.exact_worth:
            return self._results
        return without_luck(self._seats, self._results, self._lucks)

    @cached_property
    def by_costs(self) -> Estimate:
        """The score as V at the start minus the costs."""
        values = [each.start - each.cost for each in self.judged]
        ceilings = self._ceilings
        scale = Scale([0.0] * len(ceilings), ceilings)
        return counted(self._seats, np.array(values), scale)

    @property
    def luck_z(self) -> float:
        """The luck that was taken out, as a multiple of its standard error.

        The mean of luck is zero in either seat, so its squares tell the error. One square more
        stands for a game of the largest luck, which few games need not have shown yet.
        """
        lucks = [each.luck for each in self.judged]
        return sum(lucks) / sqrt(1 + sum(luck**2 for luck in lucks))

    @property
    def ratio(self) -> float | None:
        """How many times as many games counting needs for an interval as narrow."""
        return games_saved(self.counted, self.score)

    @cached_property
    def exact(self) -> float | None:
        """The player's exact expected score, if it needs no game."""
        if not self.exact_worth or self.protocol.player not in PLAYERS:
            return None
        return exact_score(self.game, self.protocol.player, self.protocol.seats)

    @cached_property
    def choices(self) -> list[Choice]:
        """The decisions of all games."""
        return [choice for each in self.judged for choice in each.choices]

    @property
    def forfeited(self) -> str:
        """How many games were forfeited, and why the first was; empty if none was."""
        lost = [each.trial.record.outcome for each in self.judged if each.forfeited]
        if not lost or lost[0] is None:
            return ""
        return f"{len(lost)} of {len(self.judged)} games forfeited: {lost[0].detail}"

    @property
    def profile(self) -> list[Json]:
        """How many decisions of each kind there were, and what they cost.

        The costs add up to V at the start minus the score by costs.
        """
        kinds = dict.fromkeys((*self.game.words.kinds, *(each.kind for each in self.choices)))
        found = {kind: [each for each in self.choices if each.kind == kind] for kind in kinds}
        return [
            {
                "kind": kind,
                "decisions": len(those),
                "cost": sum(each.cost for each in those),
                "perfect": None
                if all(each.vacuous for each in those)
                else _share(each.cost <= PERFECT for each in those),
            }
            for kind, those in found.items()
            if those
        ]

    @property
    def costs(self) -> Json:
        """How many decisions cost at least this much, and less than the next class."""
        found = Counter(
            max(each for each in CLASSES if each <= max(0.0, choice.cost))
            for choice in self.choices
        )
        return {f"{least:g}": found[least] for least in CLASSES}

    @property
    def worst(self) -> list[Json]:
        """The moves that cost most, each at another position, with what was better."""
        found: dict[str, Json] = {}
        dear = ((choice, each) for each in self.judged for choice in each.choices)
        for choice, each in sorted(dear, key=lambda pair: (-pair[0].cost, _place(pair[1]))):
            if choice.cost <= PERFECT or len(found) == WORST:
                break
            shown = mistake(each.trial, choice.number)
            shown |= {"kind": choice.kind, "cost": choice.cost}
            found.setdefault(f"{shown['picture']}: {shown['move']}", shown)
        return list(found.values())

    def to_json(self) -> Json:
        """The figures as JSON data."""
        spent = sum((each.trial.spent for each in self.judged), Spent())
        figures: Json = {
            "title": self.game.title,
            "options": self.game.options.to_json(),
            "score": self.score.mean,
            "error": _finite(self.score.error),
            "interval": list(self.score.interval),
            "counted": self.counted.mean,
            "counted_error": _finite(self.counted.error),
            "counted_interval": list(self.counted.interval),
            "ratio": self.ratio,
            "exact": self.exact,
            "games": len(self.judged),
            "forfeits": sum(each.forfeited for each in self.judged),
            **spent.to_json(),
        }
        if not self.exact_worth:
            return figures | dict.fromkeys(ONLY_AGAINST_CERTIFIED)
        return figures | {
            "baseline": solution_of(self.game).worth.baseline,
            "start": float(np.mean([each.start for each in self.judged])),
            "by_costs": self.by_costs.mean,
            "by_costs_error": _finite(self.by_costs.error),
            "luck_z": self.luck_z,
            "decisions": len(self.choices),
            "cost_per_decision": sum(each.cost for each in self.choices)
            / max(1, len(self.choices)),
            "perfect": _share(each.cost <= PERFECT for each in self.choices),
            "profile": self.profile,
            "costs": self.costs,
            "worst": self.worst,
        }

    def records(self) -> list[Json]:
        """Every game with its record and what it adds to the figures."""
        return [
            each.trial.to_json() | {"value": float(value), "costs": _by_kind(each.choices)}
            for each, value in zip(self.judged, self.values, strict=True)
        ]


ONLY_AGAINST_CERTIFIED: Final = (
    *("baseline", "start", "by_costs", "by_costs_error", "luck_z", "decisions"),
    *("cost_per_decision", "perfect", "profile", "costs", "worst"),
)
"""The figures that need the exact worth of decisions."""


def _place(each: Judged) -> tuple[int, int]:
    return each.trial.fixture.round, each.trial.fixture.seat.value


def _finite(error: float) -> float | None:
    """An error as JSON data; a single game in a seat has none."""
    return error if isfinite(error) else None


def _share(those: Iterable[bool]) -> float:
    found = list(those)
    return sum(found) / max(1, len(found))


def _by_kind(choices: Sequence[Choice]) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for each in choices:
        found[each.kind] = found.get(each.kind, 0.0) + each.cost
    return found
