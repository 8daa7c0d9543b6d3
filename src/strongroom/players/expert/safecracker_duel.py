"""How the expert plays Safecracker Duel."""

from __future__ import annotations

from typing import Final

from strongroom.contract import Move, View
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel.rules import INITIAL_SAFE
from strongroom.players.duelling import results, turn_back
from strongroom.players.ideas import MixedIdea, Mixture, Uniform

RISKLESS: Final = 3
"""After this many turns changing back is safe: the opponent has just failed to win from there."""

IN_SIGHT: Final = 2
"""How far from its own code it may leave the safe, so that a careless opponent can help it."""


class DrawsThenChangesBack(MixedIdea):
    """Hides near the first safe; then takes a win, draws a turn, or undoes the opponent's.

    It hides any code one digit from 1-1-1 and takes a win if there is one. Otherwise it draws
    its turns uniformly from those that leave its code at most two digits away, so that nobody
    can read it, until from the fourth turn of the game on it undoes the opponent's change
    instead.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of codes, or of changes."""
        if view.setting_up:
            return Uniform([code for code in view.moves if _apart(code, INITIAL_SAFE) == 1])
        own = view.secret[0]
        turns = results(view)
        winning = [turn for turn, safe in turns.items() if safe == own]
        if winning:
            return Uniform(winning[:1])
        if view.turns >= RISKLESS:
            return Uniform([turn_back(view)])
        return Uniform([turn for turn, safe in turns.items() if _apart(own, safe) <= IN_SIGHT])


def _apart(one: Move, other: Move) -> int:
    """The number of digits in which two codes differ."""
    assert isinstance(one, Code)
    assert isinstance(other, Code)
    return sum(a != b for a, b in zip(one.digits, other.digits, strict=True))
