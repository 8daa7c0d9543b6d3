"""What a seat is told does not depend on what it may not know, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import pytest

from strongroom import load
from strongroom.plugins.registry import GAMES
from strongroom.vector import Env, make
from strongroom.vector.words import Array

PAIRS = 512
"""How many pairs of games are played for each viewer."""
MOVES = 24


class Worlds(NamedTuple):
    """Pairs of games that differ, if at all, in what their viewer may not know."""

    states: Any
    """By world, viewer and pair."""
    alike: Array
    """By viewer and pair: whether the viewer cannot tell the two apart, and they go on."""


class Compared(NamedTuple):
    """What the pairs showed, by viewer and pair."""

    hidden: Array
    """Whether something hidden differs."""
    leaks: dict[str, Array]
    """Whether the viewer is told of it, by what tells them."""


def mapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function over worlds, viewers and pairs."""
    return jax.vmap(jax.vmap(jax.vmap(function)))


def differ(values: Any) -> Array:
    """By viewer and pair, whether values of the two worlds differ in any of their parts."""
    parts = [leaf.reshape(2, 2, PAIRS, -1) for leaf in jax.tree_util.tree_leaves(values)]
    return jnp.stack([(part[0] != part[1]).any(axis=-1) for part in parts]).any(axis=0)


def after_a_move(env: Env, worlds: Worlds, key: Array) -> tuple[Worlds, Compared]:
    """The worlds after a move, the same in both unless the viewer does not see it."""
    before, alike = worlds
    viewer = jnp.broadcast_to(jnp.arange(2)[:, None], (2, 2, PAIRS))
    own = before.current_player == viewer
    choice, other, chance = jax.random.bits(key, (3, 2, 2, PAIRS), jnp.uint32)
    seen = mapped(env.random_action)(before, jnp.broadcast_to(choice[:1], choice.shape))[0]
    unseen = mapped(env.random_action)(before, other)[1]
    legal = before.legal_action_mask
    possible = jnp.take_along_axis(legal[1], seen[..., None], axis=-1)[..., 0]
    private = ~own[0] & (before._step_count[0] < env.packed.set_up)
    same = possible & (~private | (other[0] % 2 == 0))
    action = jnp.stack([seen, jnp.where(same, seen, unseen)])
    after = mapped(env.step)(before, action, chance)
    told = (after.latest_action, after.latest_answer, after.terminated, after.truncated)
    ended = after.terminated | after.truncated
    # With that secret the opponent could not have moved so, or the referee's answer is another.
    alike &= (same | private) & ~differ(told) & ~ended.any(axis=0)
    leaks = {
        "the observation": differ(mapped(env.observe)(after, viewer)),
        "the mask": differ(after.legal_action_mask) & (after.current_player == viewer).any(axis=0),
        "the turn": differ((after.current_player, after._step_count, after.rewards)),
        "a legal move": ~possible & own[0] & worlds.alike,
    }
    hidden = differ((after._position, after._memory)) & alike
    return Worlds(after, alike), Compared(
        hidden,
        {
            **{name: leak & alike for name, leak in leaks.items()},
            "a legal move": leaks["a legal move"],
        },
    )


def check_no_leak(env: Env, seed: int) -> int:
    """Assert that no viewer is told what they may not know; how often something was hidden."""
    start = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 4 * PAIRS))
    states = jax.tree_util.tree_map(lambda word: word.reshape(2, 2, PAIRS), start)
    worlds, found = Worlds(states, jnp.ones((2, PAIRS), bool)), 0
    step = jax.jit(lambda worlds, key: after_a_move(env, worlds, key))
    for number in range(MOVES):
        worlds, compared = step(worlds, jax.random.key(seed + number))
        for name, leak in jax.device_get(compared.leaks).items():
            assert not leak.any(), f"{env.id}: a hidden thing is told by {name}, move {number}."
        found += int(compared.hidden.sum())
    return found


@pytest.mark.parametrize("name", [name for name in GAMES if load(name).secrets_each])
def test_no_seat_is_told_what_is_hidden(name: str) -> None:
    assert check_no_leak(make(name), seed=1) > 1000


def test_nothing_is_hidden_at_quantum_duel() -> None:
    assert check_no_leak(make("quantum-duel"), seed=1) == 0
