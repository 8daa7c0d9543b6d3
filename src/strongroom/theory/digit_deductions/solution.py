"""Digit Deductions as a solved game."""

from __future__ import annotations

from fractions import Fraction

from strongroom.contract import Game, Move, Seat, View
from strongroom.theory.digit_deductions.advice import Adviser, first_guesses
from strongroom.theory.digit_deductions.knowledge import knowledge
from strongroom.theory.digit_deductions.player import DiagonalPlayer
from strongroom.theory.digit_deductions.proof import guarantee
from strongroom.theory.digit_deductions.solver import strategies
from strongroom.theory.solution import Report, Solution, Table, Worth


def _players(table: Table) -> dict[Seat, DiagonalPlayer]:
    return {seat: DiagonalPlayer(table, seat) for seat in Seat}


class DigitDeductionsSolution(Solution):
    """Digit Deductions, solved exactly."""

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__(game, table)
        self.players = _players(table)
        self.adviser = Adviser(table, self.players)

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute both strategies from nothing, and what first guesses are worth against them."""
        table = strategies(report)
        report(0.9, "first guesses")
        players = _players(table)
        table = {**table, **first_guesses(players[Seat.ONE], players[Seat.TWO])}
        report(1.0, "solved")
        return table

    def certify(self, report: Report, every: bool = False) -> tuple[Fraction, Fraction]:
        """What ONE wins at least and at most, from two full best responses, exactly.

        With `every`, guesses that cannot pay are tried too: the same, in many minutes.
        """
        lower = guarantee(
            self.players[Seat.ONE], lambda done, words: report(done / 4, words), every
        )
        upper = guarantee(
            self.players[Seat.TWO], lambda done, words: report((1 + 3 * done) / 4, words), every
        )
        return lower, 1 - upper

    def policy(self, view: View) -> dict[Move, Worth]:
        """The exact probabilities with which the certified player moves; {} out of its turn."""
        here = knowledge(view)
        return {} if here is None else dict(self.players[here.seat].policy(here))

    def values(self, view: View) -> dict[Move, float]:
        """The actor's probability of winning with each move; {} out of its turn."""
        here = knowledge(view)
        return {} if here is None else self.adviser.values(here)

    def why(self, view: View, move: Move) -> str:
        """One sentence on a move: what it can hit and how it splits the candidates."""
        here = knowledge(view)
        if here is None:
            raise ValueError("Only the seat whose turn it is has a move to make.")
        return self.adviser.why(here, move)
