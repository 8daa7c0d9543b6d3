"""What the first guesses of Digit Deductions are worth, computed once and shipped.

`strongroom solve` computes it with the strategies. Another release of a library may find other
strategies, and so other worths; from the shipped strategies these functions give what is shipped.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from strongroom.theory.digit_deductions.board import (
    ALL,
    CORNER,
    DIAGONALS,
    HALF,
    LAST,
    MIRROR,
    ORBITS,
    Trials,
    fold,
    folded,
    split,
)
from strongroom.theory.digit_deductions.player import DiagonalPlayer
from strongroom.theory.digit_deductions.proof import DiagonalResponse
from strongroom.theory.digit_deductions.response import FINE, FullResponse, guesses, posterior
from strongroom.theory.solution import Table

Floats = NDArray[Any]

SECOND_TURNS: Final = (2, inf)
"""How many turns can be left in the table of second guesses: a horizon of luck, and enough."""
NEAR: Final = [t for _, diagonal in DIAGONALS for t in diagonal if t <= MIRROR[t]]
"""ONE's numbers on the near diagonals, of which one of two mirrored ones is enough."""
PLACE: Final = {t: i for i, each in enumerate(NEAR) for t in (each, MIRROR[each])}
"""Where each of ONE's numbers is in the table of second guesses."""


def first_guesses(one: DiagonalPlayer, two: DiagonalPlayer) -> Table:
    """The best win probability by turns left, secret and first guess, until more turns help none.

    ONE's is by the orbits of secret and guess; TWO's, after a corner by ONE, by its secret folded
    into the near half and the orbit of its guess.
    """
    return {"one_first": _by_turns(_first_of_one, two), "two_first": _by_turns(_first_of_two, one)}


def _by_turns(first: Callable[[DiagonalPlayer, float], Floats], them: DiagonalPlayer) -> Floats:
    unlimited = first(them, inf)
    rows = [first(them, 1)]
    while not np.array_equal(rows[-1], unlimited):
        rows.append(first(them, len(rows) + 1))
    return np.array(rows)


def _first_of_one(two: DiagonalPlayer, turns: float) -> Floats:
    response = DiagonalResponse(two)
    reach = response.reach({s: two.secrets[s] * FINE for s in two.support})
    result = np.zeros((len(ORBITS), len(ORBITS)))
    for o, orbit in enumerate(ORBITS):
        lost = response.answered(orbit[0], ALL, reach, (), (), turns)
        result[:, o] = [1 - lost[each[0]] / reach.total for each in ORBITS]
    return result


def _first_of_two(one: DiagonalPlayer, turns: float) -> Floats:
    response = DiagonalResponse(one)
    reach = response.reach({s: one.secrets[s] * FINE for s in one.support})
    result = np.zeros((len(ALL), len(ORBITS)))
    for f, known in [*DIAGONALS, (2 * HALF, (LAST,))]:
        for o, orbit in enumerate(ORBITS):
            lost = response.answered(orbit[0], known, reach, ((CORNER, f),), (), turns)
            for t, each in zip(known, lost, strict=True):
                result[fold(t), o] = 1 - each / reach.total
    return result


def firsts_with_seconds(two: DiagonalPlayer) -> list[Trials]:
    """ONE's first guesses, up to symmetry, and answers that leave TWO several numbers."""
    return [
        (trial,)
        for guess, *_ in ORBITS
        for answer, left in split(two.support, guess)
        if len(left) > 1 and folded(trial := (guess, answer)) == trial
    ]


def second_guesses(two: DiagonalPlayer) -> Table:
    """ONE's best win probability with each second guess, after a first guess and a corner by TWO.

    It is by turns left, first guess and answer, second guess, and ONE's number.
    """
    response, firsts = FullResponse(two), firsts_with_seconds(two)
    result = np.zeros((len(SECOND_TURNS), len(firsts), len(ALL), len(NEAR)))
    for f, _ in DIAGONALS:
        corner = ((CORNER, f),)
        for i, first in enumerate(firsts):
            odds = posterior(two, corner, first)
            for k, turns in enumerate(SECOND_TURNS):
                for t, won in guesses(response, odds, corner, first, turns).items():
                    result[k, i, :, PLACE[t]] = won
    return {"one_second": result}
