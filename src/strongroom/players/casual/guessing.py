"""How the casual player guesses codes, in Safe Cracker and in Digit Deductions."""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Move, View
from strongroom.games.codes import Code
from strongroom.players.candidates import Codes, codes_left, guesses_of
from strongroom.players.casual.slips import remembered
from strongroom.players.ideas import Idea, draw
from strongroom.players.middle import EDGE, TOWARDS_THE_MIDDLE, rather_in_the_middle

COME_TO_MIND: Final = 5
"""Of so many codes it hides the most varied one."""


class FirstThatFits(Idea):
    """A varied code to hide; then any code that fits what it remembers."""

    told = (
        "It hides a code that looks random, one of different digits mostly, and guesses the first "
        "code that comes to its mind and fits all the answers it remembers. "
        "Each answer but the last one slips its memory one turn in five."
    )

    def choose(self, view: View) -> Move:
        """A code."""
        if view.setting_up:
            return max(self._rng.sample(view.moves, COME_TO_MIND), key=_variety)
        left = fitting(view, self._rng)
        return _code(left[self._rng.randrange(len(left))])


class EdgeThenFits(Idea):
    """A number rather in the middle; then one at the edge, and any that fits what it remembers."""

    told = (
        "It hides two digits, each the likelier the nearer it is to 5, opens with any number at "
        "the edge of the board, and then guesses what comes to its mind and fits all the answers "
        "it remembers, rather a number in the middle. "
        "Each answer but the last one slips its memory one turn in five."
    )

    def choose(self, view: View) -> Move:
        """A number."""
        if view.setting_up:
            return draw(TOWARDS_THE_MIDDLE, self._rng)
        if view.turns < 2:
            return self._rng.choice(EDGE)
        return draw(rather_in_the_middle(map(_code, fitting(view, self._rng))), self._rng)


def fitting(view: View, rng: Random) -> Codes:
    """The codes that fit what is remembered just now."""
    assert view.seat is not None
    return codes_left(view.game, remembered(guesses_of(view, view.seat), rng))


def _code(row: NDArray[np.int8]) -> Code:
    return Code(tuple(map(int, row)))


def _variety(code: Move) -> int:
    """How many different digits a code has; the more, the safer it looks."""
    return len(set(code.digits)) if isinstance(code, Code) else 0
