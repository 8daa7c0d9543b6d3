"""Renamings of codes in packed form: what the theory of Safe Cracker calls names.

A renaming moves positions and replaces digits: place `p` of the name of a code is
`digits_p[code[columns_p]]`. It is packed into a word of columns, three bits each, and a word of
digits for each place, four bits each. A ninth digit has no room; it is the one that is left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from strongroom.plugins.extras import extra
from strongroom.theory.safe_cracker.board import Ints, Space
from strongroom.vector.words import Array, Words, unsigned

with extra("vector", "strongroom.vector"):
    import jax.numpy as jnp

COLUMN_BITS = 3
DIGIT_BITS = 4
ROOM = 8
"""How many digits a word has room for."""


class Renamings:
    """The renamings of the codes of one space."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.height: int = space.game.options.digits
        self.length: int = space.game.options.length
        self.powers: list[int] = [self.height**n for n in reversed(range(self.length))]
        """What a digit counts in each position of a code's number."""
        self.kept = min(self.height, ROOM)
        self.widths: tuple[int, ...] = (
            COLUMN_BITS * self.length,
            *[DIGIT_BITS * self.kept] * self.length,
        )
        """How many bits each word of a renaming takes."""
        self._ninth = int(np.bitwise_xor.reduce(np.arange(self.height)))
        self.probes: Ints = np.array(self.powers)[:, None] * np.arange(self.height)
        """The codes by whose names a renaming is known: [position, digit], else the first digit."""
        self.same: tuple[int, ...] = tuple(
            int(word) for word in self.packed(np.arange(len(space.digits))[self.probes])
        )
        """The renaming that leaves every code its name."""

    def packed(self, names: Ints) -> NDArray[np.uint32]:
        """Renamings, given by the names of the probes (last two axes), as words (last axis)."""
        digits = self.space.digits[names]  # [..., position, digit, place]
        moved = digits[..., 1, :] != digits[..., 0, :]
        column = moved.argmax(axis=-2)  # the position that shows in each place
        shown = np.take_along_axis(
            np.moveaxis(digits, -1, -3), column[..., None, None].repeat(self.height, -1), -2
        )[..., 0, : self.kept]  # [..., place, digit]
        places, bits = np.arange(self.length), np.arange(self.kept)
        columns = (column << (COLUMN_BITS * places)).sum(-1)
        replaced = (shown << (DIGIT_BITS * bits)).sum(-1)
        words = np.concatenate([columns[..., None], replaced], axis=-1)
        return words.astype(np.uint32)

    def name(self, renaming: Words, code: Array) -> Array:
        """A code's name."""
        digits, total = self._digits(code), unsigned(0)
        for place, power in enumerate(self.powers):
            digit = _picked(self._column(renaming, place), digits)
            total = total + self._replaced(renaming[1 + place], digit) * unsigned(power)
        return total

    def origin(self, renaming: Words, name: Array) -> Array:
        """The code with a name."""
        total = unsigned(0)
        for place, shown in enumerate(self._digits(name)):
            digit = unsigned(self.height - 1)  # the ninth, unless another is found
            for each in range(self.kept):
                here = (renaming[1 + place] >> (DIGIT_BITS * each)) & 15
                digit = jnp.where(here == shown, unsigned(each), digit)
            powers = [unsigned(power) for power in self.powers]
            total = total + digit * _picked(self._column(renaming, place), powers)
        return total

    def composed(self, first: Words, then: Words) -> Words:
        """The renaming by one and then by the other."""
        columns, words = unsigned(0), []
        for place in range(self.length):
            moved = self._column(then, place)
            inner = [self._column(first, each) for each in range(self.length)]
            columns = columns | (_picked(moved, inner) << (COLUMN_BITS * place))
            before, word = _picked(moved, [*first[1:]]), unsigned(0)
            for each in range(self.kept):
                digit = (before >> (DIGIT_BITS * each)) & 15
                word = word | (self._replaced(then[1 + place], digit) << (DIGIT_BITS * each))
            words.append(word)
        return columns, *words

    def _digits(self, code: Array) -> list[Array]:
        return [code // unsigned(power) % unsigned(self.height) for power in self.powers]

    def _column(self, renaming: Words, place: int) -> Array:
        return (renaming[0] >> (COLUMN_BITS * place)) & ((1 << COLUMN_BITS) - 1)

    def _replaced(self, word: Array, digit: Array) -> Array:
        shown = (word >> (digit * DIGIT_BITS & 31)) & 15
        if self.height == self.kept:
            return shown
        # All digits together give a known parity, so the missing one is what the others lack.
        parity = word ^ (word >> 16)
        parity = parity ^ (parity >> 8)
        ninth = ((parity ^ (parity >> 4)) & 15) ^ unsigned(self._ninth)
        return jnp.where(digit == ROOM, ninth, shown)


def _picked(index: Array, values: list[Array]) -> Array:
    picked = values[0]
    for place, value in enumerate(values[1:], 1):
        picked = jnp.where(index == place, value, picked)
    return picked
