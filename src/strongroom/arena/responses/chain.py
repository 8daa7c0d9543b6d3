"""The best response in Quantum Duel: nothing is hidden, so each position is valued once per turn.

A match that is still open at the turn limit counts as half a win, as in a tournament.
"""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.arena.responses.responder import (
    Policy,
    Report,
    Responder,
    ResponseValue,
    TooComplex,
)
from strongroom.arena.tournament import TURN_LIMIT
from strongroom.contract import CHANCE, Event, Seat
from strongroom.contract.history import linked
from strongroom.games.quantum_duel.rules import OPEN, Observe, QuantumDuel, QuantumDuelState
from strongroom.players import Player
from strongroom.theory.quantum_duel.board import (
    PositionGraph,
    QuantumPosition,
    explore,
    position_of,
)

Floats = NDArray[np.float64]
CHECKED_GAMES: Final = 20
"""In how many random games it is checked that only the position matters to a player."""


class ChainResponse:
    """The best response to a policy that depends only on the position."""

    def __init__(self, game: QuantumDuel, policy: Policy) -> None:
        self.game, self.policy = game, policy
        self._check_that_the_position_is_all_that_matters()
        self.graph: PositionGraph = explore(game)
        size = self.graph.size
        widest = max(map(len, self.graph.after))
        self._after = np.full((size, widest), size)
        """Where each move leads; entries beyond the last move are not legal."""
        self._legal = np.zeros((size, widest), dtype=bool)
        for number, after in enumerate(self.graph.after):
            self._after[number, : len(after)] = after
            self._legal[number, : len(after)] = True
        self._chances = np.zeros((size, widest))
        for number, position in enumerate(self.graph.positions):
            self._chances[number, : len(self.graph.after[number])] = self._mixture(position)

    def _check_that_the_position_is_all_that_matters(self) -> None:
        rng = Random(1)
        for _ in range(CHECKED_GAMES):
            state: QuantumDuelState = self.game.start()
            while state.outcome is None:
                if isinstance(state.actor, Seat):
                    view = state.view(state.actor)
                    bare = self.state(position_of(view)).view(state.actor)
                    if {**self.policy(view)} != {**self.policy(bare)}:
                        raise TooComplex("The player does not look at the position alone.")
                state = state.play(rng.choice(state.moves))

    def value(self, seat: Seat, turns: int, report: Report) -> float:
        """The most that a responder in this seat wins in a match of this many turns."""
        positions, size = self.graph.positions, self.graph.size
        mine = np.array([position.actor is seat for position in positions])
        # Within a turn, backwards: the coin is valued before the reply, and that before placements.
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
        """The probability of each side of the coin, or of each of the player's moves."""
        state = self.state(position)
        if position.actor is CHANCE:
            return [*state.odds]
        assert isinstance(position.actor, Seat)
        mixture = self.policy(state.view(position.actor))
        return [mixture.get(move, 0.0) for move in state.moves]

    def state(self, position: QuantumPosition) -> QuantumDuelState:
        """A state with this position, without the history before it."""
        actor, cell = position.actor, position.contested
        events = []
        if cell:
            holder = position.board[cell - 1]
            assert holder is not None
            events = [Event(holder, Observe(cell), OPEN)]
        fields = (self.game, position.board, ((), ()), linked(events), 0, actor, None)
        return QuantumDuelState(*fields)


class QuantumDuelResponder(Responder):
    """Responds at Quantum Duel."""

    game: QuantumDuel

    def best(self, bot: Player, policy: Policy) -> ResponseValue:
        """The best response in a match with the turn limit of a tournament."""
        chain = ChainResponse(self.game, policy)
        return lambda seat, report: chain.value(seat, TURN_LIMIT, report)
