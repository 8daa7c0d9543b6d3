"""Packed games, and their environments: pure functions in the shape of Pgx over packed states.

Player 0 is Seat.ONE, who moves first. A state holds words; what else it has is computed from them
when it is asked for, so that compiled code contains only what is used.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import cached_property, lru_cache
from html import escape
from typing import Any, ClassVar, Final

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Game, Refusal
from strongroom.plugins.registry import find_entry, load
from strongroom.referee.bout import TURN_LIMIT
from strongroom.vector.devices import whole
from strongroom.vector.words import (
    WIDTH,
    Array,
    Flags,
    Layout,
    Words,
    either,
    join_flags,
    pack_flags,
    unpack,
    unsigned,
    word_of,
    words_of_set,
)

PLAYERS: Final = 2
LONGEST: Final = 10_000
"""The highest turn limit."""

# --- packed games ---

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


ENDS: Final = (Result.ONE_WON, Result.TWO_WON, Result.UNDECIDED)
"""The results that games are counted by."""
RESULT_BITS: Final = 3


class PackedGame(ABC):
    """A game in packed positions, and what its seats know beyond the position in memories.

    Its functions have no branches: they work on words of any shape, on CPU and GPU, and inside a
    kernel. Whatever the rules decide is looked up in tables that were made from the rules.

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
        self.tables: dict[str, NDArray[np.generic]] = self.make_tables()
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
    def make_tables(self) -> dict[str, NDArray[np.generic]]:
        """The tables, made from the rules."""

    def start(self) -> tuple[int, ...]:
        """The position before the first move."""
        return self.layout.constant()

    def first_memory(self) -> tuple[int, ...]:
        """The memory before the first move."""
        return self.memory.constant()

    # --- playing ---

    def actor(self, words: Words) -> Array:
        """The seat to move, 0 or 1: while each keeps one secret, the seats take turns throughout.

        After the end, either seat.
        """
        return self.layout["number"].get(words) & 1

    @abstractmethod
    def random_action(self, words: Words, word: Array, tables: Tables) -> Array:
        """A random legal action, each as likely as the others, from a random word."""

    @abstractmethod
    def allows(self, words: Words, action: Array, tables: Tables) -> Array:
        """Whether an action of the game is legal."""

    @abstractmethod
    def play(self, words: Words, action: Array, word: Array, tables: Tables) -> tuple[Words, Array]:
        """The position after a legal action, and the result, by the rules alone.

        The field `result` is 0 before and after. Chance is settled by a random word.
        """

    def setting_up(self, words: Words) -> Array:
        """Whether a secret is still to be chosen."""
        return self.layout["number"].get(words) < self.set_up

    def turns_made(self, words: Words) -> Array:
        """How many turns were made since the set-up."""
        number = self.layout["number"].get(words)
        return jnp.where(self.setting_up(words), unsigned(0), number - unsigned(self.set_up))

    def number(self, words: Words, memory: Words) -> Array:
        """How many moves the players have made."""
        if "number" in self.layout:
            return self.layout["number"].get(words)
        return self.memory["number"].get(memory)

    def count_move(self, words: Words, memory: Words) -> tuple[Words, Words]:
        """The position and the memory with one move more, and nothing else changed."""
        if "number" in self.layout:
            return self.layout["number"].add(words, 1), memory
        return words, self.memory["number"].add(memory, 1)

    def exhausted(self, words: Words) -> Array:
        """Whether the turn limit is reached."""
        return self.layout["number"].get(words) >= self.set_up + self.turn_limit

    def step(self, words: Words, action: Array, word: Array, tables: Tables) -> tuple[Words, Array]:
        """The position after a legal action, and the result; undecided at the turn limit."""
        after, result = self.play(words, action, word, tables)
        at_limit = jnp.where(self.exhausted(after), unsigned(Result.UNDECIDED), unsigned(0))
        return after, jnp.where(result == Result.NONE, at_limit, result)

    # --- what is known ---

    def legal(self, words: Words, tables: Tables) -> Array:
        """For every action of the players, whether it is legal: as words along a new last axis."""
        size = self.game.actions.by_players
        actions = jnp.arange(words_of_set(size) * WIDTH, dtype=jnp.uint32)
        each = self.allows(tuple(word[..., None] for word in words), actions, tables)
        shape = (*words[0].shape, len(actions))
        marks = unsigned(jnp.broadcast_to(each & (actions < size), shape))
        by_word = marks.reshape(*words[0].shape, -1, WIDTH)
        return (by_word << jnp.arange(WIDTH, dtype=jnp.uint32)).sum(-1, dtype=jnp.uint32)

    @abstractmethod
    def answer(self, before: Words, action: Array, after: Words, tables: Tables) -> Array:
        """The number of the referee's answer to a turn's action, chance's if it had to decide."""

    @abstractmethod
    def learn(
        self, memory: Words, before: Words, action: Array, answer: Array, tables: Tables
    ) -> Words:
        """The memory after a turn's action with its answer."""

    def remember(
        self, memory: Words, before: Words, action: Array, after: Words, tables: Tables
    ) -> Words:
        """The memory after an action; those of the set-up are private and leave none."""
        answer = self.answer(before, action, after, tables)
        new = self.learn(memory, before, action, answer, tables)
        new = self.memory["action"].put(new, unsigned(action) + 1)
        new = self.memory["answer"].put(new, answer)
        if not self.set_up:
            return new
        return either(self.setting_up(before), memory, new)

    @abstractmethod
    def knowledge(self, words: Words, memory: Words, seat: Array) -> dict[str, Flags]:
        """What a seat knows, in parts by name."""


