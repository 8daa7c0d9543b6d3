"""32-bit words: the fields of packed states, random words, and mixtures that are drawn from tables.

A random word is a counter-based hash, which costs less than a cryptographic generator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from numpy.typing import NDArray

from strongroom.contract import Refusal

Array = Any
"""An array of JAX or, inside a kernel, a block of one; of any shape, for that many games."""
Words = tuple[Array, ...]
"""The words of a state, each an array of `uint32`."""
Tree = TypeVar("Tree")
WIDTH: Final = 32
"""How many bits a word has."""


class Field(NamedTuple):
    """Some bits of a word that hold one number."""

    word: int
    shift: Array
    """How many bits of the word are below it; it may differ from game to game."""
    width: int

    @property
    def mask(self) -> int:
        """The largest number that fits."""
        return (1 << self.width) - 1

    def get(self, words: Words) -> Array:
        """The number in a state's words."""
        return (words[self.word] >> self.shift) & np.uint32(self.mask)

    def put(self, words: Words, number: Array) -> Words:
        """The words with another number in this field; it must fit."""
        kept = words[self.word] & ~(np.uint32(self.mask) << np.uint32(self.shift))
        return self._with_word(words, kept | (unsigned(number) << self.shift))

    def add(self, words: Words, number: Array) -> Words:
        """The words with a number added in this field; the sum must fit."""
        return self._with_word(words, words[self.word] + (unsigned(number) << self.shift))

    def _with_word(self, words: Words, word: Array) -> Words:
        return (*words[: self.word], word, *words[self.word + 1 :])


class Layout(Mapping[str, Field]):
    """Fields by name, packed into as few words as their order allows; none crosses a border.

    >>> layout = Layout(number=7, left=30, right=2)
    >>> layout["left"], layout["right"], layout.words
    (Field(word=1, shift=0, width=30), Field(word=1, shift=30, width=2), 2)
    """

    def __init__(self, **widths: int) -> None:
        self._fields: dict[str, Field] = {}
        word = shift = 0
        for name, width in widths.items():
            if shift + width > WIDTH:
                word, shift = word + 1, 0
            self._fields[name] = Field(word, shift, width)
            shift += width
        self.words: int = word + 1 if widths else 0
        """How many words a state has."""

    def pack(self, **numbers: Array) -> Words:
        """The words with these numbers, which must fit, and 0 in all other fields."""
        words: list[Array] = [None] * self.words
        for name, number in numbers.items():
            field = self[name]
            moved = unsigned(number) << field.shift if field.shift else unsigned(number)
            word = words[field.word]
            words[field.word] = moved if word is None else word | moved
        nothing = jnp.zeros_like(next(word for word in words if word is not None))
        return tuple(nothing if word is None else word for word in words)

    def constant(self, **numbers: int) -> tuple[int, ...]:
        """The same as plain integers, for what holds before the first move.

        >>> Layout(number=7, left=30).constant(left=3)
        (0, 3)
        """
        words = [0] * self.words
        for name, number in numbers.items():
            words[self[name].word] |= number << self[name].shift
        return tuple(words)

    def of_seat(self, name: str, seat: Array) -> Field:
        """The field `name_one` or `name_two`, whichever is a seat's; both stand in one word.

        >>> Layout(code_one=5, code_two=5).of_seat("code", 1)
        Field(word=0, shift=5, width=5)
        """
        one, two = self[f"{name}_one"], self[f"{name}_two"]
        assert one.word == two.word
        return one._replace(shift=one.shift + seat * (two.shift - one.shift))

    def __getitem__(self, name: str) -> Field:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


def unsigned(number: Array) -> Array:
    """A number as an unsigned word."""
    return np.uint32(number) if isinstance(number, int) else number.astype(jnp.uint32)


class Flags(NamedTuple):
    """Booleans in words, the first in the lowest bit; the bits above the last are 0."""

    words: Words
    size: int


def flag(condition: Array) -> Flags:
    """One boolean."""
    return Flags((unsigned(condition),), 1)


