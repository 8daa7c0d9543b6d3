"""The solution of Quantum Duel: its player, its proof and its advice, from one table."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from strongroom.contract import AnyState, Game, Move, View
from strongroom.theory.quantum_duel import advice, player, proof, solver
from strongroom.theory.quantum_duel.worth import CertifiedWorth
from strongroom.theory.solution import Report, Solution, Table


class QuantumDuelSolution(Solution):
    """Exact values of all positions, and moves that hold them."""

    @cached_property
    def tablebase(self) -> player.Tablebase:
        """The table, ready for lookups."""
        return player.Tablebase(self.table)

    @classmethod
    def solving_share(cls, game: Game) -> float:
        """The measured share of solving in the total time."""
        return 0.8

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute the values by strategy iteration."""
        return solver.solve(game, report)

    def certify(self, report: Report) -> tuple[Fraction, Fraction]:
        """What the marked moves guarantee, over every position."""
        return proof.prove(self.game, self.tablebase, report)

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The moves marked in this position, with equal probability."""
        return player.policy(self.tablebase, view)

    def values(self, view: View) -> dict[Move, float]:
        """The actor's win probability after each move, against perfect play."""
        return advice.values(self.tablebase, view)

    def why(self, view: View, move: Move) -> str:
        """What a move does, and its worth."""
        return advice.told(self.tablebase, view, move).now

    def plainly(self, view: View, move: Move) -> str:
        """Why to make a move, without figures."""
        return advice.told(self.tablebase, view, move).plain

    def instead(self, view: View, move: Move) -> str:
        """What a move would have done, and its worth."""
        return advice.told(self.tablebase, view, move).then

    def truth(self, state: AnyState) -> float:
        """The position's value to Seat.ONE, since nothing is hidden."""
        return float(self.tablebase.worth_of(state.view(None)))

    @cached_property
    def worth(self) -> CertifiedWorth:
        """What each decision is worth, by position and turns left."""
        return CertifiedWorth(self.game, self.tablebase)
