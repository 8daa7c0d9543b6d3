"""What a game must say to be played in batches: functions of packed states, without branches.

Each works on words of any shape, on CPU and GPU, and inside a kernel. Whatever the rules decide is
looked up in tables that were made from the rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Game, Refusal
from strongroom.plugins.extras import extra
from strongroom.vector.words import Array, Layout, Words, unsigned

with extra("vector", "strongroom.vector"):
    import jax.numpy as jnp

if TYPE_CHECKING:
    from strongroom.vector.environment import Env
    from strongroom.vector.players import BatchedPlayer, Costs

Tables = Mapping[str, Array]
"""The tables of a packed game by name: arrays or, inside a kernel, references to them."""


class Result(IntEnum):
    """What the field `result` of a position says."""

    NONE = 0
    ONE_WON = 1
    TWO_WON = 2
    UNDECIDED = 3
    OVER = 4
    """It was over before this step, so that nobody is rewarded any more."""


RESULT_BITS = 3


class PackedGame(ABC):
    """A game in packed positions, and what its seats know beyond the position in memories.

    A position is all that the rules need to go on; random play needs nothing else. A memory is
    what observations keep of the history. Both have a fixed size, however long the game.
    """

    has_chance: ClassVar[bool] = False
    """Whether steps need a random word."""

    def __init__(self, game: Game, turn_limit: int) -> None:
        self.game = game
        self.turn_limit = turn_limit
        self.set_up: int = 2 * game.secrets_each
        """How many moves the set-up takes."""
        longest = game.longest_game(turn_limit)
        assert longest is not None
        self.counter: int = longest.bit_length()
        """How many bits the number of moves takes."""
        self.layout: Layout = self.position_layout()
        """Where each number of a position stands; `result` is among them."""
        self.memory: Layout = self.memory_layout()
        """Where each number of a memory stands; `action` and `answer` are among them.

        So is `number`, unless the position has it."""
        self.tables: dict[str, NDArray[np.generic]] = self.made_tables()
        """What the rules decide, in flat tables by name."""

    @abstractmethod
    def position_layout(self) -> Layout:
        """The fields of a position: `result`, `number` (of the players' moves), and the game's.

        A game without a set-up may leave the number to the memory.
        """

    @abstractmethod
    def memory_layout(self) -> Layout:
        """The fields of a memory: the latest public `action` plus 1, its `answer`, and the game's.

        Both are 0 before the first turn.
        """

    @abstractmethod
    def made_tables(self) -> dict[str, NDArray[np.generic]]:
        """The tables, made from the rules."""

    def start(self) -> tuple[int, ...]:
        """The position before the first move."""
        return (0,) * self.layout.words

    def first_memory(self) -> tuple[int, ...]:
        """The memory before the first move."""
        return (0,) * self.memory.words

    # --- playing ---

    def actor(self, words: Words) -> Array:
        """The seat to move, 0 or 1: while each keeps one secret, the seats take turns throughout.

        After the end, either seat.
        """
        return self.layout["number"].get(words) & 1

    @abstractmethod
    def chosen(self, words: Words, word: Array, tables: Tables) -> Array:
        """A random legal action, each as likely as the others, from a random word."""

    @abstractmethod
    def allows(self, words: Words, action: Array, tables: Tables) -> Array:
        """Whether an action of the game is legal."""

    @abstractmethod
    def played(
        self, words: Words, action: Array, word: Array, tables: Tables
    ) -> tuple[Words, Array]:
        """The position after a legal action, and the result, by the rules alone.

        The field `result` is 0 before and after. Chance is settled by a random word.
        """

    def setting_up(self, words: Words) -> Array:
        """Whether a secret is still to be chosen."""
        return self.layout["number"].get(words) < self.set_up

    def number(self, words: Words, memory: Words) -> Array:
        """How many moves the players have made."""
        if "number" in self.layout:
            return self.layout["number"].get(words)
        return self.memory["number"].get(memory)

    def counted(self, words: Words, memory: Words) -> tuple[Words, Words]:
        """The position and the memory with one move more, and nothing else changed."""
        if "number" in self.layout:
            return self.layout["number"].add(words, 1), memory
        return words, self.memory["number"].add(memory, 1)

    def exhausted(self, words: Words) -> Array:
        """Whether the turn limit is reached."""
        return self.layout["number"].get(words) >= self.set_up + self.turn_limit

    def stepped(
        self, words: Words, action: Array, word: Array, tables: Tables
    ) -> tuple[Words, Array]:
        """The position after a legal action, and the result; undecided at the turn limit."""
        after, result = self.played(words, action, word, tables)
        at_limit = jnp.where(self.exhausted(after), unsigned(Result.UNDECIDED), unsigned(0))
        return after, jnp.where(result == Result.NONE, at_limit, result)

    # --- what is known ---

    @abstractmethod
    def legal(self, words: Words, tables: Tables) -> Array:
        """For every action of the players, whether it is legal, along a new last axis."""

    @abstractmethod
    def answer(self, before: Words, action: Array, after: Words, tables: Tables) -> Array:
        """The number of the referee's answer to a turn's action, chance's if it had to decide."""

    @abstractmethod
    def learned(
        self, memory: Words, before: Words, action: Array, answer: Array, tables: Tables
    ) -> Words:
        """The memory after a turn's action with its answer."""

    def remembered(
        self, memory: Words, before: Words, action: Array, after: Words, tables: Tables
    ) -> Words:
        """The memory after an action; those of the set-up are private and leave none."""
        answer = self.answer(before, action, after, tables)
        new = self.learned(memory, before, action, answer, tables)
        new = self.memory["action"].put(new, unsigned(action) + 1)
        new = self.memory["answer"].put(new, answer)
        if not self.set_up:
            return new
        public = ~self.setting_up(before)
        return tuple(jnp.where(public, b, a) for a, b in zip(memory, new, strict=True))

    @abstractmethod
    def known(self, words: Words, memory: Words, seat: Array) -> dict[str, Array]:
        """What a seat knows, in parts by name, each as booleans along a new last axis."""

    # --- who plays it well ---

    def master(self, env: Env) -> BatchedPlayer:
        """The certified player for a whole batch; a Refusal where there is none."""
        raise self._no("master", "strongroom.players.master plays one game at a time.")

    def response(self, env: Env) -> BatchedPlayer:
        """A best response to the certified player; a Refusal where costs are not known."""
        from strongroom.vector.players import BatchedResponse

        return BatchedResponse(env)

    def costs(self, env: Env) -> Costs:
        """What actions cost against the certified player; a Refusal where that is not known."""
        raise self._no("table of costs", "strongroom.analyze weighs one game at a time.")

    def _no(self, what: str, instead: str) -> Refusal:
        return Refusal(f"{self.game.title} has no {what} in batches.", instead)


def chosen_by(seat: Array, one: Array, two: Array) -> Array:
    """The first value for Seat.ONE, which is 0, the second for Seat.TWO."""
    return jnp.where(seat == 0, one, two)


def won_by(seat: Array) -> Array:
    """The result of a game that a seat has won."""
    return seat + np.uint32(Result.ONE_WON)
