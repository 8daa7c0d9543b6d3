"""Random words are uniform and independent, and random actions are uniform over the legal ones.

All seeds are fixed, so that a test passes always or never.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from strongroom.plugins.registry import GAMES
from strongroom.vector import make
from strongroom.vector.draws import below, draw, lanes, mixed

Draws = NDArray[np.uint32]

GAMES_DRAWN, STEPS, SEEDS = 1024, 1024, 4096
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


NEIGHBOURS = {
    "steps": lambda words, first: (words[:, :-1], words[:, 1:]),
    "steps with one between": lambda words, first: (words[:, :-2], words[:, 2:]),
    "games": lambda words, first: (words[:-1], words[1:]),
    "games, a step later": lambda words, first: (words[:-1, :-1], words[1:, 1:]),
    "seeds": lambda words, first: (first[:-1], first[1:]),
    "games of many seeds": lambda words, first: (first[:, :-1], first[:, 1:]),
}
"""Words that stand side by side."""


@pytest.mark.parametrize("shift", [0, 8, 16, 24])
def test_each_byte_of_a_word_is_uniform(words: Draws, first_words: Draws, shift: int) -> None:
    check_uniform((words >> shift) & 0xFF, 256)
    check_uniform((first_words >> shift) & 0xFF, 256)


def test_each_game_and_each_step_is_uniform_on_its_own(words: Draws) -> None:
    for axis in (0, 1):
        ones = ((words >> 31) + (words & 1)).sum(axis=axis, dtype=np.int64)
        distances = (ones - words.shape[axis]) / np.sqrt(words.shape[axis] / 2)
        assert np.abs(distances).max() < FAR
        assert abs(distances.std() - 1) < 0.1


@pytest.mark.parametrize("which", NEIGHBOURS)
def test_neighbours_are_independent(words: Draws, first_words: Draws, which: str) -> None:
    one, other = NEIGHBOURS[which](words, first_words)
    for a, b in ((28, 28), (0, 0), (28, 0), (0, 28), (12, 16)):
        check_uniform((one >> a & 15) * 16 + (other >> b & 15), 256)
    for a in (one, one << 16, one ^ one >> 16):
        together = np.corrcoef(a.ravel().astype(float), other.ravel().astype(float))[0, 1]
        assert abs(together) * np.sqrt(one.size) < FAR


def test_every_bit_of_a_word_depends_on_every_bit_of_its_number() -> None:
    numbers = np.arange(2000, dtype=np.uint32)
    lane, hashed = jnp.uint32(12345), jax.jit(draw)
    before = np.asarray(hashed(lane, numbers))
    for bit in range(32):
        changed = before ^ np.asarray(hashed(lane, numbers ^ np.uint32(1 << bit)))
        share = ((changed[:, None] >> np.arange(32, dtype=np.uint32)) & 1).mean(axis=0)
        assert np.abs(share - 0.5).max() < 5 * 0.5 / np.sqrt(len(numbers))


def test_different_words_stay_different_when_mixed() -> None:
    some = np.concatenate([np.arange(2**18), 2**32 - 1 - np.arange(2**18)]).astype(np.uint32)
    assert len(np.unique(np.asarray(jax.jit(mixed)(some)))) == len(some)


def test_no_game_repeats_a_stretch_of_another(words: Draws) -> None:
    pairs = (words[:, :-1].astype(np.uint64) << np.uint64(32)) | words[:, 1:]
    assert len(np.unique(pairs)) == pairs.size


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 30, 31, 81, 125, 255, 256, 1717, 65_535, 65_536])
def test_numbers_below_a_bound_have_equal_shares_of_all_words(bound: int) -> None:
    def number(word: int) -> int:
        return int(below(np.uint32(word), bound))

    def first_with(least: int) -> int:
        """The lowest word whose number is so high; numbers never fall as words rise."""
        low, high = 0, 2**32
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if number(middle) < least else (low, middle)
        return low

    some = sorted({0, 1, bound // 2, bound - 1} & set(range(bound)))
    for each in some:
        share = first_with(each + 1) - first_with(each)
        assert abs(share - 2**32 / bound) <= 2**16
    assert number(2**32 - 1) == bound - 1


@pytest.mark.parametrize(("bound", "most"), [(3, 7), (12, 15), (31, 31), (200, 255), (900, 1717)])
def test_a_bound_may_be_known_only_later(bound: int, most: int) -> None:
    grid = np.arange(2**16, dtype=np.uint32) << 16
    counts = np.bincount(np.asarray(below(grid, np.uint32(bound), most)), minlength=bound)
    assert len(counts) == bound
    assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize("name", GAMES)
def test_each_legal_action_has_the_same_share_of_all_words(name: str) -> None:
    env = make(name)
    packed, tables = env.packed, env.tables
    grid = jnp.arange(2**16, dtype=jnp.uint32) << 16

    @jax.jit
    def counted(moves: Any) -> Any:
        """How often each action is chosen after so many random moves, and which are legal."""

        def move(number: Any, position: Any) -> Any:
            word = draw(jnp.uint32(99), number)
            action = packed.chosen(position, word, tables)
            return packed.played(position, action, word, tables)[0]

        start = tuple(map(jnp.uint32, packed.start()))
        position = jax.lax.fori_loop(0, moves, move, start)
        chosen = jax.vmap(partial(packed.chosen, tables=tables), (None, 0))(position, grid)
        return jnp.bincount(chosen, length=env.num_actions), packed.legal(position, tables)

    for moves in range(12):
        counts, legal = map(np.asarray, counted(moves))
        assert not counts[~legal].any()
        assert counts[legal].max() - counts[legal].min() <= 1


def test_a_key_of_jax_chooses_like_a_word() -> None:
    env = make("safe-cracker")
    key = jax.random.key(5)
    word = jax.random.bits(key, dtype=jnp.uint32)
    assert int(env.random_action(env.init(), key)) == int(env.random_action(env.init(), word))
