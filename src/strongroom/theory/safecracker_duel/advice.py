"""Advice in Safecracker Duel: what each move is worth, and what it does."""

from __future__ import annotations

import numpy as np

from strongroom.contract import Move, View
from strongroom.games.safecracker_duel.rules import Change
from strongroom.theory.move_effect import BEST, MoveEffect
from strongroom.theory.safecracker_duel.beliefs import Beliefs, shares
from strongroom.theory.safecracker_duel.board import Floats
from strongroom.theory.safecracker_duel.player import DialPlayer
from strongroom.theory.solution import TIE


class DuelAdvice:
    """Hints from a player's belief under the certified strategies."""

    def __init__(self, player: DialPlayer) -> None:
        self.player, self.dial = player, player.dial
        self.beliefs = Beliefs(player.dial, player.table)

    def values(self, view: View) -> dict[Move, float]:
        """The actor's win probability after each legal move, given what it knows.

        The opponent is assumed to have played the certified strategy so far (see `Beliefs`). From
        now on it is careful: it plays that strategy and, from the third turn on, wins where it can;
        a game that goes on is worth 1/2.
        """
        if view.seat is None or view.actor is not view.seat:
            return {}
        if view.setting_up:
            worth = self.beliefs.codes()[view.seat.index]
            return dict(zip(view.moves, worth.tolist(), strict=True))
        near = self.dial.near[self.dial.safe(view, view.turns)].tolist()
        worth_of = dict(zip(near, self._turns(view).tolist(), strict=True))
        return {
            move: worth_of[self.dial.left_by(view, move)]
            for move in view.moves
            if isinstance(move, Change)
        }

    def _turns(self, view: View) -> Floats:
        """What each safe that the turn can leave is worth."""
        own, here = self.dial.own(view), self.dial.safe(view, view.turns)
        if view.turns == 0:
            return np.asarray(self.beliefs.first_turns()[own])
        if view.turns == 1:
            slot = self.dial.slot(self.dial.home, here)
            return np.asarray(self.beliefs.answers()[slot, own])
        near = self.dial.near[here]
        after: Floats = (~self.dial.ball[near]) @ self.beliefs.of_opponent(view) / 2
        after[near == own] = 1
        return after

    def told(self, view: View, move: Move) -> MoveEffect:
        """What a move does."""
        if view.setting_up:
            return self._hidden(view, move)
        assert isinstance(move, Change)
        own, after = self.dial.own(view), self.dial.left_by(view, move)
        safe = self.dial.codes[after]
        if after == own:
            return MoveEffect(
                "It sets the safe to your code.",
                "would have opened the safe at once",
                "it wins",
            )
        if view.turns >= 3 and after == self.dial.safe(view, view.turns - 1):
            failed = "just failed to win"
            return MoveEffect(
                f"It changes back to {safe}, from where the opponent has {failed}.",
                f"would have changed back to {safe}, from where the opponent had {failed}",
                f"the opponent has {failed} from there",
            )
        if view.turns == 0:
            handed = float(shares(self.player.table["two_code"])[after])
            away = _away(int(self.dial.far[after, own]))
            return MoveEffect(
                f"Your code is then {away}; the opponent's is shown with a chance of {handed:.1%}.",
                f"would have left {safe}, {away} from winning, and the opponent's "
                f"code with a chance of {handed:.1%}",
            )
        near = self.dial.near[self.dial.safe(view, view.turns)]
        risks = dict(zip(near, self.dial.ball[near] @ self.beliefs.of_opponent(view), strict=True))
        least = risks[after] <= min(risks.values()) + TIE
        risk = f"{float(risks[after]):.0%}"
        codes = "of the codes it may have"
        return MoveEffect(
            f"The opponent can win from {safe} with {risk} {codes}.",
            f"would have left {safe}, from where the opponent could win with {risk} {codes}",
            "it leaves the opponent the fewest ways to win" if least else BEST,
        )

    def _hidden(self, view: View, code: Move) -> MoveEffect:
        """A code's distance from the first safe, and how often the certified one is that far."""
        far = self.dial.far[self.dial.home]
        digits = far[self.dial.number(code)]
        alike = [
            p for c, p in self.player.policy(view).items() if far[self.dial.number(c)] == digits
        ]
        what = f"{_away(int(digits))} from {self.dial.codes[self.dial.home]}"
        often = f"{float(sum(alike)):.0%} of the time"
        return MoveEffect(
            f"It is {what}, as the certified player's code is {often}.",
            f"would have been {what}, as the certified player's code is {often}",
        )


def _away(digits: int) -> str:
    return "1 digit away" if digits == 1 else f"{digits} digits away"
