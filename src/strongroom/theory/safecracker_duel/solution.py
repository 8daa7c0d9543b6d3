"""Safecracker Duel solved exactly: a linear programme over the first three turns, then a draw."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np

from strongroom.contract import AnyState, Game, Move, Seat, View
from strongroom.contract.words import OFTEN
from strongroom.games.safecracker_duel.rules import Change, SafecrackerDuel, count_positions
from strongroom.theory.safecracker_duel.player import Dial, DialPlayer
from strongroom.theory.safecracker_duel.proof import duel_bounds
from strongroom.theory.safecracker_duel.solver import find_table
from strongroom.theory.safecracker_duel.worth import DuelWorth, TableStrategy
from strongroom.theory.solution import BEST, TIE, MoveEffect, Report, Solution, Table, decides
from strongroom.theory.worth import Probability

DRAWN_TURNS = 3
"""How many turns are drawn from mixtures; later ones follow from the codes and the safes."""
ENDLESS = 0.5


class SafecrackerDuelSolution(Solution):
    """The certified strategy of Safecracker Duel; in the default game it guarantees 8752/15553."""

    solving_share = 0.25

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__(game, table)
        assert isinstance(game, SafecrackerDuel)
        self.rules = game
        self.dial = Dial.of(game)
        self.player = DialPlayer(self.dial, table)
        self._positions = count_positions()

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Both strategies from scratch, as integer weights of every choice."""
        assert isinstance(game, SafecrackerDuel)
        return find_table(Dial.of(game), report)

    def certify(self, report: Report) -> tuple[Probability, Probability]:
        """What each strategy guarantees against every opponent, as bounds on Seat.ONE's value."""
        return duel_bounds(self.rules, self.player, report)

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The certified player's probability of each move; {} out of its turn."""
        return self.player.policy(view)

    def effect(self, view: View, move: Move) -> MoveEffect:
        """How far a code is from the safe, or where a change leaves the safe."""
        if view.setting_up:
            return self._hiding(view, move)
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
            handed = float(self.worth.strategy.hidden[1][after])
            away = _away(int(self.dial.far[after, own]))
            return MoveEffect(
                f"Your code is then {away}; the opponent's is shown with a chance of {handed:.1%}.",
                f"would have left {safe}, {away} from winning, and the opponent's "
                f"code with a chance of {handed:.1%}",
            )
        near = self.dial.near[self.dial.safe(view, view.turns)]
        risks = dict(zip(near, self.dial.ball[near] @ self.worth.belief(view).odds, strict=True))
        least = risks[after] <= min(risks.values()) + TIE
        worth = self.worth.judge(view).moves
        left = [self.dial.left_by(view, each) for each in worth]
        if not decides(-np.array([risks[each] for each in left]), np.array([*worth.values()])):
            chance = f"{worth[move]:.0%}"
            would = f"would have left {safe}, which wins {chance}"
            return MoveEffect(f"It leaves {safe}; it wins {chance}.", would)
        risk = f"{float(risks[after]):.0%}"
        codes = "of the codes it may have"
        return MoveEffect(
            f"The opponent can win from {safe} with {risk} {codes}.",
            f"would have left {safe}, from where the opponent could win with {risk} {codes}",
            "it leaves the opponent the fewest ways to win" if least else BEST,
        )

    def _hiding(self, view: View, code: Move) -> MoveEffect:
        """A code's distance from the first safe, and how often the certified one is that far."""
        far = self.dial.far[self.dial.home]
        digits = far[self.dial.number(code)]
        alike = [p for c, p in self.policy(view).items() if far[self.dial.number(c)] == digits]
        what = f"{_away(int(digits))} from {self.dial.codes[self.dial.home]}"
        often = f"{float(sum(alike)):.0%} of the time"
        return MoveEffect(
            f"It is {what}, as the certified player's code is {often}.",
            f"would have been {what}, as the certified player's code is {often}",
        )

    def repeats(self, view: View, move: Move) -> bool:
        """Whether a change would leave the opponent the same safe for a third time."""
        if not isinstance(move, Change) or view.seat is None:
            return False
        left = move.applied_to(view.board), view.seat.other
        return self._positions.after(view.history).get(left, 0) >= OFTEN - 1

    def truth(self, state: AnyState) -> float:
        """Seat.ONE's win probability if both play on as certified, over all random choices."""
        if state.outcome is not None:
            return float(state.outcome.winner is Seat.ONE)
        assert isinstance(state.actor, Seat)
        if state.turns < DRAWN_TURNS:
            chances = self.policy(state.view(state.actor))
            return sum(float(p) * self.truth(state.play(move)) for move, p in chances.items())
        winner = self._late_winner(state, state.actor)
        return ENDLESS if winner is None else float(winner is Seat.ONE)

    def _late_winner(self, state: AnyState, mover: Seat) -> Seat | None:
        """The winner from the fourth turn on: the mover if it can win now, or the other if it can.

        A mover who cannot win changes back, so the other gets the previous safe, then the mover
        this one again; if neither can win, nobody ever does.
        """
        dial, view = self.dial, state.view(None)
        for seat, turn in ((mover, view.turns), (mover.other, view.turns - 1)):
            if dial.ball[dial.safe(view, turn), dial.number(state.secrets[seat.index][0])]:
                return seat
        return None

    @cached_property
    def worth(self) -> DuelWorth:
        """What each decision is worth, by the belief about the other's code."""
        return DuelWorth(TableStrategy(self.dial, self.table))


def _away(digits: int) -> str:
    return "1 digit away" if digits == 1 else f"{digits} digits away"