def by_seat(seat: Array, one: Array, two: Array) -> Array:
    """The first value for Seat.ONE, which is 0, the second for Seat.TWO."""
    return jnp.where(seat == 0, one, two)


def win_of(seat: Array) -> Array:
    """The result of a game that a seat has won."""
    return seat + np.uint32(Result.ONE_WON)


# --- states and environments ---


def compile_once(function: Callable[[State], Array]) -> Callable[[State], Array]:
    """The function as one program when it is called outside of any other; inside, as it is."""
    program: Callable[[State], Array] = jax.jit(function, inline=True)
    return program


@jax.tree_util.register_pytree_node_class
class State:
    """Where a game stands, or where each game of a batch stands; a value.

    Its attributes are those of Pgx's states. Rewards are the result of the latest step: 1 and -1
    when it won the game, else 0.
    """

    def __init__(self, env: Env, position: Words, memory: Words) -> None:
        self._env, self._position, self._memory = env, position, memory

    def tree_flatten(self) -> tuple[tuple[Words, Words], Env]:
        """The words, and the environment to which they belong."""
        return (self._position, self._memory), self._env

    @classmethod
    def tree_unflatten(cls, env: Env, words: tuple[Words, Words]) -> State:
        """The state of an environment with these words."""
        return cls(env, *words)

    @property
    def position(self) -> Words:
        """The words of the position, in the layout `env.packed.layout`; they hold all secrets."""
        return self._position

    @property
    def memory(self) -> Words:
        """The words of what observations keep of the history, in `env.packed.memory`."""
        return self._memory

    @property
    def env_id(self) -> str:
        """The name of the game."""
        return self._env.id

    @property
    @compile_once
    def current_player(self) -> Array:
        """Who is to move, 0 or 1; after the end, either."""
        return self._env.packed.actor(self._position).astype(jnp.int32)

    @property
    @compile_once
    def observation(self) -> Array:
        """What the current player knows."""
        return self._env.observe(self)

    @property
    @compile_once
    def observation_bits(self) -> Array:
        """The same in words of 32 bits, the first flag in the lowest."""
        return self._env.observe_bits(self)

    @property
    @compile_once
    def legal_action_mask(self) -> Array:
        """For each action, whether it is legal; after the end all are, and change nothing.

        With auto-reset, the actions are those of the next game, which has begun already.
        """
        return unpack(self.legal_action_bits, self._env.num_actions)

    @property
    @compile_once
    def legal_action_bits(self) -> Array:
        """The same in words of 32 bits, the first action in the lowest."""
        legal = self._env.packed.legal(self._position, self._env.tables)
        ended = self._over & (self._step_count > 0)
        return jnp.where(ended[..., None], self._env.every_action, legal)

    @property
    @compile_once
    def rewards(self) -> Array:
        """What the latest step brought each player."""
        one = (self._result == Result.ONE_WON).astype(jnp.float32)
        two = (self._result == Result.TWO_WON).astype(jnp.float32)
        return jnp.stack([one - two, two - one], axis=-1)

    @property
    @compile_once
    def terminated(self) -> Array:
        """Whether the game is over by the rules."""
        return self._over & (self._result != Result.UNDECIDED)

    @property
    @compile_once
    def truncated(self) -> Array:
        """Whether the game has reached the turn limit, undecided."""
        return self._result == Result.UNDECIDED

    @property
    @compile_once
    def latest_action(self) -> Array:
        """The latest public action; -1 before the first turn."""
        return self._env.packed.memory["action"].get(self._memory).astype(jnp.int32) - 1

    @property
    @compile_once
    def latest_answer(self) -> Array:
        """The number of the referee's answer to it."""
        return self._env.packed.memory["answer"].get(self._memory).astype(jnp.int32)

    @property
    @compile_once
    def _step_count(self) -> Array:
        return self._env.packed.number(self._position, self._memory).astype(jnp.int32)

    @property
    def _result(self) -> Array:
        return self._env.packed.layout["result"].get(self._position)

    @property
    def _over(self) -> Array:
        return self._result != Result.NONE

    def replace(self, **changes: Any) -> State:
        """The state with another `terminated`, `truncated` or `rewards`, as wrappers write them."""
        if unknown := changes.keys() - {"terminated", "truncated", "rewards"}:
            raise TypeError(f"A state of strongroom cannot replace {', '.join(sorted(unknown))}.")
        reward: Any = changes.get("rewards", self.rewards)
        won = jnp.where(reward[..., 0] > 0, Result.ONE_WON, Result.TWO_WON)
        ended = jnp.where(reward[..., 0] == 0, Result.OVER, won)
        result = jnp.where(changes.get("terminated", self.terminated), ended, Result.NONE)
        result = jnp.where(changes.get("truncated", self.truncated), Result.UNDECIDED, result)
        return self._with_result(unsigned(result))

    def _with_result(self, result: Array) -> State:
        position = self._env.packed.layout["result"].put(self._position, result)
        return State(self._env, position, self._memory)

    def to_svg(self, **_: Any) -> str:
        """A picture of the first game's fields, for those who look at what Pgx's tools save."""
        return draw_fields(self._env.packed, self._position, self._memory)

    def save_svg(self, filename: str, **_: Any) -> None:
        """Write the picture to a file."""
        with open(filename, "w", encoding="utf-8") as file:
            file.write(self.to_svg())


