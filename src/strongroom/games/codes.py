"""Codes: rows of digits from 1 up, which three of the games hide, guess or dial."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, Final

from strongroom.contract import (
    Move,
    MoveList,
    NotUnderstood,
    harmless,
    numerals,
    quote,
    shown_value,
)

WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
DIGITS: Final = frozenset(range(1, 10))


@dataclass(frozen=True, slots=True)
class Code(Move):
    """A row of digits, written `3-4-2`."""

    digits: tuple[int, ...]

    def __post_init__(self) -> None:
        digits = self.digits
        if type(digits) is not tuple or not {int}.issuperset(map(type, digits)):
            raise NotUnderstood(f"A code must be a tuple of digits, not {shown_value(digits)}.")
        if not DIGITS.issuperset(digits):
            raise NotUnderstood(f"Digits run from 1 to 9; {shown_value(digits)} has others.")

    def __str__(self) -> str:
        return _text(self.digits)


@lru_cache(maxsize=1 << 14)
def _text(digits: tuple[int, ...]) -> str:
    return "-".join(map(str, digits))


LISTED: Final = 1000
"""The codes of a larger space are not listed but created on demand."""


@dataclass(frozen=True)
class CodeSpace:
    """The codes of one length, with digits from 1 to `highest`."""

    length: int
    highest: int
    noun: str = "code"
    """What the game calls a code."""

    @cached_property
    def digits(self) -> frozenset[int]:
        """The digits that a code can contain."""
        return frozenset(range(1, self.highest + 1))

    @cached_property
    def codes(self) -> Sequence[Code]:
        """Every code, in ascending order.

        >>> [str(code) for code in CodeSpace(2, 2).codes]
        ['1-1', '1-2', '2-1', '2-2']
        """
        long = CodeList(self)
        return tuple(long) if len(long) <= LISTED else long

    @cached_property
    def form(self) -> str:
        """What a code is, in words.

        >>> CodeSpace(3, 5).form
        'three digits from 1-5'
        """
        return f"{WORDS[self.length]} digits from 1-{self.highest}"

    def __contains__(self, code: Code) -> bool:
        return len(code.digits) == self.length and self.digits.issuperset(code.digits)

    @cached_property
    def accepts(self) -> str:
        """How to type a code, with an example."""
        example = [digit % self.highest + 1 for digit in range(1, self.length + 1)]
        dashed, joined, spaced = (sep.join(map(str, example)) for sep in ("-", "", " "))
        return f"Type {self.form}, like {dashed}, {joined} or {spaced}."

    def read(self, digits: Any) -> Code:
        """The code from a JSON list of its digits, or a refusal."""
        if isinstance(digits, list) and (code := Code(tuple(digits))) in self:
            return code
        raise NotUnderstood(f"{shown_value(digits)} is not a {self.noun}.", self.accepts)

    def parse(self, text: str) -> Code:
        """The code that a person typed: `3-4-2`, `342`, `3 4 2`.

        >>> str(CodeSpace(3, 5).parse(" 342 "))
        '3-4-2'
        """
        typed = typed_digits(text)
        if not typed and text.strip():
            reason = f"A {self.noun} is digits only, not {quote(text)}."
            raise NotUnderstood(reason, self.accepts)
        for digit in typed:
            if not self.has(digit):
                reason = f"Digits run from 1 to {self.highest}; you typed {harmless(digit)}."
                raise NotUnderstood(reason, self.accepts)
        if len(typed) != self.length:
            count = WORDS[len(typed)] if len(typed) < len(WORDS) else str(len(typed))
            reason = f"A {self.noun} has {WORDS[self.length]} digits; {quote(text)} has {count}."
            raise NotUnderstood(reason, self.accepts)
        return Code(tuple(map(int, typed)))

    def has(self, digit: str) -> bool:
        """Whether a typed digit is one that a code can contain."""
        return len(digit) == 1 and int(digit) in self.digits


def typed_digits(text: str) -> tuple[str, ...]:
    """The digits that a person typed, together or separated; empty for any other text.

    >>> typed_digits("342"), typed_digits("3-4-2"), typed_digits("3 -4")
    (('3', '4', '2'), ('3', '4', '2'), ())
    """
    rows = numerals(text)
    return tuple(rows[0]) if len(rows) == 1 else rows


class CodeList(MoveList[Code]):
    """The codes of a space in ascending order, created on demand."""

    __slots__ = ("space",)

    def __init__(self, space: CodeSpace) -> None:
        self.space = space

    def __len__(self) -> int:
        return int(self.space.highest**self.space.length)

    def __iter__(self) -> Iterator[Code]:
        return map(Code, product(range(1, self.space.highest + 1), repeat=self.space.length))

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return tuple(self[each] for each in range(*number.indices(len(self))))
        rest = range(len(self))[number]
        digits = []
        for _ in range(self.space.length):
            rest, digit = divmod(rest, self.space.highest)
            digits.append(digit + 1)
        return Code(tuple(reversed(digits)))

    def __contains__(self, code: object) -> bool:
        return isinstance(code, Code) and code in self.space

    def index(self, code: Any, *bounds: int) -> int:
        """The index of a code in this list."""
        if code not in self:
            raise ValueError("That is not among the codes.")
        number: int = 0
        for digit in code.digits:
            number = number * self.space.highest + int(digit) - 1
        return number
