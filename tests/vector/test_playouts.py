"""Random play in kernels is random play step by step."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from strongroom.contract import Refusal
from strongroom.plugins.registry import GAMES
from strongroom.vector import make
from strongroom.vector.draws import draw, lanes
from strongroom.vector.playouts import LAUNCH, as_kernel, in_chunks, moved, playouts

BATCH, BLOCK = 70, 32


@pytest.mark.parametrize("name", GAMES)
def test_a_kernel_and_a_loop_make_the_same_moves(name: str) -> None:
    env, lane = make(name), lanes(5, BATCH)
    start = tuple(jnp.full(BATCH, word, jnp.uint32) for word in env.packed.start())
    kernel = jax.jit(as_kernel(env, BATCH, BLOCK, partial(moved, env)))
    loop = jax.jit(in_chunks(env, BATCH, BATCH, partial(moved, env)))
    first, second = (jax.tree_util.tree_leaves(f(start, lane, 0)) for f in (kernel, loop))
    for one, other in zip(first, second, strict=True):
        assert np.array_equal(one, other)
    assert len({*np.asarray(first[0]).tolist()}) > BATCH / 2


def test_playouts_count_what_steps_end() -> None:
    env, lane = make("quantum-duel"), lanes(3, BATCH)

    def step(state: object, number: object) -> tuple[object, object]:
        word = draw(lane, number)
        after = jax.vmap(env.step_and_reset)(state, jax.vmap(env.random_action)(state, word), word)
        return after, (after.rewards[:, 0].sum(), after.truncated.sum(), after.terminated.sum())

    start = jax.vmap(env.init)(lane)
    _, counts = jax.lax.scan(step, start, jnp.arange(2 * LAUNCH, dtype=jnp.uint32))
    lead, undecided, decided = (int(each.sum()) for each in counts)
    played = playouts(env, BATCH, 2 * LAUNCH, seed=3)
    assert played.won_by_one - played.won_by_two == lead
    assert (played.undecided, played.won_by_one + played.won_by_two) == (undecided, decided)
    assert played.games > 100


def test_what_cannot_be_played_is_refused_in_a_line() -> None:
    env = make("quantum-duel")
    for batch, moves, told in [(0, 128, "batch must be"), (8, 200, "not a multiple of 128")]:
        with pytest.raises(Refusal, match=told) as refused:
            playouts(env, batch, moves)
        assert "\n" not in str(refused.value)
    with pytest.raises(Refusal, match="seed must be"):
        playouts(env, 8, 128, seed=-1)
