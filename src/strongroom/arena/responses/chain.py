"""The best response at Quantum Duel: nothing is hidden, so every position is looked at once a turn.

A match that is still open at the turn limit counts as half a win, as in a tournament.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from strongroom.arena.responses import Policy, Report
from strongroom.contract import CHANCE, Event, Seat
from strongroom.contract.history import linked
from strongroom.games.quantum_duel.rules import OPEN, Observe, QuantumDuel, QuantumDuelState
from strongroom.theory.quantum_duel.board import PositionGraph, QuantumPosition, explore

Floats = NDArray[np.float64]


class ChainResponse:
    """The best response to a policy that looks at the position alone."""

    def __init__(self, game: QuantumDuel, policy: Policy) -> None:
        self.game, self.policy = game, policy
        self.graph: PositionGraph = explore(game)
        size = self.graph.size
        widest = max(map(len, self.graph.after))
        self._after = np.full((size, widest), size)
        """Where each move leads; beyond the last move, nowhere that anybody would go."""
        self._legal = np.zeros((size, widest), dtype=bool)
        for number, after in enumerate(self.graph.after):
            self._after[number, : len(after)] = after
            self._legal[number, : len(after)] = True
        self._chances = np.zeros((size, widest))
        for number, position in enumerate(self.graph.positions):
            self._chances[number, : len(self.graph.after[number])] = self._mixture(position)

    def value(self, seat: Seat, turns: int, report: Report) -> float:
        """The most that a responder in this seat wins in a match of so many turns."""
        positions, size = self.graph.positions, self.graph.size
        mine = np.array([position.actor is seat for position in positions])
        # Within a turn a coin is decided before the reply to it, and that before the placement.
        stages = [
            np.array([kind(position) for position in positions])
            for kind in (
                lambda each: each.actor is CHANCE,
                lambda each: each.actor is not CHANCE and each.contested,
                lambda each: not each.contested,
            )
        ]
        same_turn = np.zeros(size + 2, dtype=bool)
        same_turn[:size] = ~stages[2].astype(bool)
        looked_up = []
        for stage in stages:
            rows = np.flatnonzero(stage)
            after, chances = self._after[rows], self._chances[rows]
            barred = np.where(self._legal[rows], 0.0, -2.0)
            looked_up.append((rows, mine[rows], after, same_turn[after], chances, barred))
        worth = np.full(size + 2, 0.5)
        worth[size:] = (1.0, 0.0) if seat is Seat.ONE else (0.0, 1.0)
        for turn in range(turns):
            report(turn / turns)
            before = worth.copy()
            for rows, own, after, same, chances, barred in looked_up:
                then = np.where(same, before[after], worth[after])
                best, drawn = (then + barred).max(axis=1), (chances * then).sum(axis=1)
                before[rows] = np.where(own, best, drawn)
            worth = before
        return float(worth[0])

    def _mixture(self, position: QuantumPosition) -> list[float]:
        """The chance of each move: of the coin's sides, or of the player's moves."""
        state = self.state(position)
        if position.actor is CHANCE:
            return [*state.odds]
        assert isinstance(position.actor, Seat)
        mixture = self.policy(state.view(position.actor))
        return [mixture.get(move, 0.0) for move in state.moves]

    def state(self, position: QuantumPosition) -> QuantumDuelState:
        """The game in a position, without what led there."""
        actor, cell = position.actor, position.contested
        events = []
        if cell:
            holder = position.board[cell - 1]
            assert holder is not None
            events = [Event(holder, Observe(cell), OPEN)]
        fields = (self.game, position.board, ((), ()), linked(events), 0, actor, None)
        return QuantumDuelState(*fields)
