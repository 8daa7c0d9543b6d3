"""The certified player of Quantum Duel in batches, and what moves cost against it.

Nothing is hidden, so that all of it is looked up by the number of the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Seat
from strongroom.games.quantum_duel.rules import CELLS
from strongroom.plugins.extras import extra
from strongroom.theory.quantum_duel.player import QuantumPosition
from strongroom.theory.quantum_duel.solution import QuantumDuelSolution
from strongroom.theory.quantum_duel.worth import Chain
from strongroom.theory.shelf import solution_of
from strongroom.vector.draws import below
from strongroom.vector.environment import Env, State
from strongroom.vector.packed_game import Tables
from strongroom.vector.players import BatchedPlayer, Costs, entry
from strongroom.vector.quantum_duel import PackedQuantumDuel
from strongroom.vector.words import Array, Words, bits, look_up, unsigned

with extra("vector", "strongroom.vector"):
    import jax
    import jax.numpy as jnp

CONTESTED: Final = CELLS + 1
"""Any cell may be contested, or none."""
SETTLED: Final = 1e-9
"""Once another turn changes no value by as much as this, all higher numbers share a layer."""
PLACES: Final = 8
"""How many entries a row of marked moves has."""


class Positions:
    """The positions in which a player is to move, by number."""

    def __init__(self, env: Env) -> None:
        solution = solution_of(env.packed.game)
        assert isinstance(solution, QuantumDuelSolution)
        self.env, self.solution = env, solution
        self.chain: Chain = solution.worth.chain
        self.places: list[int] = [
            place
            for place, position in enumerate(self.chain.positions)
            if isinstance(position.actor, Seat)
        ]
        """Where each stands in the chain of the theory, which also has those of chance."""
        self.positions: list[QuantumPosition] = [self.chain.positions[n] for n in self.places]
        self.first: list[bool] = [position.actor is Seat.ONE for position in self.positions]
        """Whether it is Seat.ONE who is to move."""
        actions = env.packed.game.actions
        self.moves: list[list[int]] = [
            [actions.index(move) for move in self.chain.state(position).moves]
            for position in self.positions
        ]
        """The actions that are legal in each."""

    def tables(self) -> dict[str, NDArray[np.generic]]:
        """A player's cells as digits of a board with base 3; and the number of each position."""
        digits = [sum((cells >> c & 1) * 3**c for c in range(CELLS)) for cells in range(1 << CELLS)]
        numbers = np.zeros(3**CELLS * CONTESTED * len(Seat), np.uint16)
        for number, (position, first) in enumerate(zip(self.positions, self.first, strict=True)):
            one, two = (
                digits[sum(1 << c for c, holder in enumerate(position.board) if holder is seat)]
                for seat in Seat
            )
            at = (one + 2 * two) * CONTESTED + position.contested
            numbers[at * len(Seat) + (not first)] = number
        return {"digits": np.array(digits, np.uint16), "numbers": numbers}

    def number(self, state: State, tables: Tables) -> Array:
        """The number of a state's position."""
        packed, words = self.env.packed, state.position
        assert isinstance(packed, PackedQuantumDuel)
        one, two = (packed.cells_of(words, np.uint32(seat.index)) for seat in Seat)
        board = look_up(tables["digits"], one) + 2 * look_up(tables["digits"], two)
        contested = packed.layout["contested"].get(words)
        at = (board * unsigned(CONTESTED) + contested) * unsigned(len(Seat)) + packed.actor(words)
        return look_up(tables["numbers"], at)


class QuantumDuelMaster(BatchedPlayer):
    """Makes any of the moves that the certified table marks."""

    def __init__(self, env: Env) -> None:
        self.positions = Positions(env)
        super().__init__(env)

    def made_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The marked moves of each position, as a set and as a list."""
        tablebase = self.positions.solution.tablebase
        marked = [
            [moves[m] for m in tablebase.marked(position, len(moves))]
            for position, moves in zip(self.positions.positions, self.positions.moves, strict=True)
        ]
        return {
            **self.positions.tables(),
            "marked": np.array([sum(1 << action for action in row) for row in marked], np.uint16),
            "moves": np.array(
                [row + [0] * (PLACES - len(row)) for row in marked], np.uint8
            ).ravel(),
        }

    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """Every marked move is as likely as the others."""
        marked = look_up(tables["marked"], self.positions.number(state, tables))
        flags = bits(marked, self.env.num_actions).astype(jnp.float32)
        return flags / flags.sum(-1, keepdims=True)

    def choose(self, state: State, notes: Words, seat: Array, word: Array, tables: Tables) -> Array:
        """Any marked move."""
        number = self.positions.number(state, tables)
        place = below(word, jax.lax.population_count(look_up(tables["marked"], number)))
        return look_up(tables["moves"], number * unsigned(PLACES) + place).astype(jnp.int32)


class QuantumDuelCosts(Costs):
    """What moves cost, by the position and the number of turns left."""

    def __init__(self, env: Env) -> None:
        self.positions = Positions(env)
        self.layers = 0
        super().__init__(env)

    def made_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """What each move wins: by the turns left, the position and the action."""
        chain, worth = self.positions.chain, self.positions.solution.worth
        mine = np.array(self.positions.first)[:, None]
        near, size = chain.near[self.positions.places], (len(mine), self.env.num_actions)
        rows = np.repeat(np.arange(len(mine)), [len(moves) for moves in self.positions.moves])
        actions = np.concatenate(self.positions.moves)
        legal = np.arange(near.shape[1]) < np.bincount(rows)[:, None]
        layers = [np.zeros(size)]  # with no turns left there is no move
        for turns in range(1, self.env.packed.turn_limit + 1):
            now, later = (
                np.where(mine, *(worth.layer(seat, left)[near] for seat in Seat))
                for left in (turns, turns - 1)
            )
            wins = np.zeros(size)
            wins[rows, actions] = np.where(chain.same_turn[near], now, later)[legal]
            layers.append(wins)
            if turns > 1 and abs(layers[-1] - layers[-2]).max() < SETTLED:
                break
        self.layers = len(layers)
        wins = np.array(layers)
        return {
            **self.positions.tables(),
            "worth": wins.astype(np.float32).ravel(),
            "best": wins.max(axis=2).astype(np.float32).ravel(),
        }

    def value(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """What a best response wins from here."""
        return entry(tables["best"], self._row(state, tables))

    def worth(
        self, state: State, notes: Words, seat: Array, action: Array, tables: Tables
    ) -> Array:
        """What it wins after this action."""
        row = self._row(state, tables) * unsigned(self.env.num_actions)
        return entry(tables["worth"], row + unsigned(action))

    def _row(self, state: State, tables: Tables) -> Array:
        """The row of the turns left and the position."""
        packed = self.env.packed
        turns = unsigned(packed.turn_limit) - packed.layout["turns"].get(state.position)
        layer = jnp.minimum(turns, unsigned(self.layers - 1))
        return layer * unsigned(len(self.positions.positions)) + self.positions.number(
            state, tables
        )
