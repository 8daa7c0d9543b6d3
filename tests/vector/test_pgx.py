"""Pgx's own check, and code that was written for Pgx."""

from __future__ import annotations

from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
import pgx
import pytest
from pgx._src import api_test as pgx_check
from pgx.experimental.utils import act_randomly
from pgx.experimental.wrappers import auto_reset

from strongroom.plugins.registry import GAMES
from strongroom.vector import Env, make

ENDLESS = 10_000
"""A turn limit that no game of Pgx's check reaches: it only ends games that are decided."""
BATCH = 64


@jax.jit
def drawn_from(key: Any, mask: Any) -> Any:
    """A random legal action of one game or of each of a batch."""
    return jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1)


@pytest.mark.parametrize("name", GAMES)
def test_the_check_of_pgx_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgx_check, "EnvId", Literal[name])  # it accepts Pgx's own games alone
    # With JAX 0.10 its own function fails at a single game, of Pgx too: it asks for a second axis.
    monkeypatch.setattr(pgx_check, "act_randomly", drawn_from)
    pgx.api_test(make(name, turn_limit=ENDLESS), num=1)


def rollout(env: Env, step: Any, moves: int) -> Any:
    """Games with auto-reset as a trainer plays them: actions drawn from the mask."""

    def move(state: Any, key: Any) -> tuple[Any, Any]:
        action = act_randomly(key, state.legal_action_mask)
        after = jax.vmap(step)(state, action, jax.random.split(key, BATCH))
        shown = (after.rewards, after.terminated, after.truncated, after.current_player)
        return after, (action, *shown, after.observation, after.legal_action_mask)

    def play(seed: Any) -> Any:
        keys = jax.random.split(jax.random.key(seed), moves + 1)
        start = jax.vmap(env.init)(jax.random.split(keys[0], BATCH))
        return jax.lax.scan(move, start, keys[1:])

    return jax.jit(play)


def test_a_wrapper_of_pgx_gives_the_same_as_our_auto_reset() -> None:
    env = make("quantum-duel", turn_limit=12)  # whose first moves are not all legal, and chance
    wrapped = auto_reset(env.step, env.init)

    def ours(state: Any, action: Any, key: Any) -> Any:
        return env.step_and_reset(state, action, jax.random.split(key)[0])  # as the wrapper does

    ends = [rollout(env, step, moves=40)(7) for step in (wrapped, ours)]
    for one, other in zip(*map(jax.tree_util.tree_leaves, ends), strict=True):
        np.testing.assert_array_equal(one, other)
    _, rewards, terminated, truncated, *_ = ends[0][1]
    assert terminated.any()
    assert truncated.any()
    assert ((rewards != 0).any(axis=-1) == terminated).all()
