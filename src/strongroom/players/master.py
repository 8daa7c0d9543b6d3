"""The player that plays the certified strategy."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from strongroom.contract import Game, Move, Seat, View
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import NoTheory
from strongroom.theory.worth import Probability


class MasterPlayer:
    """Plays exactly the strategy that its game's certificate is about."""

    def __init__(self, game: Game, rng: Random) -> None:
        try:
            self._solution = solution_of(game)
        except NoTheory as unsolved:
            told = f"{unsolved.accepted} Or choose expert, which plays every game."
            raise NoTheory(unsolved.reason, told) from None
        self._rng = rng
        # Let the solution prepare now what it needs on first use, not on the first move.
        self.policy(game.start().view(Seat.ONE))

    def choose(self, view: View) -> Move:
        """A move drawn from the certified mixture."""
        policy = self.policy(view)
        return self._rng.choices([*policy], [float(weight) for weight in policy.values()])[0]

    def policy(self, view: View) -> Mapping[Move, Probability]:
        """The exact probability of each move, so that anyone can compute a best response and check.

        It is {} out of turn.
        """
        return self._solution.policy(view) if view.moves else {}
