"""Codes that can still be hidden, as the bits of one number: bit n stands for `space.codes[n]`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from operator import eq
from typing import Self

from strongroom.contract import Candidates, Event, Left, Seat
from strongroom.games.codes import Code, CodeSpace

Feedback = Callable[[int, int], int]
"""What one place adds to the answer: by the digit hidden there and the digit guessed."""


# An entry takes up to 66 kB at nine digits and length six, most take a few bytes.
@lru_cache(maxsize=1024)
def fitting(highest: int, feedback: Feedback, guess: tuple[int, ...], answer: int) -> int:
    """The codes to which a guess has this answer.

    >>> bin(fitting(3, eq, (2,), 1)), bin(fitting(3, eq, (2,), 0))
    ('0b10', '0b101')
    """
    if not guess:
        return int(answer == 0)
    first, rest = guess[0], guess[1:]
    size, bits = highest ** len(rest), 0
    for digit in range(highest, 0, -1):
        bits <<= size
        if (missing := answer - feedback(digit, first)) >= 0:
            bits |= fitting(highest, feedback, rest, missing)
    return bits


@dataclass(frozen=True)
class CodesLeft(Candidates):
    """Codes of a space that can still be hidden."""

    space: CodeSpace
    bits: int

    @cached_property
    def _count(self) -> int:
        return self.bits.bit_count()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        codes, written = self.space.codes, f"{self.bits:b}"
        place = last = len(written) - 1
        while (place := written.rfind("1", 0, place + 1)) >= 0:
            yield codes[last - place].digits
            place -= 1

    def __contains__(self, digits: object) -> bool:
        code = Code(digits) if isinstance(digits, tuple) else None
        if code is None or code not in self.space:
            return False
        return bool(self.bits >> self.space.codes.index(code) & 1)

    @cached_property
    def digits_at(self) -> tuple[frozenset[int], ...]:
        """For each place of a code the digits that can still stand there."""
        length, highest = self.space.length, self.space.highest

        def those_with(digit: int, place: int) -> int:
            return fitting(highest, eq, tuple(digit * (at == place) for at in range(length)), 1)

        return tuple(
            frozenset(d for d in self.space.digits if self.bits & those_with(d, place))
            for place in range(length)
        )

    def keep(self, bits: int) -> Self:
        """Those that are among some others, too."""
        kept = self.bits & bits
        return self if kept == self.bits else replace(self, bits=kept)


@dataclass(frozen=True)
class Unguessed(CodesLeft):
    """The codes that fit the answers to one seat's guesses."""

    seat: Seat
    feedback: Feedback

    @classmethod
    def all_of(cls, space: CodeSpace, seat: Seat, feedback: Feedback) -> Self:
        """Every code, before the first guess."""
        return cls(space, (1 << len(space.codes)) - 1, seat, feedback)

    def after(self, event: Event) -> Self:
        """Those that would have been answered like this, if it is the seat's own guess."""
        if event.actor is not self.seat or not isinstance(event.move, Code):
            return self
        assert isinstance(event.answer, int)
        return self.answered(event.move.digits, event.answer)

    def answered(self, guess: tuple[int, ...], answer: int) -> Self:
        """Those to which a guess has this answer."""
        if len(self) == 1:
            return self  # the hidden code itself; no true answer rules it out
        return self.keep(fitting(self.space.highest, self.feedback, guess, answer))


@dataclass(frozen=True)
class Unshown(CodesLeft):
    """The codes that were never shown."""

    @classmethod
    def all_of(cls, space: CodeSpace) -> Self:
        """Every code, before the first turn."""
        return cls(space, (1 << len(space.codes)) - 1)

    def after(self, event: Event) -> Self:
        """All but the code that is shown now."""
        return self.keep(~(1 << self.space.codes.index(event.answer)))


def possible_digits(left: Left) -> tuple[frozenset[int], ...]:
    """For each place of a code the digits that can stand there, by whatever codes are left.

    >>> possible_digits({(1, 2), (1, 3)}) == ({1}, {2, 3})
    True
    """
    if isinstance(left, CodesLeft):
        return left.digits_at
    return tuple(map(frozenset, zip(*left, strict=True)))
