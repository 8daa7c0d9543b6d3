"""A script for any game: it searches the states that fit what it knows."""

from __future__ import annotations

from random import Random
from typing import Final

from strongroom.contract import CHANCE, AnyState, Game, Move, Seat, View
from strongroom.referee.bout import Bout

STATES: Final = 12
"""How many states are sampled for each decision."""
MOVES: Final = 30
"""The most moves that are tried in each of them; of more, a sample."""
PLAYED_ON: Final = 20
"""How many further turns are played at random before a game counts as undecided."""


class SearchScript:
    """Tries its moves in states that fit its view, plays on at random, and makes the best one."""

    def __init__(self, game: Game, rng: Random) -> None:
        self._game, self._rng = game, rng

    def choose(self, view: View) -> Move:
        """The move that won most often."""
        rng, moves = self._rng, view.moves
        tried = moves if len(moves) <= MOVES else rng.sample(moves, MOVES)
        states = [self._game.sample(view, rng) for _ in range(STATES)]
        assert view.seat is not None
        score = {
            move: sum(self._won(state.play(move), view.seat) for state in states) for move in tried
        }
        return max(score, key=score.__getitem__)

    def _won(self, state: AnyState, seat: Seat) -> float:
        """What the seat wins if both play on at random: 1, 0, or a half if it takes too long."""
        bout = Bout(state, state.turns + PLAYED_ON)
        while bout.outcome is None:
            odds = bout.state.odds if bout.actor is CHANCE else None
            bout = bout.play(self._rng.choices(bout.state.moves, odds)[0])
        winner = bout.outcome.winner
        return 0.5 if winner is None else float(winner is seat)
