"""The environments as Pgx's own: its classes, its order of players, its way to end at a limit.

`strongroom.vector.make` has the shape of Pgx, which is enough for trainers that only call it.
This one is for code that asks for more: a state whose every field can be replaced, a first player
who is drawn, a limit that terminates, and a name that Pgx's own test accepts.
"""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any, Final, Literal, get_args

import jax
import jax.numpy as jnp

from strongroom.plugins.extras import MissingExtra
from strongroom.referee.bout import TURN_LIMIT
from strongroom.vector.environment import PLAYERS, Env, State
from strongroom.vector.environment import make as make_env
from strongroom.vector.words import Array, either

try:
    import pgx
    from pgx._src.struct import dataclass  # as each game of Pgx does
except ImportError:
    told = "Install it: pip install 'pgx>=2.6'"
    raise MissingExtra("strongroom.vector.pgx needs Pgx.", told) from None

CHECK: Final = import_module("pgx._src.api_test")
"""The module of `pgx.api_test`, which knows the names of Pgx's own games alone."""


@dataclass
class PgxState(pgx.State):
    """A state of Pgx over a packed one; every field is an array and can be replaced."""

    current_player: Array
    observation: Array
    rewards: Array
    terminated: Array
    truncated: Array
    legal_action_mask: Array
    _step_count: Array
    _packed: State
    _first: Array

    @property
    def env_id(self) -> str:
        """The name of the game."""
        return self._packed.env_id

    def to_svg(self, **_: Any) -> str:
        """A picture of the first game's fields; Pgx draws its own games alone."""
        return self._packed.to_svg()

    def save_svg(self, filename: str, **_: Any) -> None:
        """Write the picture to a file."""
        self._packed.save_svg(filename)


class PgxEnv(pgx.Env):
    """A game as an environment of Pgx."""

    version = "v0"
    num_players = PLAYERS

    def __init__(self, env: Env) -> None:
        super().__init__()
        self.env: Env = env
        """The same game in the shape of Pgx, without what this class adds."""
        _let_check_accept(env.id)

    @property
    def id(self) -> str:
        """The name of the game."""
        return self.env.id

    @cached_property
    def _start(self) -> PgxState:
        with jax.ensure_compile_time_eval():  # else its tables are copied for each game of a batch
            return self._state(self.env.init(), jnp.int32(0))

    def _init(self, key: Array) -> PgxState:
        """The start of a game, in which the key draws who moves first."""
        first = jax.random.bernoulli(key).astype(jnp.int32)
        return self._start.replace(current_player=first, _first=first)  # type: ignore[no-any-return]

    def step(self, state: PgxState, action: Array, key: Array = None) -> PgxState:
        """The state after an action; the base class branches, which copies tables as well."""
        over = state.terminated | state.truncated
        same = state.replace(rewards=jnp.zeros_like(state.rewards))
        return either(over, same, self._step(state, action, key))  # type: ignore[no-any-return]

    def _step(self, state: PgxState, action: Array, key: Array) -> PgxState:
        return self._state(self.env.step(state._packed, action, key), state._first)

    def _observe(self, state: PgxState, player_id: Array) -> Array:
        return self.env.observe(state._packed, player_id ^ state._first)

    def _state(self, packed: State, first: Array) -> PgxState:
        """All fields of a state, with the seats given to the players of Pgx."""
        return PgxState(
            current_player=packed.current_player ^ first,
            observation=packed.observation,
            rewards=jnp.where(first == 0, packed.rewards, packed.rewards[::-1]),
            terminated=packed.terminated | packed.truncated,
            truncated=jnp.zeros_like(packed.truncated),
            legal_action_mask=packed.legal_action_mask,
            _step_count=packed._step_count,
            _packed=packed,
            _first=first,
        )


def make(name: str, /, *, turn_limit: int = TURN_LIMIT, **options: Any) -> PgxEnv:
    """The environment of a game with these options, as one of Pgx.

    >>> env = make("quantum-duel")
    >>> state = env.init(jax.random.key(1))
    >>> isinstance(env, pgx.Env), state.observation.shape == env.observation_shape
    (True, True)
    """
    return PgxEnv(make_env(name, turn_limit=turn_limit, **options))


def _let_check_accept(name: str) -> None:
    """Let `pgx.api_test` take an environment with this name.

    It compares the name with a list of Pgx's own, and since JAX 0.10.1 its draw of an action fails
    for a single game, of Pgx too (its pull request 1314 mends that).
    """
    if name not in get_args(CHECK.EnvId):
        CHECK.EnvId = Literal[(*get_args(CHECK.EnvId), name)]  # type: ignore[attr-defined]
    try:
        jax.eval_shape(CHECK.act_randomly, jax.random.key(0), jnp.ones(2, bool))
    except IndexError:
        CHECK.act_randomly = _act_randomly  # type: ignore[attr-defined]


@jax.jit
def _act_randomly(key: Array, mask: Array) -> Array:
    """A random action of a mask, or of each of a batch of masks."""
    return jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1)
