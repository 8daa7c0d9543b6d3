"""Quantum Duel in batches: both players' cells as bit sets, and the contested cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from strongroom.plugins.extras import extra
from strongroom.vector.draws import below
from strongroom.vector.packed_game import RESULT_BITS, PackedGame, Tables, chosen_by, won_by
from strongroom.vector.words import Array, Layout, Words, bits, look_up, unsigned

with extra("vector", "strongroom.vector"):
    import jax.numpy as jnp

if TYPE_CHECKING:
    from strongroom.vector.environment import Env
    from strongroom.vector.players import BatchedPlayer, Costs

CHALLENGE = len(OBSERVATIONS) + REPLIES.index(Reply(True))
"""The number of the reply that challenges."""
FULL = (1 << CELLS) - 1
PLACE_BITS = (CELLS - 1).bit_length()
COUNT_AT = CELLS * PLACE_BITS
"""Where the number of free cells stands in an entry of their table."""


class PackedQuantumDuel(PackedGame):
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

    def made_tables(self) -> dict[str, NDArray[np.generic]]:
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

    def chosen(self, words: Words, word: Array, tables: Tables) -> Array:
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
        return chosen_by(theirs, self.layout["own"].get(words), self.layout["other"].get(words))

    def allows(self, words: Words, action: Array, tables: Tables) -> Array:
        """A cell that is free, unless one is contested; then a reply."""
        is_cell = action < len(OBSERVATIONS)
        taken = (self._cells(words) >> jnp.where(is_cell, action, 0)) & 1
        return jnp.where(self.layout["contested"].get(words) == 0, is_cell & (taken == 0), ~is_cell)

    def legal(self, words: Words, tables: Tables) -> Array:
        """The free cells, or both replies."""
        contested = self.layout["contested"].get(words) != 0
        cells = bits(self._cells(words) ^ FULL, CELLS) & ~contested[..., None]
        replies = jnp.broadcast_to(contested[..., None], (*contested.shape, len(REPLIES)))
        return jnp.concatenate([cells, replies], axis=-1)

    def played(
        self, words: Words, action: Array, word: Array, tables: Tables
    ) -> tuple[Words, Array]:
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
        return after, jnp.where(wins, won_by(turns & 1), unsigned(0))

    def answer(self, before: Words, action: Array, after: Words, tables: Tables) -> Array:
        """What became of the observation."""
        number = {fate: np.uint32(self.game.answers.index(fate)) for fate in Fate}
        was, now = self._cells(before), self._cells(after)
        replied = self.layout["contested"].get(before) != 0
        open_now = self.layout["contested"].get(after) != 0
        stands = jnp.where(replied & (was != now), number[Fate.FAILS], number[Fate.STANDS])
        stands = jnp.where(now == 0, number[Fate.CLEARED], stands)
        return jnp.where(open_now, number[Fate.OPEN], stands)

    def learned(
        self, memory: Words, before: Words, action: Array, answer: Array, tables: Tables
    ) -> Words:
        """One move more was made; the rest is on the board."""
        return self.memory["number"].add(memory, 1)

    def known(self, words: Words, memory: Words, seat: Array) -> dict[str, Array]:
        """Whether it is one's turn, the turns made, both players' cells, the contested cell."""
        contested, turns = self.layout["contested"].get(words), self.layout["turns"]
        return {
            "to move": (self.actor(words) == seat)[..., None],
            "turns": bits(turns.get(words), turns.width),
            "my cells": bits(self.cells_of(words, seat), CELLS),
            "the other's cells": bits(self.cells_of(words, seat ^ 1), CELLS),
            "contested": bits((unsigned(1) << contested) >> 1, CELLS),
        }

    def master(self, env: Env) -> BatchedPlayer:
        """The certified player."""
        from strongroom.vector.quantum_duel_master import QuantumDuelMaster

        return QuantumDuelMaster(env)

    def costs(self, env: Env) -> Costs:
        """What moves cost against it."""
        from strongroom.vector.quantum_duel_master import QuantumDuelCosts

        return QuantumDuelCosts(env)


def _board(cells: int) -> Board:
    return tuple(Seat.ONE if cells >> place & 1 else None for place in range(CELLS))
