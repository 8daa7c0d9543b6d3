"""Weights for the middle of the Digit Deductions board, where a random guess seldom hits."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Final

from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS
from strongroom.players.ideas import Mixture, in_proportion


def inwards(code: Code) -> list[int]:
    """The distance of each digit from the lowest or highest digit, whichever is nearer."""
    return [min(digit - 1, NUMBERS.highest - digit) for digit in code.digits]


AT_THE_EDGE: Final = 3
"""The weight of a guess at the edge of the board; every step inwards adds one, up to 7 at 5-5."""
EDGE: Final = tuple(code for code in NUMBERS.codes if min(inwards(code)) == 0)
"""The numbers at the edge of the board."""
CORNERS: Final = tuple(code for code in NUMBERS.codes if max(inwards(code)) == 0)


def rather_in_the_middle(codes: Iterable[Code]) -> Mixture:
    """A mixture of these numbers that favours the middle over the edge."""
    return in_proportion({code: AT_THE_EDGE + min(inwards(code)) for code in codes})


TOWARDS_THE_MIDDLE: Final = in_proportion(
    {code: prod(1 + steps for steps in inwards(code)) for code in NUMBERS.codes}
)
"""Digits are likelier the nearer they are to 5: a 5 comes up five times as often as a 1."""
