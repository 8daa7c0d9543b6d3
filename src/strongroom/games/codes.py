"""Codes: rows of digits from 1 up, as three of the games hide, guess and dial them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product

from strongroom.game import Move, NotUnderstood
from strongroom.refusal import shown, whole_number

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True, slots=True)
class Code(Move):
    """A row of digits, written `3-4-2`."""

    digits: tuple[int, ...]

    def __str__(self) -> str:
        return _text(self.digits)


@cache
def _text(digits: tuple[int, ...]) -> str:
    return "-".join(map(str, digits))


@dataclass(frozen=True)
class CodeSpace:
    """The codes of one length, with digits from 1 to `highest`."""

    length: int
    highest: int

    @cached_property
    def digits(self) -> frozenset[int]:
        """The digits a code is made of."""
        return frozenset(range(1, self.highest + 1))

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """Every code, in ascending order.

        >>> [str(code) for code in CodeSpace(2, 2).codes]
        ['1-1', '1-2', '2-1', '2-2']
        """
        return tuple(map(Code, product(sorted(self.digits), repeat=self.length)))

    @property
    def form(self) -> str:
        """What a code is, in words.

        >>> CodeSpace(3, 5).form
        'three digits from 1-5'
        """
        return f"{WORDS[self.length]} digits from 1-{self.highest}"

    def __contains__(self, code: Code) -> bool:
        return len(code.digits) == self.length and self.digits.issuperset(code.digits)

    @property
    def accepts(self) -> str:
        """How to type a code, with an example."""
        example = [digit % self.highest + 1 for digit in range(1, self.length + 1)]
        dashed, joined, spaced = (sep.join(map(str, example)) for sep in ("-", "", " "))
        return f"Type {self.form}, like {dashed}, {joined} or {spaced}."

    def parse(self, text: str) -> Code:
        """The code that a person typed: `3-4-2`, `342`, `3 4 2`.

        >>> str(CodeSpace(3, 5).parse(" 342 "))
        '3-4-2'
        """
        strange = re.search(r"[^0-9\s,.;:/_-]", text)
        if strange:
            raise NotUnderstood(f"A code is digits only; {shown(text)} has more.", self.accepts)
        groups = re.findall(r"[0-9]+", text)
        typed = list(groups[0]) if len(groups) == 1 else groups
        for digit in typed:
            if not 1 <= whole_number(digit) <= self.highest:
                reason = f"Digits run from 1 to {self.highest}; you typed {whole_number(digit)}."
                raise NotUnderstood(reason, self.accepts)
        if len(typed) != self.length:
            count = f"you typed {len(typed)}" if typed else "you typed none"
            raise NotUnderstood(f"A code has {WORDS[self.length]} digits; {count}.", self.accepts)
        return Code(tuple(map(whole_number, typed)))
