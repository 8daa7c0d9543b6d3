"""What decisions are worth at Quantum Duel against a known strategy.

Nothing is hidden, so against a strategy that looks only at the position a player's situation is
the position and the number of turns left: each position is valued once for each number of turns.
"""

from __future__ import annotations

from functools import cache, cached_property, lru_cache
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import CHANCE, Event, Game, Move, Seat, View
from strongroom.contract.history import linked
from strongroom.games.quantum_duel.rules import OPEN, Observe, QuantumDuel, QuantumDuelState
from strongroom.theory.quantum_duel.player import (
    ENDLESS,
    QuantumPosition,
    Tablebase,
    explore,
    position_of,
)
from strongroom.theory.worth import Policy, Turns, Unpredictable, Worth, one_fewer

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

CHECKED_GAMES: Final = 20
"""In how many random games it is checked that only the position matters to a strategy."""
SETTLED: Final = 1e-13
"""Without a turn limit, values are iterated until no position's changes by more than this."""


class Step(NamedTuple):
    """How some positions of a turn follow from others, by a mixture of moves or the best move."""

    rows: Ints
    after: Ints
    mixture: Floats | None


class Chain:
    """The positions of the game as arrays; rows of moves are padded with their first move."""

    def __init__(self, game: QuantumDuel) -> None:
        self.game = game
        graph = explore(game)
        self.positions, self.size = graph.positions, graph.size
        self.numbers = {position.key: number for number, position in enumerate(self.positions)}
        self.near: Ints = graph.near
        contested = np.array([position.contested > 0 for position in self.positions])
        chance = np.array([actor is CHANCE for actor in graph.actors])
        self.mine = {seat: np.array([actor is seat for actor in graph.actors]) for seat in Seat}
        self.stages = [np.flatnonzero(stage) for stage in (chance, contested & ~chance, ~contested)]
        """Within a turn, backwards: the coin, the reply to a placement, and placements."""
        self.same_turn: Flags = np.append(contested, [False, False])
        """Whether a position belongs to the turn that led there."""
        later = np.where(self.same_turn, 0, len(self.same_turn))
        self.after: Ints = self.near + later[self.near]
        """Where each move leads; positions of the next turn are numbered after all of this one."""

    def mixtures(self, policy: Policy) -> Floats:
        """The probability of each side of the coin, or of each move of a policy: [position, move].

        Unpredictable, if the policy looks at more than the position.
        """
        mixtures = np.zeros(self.near.shape)
        for number, position in enumerate(self.positions):
            state = self.state(position)
            if position.actor is CHANCE:
                mixtures[number, : len(state.odds)] = state.odds
            else:
                assert isinstance(position.actor, Seat)
                chances = _chances(policy, state.view(position.actor))
                mixtures[number, : len(chances)] = chances
        for view, number in self._sample_views:
            if _chances(policy, view) != mixtures[number, : len(view.moves)].tolist():
                raise Unpredictable("The player does not look at the position alone.")
        return mixtures

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

    @cached_property
    def _sample_views(self) -> list[tuple[View, int]]:
        """Views met in random games, with all their history, and the numbers of their positions."""
        rng, met = Random(1), list[tuple[View, int]]()
        for _ in range(CHECKED_GAMES):
            state: QuantumDuelState = self.game.start()
            while state.outcome is None:
                if isinstance(state.actor, Seat):
                    view = state.view(state.actor)
                    met.append((view, self.numbers[position_of(view).key]))
                state = state.play(rng.choice(state.moves))
        return met


def _chances(policy: Policy, view: View) -> list[float]:
    mixture = policy(view)
    return [float(mixture.get(move, 0.0)) for move in view.moves]


@lru_cache(maxsize=1)
def chain_of(game: QuantumDuel) -> Chain:
    """The chain of a game, explored once."""
    return Chain(game)


class ChainWorth(Worth):
    """What decisions are worth against a policy, followed by a best response."""

    def __init__(self, game: Game, policy: Policy) -> None:
        assert isinstance(game, QuantumDuel)
        self.game, self.policy = game, policy
        self._layers: dict[Seat, list[Floats]] = {}
        self._endless: dict[Seat, Floats] = {}
        self._steps = cache(self._steps_of)

    @cached_property
    def chain(self) -> Chain:
        """The positions of the game."""
        assert isinstance(self.game, QuantumDuel)
        return chain_of(self.game)

    @cached_property
    def opponent(self) -> Floats:
        """The probability of each move of the opponent, and of each side of the coin."""
        return self.chain.mixtures(self.policy)

    @cached_property
    def own(self) -> Floats | None:
        """The probability of each move of the player; None if it makes the best one."""
        return None

    def following(self, policy: Policy) -> ChainWorth:
        """The worth of decisions to a player who goes on by a policy."""
        return FollowingWorth(self, policy)

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a player in this seat wins."""
        return float(self.layer(seat, turns)[0])

    def value(self, view: View, turns: Turns) -> float:
        """What the viewer wins from this position."""
        assert view.seat is not None
        return float(self.layer(view.seat, turns)[self._number(view)])

    def moves(self, view: View, turns: Turns) -> dict[Move, float]:
        """What the viewer wins with each move."""
        assert view.seat is not None
        near = self.chain.near[self._number(view), : len(view.moves)]
        now, later = (self.layer(view.seat, left) for left in (turns, one_fewer(turns)))
        worth = np.where(self.chain.same_turn[near], now[near], later[near])
        return dict(zip(view.moves, worth.tolist(), strict=True))

    def _number(self, view: View) -> int:
        return self.chain.numbers[position_of(view).key]

    def layer(self, seat: Seat, turns: Turns) -> Floats:
        """The value of every position, to this seat, with this many turns left."""
        if seat not in self._layers:
            won = float(seat is Seat.ONE)
            self._layers[seat] = [np.array([*[float(ENDLESS)] * self.chain.size, won, 1 - won])]
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
        chain, mine = self.chain, self.chain.mine[seat]
        return [
            Step(rows, chain.after[rows], None if mixture is None else mixture[rows])
            for stage in chain.stages
            for rows, mixture in (
                (stage[mine[stage]], self.own),
                (stage[~mine[stage]], self.opponent),
            )
        ]


class FollowingWorth(ChainWorth):
    """What decisions are worth against a policy, to a player who goes on by another one."""

    baseline, optimal = "what a player wins that goes on by a policy", False

    def __init__(self, against: ChainWorth, policy: Policy) -> None:
        super().__init__(against.game, against.policy)
        self._against, self._follow = against, policy

    @cached_property
    def own(self) -> Floats:
        """The probability of each move of the player."""
        return self.chain.mixtures(self._follow)

    @cached_property
    def opponent(self) -> Floats:
        """The probability of each move of the opponent, and of each side of the coin."""
        return self._against.opponent


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
        return max(self.moves(view, turns).values())

    def moves(self, view: View, turns: Turns) -> dict[Move, float]:
        """What a best response wins with each move."""
        return super().moves(view, turns) if turns is not None else self.tablebase.values(view)
