"""How the expert plays Safecracker Duel."""

from __future__ import annotations

from typing import Final

from strongroom.contract import Move, View
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel.rules import INITIAL_SAFE
from strongroom.players.duelling import results, turn_back
from strongroom.players.ideas import Evenly, MixedIdea, Mixture

RISKLESS: Final = 3
"""After so many turns changing back is riskless: from there the opponent could have won before."""

IN_SIGHT: Final = 2
"""So far from its own code it leaves the safe at most, else a careless opponent could not help."""


class DrawsThenChangesBack(MixedIdea):
    """A code near the first safe; then a win, a drawn turn, or the opponent's taken back."""

    told = (
        "It hides any code one digit from 1-1-1, and takes a win on offer. "
        "Otherwise it draws its turns evenly from those that leave its code at most two digits "
        "away, so that nobody can read it, until from the fourth turn of the game on it changes "
        "back what the opponent changed, to where the opponent could not win before."
    )

    def policy(self, view: View) -> Mixture:
        """The mixture of codes, or of changes."""
        if view.setting_up:
            return Evenly([code for code in view.moves if _apart(code, INITIAL_SAFE) == 1])
        own = view.secret[0]
        turns = results(view)
        winning = [turn for turn, safe in turns.items() if safe == own]
        if winning:
            return Evenly(winning[:1])
        if view.turns >= RISKLESS:
            return Evenly([turn_back(view)])
        return Evenly([turn for turn, safe in turns.items() if _apart(own, safe) <= IN_SIGHT])


def _apart(one: Move, other: Move) -> int:
    """In how many digits two codes differ."""
    assert isinstance(one, Code)
    assert isinstance(other, Code)
    return sum(a != b for a, b in zip(one.digits, other.digits, strict=True))
