"""What a game is measured with, and a game measured by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from random import Random

import numpy as np

from strongroom.contract import Game, Seat
from strongroom.measuring.account import Account, account, by, soon
from strongroom.players import Player, player
from strongroom.players.ideas import UnknownMixture
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.record import Record
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import Policy, Unpredictable, Worth

BASELINES = ("casual", "random")
"""The players whose way of going on gives a further V, where that can be computed."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a measurement, accounted for."""

    account: Account
    lucks: tuple[float, ...]
    """Luck by each V and by the horizons, told draws included, and by each further baseline."""


class Yardstick:
    """What a game is measured with: V against the certified player, and further baselines."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.worth = solution_of(game).worth
        self._following = cache(partial(following, self.worth, game))

    @cached_property
    def others(self) -> tuple[Worth, ...]:
        """Further functions V, of players who go on by a known policy."""
        found = map(self._following, BASELINES)
        return tuple(each for each in found if each is not None)

    def judge(self, record: Record, seat: Seat, policy: Policy | None) -> Played:
        """Account for one game."""
        policy = policy and cache(policy)  # each mixture is needed several times
        own = account(record, seat, self.worth, policy)
        near = (soon(self.worth, turns, own, policy) for turns in self.worth.horizons)
        # Told draws stay in these: with its own way of going on as V, nothing at all would vary.
        others = (by(worth, own).luck for worth in self.others)
        further = (by(worth, own, policy) for worth in self.worth.further)
        told = (each.luck + each.mixed for each in (own, *further))
        lucks = (*told, *near, *others)
        return Played(own, lucks)

    def exact(self, name: str, seats: Sequence[Seat]) -> float | None:
        """A bot's exact expected score, if it tells its mixtures and they can be evaluated."""
        found = self._following(name)
        if found is None:
            return None
        return float(np.mean([found.start(seat, TURN_LIMIT) for seat in seats]))


def following(worth: Worth, game: Game, name: str) -> Worth | None:
    """The worth of decisions to a player who goes on as a bot does, if it can be computed."""
    try:
        policy = policy_of(player(name, game, Random(0)))
        found = None if policy is None else worth.following(policy)
        if found is not None:
            found.start(Seat.ONE, 1)
    except (Unpredictable, UnknownMixture):
        return None
    return found


def policy_of(seated: Player) -> Policy | None:
    """The mixtures of a player who tells them."""
    policy: Policy | None = getattr(seated, "policy", None)
    return policy