class Env:
    """A game as pure functions: `init`, `step` and `observe` can be jitted, mapped and scanned."""

    version = "v0"
    num_players = PLAYERS

    def __init__(self, packed: PackedGame) -> None:
        self.packed: PackedGame = packed
        """The game's functions of packed positions."""
        self.id: str = packed.game.name
        self.num_actions: int = packed.game.actions.by_players
        """How many actions players have; their numbers are those of `game.actions`."""

    def __repr__(self) -> str:
        return f"<{self.id} in batches, {self.packed.turn_limit} turns at most>"

    @property
    def tables(self) -> Tables:
        """The tables of the game, as arrays."""
        return {name: jnp.asarray(table) for name, table in self.packed.tables.items()}

    @cached_property
    def layout(self) -> dict[str, slice]:
        """Where each part of an observation stands."""
        parts: dict[str, Flags] = {}

        def know(*arguments: Any) -> None:
            parts.update(self.packed.knowledge(*arguments))

        position, memory = (
            tuple(jax.ShapeDtypeStruct((), jnp.uint32) for _ in range(layout.words))
            for layout in (self.packed.layout, self.packed.memory)
        )
        jax.eval_shape(know, position, memory, jnp.uint32(0))
        slices, end = {}, 0
        for name, part in parts.items():
            slices[name] = slice(end, end := end + part.size)
        return slices

    @cached_property
    def every_action(self) -> NDArray[np.uint32]:
        """The words of a mask in which every action is legal."""
        return pack_flags(np.ones(self.num_actions, bool))

    @property
    def observation_shape(self) -> tuple[int]:
        """The shape of an observation: one axis, all of it booleans."""
        return (max(part.stop for part in self.layout.values()),)

    def init(self, key: Array = None) -> State:
        """The start of a game; nothing about it is random, because players choose the secrets."""
        return self._fill(())

    def _fill(self, shape: tuple[int, ...]) -> State:
        def words(numbers: tuple[int, ...]) -> Words:
            return tuple(jnp.full(shape, number, jnp.uint32) for number in numbers)

        return State(self, words(self.packed.start()), words(self.packed.first_memory()))

    def step(self, state: State, action: Array, key: Array = None) -> State:
        """The state after an action.

        An illegal one loses the game; after the end, nothing changes and nobody is rewarded. The
        key is one of JAX, or a random word as `words.draw` makes them; only games with chance
        need one.
        """
        after = self._move(state, action, key)
        closed = jnp.where(state.truncated, unsigned(Result.UNDECIDED), unsigned(Result.OVER))
        return either(state._over, state._with_result(closed), after)

    def step_and_reset(self, state: State, action: Array, key: Array = None) -> State:
        """The same with auto-reset: a step that ends a game gives the start of the next one.

        That state still has the rewards, `terminated` and `truncated` of the game that ended.
        """
        after = self._move(state._with_result(unsigned(Result.NONE)), action, key)
        fresh = self._fill(after._position[0].shape)._with_result(after._result)
        return either(after._over, fresh, after)

    def random_action(self, state: State, key: Array) -> Array:
        """A legal action, each as likely as the others, by a key of JAX or a random word."""
        word = word_of(key)
        return self.packed.random_action(state._position, word, self.tables).astype(jnp.int32)

    def observe(self, state: State, player_id: Array = None) -> Array:
        """What a player knows, the current one unless told otherwise, as booleans."""
        return unpack(self.observe_bits(state, player_id), *self.observation_shape)

    def observe_bits(self, state: State, player_id: Array = None) -> Array:
        """The same in words of 32 bits, the first flag in the lowest."""
        if isinstance(player_id, int) and player_id not in range(PLAYERS):
            raise Refusal(f"There is no player {player_id}.", "Players are 0 and 1.")
        seat = state.current_player if player_id is None else jnp.asarray(player_id)
        parts = self.packed.knowledge(state._position, state._memory, unsigned(seat))
        return join_flags(parts.values())

    def _move(self, state: State, action: Array, key: Array) -> State:
        packed, tables, before = self.packed, self.tables, state._position
        if key is None and packed.has_chance:
            raise TypeError(
                f"A step of {packed.game.title} needs a key, because chance takes part."
            )
        word = word_of(key) if packed.has_chance else jnp.uint32(0)
        action = jnp.asarray(action)
        if action.dtype.itemsize < WIDTH // 8:  # it may be too narrow for the highest action
            action = action.astype(jnp.int32)
        taken = unsigned(jnp.clip(action, 0, self.num_actions - 1))
        legal = (action == taken) & packed.allows(before, taken, tables)
        after, result = packed.step(before, taken, word, tables)
        memory = packed.remember(state._memory, before, taken, after, tables)
        after = packed.layout["result"].add(after, result)
        lost, refused = packed.count_move(before, state._memory)
        lost = packed.layout["result"].put(lost, win_of(1 - packed.actor(before)))
        return either(legal, State(self, after, memory), State(self, lost, refused))


