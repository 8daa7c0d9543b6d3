"""Random words by a counter-based hash, which costs less than a cryptographic generator."""

from __future__ import annotations

from strongroom.contract import Refusal
from strongroom.plugins.extras import extra
from strongroom.vector.words import Array, unsigned

with extra("vector", "strongroom.vector"):
    import jax
    import jax.numpy as jnp


def mixed(word: Array) -> Array:
    """A hash of a word: each bit depends on all bits of the word, and no two words share a hash."""
    word = (word ^ (word >> 16)) * jnp.uint32(0x21F0AAAD)
    word = (word ^ (word >> 15)) * jnp.uint32(0xD35A2D97)
    return word ^ (word >> 15)


def lane_of(seed: Array, game: Array) -> Array:
    """A word for the game with this number, from which `draw` makes its random words.

    Both are mixed first, so that no seed's games are another's under other numbers.
    """
    return mixed(mixed(game) ^ mixed(unsigned(seed) + jnp.uint32(1)))


def lanes(seed: Array, count: int) -> Array:
    """The lanes of the games of a batch, numbered from 0."""
    return lane_of(seed, jnp.arange(count, dtype=jnp.uint32))


def draw(lane: Array, number: Array) -> Array:
    """The random word of a game with this number: uniform, and independent of all others.

    The number is mixed first, so that no game repeats a stretch of another's words.
    """
    return mixed(lane + mixed(unsigned(number) ^ jnp.uint32(0x9E3779B9)))


def below(word: Array, bound: Array, most: int = 1 << 16) -> Array:
    """A random number from 0 to below a bound, which is at most `most`, by a random word.

    It is the word's share of the bound, so it depends on the word's highest bits. No number's odds
    are off by more than 1 in 65,536, as long as the bound is at most 65,536.
    """
    if isinstance(bound, int):
        most = bound
    width = most.bit_length()
    if width <= 8:
        return ((word >> width) * unsigned(bound)) >> (32 - width)
    low = (word & 0xFFFF) * unsigned(bound)
    return ((word >> 16) * unsigned(bound) + (low >> 16)) >> 16


def choice(odds: Array, word: Array) -> Array:
    """A number drawn by odds along the last axis, by a random word."""
    reached = jnp.cumsum(odds, axis=-1)
    # The share of the sum is below 1, so that rounding never leads past the last number.
    share = (word >> 8).astype(jnp.float32) / (1 << 24)
    return (reached <= (share * reached[..., -1])[..., None]).sum(-1, dtype=jnp.int32)


def word_of(key: Array) -> Array:
    """The random word in a key of JAX, by its own generator; a word of `draw` is one already."""
    if not hasattr(key, "dtype"):
        raise Refusal("That is no key.", "Pass a key of JAX, or a word of `draw`.")
    if is_word(key):
        return key
    return jax.random.bits(key, dtype=jnp.uint32)


def is_word(key: Array) -> bool:
    """Whether a key is a random word, and not a key of JAX."""
    return bool(key.dtype == jnp.uint32 and key.ndim == 0)
