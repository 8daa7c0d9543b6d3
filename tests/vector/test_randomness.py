"""Random words are uniform and independent; actions, choices and playouts are drawn with them.

All seeds are fixed, so that a test passes always or never.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from strongroom.contract import Refusal
from strongroom.plugins.registry import GAMES
from strongroom.vector import make
from strongroom.vector.draws import below, draw, lanes, mixed
from strongroom.vector.mixtures import drawn, mixture_words, odds_of
from strongroom.vector.playouts import LAUNCH, as_kernel, in_chunks, moved, playouts

Draws = NDArray[np.uint32]

GAMES_DRAWN, STEPS, SEEDS = 1024, 1024, 4096
GRID = np.arange(1 << 16, dtype=np.uint32) << 16
"""Words at equal distances."""
FAR = 4.5
"""How many standard deviations from the expected value are too far; about 1 in 150,000 is."""


@pytest.fixture(scope="module")
def words() -> Draws:
    """The random words of a batch, by game and step: a million."""
    rows = jax.jit(lambda seed: lanes(seed, GAMES_DRAWN))(jnp.uint32(0))
    steps = jnp.arange(STEPS, dtype=jnp.uint32)
    return np.asarray(jax.jit(draw)(rows[:, None], steps[None]))


@pytest.fixture(scope="module")
def first_words() -> Draws:
    """The first words of a batch's first games, by seed and game."""
    seeds = jnp.arange(SEEDS, dtype=jnp.uint32)
    rows = jax.jit(jax.vmap(lambda seed: lanes(seed, 256)))(seeds)
    return np.asarray(jax.jit(draw)(rows, jnp.uint32(0)))


def check_uniform(values: NDArray[Any], kinds: int) -> None:
    """Every kind is as frequent as chance allows: chi square is near its expected value."""
    counts = np.bincount(values.ravel(), minlength=kinds)
    expected = values.size / kinds
    assert expected > 20, "there are too few values to say"
    freedom = kinds - 1
    distance = (((counts - expected) ** 2).sum() / expected - freedom) / np.sqrt(2 * freedom)
    assert abs(distance) < FAR


NEIGHBOURS: dict[str, Callable[[Draws, Draws], tuple[Draws, Draws]]] = {
    "steps": lambda words, first: (words[:, :-1], words[:, 1:]),
    "steps with one between": lambda words, first: (words[:, :-2], words[:, 2:]),
    "games": lambda words, first: (words[:-1], words[1:]),
    "games, a step later": lambda words, first: (words[:-1, :-1], words[1:, 1:]),
    "seeds": lambda words, first: (first[:-1], first[1:]),
    "games of many seeds": lambda words, first: (first[:, :-1], first[:, 1:]),
}
"""Words that stand side by side."""


def test_each_byte_of_a_word_is_uniform_and_so_is_each_game_and_each_step(
    words: Draws, first_words: Draws
) -> None:
    for shift in (0, 8, 16, 24):
        check_uniform((words >> shift) & 0xFF, 256)
        check_uniform((first_words >> shift) & 0xFF, 256)
    for axis in (0, 1):
        ones = ((words >> 31) + (words & 1)).sum(axis=axis, dtype=np.int64)
        distances = (ones - words.shape[axis]) / np.sqrt(words.shape[axis] / 2)
        assert np.abs(distances).max() < FAR
        assert abs(distances.std() - 1) < 0.1


def test_neighbours_are_independent_and_no_game_repeats_a_stretch_of_another(
    words: Draws, first_words: Draws, subtests: pytest.Subtests
) -> None:
    for which, pair in NEIGHBOURS.items():
        one, other = pair(words, first_words)
        with subtests.test(which):
            for a, b in ((28, 28), (0, 0), (28, 0), (0, 28), (12, 16)):
                check_uniform((one >> a & 15) * 16 + (other >> b & 15), 256)
            for mix in (one, one << 16, one ^ one >> 16):
                together = np.corrcoef(mix.ravel().astype(float), other.ravel().astype(float))[0, 1]
                assert abs(together) * np.sqrt(one.size) < FAR
    pairs = (words[::4, :-1].astype(np.uint64) << np.uint64(32)) | words[::4, 1:]
    assert len(np.unique(pairs)) == pairs.size


def test_every_bit_of_a_word_depends_on_every_bit_of_its_number() -> None:
    numbers = np.arange(2000, dtype=np.uint32)
    lane, hashed = jnp.uint32(12345), jax.jit(draw)
    before = np.asarray(hashed(lane, numbers))
    for bit in range(32):
        changed = before ^ np.asarray(hashed(lane, numbers ^ np.uint32(1 << bit)))
        share = ((changed[:, None] >> np.arange(32, dtype=np.uint32)) & 1).mean(axis=0)
        assert np.abs(share - 0.5).max() < 5 * 0.5 / np.sqrt(len(numbers))
    # Different words stay different when mixed.
    some = np.concatenate([np.arange(2**18), 2**32 - 1 - np.arange(2**18)]).astype(np.uint32)
    assert len(np.unique(np.asarray(jax.jit(mixed)(some)))) == len(some)