def make(name: str, /, *, turn_limit: int = TURN_LIMIT, **options: Any) -> Env:
    """The environment of a game with these options; equal arguments give the same one.

    >>> env = make("safe-cracker", digits=4)
    >>> env.num_actions, env.observation_shape
    (64, (200,))
    """
    limit = whole("turn_limit", turn_limit, 1, LONGEST)
    return _environment(load(name, **options), limit)


@lru_cache(maxsize=64)
def _environment(game: Game, turn_limit: int) -> Env:
    return Env(find_entry("vector", game.name)(game, turn_limit))


ROW_HEIGHT, PICTURE_WIDTH = 22, 320


def draw_fields(packed: PackedGame, position: Words, memory: Words) -> str:
    """An SVG that lists the fields of a state, or of the first state of a batch."""
    lines = [packed.game.title]
    for layout, words in ((packed.layout, position), (packed.memory, memory)):
        first = tuple(np.asarray(word).ravel()[0] for word in words)
        lines += [
            f"{name.replace('_', ' ')}: {int(field.get(first))}" for name, field in layout.items()
        ]
    texts = [
        f'<text x="12" y="{ROW_HEIGHT * (place + 1)}">{escape(line)}</text>'
        for place, line in enumerate(lines)
    ]
    height = ROW_HEIGHT * (len(lines) + 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{PICTURE_WIDTH}" height="{height}" '
        f'font-family="monospace" font-size="14">'
        f'<rect width="{PICTURE_WIDTH}" height="{height}" fill="white"/>{"".join(texts)}</svg>\n'
    )
