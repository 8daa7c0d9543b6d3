"""The player that moves at random."""

from __future__ import annotations

from random import Random

from strongroom.contract import Game, Move, View


class RandomPlayer:
    """Chooses uniformly among the legal moves."""

    def __init__(self, game: Game, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: View) -> Move:
        """Any legal move."""
        return self._rng.choice(view.moves)

    def policy(self, view: View) -> dict[Move, float]:
        """The same probability for every legal move."""
        return dict.fromkeys(view.moves, 1 / len(view.moves))
