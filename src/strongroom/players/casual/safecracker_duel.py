"""How the casual player plays Safecracker Duel."""

from __future__ import annotations

from typing import Final

from strongroom.contract import Move, View
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel.rules import INITIAL_SAFE, Change
from strongroom.players.casual.slips import OVERLOOKS
from strongroom.players.ideas import Idea

SETS_OWN_DIGIT: Final = 1 / 3
"""How often it goes for its own code when it could change back what the opponent changed."""


class TakesTurnsBack(Idea):
    """Any code; then a win that it sees, the opponent's turn taken back, or an own digit set."""

    told = (
        "It takes a win if it sees one; otherwise it changes back what the opponent changed, "
        "or, one turn in three, sets a digit of its own code. "
        "One turn in five it does not look for a win at all."
    )

    def choose(self, view: View) -> Move:
        """A code or a change."""
        rng = self._rng
        if view.setting_up:
            return rng.choice(view.moves)
        (own,) = view.secret
        assert isinstance(own, Code)
        turns = {
            move: move.applied_to(view.board) for move in view.moves if isinstance(move, Change)
        }
        winning = [turn for turn, safe in turns.items() if safe == own]
        if winning and rng.random() >= OVERLOOKS:
            return winning[0]
        before = safe_before(view)
        back = [turn for turn, safe in turns.items() if safe == before]
        if back and rng.random() >= SETS_OWN_DIGIT:
            return back[0]
        return rng.choice([turn for turn in turns if sets_digit_of(own, turn, view)] or [*turns])


def safe_before(view: View) -> Code | None:
    """What the safe showed before the opponent's last turn."""
    if not view.history:
        return None
    before = view.history[-2].answer if len(view.history) > 1 else INITIAL_SAFE
    assert isinstance(before, Code)
    return before


def sets_digit_of(code: Code, turn: Change, view: View) -> bool:
    """Whether a turn sets a digit of the code that the safe does not show yet."""
    digit = code.digits[turn.position - 1]
    shown: int = view.board.digits[turn.position - 1]
    return turn.digit == digit != shown
