"""How the expert plays Safecracker Duel."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.game import Move, View
from strongroom.games.safecracker_duel import CODES, INITIAL_SAFE, Change

IDEA: Final = (
    "It hides a code that shares one or two digits with 1-1-1, takes a win on offer, and otherwise "
    "leaves the safe where the opponent is least likely to win next turn, which soon means to "
    "change back what the opponent changed. "
    "It supposes that the opponent never overlooks a win and likes to set digits of its own code, "
    "and among turns about equally safe it prefers those near its own code."
)

LIKES_OWN_DIGITS: Final = 8.0
"""How many times likelier a change is if it sets a digit of the code of who makes it."""
HOPE: Final = 0.1
"""What a chance to win, should the opponent turn at random, weighs against its chance to win."""

Weights = NDArray[np.float64]

_DIGITS: Final = np.array([code.digits for code in CODES.codes])
_NUMBER: Final = {str(code): number for number, code in enumerate(CODES.codes)}
_START: Final = _NUMBER[str(INITIAL_SAFE)]
_FAR: Final = (_DIGITS[:, np.newaxis] != _DIGITS).sum(axis=2)
_REACHED: Final = _FAR <= 1
"""Whether one turn can set the safe of a row to the code of a column, or it stands there."""
_HOPE: Final = (_FAR == 1) @ _REACHED.astype(float) / (_FAR == 1).sum(axis=1)
"""The chance that a random turn from the safe of a row leaves the code of a column in reach."""


def choose(view: View, rng: Random) -> Move:
    """A code not far from the first safe; then a win, or the safest turn."""
    if view.setting_up:
        near = np.isin(_FAR[_START], (1, 2))
        return rng.choice([code for code in view.moves if near[_NUMBER[str(code)]]])
    own = _NUMBER[str(view.secret[0])]
    safe = CODES.codes[_NUMBER[view.board]]
    turns = {
        move: _NUMBER[str(move.applied_to(safe))] for move in view.moves if isinstance(move, Change)
    }
    winning = [turn for turn, result in turns.items() if result == own]
    if winning:
        return winning[0]
    expense = np.round(dangers(view) - HOPE * _HOPE[:, own], 9)
    least = min(expense[result] for result in turns.values())
    return rng.choice([turn for turn, result in turns.items() if expense[result] == least])


def dangers(view: View) -> Weights:
    """For each safe, how likely the opponent wins next turn if it is left so."""
    belief = beliefs(view)
    # Nobody may set their own code on their first turn; they win only if it is handed to them.
    return _REACHED @ belief if view.history else belief


def beliefs(view: View) -> Weights:
    """How likely each code is the opponent's, from how it has moved."""
    shown = [_START, *(_NUMBER[str(event.answer)] for event in view.history)]
    theirs = [turn for turn, event in enumerate(view.history) if event.actor is not view.seat]
    weights = np.ones(len(_DIGITS))
    for position, digit in _digits_set(view, shown, theirs):
        weights[_DIGITS[:, position - 1] == digit] *= LIKES_OWN_DIGITS
    weights[shown[1:]] = 0
    not_won_from = [shown[turn] for turn in theirs if turn >= 2]
    weights[_REACHED[not_won_from].any(axis=0)] = 0
    total = weights.sum()
    # No code is left for an opponent who has overlooked a win; then any may be its code.
    return weights / total if total else np.full(len(weights), 1 / len(weights))


def _digits_set(view: View, shown: Sequence[int], theirs: Sequence[int]) -> set[tuple[int, int]]:
    """The digits that the opponent has set, and where, but for those it only changed back."""
    return {
        (move.position, move.digit)
        for turn in theirs
        for move in [view.history[turn].move]
        if isinstance(move, Change) and not (turn and shown[turn + 1] == shown[turn - 1])
    }
