"""How the casual player plays Safecracker Duel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from strongroom.contract import View
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel.rules import Change
from strongroom.players.casual.slips import OVERLOOKS
from strongroom.players.duelling import results, turn_back
from strongroom.players.ideas import MixedIdea, Mixture, Uniform, blend

EAGER: Final = 4
"""It experiments in this many first turns of the game, which include its own first two."""
SETS_OWN_DIGIT: Final = 1 / 3
"""How often it then turns towards its own code, instead of at random."""


class TakesTurnsBack(MixedIdea):
    """Hides any code; takes a win that it sees, tries a turn or two, then changes back.

    It takes a win that it sees; otherwise its first two turns are random or, one time in three,
    set a digit of its own code, and later it undoes the opponent's change. One turn in five it
    does not look for a win.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of codes, or of changes."""
        if view.setting_up:
            return Uniform(view.moves)
        (own,) = view.secret
        assert isinstance(own, Code)
        turns = results(view)
        winning = [turn for turn, safe in turns.items() if safe == own]
        blind: Mixture = _tries(own, view, turns) if view.turns < EAGER else {turn_back(view): 1.0}
        return blend((1 - OVERLOOKS, Uniform(winning)), (OVERLOOKS, blind)) if winning else blind


def _tries(own: Code, view: View, turns: Iterable[Change]) -> Mixture:
    """Any turn, or one towards its own code."""
    any_turn = Uniform(view.moves)
    setting = [turn for turn in turns if sets_digit_of(own, turn, view)]
    towards = Uniform(setting) if setting else any_turn
    return blend((SETS_OWN_DIGIT, towards), (1 - SETS_OWN_DIGIT, any_turn))


def sets_digit_of(code: Code, turn: Change, view: View) -> bool:
    """Whether a turn sets a digit of the code that the safe does not show yet."""
    digit = code.digits[turn.position - 1]
    shown: int = view.board.digits[turn.position - 1]
    return turn.digit == digit != shown
