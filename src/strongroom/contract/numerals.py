"""How numbers are typed: in plain digits 0 to 9, at every prompt of every game."""

from __future__ import annotations

import re
from typing import Final

SEPARATOR: Final = re.compile(r" ?, ?| - |- ?| ")
"""What may separate two numbers; a hyphen that follows a blank and precedes a digit is a sign."""
_UNITS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
NUMBER_WORDS: Final = (
    "zero", *_UNITS, "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
    "seventeen", "eighteen", "nineteen", "twenty", *(f"twenty {unit}" for unit in _UNITS), "thirty",
)  # fmt: skip
"""The numbers from 0 to 30 in words, which only sentences may use."""


def numerals(text: str) -> tuple[str, ...]:
    """The runs of plain digits that a text consists of; empty if it holds anything else.

    Runs are separated by blanks, commas or single hyphens. A sign is not part of a number.

    >>> numerals("3-4-2"), numerals(" 5, 7 "), numerals("57")
    (('3', '4', '2'), ('5', '7'), ('57',))
    >>> [numerals(text) for text in ("-2", "+2", "5 -7", "1--1", "123.", "1/2", "²")]
    [(), (), (), (), (), (), ()]
    """
    rows = tuple(SEPARATOR.split(" ".join(text.split())))
    return rows if all(row.isascii() and row.isdigit() for row in rows) else ()


def whole_number(text: str) -> int | None:
    """The number that a text gives in plain digits; None if it is anything else.

    A very long number is cut to nine digits, which is still out of any range.

    >>> whole_number("0000000031"), whole_number("-2"), whole_number("1 6")
    (31, None, None)
    """
    rows = numerals(text)
    return int(rows[0].lstrip("0")[:9] or "0") if len(rows) == 1 else None


def is_number_word(text: str) -> bool:
    """Whether a text is a number from 0 to 30 in words.

    >>> is_number_word("Twenty-one"), is_number_word("save")
    (True, False)
    """
    return text.strip().lower().replace("-", " ") in NUMBER_WORDS
