"""Packed states: named fields in 32-bit words, of which a state is a tuple."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.plugins.extras import extra

with extra("vector", "strongroom.vector"):
    import jax
    import jax.numpy as jnp

Array = Any
"""An array of JAX or, inside a kernel, a block of one; of any shape, for that many games."""
Words = tuple[Array, ...]
"""The words of a state, each an array of `uint32`."""
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
        return self._replaced(words, kept | (unsigned(number) << self.shift))

    def add(self, words: Words, number: Array) -> Words:
        """The words with a number added in this field; the sum must fit."""
        return self._replaced(words, words[self.word] + (unsigned(number) << self.shift))

    def _replaced(self, words: Words, word: Array) -> Words:
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


def bits(word: Array, width: int) -> Array:
    """The lowest bits of words, as booleans along a new last axis, the lowest first."""
    return (word[..., None] >> jnp.arange(width, dtype=jnp.uint32)) & 1 != 0


def bits_of_set(words: Words, size: int) -> Array:
    """A set of numbers below a size, kept in as many words as it takes, as booleans."""
    parts = [
        bits(word, min(WIDTH, size - WIDTH * place))
        for place, word in enumerate(words[: words_of_set(size)])
    ]
    return parts[0] if len(parts) == 1 else jnp.concatenate(parts, axis=-1)


def packed_flags(flags: NDArray[np.bool_]) -> NDArray[np.uint32]:
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


def look_up(table: Array, index: Array) -> Array:
    """The entries of a flat table at indices that are in its bounds, as unsigned words."""
    if isinstance(table, jax.Array):
        entries = table.at[index].get(mode="promise_in_bounds")
    else:  # a reference inside a kernel
        entries = table[index]
    return entries.astype(jnp.uint32)
