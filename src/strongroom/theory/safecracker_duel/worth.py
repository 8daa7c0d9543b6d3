"""What decisions are worth at Safecracker Duel against the certified player.

What matters to the responder is its own code, the safe, and its belief about the other's code. From
the fourth turn on the certified player wins where it can and otherwise changes back. So a responder
always meets the same safe again: it can win from there, now or after its next turn, or never. If it
cannot, it loses to the codes in reach of the safe that it leaves, and to no others by leaving that
safe again: the game is worth half of what is left.
"""

from __future__ import annotations

import numpy as np

from strongroom.contract import Move, Seat, View
from strongroom.games.safecracker_duel.rules import Change
from strongroom.theory.safecracker_duel.beliefs import LONG, Beliefs
from strongroom.theory.safecracker_duel.board import Floats
from strongroom.theory.worth import Turns, Unreachable, Worth


class DuelWorth(Worth):
    """What a best response wins, decision by decision."""

    horizons = (1, 2)

    def __init__(self, beliefs: Beliefs) -> None:
        self.beliefs, self.dial = beliefs, beliefs.dial

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a best response wins from this seat."""
        return float(self.beliefs.codes(_counted(turns))[seat.index].max())

    def moves(self, view: View, turns: Turns) -> dict[Move, float]:
        """What each code or change wins."""
        assert view.seat is not None
        left = _counted(turns)
        if view.setting_up:
            worth = self.beliefs.codes(left)[view.seat.index]
            return dict(zip(view.moves, worth.tolist(), strict=True))
        here = self.dial.safe(view, view.turns)
        slots = self._turns(view, here, left).tolist()
        worth_of = dict(zip(self.dial.near[here].tolist(), slots, strict=True))
        return {
            move: worth_of[self.dial.left_by(view, move)]
            for move in view.moves
            if isinstance(move, Change)
        }

    def _turns(self, view: View, here: int, left: int) -> Floats:
        """What each safe that the turn can leave is worth."""
        dial, own = self.dial, self.dial.own(view)
        if view.turns == 0:
            return np.asarray(self.beliefs.first_turns(left)[own])
        if view.turns == 1:
            slot = dial.slot(dial.home, here)
            if not self.beliefs.one[:, slot].any():
                raise Unreachable("The certified player never makes this first turn.")
            return np.asarray(self.beliefs.answers(left)[slot, own])
        belief = self.beliefs.of_certified(view)
        if belief is None:
            raise Unreachable("The certified player never leads to this safe.")
        near = dial.near[here]
        lost = (dial.ball if left > 1 else dial.same)[near]
        can_win = dial.ball[here, own] and left > 2
        worth: Floats = ((~lost) @ belief) * (1.0 if can_win else 0.5)
        worth[near == own] = 1
        return worth


def _counted(turns: Turns) -> int:
    return LONG if turns is None else turns
