"""What decisions are worth at Quantum Duel against a known strategy.

Nothing is hidden, so against a strategy that looks only at the position a player's situation is
the position and the number of turns left: each position is valued once for each number of turns.
"""

from __future__ import annotations

from functools import cache, cached_property
from random import Random
from typing import Final, NamedTuple

import numpy as np

from strongroom.contract import CHANCE, Game, Move, Seat, View
from strongroom.games.quantum_duel.rules import QuantumDuel, QuantumDuelState
from strongroom.theory.quantum_duel.player import (
    ENDLESS,
    PositionGraph,
    Tablebase,
    graph_of,
    position_of,
)
from strongroom.theory.solution import Floats, Ints
from strongroom.theory.worth import Policy, Turns, Unpredictable, Worth, one_fewer

CHECKED_GAMES: Final = 20
"""In how many random games it is checked that only the position matters to a strategy."""
SETTLED: Final = 1e-13
"""Without a turn limit, values are iterated until no position's changes by more than this."""


class Step(NamedTuple):
    """How some positions of a turn follow from others, by a mixture of moves or the best move."""

    rows: Ints
    after: Ints
    mixture: Floats | None


def mixtures_of(policy: Policy, graph: PositionGraph) -> Floats:
    """The probability of each side of the coin, or of each move of a policy: [position, move].

    Unpredictable, if the policy looks at more than the position.
    """
    mixtures = np.zeros(graph.near.shape)
    for number, position in enumerate(graph.positions):
        state = graph.state(position)
        if position.actor is CHANCE:
            mixtures[number, : len(state.odds)] = state.odds
        else:
            assert isinstance(position.actor, Seat)
            chances = _chances(policy, state.view(position.actor))
            mixtures[number, : len(chances)] = chances
    for view in _sample_views(graph.game):
        number = graph.numbers[position_of(view).key]
        if _chances(policy, view) != mixtures[number, : len(view.moves)].tolist():
            raise Unpredictable("The player does not look at the position alone.")
    return mixtures


@cache
def _sample_views(game: QuantumDuel) -> list[View]:
    """Views met in random games, with all their history."""
    rng, met = Random(1), list[View]()
    for _ in range(CHECKED_GAMES):
        state: QuantumDuelState = game.start()
        while state.outcome is None:
            if isinstance(state.actor, Seat):
                met.append(state.view(state.actor))
            state = state.play(rng.choice(state.moves))
    return met


def _chances(policy: Policy, view: View) -> list[float]:
    mixture = policy(view)
    return [float(mixture.get(move, 0.0)) for move in view.moves]


class ChainWorth(Worth):
    """What decisions are worth against a policy, followed by a best response or another policy."""

    def __init__(self, game: Game, policy: Policy, followed: Policy | None = None) -> None:
        self.game, self.policy, self.followed = game, policy, followed
        if followed is not None:
            self.baseline, self.optimal = "what a player wins that goes on by a policy", False
        self._layers: dict[Seat, list[Floats]] = {}
        self._endless: dict[Seat, Floats] = {}
        self._steps = cache(self._steps_of)

    @cached_property
    def graph(self) -> PositionGraph:
        """The positions of the game."""
        return graph_of(self.game)

    @cached_property
    def opponent(self) -> Floats:
        """The probability of each move of the opponent, and of each side of the coin."""
        return mixtures_of(self.policy, self.graph)

    @cached_property
    def own(self) -> Floats | None:
        """The probability of each move of the player; None if it makes the best one."""
        return None if self.followed is None else mixtures_of(self.followed, self.graph)

    def following(self, policy: Policy) -> ChainWorth:
        """The worth of decisions to a player who goes on by a policy."""
        worth = ChainWorth(self.game, self.policy, policy)
        worth.opponent = self.opponent
        return worth

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a player in this seat wins."""
        return float(self.layer(seat, turns)[0])

    def value(self, view: View, turns: Turns) -> float:
        """What the viewer wins from this position."""
        assert view.seat is not None
        return float(self.layer(view.seat, turns)[self._number(view)])

    def move_values(self, view: View, turns: Turns) -> dict[Move, float]:
        """What the viewer wins with each move."""
        assert view.seat is not None
        near = self.graph.near[self._number(view), : len(view.moves)]
        now, later = (self.layer(view.seat, left) for left in (turns, one_fewer(turns)))
        worth = np.where(self.graph.same_turn[near], now[near], later[near])
        return dict(zip(view.moves, worth.tolist(), strict=True))

    def _number(self, view: View) -> int:
        return self.graph.numbers[position_of(view).key]

    def layer(self, seat: Seat, turns: Turns) -> Floats:
        """The value of every position, to this seat, with this many turns left."""
        if seat not in self._layers:
            won = float(seat is Seat.ONE)
            self._layers[seat] = [np.array([*[float(ENDLESS)] * self.graph.size, won, 1 - won])]
        layers = self._layers[seat]
        if turns is not None:
            while len(layers) <= turns:
                layers.append(self._earlier(seat, layers[-1]))
            return layers[turns]
        if seat not in self._endless:
            later, now = layers[-1], self._earlier(seat, layers[-1])
            while abs(now - later).max() > SETTLED:
                later, now = now, self._earlier(seat, now)
            self._endless[seat] = now
        return self._endless[seat]

    def _earlier(self, seat: Seat, later: Floats) -> Floats:
        """The value of every position with one more turn left."""
        both = np.concatenate([later, later])
        for step in self._steps(seat):
            then = both[step.after]
            if step.mixture is None:
                both[step.rows] = then.max(axis=1)
            else:
                both[step.rows] = np.einsum("ij,ij->i", step.mixture, then)
        return both[: len(later)].copy()

    def _steps_of(self, seat: Seat) -> list[Step]:
        graph, mine = self.graph, self.graph.mine[seat]
        return [
            Step(rows, graph.unroll[rows], None if mixture is None else mixture[rows])
            for stage in graph.stages
            for rows, mixture in (
                (stage[mine[stage]], self.own),
                (stage[~mine[stage]], self.opponent),
            )
        ]


class CertifiedWorth(ChainWorth):
    """What decisions are worth against the certified player.

    Its marked moves hold the value of every position for either seat, as the certificate proves;
    so without a turn limit a best response wins just that.
    """

    def __init__(self, game: Game, tablebase: Tablebase) -> None:
        super().__init__(game, tablebase.policy)
        self.tablebase = tablebase

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a best response wins from this seat."""
        if turns is not None:
            return super().start(seat, turns)
        value = float(self.tablebase.worth_of(self.game.start().view(None)))
        return value if seat is Seat.ONE else 1 - value

    def value(self, view: View, turns: Turns) -> float:
        """What a best response wins from this position."""
        return max(self.move_values(view, turns).values())

    def move_values(self, view: View, turns: Turns) -> dict[Move, float]:
        """What a best response wins with each move."""
        if turns is not None:
            return super().move_values(view, turns)
        return {move: float(self.tablebase.value_of_move(view, move)) for move in view.moves}
