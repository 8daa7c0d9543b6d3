"""The middle of the board of Digit Deductions, where a guess at random seldom hits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from strongroom.contract import Move
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS
from strongroom.players.ideas import Mixture, in_proportion


def inwards(code: Code) -> list[int]:
    """How far each digit is from the nearest end of the digits."""
    return [min(digit - 1, NUMBERS.highest - digit) for digit in code.digits]


def _towards_the_middle() -> Mixture:
    weights: dict[Move, float] = {}
    for code in NUMBERS.codes:
        first, second = inwards(code)
        weights[code] = (1 + first) * (1 + second)
    return in_proportion(weights)


AT_THE_EDGE: Final = 3
"""What a guess at the edge of the board weighs; every step inwards adds one, up to 7 at 5-5."""
EDGE: Final = tuple(code for code in NUMBERS.codes if min(inwards(code)) == 0)
"""The numbers at the edge of the board."""
CORNERS: Final = tuple(code for code in NUMBERS.codes if max(inwards(code)) == 0)


def rather_in_the_middle(codes: Iterable[Code]) -> Mixture:
    """Any of these numbers, one in the middle rather than one at the edge."""
    return in_proportion({code: AT_THE_EDGE + min(inwards(code)) for code in codes})


TOWARDS_THE_MIDDLE: Final = _towards_the_middle()
"""Each digit the likelier the nearer it is to 5: a 5 comes up five times as often as a 1."""
