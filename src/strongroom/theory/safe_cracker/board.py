"""The board of Safe Cracker in the theory: sets of codes up to renaming.

Relabelling the digits of a position and reordering the positions leave the number of exact matches
unchanged, so what a guesser knows is a set of codes up to that symmetry: a *form*.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerOptions
from strongroom.theory.solution import Ints

Hashes = NDArray[np.uint64]

MARK = 99  # the colour of the one code of a set that is singled out
UNUSED = 255  # in a form: a digit that no code of the set has in that position


@dataclass(frozen=True, eq=False)
class Space:
    """The codes of one game by index."""

    game: SafeCracker

    @cached_property
    def digits(self) -> Ints:
        """The digits of each code, from 0: [code, position]."""
        return np.array([code.digits for code in self.game.space.codes]) - 1

    @cached_property
    def symbols(self) -> Hashes:
        """Which digit each code has in which position: a row per code, a column per pair."""
        height = self.game.options.digits
        one_hot = self.digits[:, :, None] == np.arange(height)
        return np.asarray(one_hot.reshape(len(self.digits), -1), np.uint64)

    def number(self, digits: Ints) -> Ints:
        """The indices of the codes with these digits (last axis)."""
        power = self.game.options.digits ** np.arange(self.game.options.length)[::-1]
        return np.asarray(digits @ power, np.int64)


@lru_cache(maxsize=1)
def space_of(digits: int, length: int) -> Space:
    """The space of codes of this kind, cached."""
    return Space(SafeCracker(SafeCrackerOptions(digits=digits, length=length)))


class Form(NamedTuple):
    """A set of codes up to renaming, and how to rename a code to match it."""

    key: bytes
    columns: tuple[int, ...]
    ranks: Ints

    def rename(self, space: Space) -> Ints:
        """For every code of the space, its name in the form."""
        columns = list(self.columns)
        return space.number(self.ranks[columns, space.digits[:, columns]])


def codes_of(space: Space, key: bytes) -> tuple[Ints, Ints]:
    """The codes of a form in its own names, and their colours."""
    colours, *digits = np.frombuffer(key, np.uint8).reshape(space.game.options.length + 1, -1)
    return space.number(np.array(digits, np.int64).T), colours.astype(np.int64)


def typical(space: Space, codes: Ints) -> Ints:
    """The first guess equivalent to each: digits that no code has are interchangeable."""
    digits = space.digits.copy()
    for j in range(digits.shape[1]):
        unused = sorted(set(range(space.game.options.digits)) - set(digits[codes, j]))
        if unused:
            digits[np.isin(digits[:, j], unused), j] = unused[0]
    return space.number(digits)


def _scramble(x: Hashes) -> Hashes:
    x = (x ^ (x >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return x ^ (x >> np.uint64(32))


def _shades(symbols: Hashes, colours: Hashes, extra: Hashes, length: int) -> Hashes:
    """Refine the colours of the codes (0: not in the set) until no two codes share one.

    A code's shade depends on its digits, a digit's on the codes that have it. When that tells no
    more codes apart, the first of the smallest shared shade is singled out: if those codes are not
    truly alike, two equal sets may get two forms, which costs time but is never wrong.
    """
    final = _scramble(colours) * (colours > 0)
    active, known = np.arange(len(colours)), np.zeros(len(colours), np.int64)
    while len(active):
        shade, count = final[active], len(active)
        symbol = _scramble(shade @ symbols + extra[active])
        column = _scramble(_scramble(symbol).reshape(count, length, -1).sum(2))
        symbol = _scramble(symbol ^ np.repeat(column, symbol.shape[1] // length, axis=1))
        shade = _scramble(shade + symbol @ symbols.T) * (shade > 0)
        ranked = np.sort(shade, axis=1)
        tied = (ranked[:, 1:] == ranked[:, :-1]) & (ranked[:, 1:] > 0)
        ties = tied.sum(1)
        stuck = np.flatnonzero((ties > 0) & (ties == known))
        if len(stuck):
            least = ranked[stuck, tied[stuck].argmax(1)]
            chosen = (shade[stuck] == least[:, None]).argmax(1)
            shade[stuck, chosen] = _scramble(least + np.uint64(MARK))
            ties[stuck] = 0  # any further split counts as progress
        final[active] = shade
        going = tied.any(1)
        active, known = active[going], np.where(ties > 0, ties, -1)[going]
    return final


def forms(space: Space, rows: Ints, colours: Ints, guesses: Ints | None = None) -> list[Form]:
    """The form of each coloured set over `rows` (one per line), with a guess marked if given."""
    length, height = space.game.options.length, space.game.options.digits
    symbols, count = space.symbols[rows], len(rows)
    extra = np.zeros((len(colours), symbols.shape[1]), np.uint64)
    if guesses is not None:
        extra += space.symbols[guesses] * np.uint64(MARK)
    shades = _shades(symbols, colours.astype(np.uint64), extra, length)
    shades[colours == 0] = ~np.uint64(0)
    order = shades.argsort(1)
    place = order.argsort(1)
    inside = np.where(colours > 0, place, count)
    first = np.stack([np.where(has, inside, count).min(1) for has in symbols.T > 0], axis=1)
    first = first.reshape(len(colours), length, height)
    ranks = first.argsort(2, kind="stable").argsort(2)
    names = np.empty((len(colours), length, count), np.uint8)
    for j in range(length):
        names[:, j] = np.take_along_axis(ranks[:, j], space.digits[rows, j][order], 1)
    forms = []
    for i, line in enumerate(colours):
        size = int((line > 0).sum())
        texts = [names[i, j, :size].tobytes() for j in range(length)]
        if guesses is not None:
            digit = space.digits[guesses[i]]
            for j in range(length):
                used = first[i, j, digit[j]] < count
                texts[j] += bytes([ranks[i, j, digit[j]] if used else UNUSED])
        columns = sorted(range(length), key=texts.__getitem__)
        hues = line[order[i, :size]].astype(np.uint8).tobytes()
        key = hues + b"".join(texts[j] for j in columns)
        forms.append(Form(key, tuple(columns), ranks[i]))
    return forms
