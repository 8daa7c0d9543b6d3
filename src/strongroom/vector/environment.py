"""The environment: pure functions in the shape of Pgx over packed states.

Player 0 is Seat.ONE, who moves first. A state holds words; what else it has is computed from them
when it is asked for, so that compiled code contains only what is used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from strongroom.contract import Refusal
from strongroom.plugins.extras import extra
from strongroom.vector.draws import word_of
from strongroom.vector.packed_game import PackedGame, Result, Tables, won_by
from strongroom.vector.words import WIDTH, Array, Words, unsigned

with extra("vector", "strongroom.vector"):
    import jax
    import jax.numpy as jnp

PLAYERS = 2


def compiled(function: Callable[[State], Array]) -> Callable[[State], Array]:
    """The function as one program when it is asked outside of any other; inside, as it is."""
    asked: Callable[[State], Array] = jax.jit(function, inline=True)
    return asked


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
    @compiled
    def current_player(self) -> Array:
        """Who is to move, 0 or 1; after the end, either."""
        return self._env.packed.actor(self._position).astype(jnp.int32)

    @property
    @compiled
    def observation(self) -> Array:
        """What the current player knows."""
        return self._env.observe(self)

    @property
    @compiled
    def legal_action_mask(self) -> Array:
        """For each action, whether it is legal; after the end all are, and change nothing.

        With auto-reset, the actions are those of the next game, which has begun already.
        """
        legal = self._env.packed.legal(self._position, self._env.tables)
        return legal | (self._over & (self._step_count > 0))[..., None]

    @property
    @compiled
    def rewards(self) -> Array:
        """What the latest step brought each player."""
        one = (self._result == Result.ONE_WON).astype(jnp.float32)
        two = (self._result == Result.TWO_WON).astype(jnp.float32)
        return jnp.stack([one - two, two - one], axis=-1)

    @property
    @compiled
    def terminated(self) -> Array:
        """Whether the game is over by the rules."""
        return self._over & (self._result != Result.UNDECIDED)

    @property
    @compiled
    def truncated(self) -> Array:
        """Whether the game has reached the turn limit, undecided."""
        return self._result == Result.UNDECIDED

    @property
    @compiled
    def latest_action(self) -> Array:
        """The latest public action; -1 before the first turn."""
        return self._env.packed.memory["action"].get(self._memory).astype(jnp.int32) - 1

    @property
    @compiled
    def latest_answer(self) -> Array:
        """The number of the referee's answer to it."""
        return self._env.packed.memory["answer"].get(self._memory).astype(jnp.int32)

    @property
    @compiled
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
        """A picture of the first game's fields."""
        from strongroom.vector.drawing import drawn_fields

        return drawn_fields(self._env.packed, self._position, self._memory)

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
        words = tuple(jnp.zeros((), jnp.uint32) for _ in range(self.packed.layout.words))
        memory = tuple(jnp.zeros((), jnp.uint32) for _ in range(self.packed.memory.words))
        names: list[str] = []  # in their order, which a dict loses on its way through JAX

        def known(*arguments: Any) -> list[Array]:
            parts = self.packed.known(*arguments)
            names.extend(parts)
            return [*parts.values()]

        parts = jax.eval_shape(known, words, memory, jnp.uint32(0))
        slices, end = {}, 0
        for name, part in zip(names, parts, strict=True):
            slices[name] = slice(end, end := end + part.shape[-1])
        return slices

    @property
    def observation_shape(self) -> tuple[int]:
        """The shape of an observation: one axis, all of it booleans."""
        return (max(part.stop for part in self.layout.values()),)

    def init(self, key: Array = None) -> State:
        """The start of a game; nothing about it is random, because players choose the secrets."""
        return self._filled(())

    def _filled(self, shape: tuple[int, ...]) -> State:
        def words(numbers: tuple[int, ...]) -> Words:
            return tuple(jnp.full(shape, number, jnp.uint32) for number in numbers)

        return State(self, words(self.packed.start()), words(self.packed.first_memory()))

    def step(self, state: State, action: Array, key: Array = None) -> State:
        """The state after an action.

        An illegal one loses the game; after the end, nothing changes and nobody is rewarded. The
        key is one of JAX, or a random word as `draws.draw` makes them; only games with chance
        need one.
        """
        after = self._moved(state, action, key)
        closed = jnp.where(state.truncated, unsigned(Result.UNDECIDED), unsigned(Result.OVER))
        return _either(state._over, state._with_result(closed), after)

    def step_and_reset(self, state: State, action: Array, key: Array = None) -> State:
        """The same with auto-reset: a step that ends a game gives the start of the next one.

        That state still has the rewards, `terminated` and `truncated` of the game that ended.
        """
        after = self._moved(state._with_result(unsigned(Result.NONE)), action, key)
        fresh = self._filled(after._position[0].shape)._with_result(after._result)
        return _either(after._over, fresh, after)

    def random_action(self, state: State, key: Array) -> Array:
        """A legal action, each as likely as the others, by a key of JAX or a random word."""
        word = word_of(key)
        return self.packed.chosen(state._position, word, self.tables).astype(jnp.int32)

    def observe(self, state: State, player_id: Array = None) -> Array:
        """What a player knows, the current one unless told otherwise, as booleans."""
        if isinstance(player_id, int) and player_id not in range(PLAYERS):
            raise Refusal(f"There is no player {player_id}.", "Players are 0 and 1.")
        seat = state.current_player if player_id is None else jnp.asarray(player_id)
        parts = self.packed.known(state._position, state._memory, unsigned(seat))
        return jnp.concatenate([*parts.values()], axis=-1)

    def _moved(self, state: State, action: Array, key: Array) -> State:
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
        after, result = packed.stepped(before, taken, word, tables)
        memory = packed.remembered(state._memory, before, taken, after, tables)
        after = packed.layout["result"].add(after, result)
        lost, refused = packed.counted(before, state._memory)
        lost = packed.layout["result"].put(lost, won_by(1 - packed.actor(before)))
        return _either(legal, State(self, after, memory), State(self, lost, refused))


def _either(condition: Array, one: State, other: State) -> State:
    def chosen(a: Array, b: Array) -> Array:
        return jnp.where(condition, a, b)

    return jax.tree_util.tree_map(chosen, one, other)  # type: ignore[no-any-return]
