"""The player that plays the certified strategy."""

from __future__ import annotations

from random import Random

from strongroom.game import Game, Move, Seat, View
from strongroom.theory import Number, theory_of
from strongroom.theory.shelf import table_of


class MasterPlayer:
    """Plays what the certificate of its game was computed for, move for move."""

    def __init__(self, game: Game, rng: Random) -> None:
        self._theory = theory_of(game.name)
        self._table = table_of(game)
        self._rng = rng
        # What a theory prepares on first use belongs to sitting down, not to the first move.
        self.policy(game.start().view(Seat.ONE))

    def choose(self, view: View) -> Move:
        """A move drawn from the certified mixture."""
        policy = self.policy(view)
        return self._rng.choices([*policy], [float(weight) for weight in policy.values()])[0]

    def policy(self, view: View) -> dict[Move, Number]:
        """The exact probability of each move, so that anyone can respond to it and check.

        Where it is not this seat's turn there is none.
        """
        return self._theory.policy(self._table, view) if view.moves else {}
