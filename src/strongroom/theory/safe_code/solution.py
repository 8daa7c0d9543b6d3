"""The solution of Safe Code: its player, its proof and its advice, from one table."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from strongroom.contract import AnyState, Game, Move, View
from strongroom.theory.safe_code import advice, proof, solver
from strongroom.theory.safe_code.board import Race, language_of
from strongroom.theory.safe_code.exposure import ExposureWorth
from strongroom.theory.safe_code.player import PromiseKeeper
from strongroom.theory.safe_code.worth import RaceWorth
from strongroom.theory.solution import Report, Solution, Table


class SafeCodeSolution(Solution):
    """The race between two hidden numbers, and a player that never falls below it."""

    @cached_property
    def player(self) -> PromiseKeeper:
        """The certified player, with the clue language read from the game."""
        return PromiseKeeper(language_of(self.game), Race(self.table))

    @classmethod
    def solving_share(cls, game: Game) -> float:
        """The measured share of solving in the total time."""
        return 0.02

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute the values of the race."""
        return solver.solve(game, report)

    def certify(self, report: Report) -> tuple[Fraction, Fraction]:
        """What the player guarantees, by the best response to it."""
        return proof.prove(self.game, self.player, report)

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The certified player's probability of each move."""
        return self.player.policy(view)

    def values(self, view: View) -> dict[Move, float]:
        """The actor's win probability after each move, if both race from there on."""
        return advice.values(self.player, view)

    def why(self, view: View, move: Move) -> str:
        """What a move rules out."""
        return advice.told(self.player, view, move).now

    def plainly(self, view: View, move: Move) -> str:
        """Why to make a move, without figures."""
        return advice.told(self.player, view, move).plain

    def instead(self, view: View, move: Move) -> str:
        """What a move would have ruled out."""
        return advice.told(self.player, view, move).then

    def assumes(self, view: View) -> str:
        """What the values assume about the opponent."""
        return advice.assumes(self.player, view)

    def truth(self, state: AnyState) -> float:
        """Seat.ONE's win probability if both try their remaining numbers in a random order."""
        return advice.race_from(self.player, state)

    @cached_property
    def worth(self) -> RaceWorth:
        """What each decision is worth, measured by the race from there on."""
        worth = RaceWorth(self.player)
        worth.further = (ExposureWorth(self.player),)
        return worth
