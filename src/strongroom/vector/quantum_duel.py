"""Quantum Duel in batches: both players' cells as bit sets, and the contested cell."""

from __future__ import annotations

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
    import jax
    import jax.numpy as jnp

CHALLENGE = len(OBSERVATIONS) + REPLIES.index(Reply(True))
"""The number of the reply that challenges."""
FULL = (1 << CELLS) - 1
PLACES = 1 << (CELLS - 1).bit_length()
"""How many entries a row of the table of free cells has."""


class PackedQuantumDuel(PackedGame):
    """The board, whose turn it is, and the cell that may be challenged; nothing is hidden.

    A reply that challenges is followed by the coin in the same step: heads is a random word's
    lowest bit. The answer to such a reply is what the coin decided.
    """

    game: QuantumDuel
    has_chance = True

    def position_layout(self) -> Layout:
        """The turns made, each player's cells, and the contested cell plus 1, or 0."""
        return Layout(
            result=RESULT_BITS,
            turns=self.turn_limit.bit_length(),
            cells_one=CELLS,
            cells_two=CELLS,
            contested=CELLS.bit_length(),
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

        The bits of the first are cells, the highest bit is the second. And by free cells, the
        first of them, the second and so on.
        """
        boards = [_board(cells) for cells in range(1 << CELLS)]
        near = [
            sum(1 << c for c in range(CELLS) if adjacent(board, c + 1, Seat.ONE))
            | chained(board, Seat.ONE) << CELLS
            for board in boards
        ]
        free = [[c for c in range(CELLS) if cells >> c & 1] for cells in range(1 << CELLS)]
        return {
            "near": np.array(near, np.uint8),
            "free": np.array([row + [0] * (PLACES - len(row)) for row in free], np.uint8).ravel(),
        }

    def actor(self, words: Words) -> Array:
        """The players take turns; if a cell is contested, the other one replies."""
        contested = self.layout["contested"].get(words) != 0
        return (self.layout["turns"].get(words) & 1) ^ unsigned(contested)

    def exhausted(self, words: Words) -> Array:
        """Whether the turn limit is reached."""
        return self.layout["turns"].get(words) >= self.turn_limit

    def chosen(self, words: Words, word: Array, tables: Tables) -> Array:
        """Any free cell; or either reply."""
        free = self._cells(words) ^ FULL
        place = below(word, jax.lax.population_count(free))
        cell = look_up(tables["free"], free * PLACES + place)
        reply = below(word, len(REPLIES)) + len(OBSERVATIONS)
        return jnp.where(self.layout["contested"].get(words) == 0, cell, reply)

    def _cells(self, words: Words) -> Array:
        return self.layout["cells_one"].get(words) | self.layout["cells_two"].get(words)

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

    def played(self, words: Words, action: Array, word: Array, tables: Tables) -> Words:
        """Observe a cell; or reply, and let the coin settle a challenge."""
        fields = self.layout
        one, two = fields["cells_one"].get(words), fields["cells_two"].get(words)
        seat = fields["turns"].get(words) & 1
        own, other = chosen_by(seat, one, two), chosen_by(seat, two, one)
        contested = fields["contested"].get(words)
        observing = contested == 0
        cell = jnp.where(observing, unsigned(action), contested - 1)
        near = look_up(tables["near"], own)
        challenged = action == CHALLENGE
        fails = ~observing & challenged & (word & 1 == 0)
        own = jnp.where(fails, own ^ (unsigned(1) << cell), own | (unsigned(1) << cell))
        opened = observing & ((near >> cell) & 1 != 0)
        wins = ~observing & ~fails & (near >> CELLS != 0)
        cleared = ((own | other) == FULL) & ~opened & ~wins
        own, other = jnp.where(cleared, unsigned(0), own), jnp.where(cleared, unsigned(0), other)
        after = fields["cells_one"].put(words, chosen_by(seat, own, other))
        after = fields["cells_two"].put(after, chosen_by(seat, other, own))
        after = fields["contested"].put(after, jnp.where(opened, cell + 1, unsigned(0)))
        after = fields["turns"].add(after, unsigned(~opened))
        return fields["result"].add(after, jnp.where(wins, won_by(seat), unsigned(0)))

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
        one, two = self.layout["cells_one"].get(words), self.layout["cells_two"].get(words)
        contested, turns = self.layout["contested"].get(words), self.layout["turns"]
        return {
            "to move": (self.actor(words) == seat)[..., None],
            "turns": bits(turns.get(words), turns.width),
            "my cells": bits(chosen_by(seat, one, two), CELLS),
            "the other's cells": bits(chosen_by(seat, two, one), CELLS),
            "contested": bits((unsigned(1) << contested) >> 1, CELLS),
        }


def _board(cells: int) -> Board:
    return tuple(Seat.ONE if cells >> place & 1 else None for place in range(CELLS))