def only(number: Array, size: int, condition: Array = True) -> Flags:
    """A flag for each number below a size, of which that of a number is set under a condition."""
    mark = unsigned(jnp.asarray(condition)) << (number % WIDTH)
    words = (jnp.where(number // WIDTH == n, mark, unsigned(0)) for n in range(words_of_set(size)))
    return Flags(tuple(words), size)


def join_flags(parts: Iterable[Flags]) -> Array:
    """Flags one after the other, without gaps, as words along a new last axis."""
    words: list[Array] = []
    size = 0
    for part in parts:
        for place, word in enumerate(part.words):
            index, shift = divmod(size + WIDTH * place, WIDTH)
            low = word << shift if shift else word
            words[index:] = [words[index] | low] if index < len(words) else [low]
            if shift + min(WIDTH, part.size - WIDTH * place) > WIDTH:
                words.append(word >> (WIDTH - shift))
        size += part.size
    # Each word is computed on its own and only then put beside the others, so that a GPU's threads
    # do the same at the same time.
    return jnp.stack(lax.optimization_barrier(jnp.broadcast_arrays(*words)), axis=-1)


def unpack(words: Array, size: int) -> Array:
    """The flags in words along the last axis, as booleans along it.

    >>> unpack(jnp.uint32([6]), 4).tolist()
    [False, True, True, False]
    """
    # The words are computed once, and not again for each of their bits.
    each = lax.optimization_barrier(words)[..., None] >> jnp.arange(WIDTH, dtype=jnp.uint32)
    return (each & 1 != 0).reshape(*words.shape[:-1], -1)[..., :size]


def pack_flags(flags: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """Booleans along the last axis as words, the first in the lowest bit."""
    short = -flags.shape[-1] % WIDTH
    padded = np.pad(flags, [(0, 0)] * (flags.ndim - 1) + [(0, short)])
    by_word = padded.reshape(*flags.shape[:-1], -1, WIDTH).astype(np.uint32)
    words: NDArray[np.uint32] = (by_word << np.arange(WIDTH, dtype=np.uint32)).sum(-1, np.uint32)
    return words


def words_of_set(size: int) -> int:
    """How many words a set of numbers below a size takes.

    >>> words_of_set(32), words_of_set(81)
    (1, 3)
    """
    return -(-size // WIDTH)


def entry(table: Array, index: Array) -> Array:
    """The entries of a flat table at indices that are in its bounds."""
    if isinstance(table, jax.Array):
        return table.at[index].get(mode="promise_in_bounds")
    return table[index]  # a reference inside a kernel


def look_up(table: Array, index: Array) -> Array:
    """The same as unsigned words."""
    return entry(table, index).astype(jnp.uint32)


def either(condition: Array, one: Tree, other: Tree) -> Tree:
    """The first of two states, tuples of words or other trees where a condition holds."""
    chosen: Tree = jax.tree_util.tree_map(lambda a, b: jnp.where(condition, a, b), one, other)
    return chosen


# --- random words ---


def mix(word: Array) -> Array:
    """A hash of a word: each bit depends on all bits of the word, and no two words share a hash."""
    word = (word ^ (word >> 16)) * jnp.uint32(0x21F0AAAD)
    word = (word ^ (word >> 15)) * jnp.uint32(0xD35A2D97)
    return word ^ (word >> 15)


def lane_of(seed: Array, game: Array) -> Array:
    """A word for the game with this number, from which `draw` makes its random words.

    Both are mixed first, so that no seed's games are another's under other numbers.
    """
    return mix(mix(game) ^ mix(unsigned(seed) + jnp.uint32(1)))


def lanes(seed: Array, count: int) -> Array:
    """The lanes of the games of a batch, numbered from 0."""
    return lane_of(seed, jnp.arange(count, dtype=jnp.uint32))


def draw(lane: Array, number: Array) -> Array:
    """The random word of a game with this number: uniform, and independent of all others.

    The number is mixed first, so that no game repeats a stretch of another's words.
    """
    return mix(lane + mix(unsigned(number) ^ jnp.uint32(0x9E3779B9)))


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
    is_word = key.dtype == jnp.uint32 and key.ndim == 0
    return key if is_word else jax.random.bits(key, dtype=jnp.uint32)


# --- mixtures ---
#
# A row of a table is the mixture of one situation, by Walker's alias method: every choice has a
# word, with a threshold above another choice, its alias. A random word picks a choice of the row,
# each as likely as the others; what the product leaves over decides between it and its alias.


ALIAS_BITS: Final = 8
"""How many bits an alias takes."""
SHARE_BITS: Final = WIDTH - ALIAS_BITS
"""How many bits a threshold takes."""


def mixture_words(weights: NDArray[Any]) -> NDArray[np.uint32]:
    """The words of mixtures along the last axis; where no choice has weight, all are as likely."""
    width = weights.shape[-1]
    rows = np.asarray(weights, np.float64).reshape(-1, width)
    rows = np.where(rows.any(axis=1, keepdims=True), rows, 1.0)
    shares = rows / rows.sum(axis=1, keepdims=True) * width
    alias = np.tile(np.arange(width), (len(rows), 1))
    threshold = np.zeros_like(shares)
    open_low, open_high = shares.copy(), shares.copy()
    every = np.arange(len(rows))
    for _ in range(width - 1):  # the least likely choice that is left is filled by the likeliest
        low, high = open_low.argmin(axis=1), open_high.argmax(axis=1)
        share = open_low[every, low]
        threshold[every, low], alias[every, low] = share, high
        open_low[every, high] -= 1 - share
        open_high[every, high] = open_low[every, high]
        open_low[every, low], open_high[every, low] = np.inf, -np.inf
    cut = np.rint(threshold * (1 << SHARE_BITS)).clip(0, (1 << SHARE_BITS) - 1).astype(np.uint32)
    return np.asarray((cut << ALIAS_BITS) | alias, np.uint32).reshape(weights.shape)


def draw_from_mixture(table: Array, first: Array, width: Array, word: Array) -> Array:
    """A choice by a random word, from the row of so many words that starts at an index."""
    place = below(word, width)
    found = look_up(table, first + place)
    left_over = (word * width) >> ALIAS_BITS
    keeps = left_over < (found >> ALIAS_BITS)
    return jnp.where(keeps, place, found & ((1 << ALIAS_BITS) - 1))


def mixture_odds(table: Array, first: Array, width: int) -> Array:
    """How likely each choice of one row is drawn."""
    found = look_up(table, first + jnp.arange(width, dtype=jnp.uint32))
    kept = (found >> ALIAS_BITS).astype(jnp.float32) / (1 << SHARE_BITS)
    return kept.at[found & ((1 << ALIAS_BITS) - 1)].add(1 - kept) / width