def first_with(least: int, bound: int) -> int:
    """The lowest word whose number is so high; numbers never fall as words rise."""
    low, high = 0, 2**32
    while low < high:
        middle = (low + high) // 2
        number = int(below(np.uint32(middle), bound))
        low, high = (middle + 1, high) if number < least else (low, middle)
    return low


def test_numbers_below_a_bound_have_equal_shares_of_all_words() -> None:
    for bound in (1, 2, 3, 7, 30, 31, 81, 125, 255, 256, 1717, 65_535, 65_536):
        for each in {0, 1, bound // 2, bound - 1} & set(range(bound)):
            share = first_with(each + 1, bound) - first_with(each, bound)
            assert abs(share - 2**32 / bound) <= 2**16
        assert int(below(np.uint32(2**32 - 1), bound)) == bound - 1
    # A bound may be known only later.
    for bound, most in ((3, 7), (12, 15), (31, 31), (200, 255), (900, 1717)):
        counts = np.bincount(np.asarray(below(GRID, np.uint32(bound), most)), minlength=bound)
        assert len(counts) == bound
        assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize("name", GAMES)
def test_each_legal_action_has_the_same_share_of_all_words(name: str) -> None:
    env = make(name)
    packed, tables = env.packed, env.tables

    @jax.jit
    def counted(moves: Any, lane: Any) -> Any:
        """How often each action is chosen after so many random moves, and which are legal."""

        def move(number: Any, position: Any) -> Any:
            word = draw(lane, number)
            action = packed.chosen(position, word, tables)
            return packed.played(position, action, word, tables)[0]

        start = tuple(map(jnp.uint32, packed.start()))
        position = jax.lax.fori_loop(0, moves, move, start)
        chosen = jax.vmap(partial(packed.chosen, tables=tables), (None, 0))(position, GRID)
        return jnp.bincount(chosen, length=env.num_actions), packed.legal(position, tables)

    for moves, lane in product(range(12), (99, 7)):
        counts, legal = map(np.asarray, counted(moves, jnp.uint32(lane)))
        assert not counts[~legal].any()
        assert counts[legal].max() - counts[legal].min() <= 1


def test_a_key_of_jax_chooses_like_a_word() -> None:
    env = make("safe-cracker")
    key = jax.random.key(5)
    word = jax.random.bits(key, dtype=jnp.uint32)
    assert int(env.random_action(env.init(), key)) == int(env.random_action(env.init(), word))


# --- mixtures in tables ---


def test_choices_are_drawn_with_their_odds() -> None:
    width = 13
    rng = np.random.default_rng(5)
    weights = rng.integers(0, 1000, (20, width)) * rng.integers(0, 2, (20, width))
    weights[0] = 0
    table = jnp.asarray(mixture_words(weights).ravel())

    @jax.jit
    @jax.vmap
    def row(first: Any) -> Any:
        choices = drawn(table, first, jnp.uint32(width), jnp.asarray(GRID))
        return odds_of(table, first, width), choices

    odds, choices = map(np.asarray, row(jnp.arange(20, dtype=jnp.uint32) * width))
    weights[0] = 1  # where nothing has weight, all choices are as likely
    expected = weights / weights.sum(axis=1, keepdims=True)
    assert np.abs(odds - expected).max() < 1e-7
    counts = np.array([np.bincount(each, minlength=width) for each in choices])
    assert np.abs(counts / len(GRID) - expected).max() < 2 * width / len(GRID)
    assert not counts[expected == 0].any()


# --- random play in kernels is random play step by step ---

BATCH, BLOCK = 70, 32


@pytest.mark.parametrize("name", ["quantum-duel", "safe-code"])  # with chance, with large tables
def test_a_kernel_and_a_loop_make_the_same_moves(name: str) -> None:
    env, lane = make(name), lanes(5, BATCH)
    start = tuple(jnp.full(BATCH, word, jnp.uint32) for word in env.packed.start())
    kernel = jax.jit(as_kernel(env, BATCH, BLOCK, partial(moved, env)))
    loop = jax.jit(in_chunks(env, BATCH, BATCH, partial(moved, env)))
    first, second = (jax.tree_util.tree_leaves(f(start, lane, 0)) for f in (kernel, loop))
    for one, other in zip(first, second, strict=True):
        assert np.array_equal(one, other)
    assert len({*np.asarray(first[0]).tolist()}) > BATCH / 2


def test_playouts_count_what_steps_end_and_what_cannot_be_played_is_refused() -> None:
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
    for (batch, moves, seed), told in (
        ((0, 128, 1), "batch must be"),
        ((8, 200, 1), "not a multiple of 128"),
        ((8, 128, -1), "seed must be"),
    ):
        with pytest.raises(Refusal, match=told) as refused:
            playouts(env, batch, moves, seed=seed)
        assert "\n" not in str(refused.value)
