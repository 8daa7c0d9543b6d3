"""The player that plays the certified strategy."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from strongroom.contract import Game, Move, Seat, View
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import Worth


class MasterPlayer:
    """Plays what the certificate of its game was computed for, move for move."""

    def __init__(self, game: Game, rng: Random) -> None:
        self._solution = solution_of(game)
        self._rng = rng
        # What a solution prepares on first use belongs to sitting down, not to the first move.
        self.policy(game.start().view(Seat.ONE))

    def choose(self, view: View) -> Move:
        """A move drawn from the certified mixture."""
        policy = self.policy(view)
        return self._rng.choices([*policy], [float(weight) for weight in policy.values()])[0]

    def policy(self, view: View) -> Mapping[Move, Worth]:
        """The exact probability of each move, so that anyone can respond to it and check.

        Where it is not this seat's turn there is none.
        """
        return self._solution.policy(view) if view.moves else {}
