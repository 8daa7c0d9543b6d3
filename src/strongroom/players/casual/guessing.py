"""How the casual player guesses codes, in Safe Cracker and in Digit Deductions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import comb
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Move, View
from strongroom.games.codes import Code
from strongroom.games.guessing import Unguessed
from strongroom.players.candidates import (
    Codes,
    Guess,
    codes_left,
    guesses_of,
    listed,
    unguessed,
)
from strongroom.players.casual.slips import recalled, remembered
from strongroom.players.digit_deductions_weights import (
    EDGE,
    TOWARDS_THE_MIDDLE,
    rather_in_the_middle,
)
from strongroom.players.ideas import MixedIdea, Mixture, Uniform, blend, draw

COME_TO_MIND: Final = 5
"""It draws this many codes and hides the most varied one."""


class FirstThatFits(MixedIdea):
    """Hides a varied code; then guesses any code that fits what it remembers.

    It hides a code that looks random, mostly of different digits, and guesses any code that
    fits what it remembers. Every turn it forgets each answer but the last with a chance of one
    in five.
    """

    def choose(self, view: View) -> Move:
        """A code."""
        if view.setting_up:
            return max(self._rng.sample(view.moves, COME_TO_MIND), key=_variety)
        left = fitting(view, self._rng)
        return _code(left[self._rng.randrange(len(left))])

    def policy(self, view: View) -> Mixture:
        """The mixture of codes, to hide or to guess."""
        if view.setting_up:
            return most_varied(view.moves, COME_TO_MIND)
        return blend(*((chance, Uniform(codes)) for codes, chance in recalled_codes(view)))


class EdgeThenFits(MixedIdea):
    """Hides near the middle; opens at the edge, then guesses what fits what it remembers.

    It hides two digits, each likelier the nearer it is to 5, opens with any number at the edge
    of the board, and then guesses a number that fits what it remembers, with a preference for
    the middle. Every turn it forgets each answer but the last with a chance of one in five.
    """

    def choose(self, view: View) -> Move:
        """A number."""
        if view.setting_up:
            return draw(TOWARDS_THE_MIDDLE, self._rng)
        if view.turns < 2:
            return self._rng.choice(EDGE)
        return draw(rather_in_the_middle(map(_code, fitting(view, self._rng))), self._rng)

    def policy(self, view: View) -> Mixture:
        """The mixture of numbers, to hide or to guess."""
        if view.setting_up:
            return TOWARDS_THE_MIDDLE
        if view.turns < 2:
            return Uniform(EDGE)
        known = recalled_codes(view)
        return blend(*((chance, rather_in_the_middle(codes)) for codes, chance in known))


def fitting(view: View, rng: Random) -> Codes:
    """The codes that fit what the player remembers this turn."""
    assert view.seat is not None
    return codes_left(view.game, remembered(guesses_of(view, view.seat), rng))


def recalled_codes(view: View) -> list[tuple[list[Code], float]]:
    """The codes that fit what the player may remember this turn, and how likely that is."""
    assert view.seat is not None

    def learn(left: Unguessed, guess: Guess) -> Unguessed:
        return left.answered(*guess)

    told = guesses_of(view, view.seat)
    known = reduce(learn, told[-1:], unguessed(view.game))
    left = recalled(told[:-1], known, learn)
    return [([*map(_code, listed(each))], chance) for each, chance in left.items()]


def most_varied(codes: Sequence[Move], count: int) -> Mixture:
    """The mixture of the most varied of some codes, of which so many are drawn."""
    kinds: dict[int, list[Move]] = {}
    for code in codes:
        kinds.setdefault(_variety(code), []).append(code)
    mixture: dict[Move, float] = {}
    below = 0
    for _, alike in sorted(kinds.items()):
        draws = comb(below + len(alike), count) - comb(below, count)
        if draws:
            mixture |= dict.fromkeys(alike, draws / comb(len(codes), count) / len(alike))
        below += len(alike)
    return mixture


def _code(row: NDArray[np.int8]) -> Code:
    return Code(tuple(map(int, row)))


def _variety(code: Move) -> int:
    """The number of different digits in a code; the more, the safer it looks."""
    return len(set(code.digits)) if isinstance(code, Code) else 0
