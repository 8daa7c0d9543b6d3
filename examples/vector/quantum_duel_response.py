"""Best responses at Quantum Duel, where nothing is hidden."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from best_response import BestResponse
from jax import lax
from network import Array
from numpy.typing import NDArray

from strongroom.contract import CHANCE, Seat
from strongroom.games.quantum_duel.rules import QuantumDuel
from strongroom.theory.quantum_duel.player import graph_of
from strongroom.vector import Env, State


class QuantumDuelResponse(BestResponse):
    """Every position is worth what the best move leads to, or the policy's moves in the mean."""

    def __init__(self, env: Env) -> None:
        super().__init__(env)
        game = env.packed.game
        assert isinstance(game, QuantumDuel)
        self.graph = graph_of(game)
        """The positions of the game, and where each move leads."""
        self.positions = self._positions()
        self.actions = self._actions()

    def _positions(self) -> State:
        """All positions; those in which the coin decides are there too, and mean nothing."""
        places = self.graph.positions
        one, two = (
            np.array([sum((b is seat) << c for c, b in enumerate(p.board)) for p in places])
            for seat in Seat
        )
        contested = np.array([place.contested for place in places])
        two_acts = np.array([place.actor is Seat.TWO for place in places])
        turns = two_acts ^ (contested > 0)  # whose turn it is; a reply is the other's
        own, other = np.where(turns, two, one), np.where(turns, one, two)
        fields = {"contested": contested, "own": own, "other": other, "turns": turns}
        at = {name: jnp.asarray(numbers) for name, numbers in fields.items()}
        game = self.env.packed
        return State(self.env, game.layout.pack(**at), game.memory.pack(number=at["turns"]))

    def _actions(self) -> NDArray[Any]:
        """The action of each move of each position, in the order of the graph; -1 for padding."""
        legal = np.asarray(self.positions.legal_action_mask)
        first = np.argsort(~legal, axis=1, kind="stable")[:, : self.graph.near.shape[1]]
        return np.where(np.take_along_axis(legal, first, 1), first, -1)

    def wins(self, odds: Array) -> tuple[Array, Array]:
        """By turns, backwards."""
        taken = jnp.take_along_axis(odds, jnp.asarray(np.maximum(self.actions, 0)), axis=1)
        coin = jnp.where(np.arange(taken.shape[1]) < 2, 0.5, 0.0)
        tossed = np.array([place.actor is CHANCE for place in self.graph.positions])[:, None]
        mixture = jnp.where(tossed, coin, jnp.where(self.actions >= 0, taken, 0.0))
        return self._won(mixture, Seat.ONE), self._won(mixture, Seat.TWO)

    def _won(self, mixture: Array, seat: Seat) -> Array:
        graph, mine, won = self.graph, self.graph.mine[seat], float(seat is Seat.ONE)
        undecided = jnp.array([*[0.5] * graph.size, won, 1 - won], jnp.float32)

        def earlier(later: Array, _: None) -> tuple[Array, None]:
            both = jnp.concatenate([later, later])  # this turn's, and the next turn's
            for rows in graph.stages:  # the coin, replies, observations
                then = both[graph.unroll[rows]]
                mixed = (mixture[rows] * then).sum(1)
                both = both.at[rows].set(jnp.where(mine[rows], then.max(1), mixed))
            return both[: len(later)], None

        values, _ = lax.scan(earlier, undecided, None, length=self.env.packed.turn_limit)
        return values[0]
