"""Players who choose for a whole batch at once, from tables on the device.

What a player must remember of a game beyond the state stands in notes: words of its own that it
updates after every action. Functions are about one game, to be mapped over a batch (`jax.vmap`);
tables are passed in, so that compiled code does not contain them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import UnknownName
from strongroom.plugins.extras import extra
from strongroom.text.quoting import shown
from strongroom.vector.draws import choice
from strongroom.vector.environment import Env, State
from strongroom.vector.packed_game import Tables
from strongroom.vector.words import Array, Layout, Words

with extra("vector", "strongroom.vector"):
    import jax
    import jax.numpy as jnp

NAMES: Final = ("master", "random", "response")
"""The players that there are in batches; not every game has all of them."""
TIE: Final = 1e-6
"""The largest difference that rounding makes between moves that are worth the same."""


class Follower:
    """Follows every game of a batch, in notes."""

    notes: Layout = Layout()
    """Where each number of the notes stands."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self.tables: Mapping[str, NDArray[np.generic]] = self.made_tables()
        """What is looked up, in flat tables by name."""

    def made_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The tables, made from the theory."""
        return {}

    def on_device(self) -> Tables:
        """The tables as arrays of JAX, to be passed to the functions."""
        return {name: jnp.asarray(table) for name, table in self.tables.items()}

    def first_notes(self) -> tuple[int, ...]:
        """The notes before the first move."""
        return (0,) * self.notes.words

    def noted(
        self, notes: Words, seat: Array, before: State, action: Array, after: State, tables: Tables
    ) -> Words:
        """The notes of this seat after an action of either seat.

        The state before may hold the other's secret; notes must not depend on it. What was answered
        is `after.latest_answer`.
        """
        return notes


class BatchedPlayer(Follower, ABC):
    """Chooses actions for every game of a batch, in either seat."""

    @abstractmethod
    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """How likely this seat, which is to move, chooses each action, along a new last axis."""

    def choose(self, state: State, notes: Words, seat: Array, word: Array, tables: Tables) -> Array:
        """An action for this seat, which is to move, by a random word."""
        return choice(self.odds(state, notes, seat, tables), word)


class Costs(Follower, ABC):
    """What every action costs against the certified player, exactly.

    The notes of a seat are about its own decisions: in self-play each seat has notes of its own. In
    a position that the certified player never reaches, costs assume that it plays on from there.
    """

    @abstractmethod
    def value(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """The probability with which a best response wins from here, for the seat to move."""

    @abstractmethod
    def worth(
        self, state: State, notes: Words, seat: Array, action: Array, tables: Tables
    ) -> Array:
        """The same if this legal action is made first."""

    def cost(self, state: State, notes: Words, seat: Array, action: Array, tables: Tables) -> Array:
        """What a legal action of the seat to move gives away, as a probability of winning."""
        worth = self.worth(state, notes, seat, action, tables)
        return jnp.maximum(self.value(state, notes, seat, tables) - worth, 0.0)


class BatchedRandom(BatchedPlayer):
    """Makes random legal moves."""

    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """Every legal action is as likely as the others."""
        legal = state.legal_action_mask.astype(jnp.float32)
        return legal / legal.sum(-1, keepdims=True)

    def choose(self, state: State, notes: Words, seat: Array, word: Array, tables: Tables) -> Array:
        """Any legal action."""
        return self.env.random_action(state, word)


class BatchedResponse(BatchedPlayer):
    """A best response to the certified player: makes any move that costs nothing."""

    def __init__(self, env: Env) -> None:
        self.costs: Costs = costs_of(env)
        """What moves cost; the notes are its own."""
        self.notes = self.costs.notes
        super().__init__(env)

    def made_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """Those of the costs."""
        return self.costs.tables

    def first_notes(self) -> tuple[int, ...]:
        """Those of the costs."""
        return self.costs.first_notes()

    def noted(
        self, notes: Words, seat: Array, before: State, action: Array, after: State, tables: Tables
    ) -> Words:
        """Those of the costs."""
        return self.costs.noted(notes, seat, before, action, after, tables)

    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """Every move without a cost is as likely as the others."""
        actions = jnp.arange(self.env.num_actions, dtype=jnp.int32)

        def worth(action: Array) -> Array:
            return self.costs.worth(state, notes, seat, action, tables)

        wins = jnp.where(state.legal_action_mask, jax.vmap(worth)(actions), -1.0)
        best = (wins > wins.max() - TIE).astype(jnp.float32)
        return best / best.sum()


def entry(table: Array, index: Array) -> Array:
    """The entries of a flat table of floats at indices that are in its bounds."""
    return table.at[index].get(mode="promise_in_bounds")


@lru_cache(maxsize=64)
def batched_player(env: Env, name: str) -> BatchedPlayer:
    """The player with this name; a Refusal where the game, with its options, has no such player.

    `master` plays the certified strategy, `response` a best response to it, `random` any move.
    """
    if name == "random":
        return BatchedRandom(env)
    if name == "response":
        return env.packed.response(env)
    if name == "master":
        return env.packed.master(env)
    there = f"There are {', '.join(NAMES)}."
    raise UnknownName(f"There is no player {shown(str(name))} in batches.", there)


@lru_cache(maxsize=64)
def costs_of(env: Env) -> Costs:
    """What actions cost in this game; a Refusal where that is not known in batches."""
    return env.packed.costs(env)
