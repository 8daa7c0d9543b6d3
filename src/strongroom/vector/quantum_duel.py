"""Quantum Duel in batches, its certified player, and what moves cost against it.

Nothing is hidden: values and the moves of the certified player are looked up by the number of the
position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Seat
from strongroom.games.quantum_duel.rules import (
    CELLS,
    OBSERVATIONS,
    REPLIES,
    Board,
    Fate,
    QuantumDuel,
    Reply,
    adjacent,
    chained,
)
from strongroom.theory.quantum_duel.player import PositionGraph, QuantumPosition, graph_of
from strongroom.theory.quantum_duel.solution import QuantumDuelSolution
from strongroom.theory.shelf import solution_of
from strongroom.vector.environment import (
    RESULT_BITS,
    Env,
    PackedGame,
    State,
    Tables,
    by_seat,
    win_of,
)
from strongroom.vector.players import BatchedPlayer, Certified, Costs, layers_of
from strongroom.vector.words import (
    Array,
    Flags,
    Layout,
    Words,
    below,
    entry,
    flag,
    look_up,
    unpack,
    unsigned,
)

CHALLENGE: Final = len(OBSERVATIONS) + REPLIES.index(Reply(True))
"""The number of the reply that challenges."""
FULL: Final = (1 << CELLS) - 1
PLACE_BITS: Final = (CELLS - 1).bit_length()
COUNT_AT: Final = CELLS * PLACE_BITS
"""Where the number of free cells stands in an entry of their table."""


class PackedQuantumDuel(PackedGame, Certified):
    """The board, whose turn it is, and the cell that may be challenged; nothing is hidden.

    A reply that challenges is followed by the coin in the same step: heads is a random word's
    lowest bit. The answer to such a reply is what the coin decided.
    """

    game: QuantumDuel
    has_chance = True

    def position_layout(self) -> Layout:
        """The contested cell plus 1, or 0; the cells of the player whose turn it is, the other's.

        Last, the turns made.
        """
        return Layout(
            result=RESULT_BITS,
            contested=CELLS.bit_length(),
            own=CELLS,
            other=CELLS,
            turns=self.turn_limit.bit_length(),
        )

    def memory_layout(self) -> Layout:
        """The latest move, and how many were made."""
        return Layout(
            action=len(self.game.actions).bit_length(),
            answer=len(Fate).bit_length(),
            number=self.counter,
        )

    def make_tables(self) -> dict[str, NDArray[np.generic]]:
        """By a player's cells: which cells are next to them, and whether they form a chain.

        The low bits of the first are cells, the highest is the second. And by free cells, their
        places from the lowest on, three bits each, and above them how many there are.
        """
        boards = [_board(cells) for cells in range(1 << CELLS)]
        near = [
            sum(1 << c for c in range(CELLS) if adjacent(board, c + 1, Seat.ONE))
            | chained(board, Seat.ONE) << CELLS
            for board in boards
        ]
        free = [[c for c in range(CELLS) if cells >> c & 1] for cells in range(1 << CELLS)]
        rows = [
            sum(c << (PLACE_BITS * n) for n, c in enumerate(row)) | len(row) << COUNT_AT
            for row in free
        ]
        return {"near": np.array(near, np.uint8), "free": np.array(rows, np.uint32)}

    def actor(self, words: Words) -> Array:
        """The players take turns; if a cell is contested, the other one replies."""
        contested = self.layout["contested"].get(words) != 0
        return (self.layout["turns"].get(words) & 1) ^ unsigned(contested)

    def exhausted(self, words: Words) -> Array:
        """Whether the turn limit is reached."""
        return self.layout["turns"].get(words) >= self.turn_limit

    def random_action(self, words: Words, word: Array, tables: Tables) -> Array:
        """Any free cell; or either reply."""
        free = look_up(tables["free"], self._cells(words) ^ FULL)
        place = below(word, free >> COUNT_AT, CELLS)
        cell = (free >> (PLACE_BITS * place)) & ((1 << PLACE_BITS) - 1)
        reply = below(word, len(REPLIES)) + len(OBSERVATIONS)
        return jnp.where(self.layout["contested"].get(words) == 0, cell, reply)

    def _cells(self, words: Words) -> Array:
        return self.layout["own"].get(words) | self.layout["other"].get(words)

    def cells_of(self, words: Words, seat: Array) -> Array:
        """The cells that hold the symbol of a seat, as bits."""
        theirs = unsigned(seat) ^ (self.layout["turns"].get(words) & 1)
        return by_seat(theirs, self.layout["own"].get(words), self.layout["other"].get(words))

    def allows(self, words: Words, action: Array, tables: Tables) -> Array:
        """A cell that is free, unless one is contested; then a reply."""
        is_cell = action < len(OBSERVATIONS)
        taken = (self._cells(words) >> jnp.where(is_cell, action, 0)) & 1
        return jnp.where(self.layout["contested"].get(words) == 0, is_cell & (taken == 0), ~is_cell)

    def legal(self, words: Words, tables: Tables) -> Array:
        """The free cells, or both replies."""
        contested = self.layout["contested"].get(words) != 0
        cells, replies = self._cells(words) ^ FULL, unsigned((1 << len(REPLIES)) - 1)
        return jnp.where(contested, replies << CELLS, cells)[..., None]

    def play(self, words: Words, action: Array, word: Array, tables: Tables) -> tuple[Words, Array]:
        """Observe a cell; or reply, and let the coin settle a challenge."""
        own, other = self.layout["own"].get(words), self.layout["other"].get(words)
        turns, contested = self.layout["turns"].get(words), self.layout["contested"].get(words)
        near = look_up(tables["near"], own)
        observing = contested == 0
        cell = jnp.where(observing, unsigned(action), contested - 1)
        fails = (action == CHALLENGE) & (word & 1 == 0)
        symbol = unsigned(1) << cell
        own = jnp.where(fails, own ^ symbol, own | symbol)
        opened = observing & ((near >> cell) & 1 != 0)
        wins = ~observing & ~fails & (near >> CELLS != 0)
        cleared = ((own | other) == FULL) & ~opened & ~wins
        own, other = jnp.where(cleared, unsigned(0), own), jnp.where(cleared, unsigned(0), other)
        after = self.layout.pack(
            contested=jnp.where(opened, cell + 1, unsigned(0)),
            own=jnp.where(opened, own, other),
            other=jnp.where(opened, other, own),
            turns=turns + unsigned(~opened),
        )
        return after, jnp.where(wins, win_of(turns & 1), unsigned(0))

    def answer(self, before: Words, action: Array, after: Words, tables: Tables) -> Array:
        """What became of the observation."""
        number = {fate: np.uint32(self.game.answers.index(fate)) for fate in Fate}
        was, now = self._cells(before), self._cells(after)
        replied = self.layout["contested"].get(before) != 0
        open_now = self.layout["contested"].get(after) != 0
        stands = jnp.where(replied & (was != now), number[Fate.FAILS], number[Fate.STANDS])
        stands = jnp.where(now == 0, number[Fate.CLEARED], stands)
        return jnp.where(open_now, number[Fate.OPEN], stands)

    def learn(
        self, memory: Words, before: Words, action: Array, answer: Array, tables: Tables
    ) -> Words:
        """One move more was made; the rest is on the board."""
        return self.memory["number"].add(memory, 1)

    def knowledge(self, words: Words, memory: Words, seat: Array) -> dict[str, Flags]:
        """Whether it is one's turn, the turns made, both players' cells, the contested cell."""
        contested, turns = self.layout["contested"].get(words), self.layout["turns"]
        return {
            "to move": flag(self.actor(words) == seat),
            "turns": Flags((turns.get(words),), turns.width),
            "my cells": Flags((self.cells_of(words, seat),), CELLS),
            "the other's cells": Flags((self.cells_of(words, seat ^ 1),), CELLS),
            "contested": Flags(((unsigned(1) << contested) >> 1,), CELLS),
        }

    def master(self, env: Env) -> BatchedPlayer:
        """The certified player."""
        return QuantumDuelMaster(env)

    def costs(self, env: Env) -> Costs:
        """What moves cost against it."""
        return QuantumDuelCosts(env)


def _board(cells: int) -> Board:
    return tuple(Seat.ONE if cells >> place & 1 else None for place in range(CELLS))


# --- the certified player, and what moves cost against it ---


CONTESTED: Final = CELLS + 1
"""How many cells may be contested; none counts as one."""
ROW: Final = 8
"""How many entries a row of marked moves has."""


class Positions:
    """The positions in which a player is to move, by number."""

    def __init__(self, env: Env) -> None:
        solution = solution_of(env.packed.game)
        assert isinstance(solution, QuantumDuelSolution)
        self.env, self.solution = env, solution
        self.graph: PositionGraph = graph_of(env.packed.game)
        self.places: list[int] = [
            place
            for place, position in enumerate(self.graph.positions)
            if isinstance(position.actor, Seat)
        ]
        """Where each stands in the graph of the theory, which also has those of chance."""
        self.positions: list[QuantumPosition] = [self.graph.positions[n] for n in self.places]
        self.first: list[bool] = [position.actor is Seat.ONE for position in self.positions]
        """Whether it is Seat.ONE who is to move."""
        actions = env.packed.game.actions
        self.moves: list[list[int]] = [
            [actions.index(move) for move in self.graph.state(position).moves]
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

    def make_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The marked moves of each position, as a set and as a row."""
        tablebase = self.positions.solution.tablebase
        marked = [
            [moves[m] for m in tablebase.marked_moves(position, len(moves))]
            for position, moves in zip(self.positions.positions, self.positions.moves, strict=True)
        ]
        return {
            **self.positions.tables(),
            "marked": np.array([sum(1 << action for action in row) for row in marked], np.uint16),
            "moves": np.array([row + [0] * (ROW - len(row)) for row in marked], np.uint8).ravel(),
        }

    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """Every marked move is as likely as the others."""
        marked = look_up(tables["marked"], self.positions.number(state, tables))
        flags = unpack(marked[..., None], self.env.num_actions).astype(jnp.float32)
        return flags / flags.sum(-1, keepdims=True)

    def choose(self, state: State, notes: Words, seat: Array, word: Array, tables: Tables) -> Array:
        """Any marked move."""
        number = self.positions.number(state, tables)
        place = below(word, jax.lax.population_count(look_up(tables["marked"], number)))
        return look_up(tables["moves"], number * unsigned(ROW) + place).astype(jnp.int32)


class QuantumDuelCosts(Costs):
    """What moves cost, by the position and the number of turns left."""

    def __init__(self, env: Env) -> None:
        self.positions = Positions(env)
        self.layers = 0
        super().__init__(env)

    def make_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """What each move wins: by the turns left, the position and the action."""
        graph, worth = self.positions.graph, self.positions.solution.worth
        mine = np.array(self.positions.first)[:, None]
        near, size = graph.near[self.positions.places], (len(mine), self.env.num_actions)
        rows = np.repeat(np.arange(len(mine)), [len(moves) for moves in self.positions.moves])
        actions = np.concatenate(self.positions.moves)
        legal = np.arange(near.shape[1]) < np.bincount(rows)[:, None]

        def layer(turns: int) -> NDArray[np.float64]:
            wins = np.zeros(size)
            if turns:  # else there is no move
                now, later = (
                    np.where(mine, *(worth.layer(seat, left)[near] for seat in Seat))
                    for left in (turns, turns - 1)
                )
                wins[rows, actions] = np.where(graph.same_turn[near], now, later)[legal]
            return wins

        wins = layers_of(layer, self.env.packed.turn_limit)
        self.layers = len(wins)
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
