"""What decisions are worth at Quantum Duel against a known strategy.

Nothing is hidden, so against a strategy that looks only at the position a player's situation is
the position and the number of turns left: each position is valued once for each number of turns.
"""

from __future__ import annotations

from functools import cached_property, lru_cache, partial
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import CHANCE, Event, Game, Move, Seat, View
from strongroom.contract.history import linked
from strongroom.games.quantum_duel.rules import OPEN, Observe, QuantumDuel, QuantumDuelState
from strongroom.theory.quantum_duel.advice import values
from strongroom.theory.quantum_duel.board import ENDLESS, QuantumPosition, explore, position_of
from strongroom.theory.quantum_duel.player import Tablebase
from strongroom.theory.quantum_duel.player import policy as marked_moves
from strongroom.theory.worth import Policy, Turns, Unpredictable, Worth

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

CHECKED_GAMES: Final = 20
"""In how many random games it is checked that only the position matters to a strategy."""
SETTLED: Final = 1e-13
"""Without a turn limit, values are iterated until no position's changes by more than this."""


class Chain:
    """The positions of the game as arrays; rows are padded with moves that are not legal."""

    def __init__(self, game: QuantumDuel) -> None:
        self.game = game
        graph = explore(game)
        self.positions, self.size = graph.positions, graph.size
        self.numbers = {position.key: number for number, position in enumerate(self.positions)}
        self.near: Ints = graph.near
        self.legal: Flags = np.array(
            [[m < len(row) for m in range(self.near.shape[1])] for row in graph.after]
        )
        actors, contested = (
            [position.actor for position in self.positions],
            np.array([position.contested > 0 for position in self.positions]),
        )
        chance = np.array([actor is CHANCE for actor in actors])
        self.mine = {seat: np.array([actor is seat for actor in actors]) for seat in Seat}
        self.stages = [np.flatnonzero(stage) for stage in (chance, contested & ~chance, ~contested)]
        """Within a turn, backwards: the coin, the reply to a placement, and placements."""
        self.same_turn: Flags = np.append(contested, [False, False])
        """Whether a position belongs to the turn that led there."""

    def mixtures(self, policy: Policy) -> Floats:
        """The probability of each side of the coin, or of each move of a policy: [position, move].

        Unpredictable, if the policy looks at more than the position.
        """
        self._check(policy)
        mixtures = np.zeros(self.near.shape)
        for number, position in enumerate(self.positions):
            state = self.state(position)
            if position.actor is CHANCE:
                mixtures[number, : len(state.odds)] = state.odds
            else:
                assert isinstance(position.actor, Seat)
                mixture = policy(state.view(position.actor))
                chances = [float(mixture.get(move, 0.0)) for move in state.moves]
                mixtures[number, : len(chances)] = chances
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

    def _check(self, policy: Policy) -> None:
        rng = Random(1)
        for _ in range(CHECKED_GAMES):
            state: QuantumDuelState = self.game.start()
            while state.outcome is None:
                if isinstance(state.actor, Seat):
                    view = state.view(state.actor)
                    bare = self.state(position_of(view)).view(state.actor)
                    if {**policy(view)} != {**policy(bare)}:
                        raise Unpredictable("The player does not look at the position alone.")
                state = state.play(rng.choice(state.moves))


@lru_cache(maxsize=1)
def chain_of(game: QuantumDuel) -> Chain:
    """The chain of a game, explored once."""
    return Chain(game)


class ChainWorth(Worth):
    """What decisions are worth against a policy, followed by a best response or another policy."""

    def __init__(self, game: Game, policy: Policy, follow: Policy | None = None) -> None:
        assert isinstance(game, QuantumDuel)
        self.game, self._policy, self._follow = game, policy, follow
        if follow is not None:
            self.baseline, self.optimal = "what a player wins that goes on by a policy", False
        self._layers: dict[Seat, list[Floats]] = {}
        self._endless: dict[Seat, Floats] = {}

    @cached_property
    def chain(self) -> Chain:
        """The positions of the game."""
        assert isinstance(self.game, QuantumDuel)
        return chain_of(self.game)

    @cached_property
    def _theirs(self) -> Floats:
        return self.chain.mixtures(self._policy)

    @cached_property
    def _own(self) -> Floats | None:
        return None if self._follow is None else self.chain.mixtures(self._follow)

    def following(self, policy: Policy) -> ChainWorth:
        """The worth of decisions to a player who goes on by a policy."""
        return ChainWorth(self.game, self._policy, policy)

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a player in this seat wins."""
        return float(self._layer(seat, turns)[0])

    def value(self, view: View, turns: Turns) -> float:
        """What the viewer wins from this position."""
        assert view.seat is not None
        return float(self._layer(view.seat, turns)[self._number(view)])

    def moves(self, view: View, turns: Turns) -> dict[Move, float]:
        """What the viewer wins with each move."""
        assert view.seat is not None
        near = self.chain.near[self._number(view), : len(view.moves)]
        now, later = (
            self._layer(view.seat, left) for left in (turns, None if turns is None else turns - 1)
        )
        worth = np.where(self.chain.same_turn[near], now[near], later[near])
        return dict(zip(view.moves, worth.tolist(), strict=True))

    def _number(self, view: View) -> int:
        return self.chain.numbers[position_of(view).key]

    def _layer(self, seat: Seat, turns: Turns) -> Floats:
        """The value of every position with this many turns left."""
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
        chain, now = self.chain, later.copy()
        for rows in chain.stages:
            near = chain.near[rows]
            then = np.where(chain.same_turn[near], now[near], later[near])
            drawn = (self._theirs[rows] * then).sum(axis=1)
            if self._own is None:
                chosen = np.where(chain.legal[rows], then, -1.0).max(axis=1)
            else:
                chosen = (self._own[rows] * then).sum(axis=1)
            now[rows] = np.where(chain.mine[seat][rows], chosen, drawn)
        return now


class CertifiedWorth(ChainWorth):
    """What decisions are worth against the certified player.

    Its marked moves hold the value of every position for either seat, as the certificate proves;
    so without a turn limit a best response wins just that.
    """

    def __init__(self, game: Game, tablebase: Tablebase) -> None:
        super().__init__(game, partial(marked_moves, tablebase))
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
        return super().moves(view, turns) if turns is not None else values(self.tablebase, view)
