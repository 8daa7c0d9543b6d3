"""Safecracker Duel solved exactly: a linear programme over the first three turns, then a draw."""

from __future__ import annotations

from functools import cached_property

from strongroom.contract import AnyState, Game, Move, View
from strongroom.games.safecracker_duel.rules import SafecrackerDuel
from strongroom.theory.safecracker_duel.advice import DuelAdvice
from strongroom.theory.safecracker_duel.board import Dial
from strongroom.theory.safecracker_duel.player import DialPlayer
from strongroom.theory.safecracker_duel.proof import duel_bounds
from strongroom.theory.safecracker_duel.solver import find_table
from strongroom.theory.safecracker_duel.truth import truth
from strongroom.theory.safecracker_duel.worth import DuelWorth
from strongroom.theory.solution import Report, Solution, Table
from strongroom.theory.worth import Probability


class SafecrackerDuelSolution(Solution):
    """The certified strategy of Safecracker Duel; in the default game it guarantees 8752/15553."""

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__(game, table)
        assert isinstance(game, SafecrackerDuel)
        self.rules = game
        self.player = DialPlayer(Dial.of(game), table)
        self.advice = DuelAdvice(self.player)

    @classmethod
    def solving_share(cls, game: Game) -> float:
        """The measured share of solving in the total time."""
        return 0.25

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Both strategies from scratch, as integer weights of every choice."""
        assert isinstance(game, SafecrackerDuel)
        return find_table(Dial.of(game), report)

    def certify(self, report: Report) -> tuple[Probability, Probability]:
        """What each strategy guarantees against every opponent, as bounds on Seat.ONE's value."""
        return duel_bounds(self.rules, self.player, report)

    def policy(self, view: View) -> dict[Move, Probability]:
        """The certified player's probability of each move; {} out of its turn."""
        return {**self.player.policy(view)}

    def values(self, view: View) -> dict[Move, float]:
        """The actor's probability of winning with each move, given what it knows."""
        return self.advice.values(view)

    def why(self, view: View, move: Move) -> str:
        """One short sentence about a move."""
        return self.advice.told(view, move).now

    def plainly(self, view: View, move: Move) -> str:
        """Why to make a move, without figures."""
        return self.advice.told(view, move).plain

    def instead(self, view: View, move: Move) -> str:
        """Where a move would have left the safe."""
        return self.advice.told(view, move).then

    def assumes(self, view: View) -> str:
        """That the opponent played as certified, and takes every win."""
        return "the opponent hid and moved as the certified player does, and takes every win"

    def truth(self, state: AnyState) -> float:
        """Seat.ONE's win probability if both play on as certified, over all random choices."""
        return truth(self.player, state)

    @cached_property
    def worth(self) -> DuelWorth:
        """What each decision is worth, by the belief about the other's code."""
        return DuelWorth(self.advice.beliefs)
