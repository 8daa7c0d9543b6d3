"""What a seat is told does not depend on what it may not know, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import pytest

from strongroom import load
from strongroom.plugins.registry import GAMES
from strongroom.vector import Env, make
from strongroom.vector.packed_game import Tables
from strongroom.vector.safe_cracker import PackedSafeCracker
from strongroom.vector.words import Array, Words

PAIRS = 150
"""How many pairs of games are played for each viewer."""
MOVES = 18


class Worlds(NamedTuple):
    """Pairs of games that differ, if at all, in what their viewer may not know."""

    states: Any
    """By world, viewer and pair."""
    alike: Array
    """By viewer and pair: whether the viewer cannot tell the two apart, and they go on."""


class Compared(NamedTuple):
    """How the worlds differ that their viewer cannot tell apart, by viewer and pair."""

    hidden: Array
    """Whether they differ at all."""
    leaks: dict[str, Array]
    """Whether the viewer is told of it, by what tells them."""


def mapped(function: Callable[..., Any], axes: int) -> Callable[..., Any]:
    """The function over so many axes: pairs, viewers, worlds."""
    return jax.vmap(mapped(function, axes - 1)) if axes else function


def differ(values: Any) -> Array:
    """By viewer and pair, whether values of the two worlds differ in any of their parts."""
    parts = [leaf.reshape(2, 2, PAIRS, -1) for leaf in jax.tree_util.tree_leaves(values)]
    return jnp.stack([(one != other).any(axis=-1) for one, other in parts]).any(axis=0)


def after_a_move(env: Env, worlds: Worlds, key: Array) -> tuple[Worlds, Compared]:
    """The worlds after a move: the same one in both, unless the viewer does not see it."""
    before, alike = worlds
    here, there = (jax.tree_util.tree_map(lambda word, n=n: word[n], before) for n in (0, 1))
    viewer = jnp.broadcast_to(jnp.arange(2)[:, None], (2, PAIRS))
    draws = jax.random.bits(key, (4, 2, PAIRS), jnp.uint32)
    move, another = (
        mapped(env.random_action, 2)(s, d) for s, d in ((here, draws[0]), (there, draws[1]))
    )
    unseen = (here.current_player != viewer) & (here._step_count < env.packed.set_up)
    legal = jnp.take_along_axis(there.legal_action_mask, move[..., None], axis=-1)[..., 0]
    repeated = legal & (~unseen | (draws[1] % 2 == 0))
    actions = jnp.stack([move, jnp.where(repeated, move, another)])
    after = mapped(env.step, 3)(before, actions, draws[2:])
    # The worlds can be told apart if with that secret the opponent could not have moved so, or if
    # the referee answered something else.
    told = (after.latest_action, after.latest_answer, after.terminated, after.truncated)
    over = (after.terminated | after.truncated).any(axis=0)
    alike &= (repeated | unseen) & ~differ(told) & ~over
    on_turn = (after.current_player == viewer).any(axis=0)
    seen = mapped(env.observe, 3)(after, jnp.broadcast_to(viewer, (2, 2, PAIRS)))
    leaks = {
        "observation": differ(seen) & alike,
        "mask": differ(after.legal_action_mask) & alike & on_turn,
        "turn": differ((after.current_player, after._step_count, after.rewards)) & alike,
    }
    return Worlds(after, alike), Compared(differ((after._position, after._memory)) & alike, leaks)


def check_no_leak(env: Env) -> int:
    """Assert that no viewer is told what they may not know; how often something was hidden."""
    states = jax.tree_util.tree_map(lambda word: jnp.full((2, 2, PAIRS), word), env.init())
    worlds, found = Worlds(states, jnp.ones((2, PAIRS), bool)), 0
    step = jax.jit(partial(after_a_move, env))
    for number in range(MOVES):
        worlds, compared = step(worlds, jax.random.key(number))
        for name, leak in jax.device_get(compared.leaks).items():
            assert not leak.any(), f"The {name} tells a hidden thing after move {number + 1}."
        found += int(compared.hidden.sum())
    return found


@pytest.mark.parametrize("name", [name for name in GAMES if load(name).secrets_each])
def test_no_seat_is_told_what_is_hidden(name: str) -> None:
    assert check_no_leak(make(name)) > 300


def test_nothing_is_hidden_at_quantum_duel() -> None:
    assert check_no_leak(make("quantum-duel")) == 0


class TellsTheOthersCode(PackedSafeCracker):
    """Who guesses is told whether the other's code is the second of all."""

    def known(self, words: Words, memory: Words, seat: Array) -> dict[str, Array]:
        one, two = (self.layout[name].get(words) for name in ("code_one", "code_two"))
        code = jnp.where(seat == 0, two, one)
        return {**super().known(words, memory, seat), "leak": (code == 1)[..., None]}


class ForbidsTheOthersCode(PackedSafeCracker):
    """Who guesses may not guess right."""

    def legal(self, words: Words, tables: Tables) -> Array:
        one, two = (self.layout[name].get(words) for name in ("code_one", "code_two"))
        code = jnp.where(self.actor(words) == 0, two, one)
        return super().legal(words, tables) & (jnp.arange(self.codes) != code[..., None])


@pytest.mark.parametrize(
    ("leaking", "where"), [(TellsTheOthersCode, "observation"), (ForbidsTheOthersCode, "mask")]
)
def test_a_leak_is_caught(leaking: type[PackedSafeCracker], where: str) -> None:
    game = load("safe-cracker")
    with pytest.raises(AssertionError, match=f"The {where} tells a hidden thing"):
        check_no_leak(Env(leaking(game, 100)))  # type: ignore[arg-type]
