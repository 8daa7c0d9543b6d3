"""Random play, many moves in one pass: positions stay in registers until a launch is over."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl

from strongroom.contract import Refusal
from strongroom.vector.devices import LAST_SEED, MOST_GAMES, on_device, whole
from strongroom.vector.environment import ENDS, Env, Result, Tables
from strongroom.vector.words import Array, Words, draw, either, lanes, unsigned

LAUNCH: Final = 128
"""How many moves of each game are made in one launch."""
MOST_LAUNCHES: Final = 1 << 24
"""The most launches of one call; the numbers of moves are words."""
COUNT_BITS: Final = 8
"""How many bits of a word count one kind of result, and as many the moves without any."""
BLOCK: Final = 1024
"""How many games a block of a GPU plays at most."""
BLOCKS: Final = 256
"""How many blocks there should be at least, so that no part of a GPU is idle."""
WARP: Final = 32
"""How many threads work in step; a block has up to four times as many."""
CHUNK: Final = 4096
"""How many games a CPU plays at a time, few enough for its nearest cache."""


class Playouts(NamedTuple):
    """How random games ended."""

    moves: int
    """How many moves were made, by the players alone."""
    games: int
    """How many games ended."""
    won_by_one: int
    won_by_two: int
    undecided: int


def playouts(env: Env, batch: int, moves: int, seed: int = 0) -> Playouts:
    """Play a batch of games with random legal moves; whenever one ends, the next begins.

    >>> from strongroom.vector import make
    >>> played = playouts(make("safe-cracker"), batch=100, moves=128)
    >>> played.moves, played.games == played.won_by_one + played.won_by_two + played.undecided
    (12800, True)
    """
    batch, seed = whole("batch", batch, 1, MOST_GAMES), whole("seed", seed, 0, LAST_SEED)
    moves = whole("moves", moves, LAUNCH, LAUNCH * MOST_LAUNCHES)
    if moves % LAUNCH:
        told = f"Choose {LAUNCH}, {2 * LAUNCH}, {3 * LAUNCH} and so on."
        raise Refusal(f"{moves:,} moves are not a multiple of {LAUNCH}.", told)
    with on_device():
        counted = compile_playouts(env, batch, moves // LAUNCH)(jnp.uint32(seed))
        one, two, undecided = (int(np.asarray(each).sum(dtype=np.int64)) for each in counted)
    return Playouts(batch * moves, one + two + undecided, one, two, undecided)


Moving = Callable[[Words, Array, Array, Tables], tuple[Words, Array]]
"""What is done again and again in a launch: from positions, the games' lanes, a number and the
tables to new positions and a word for each that is summed up."""


@lru_cache(maxsize=64)
def compile_playouts(env: Env, batch: int, launches: int) -> Any:
    """The compiled function that plays a batch: from a seed to the results, a sum a launch."""
    launch = make_launch(env, batch, partial(move_randomly, env))

    def play(seed: Array) -> Any:
        lane = lanes(seed, batch)
        start = tuple(jnp.full(batch, word, jnp.uint32) for word in env.packed.start())

        def one_launch(words: Words, number: Array) -> tuple[Words, tuple[Array, ...]]:
            after, ended = launch(words, lane, number * LAUNCH)
            return after, _split(ended)

        return lax.scan(one_launch, start, jnp.arange(launches, dtype=jnp.uint32))[1]

    return jax.jit(play)


def _split(ended: Array) -> tuple[Array, ...]:
    """The sums of the three counts in words, over all games."""
    return tuple(
        ((ended >> (COUNT_BITS * kind)) & ((1 << COUNT_BITS) - 1)).sum(dtype=jnp.uint32)
        for kind in ENDS
    )


def move_randomly(
    env: Env, at: Words, lane: Array, number: Array, tables: Tables
) -> tuple[Words, Array]:
    """The positions after one random move, and for each a count in the place of its result."""
    packed = env.packed
    # One word is enough: a reply is chosen by its highest bit, and the coin is its lowest.
    word = draw(lane, number)
    after, result = packed.step(at, packed.random_action(at, word, tables), word, tables)
    over = result != Result.NONE
    fresh = either(over, tuple(map(unsigned, packed.start())), after)
    return fresh, unsigned(1) << (result * COUNT_BITS)


# --- launches -----------------------------------------------------------------------------------


def make_launch(env: Env, batch: int, moving: Moving) -> Any:
    """A launch: LAUNCH times the same, from the positions, the lanes and the first number.

    On a GPU it is one kernel; elsewhere, a loop over as many games as a cache holds.
    """
    if jax.default_backend() == "gpu":
        width = max(WARP, min(BLOCK, batch // BLOCKS))
        return as_kernel(env, batch, 1 << width.bit_length() - 1, moving)
    return in_chunks(env, batch, CHUNK if batch % CHUNK == 0 else batch, moving)


def _repeat(
    moving: Moving, words: Words, lane: Array, first: Array, tables: Tables
) -> tuple[Words, Array]:
    def once(place: Array, carried: tuple[Words, Array]) -> tuple[Words, Array]:
        at, total = carried
        after, counted = moving(at, lane, first + unsigned(place), tables)
        return after, total + counted

    return lax.fori_loop(0, LAUNCH, once, (words, jnp.zeros_like(lane)))  # type: ignore[no-any-return]


def in_chunks(env: Env, batch: int, width: int, moving: Moving) -> Any:
    """A launch as a loop over chunks of this many games."""

    def launch(words: Words, lane: Array, first: Array) -> tuple[Words, Array]:
        tables = env.tables
        rows = jax.tree_util.tree_map(lambda array: array.reshape(-1, width), (words, lane))
        done = lax.map(lambda each: _repeat(moving, each[0], each[1], first, tables), rows)
        return jax.tree_util.tree_map(  # type: ignore[no-any-return]
            lambda array: array.reshape(batch), done
        )

    return launch


def as_kernel(env: Env, batch: int, width: int, moving: Moving) -> Any:
    """A launch as one kernel of Pallas: this many games a block, a power of two.

    The tables stay in memory. Where the last block has fewer games, it plays others for nobody.
    Without a GPU it is interpreted, which only tests want.
    """
    from jax.experimental.pallas import triton as plgpu

    names, count = [*env.packed.tables], env.packed.layout.words
    blocks = -(-batch // width)
    spare = blocks * width - batch

    def kernel(first: Any, lane: Any, *refs: Any) -> None:
        words, tables, outs = refs[:count], refs[count : -count - 1], refs[-count - 1 :]
        after, total = _repeat(
            moving,
            tuple(word[...] for word in words),
            lane[...],
            first[0],
            dict(zip(names, tables, strict=True)),
        )
        for out, value in zip(outs, (*after, total), strict=True):
            out[...] = value

    games = pl.BlockSpec((width,), lambda block: (block,))
    whole = [pl.BlockSpec(table.shape, lambda block: (0,)) for table in env.packed.tables.values()]
    call = pl.pallas_call(
        kernel,
        grid=(blocks,),
        in_specs=[pl.BlockSpec((1,), lambda block: (0,)), games, *[games] * count, *whole],
        out_specs=[games] * (count + 1),
        out_shape=[jax.ShapeDtypeStruct((blocks * width,), jnp.uint32)] * (count + 1),
        compiler_params=plgpu.CompilerParams(num_warps=min(4, max(1, width // WARP))),
        interpret=jax.default_backend() != "gpu",
    )

    def launch(words: Words, lane: Array, first: Array) -> tuple[Words, Array]:
        games = [jnp.pad(word, (0, spare)) for word in (lane, *words)]
        *after, total = (word[:batch] for word in call(first[None], *games, *env.tables.values()))
        return tuple(after), total

    return launch
