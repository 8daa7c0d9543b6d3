"""Digit Deductions as a solved game."""

from __future__ import annotations

from fractions import Fraction

from strongroom.contract import AnyState, Game, Move, Seat, View
from strongroom.theory.digit_deductions.advice import Adviser, first_guesses
from strongroom.theory.digit_deductions.knowledge import Knowledge, knowledge
from strongroom.theory.digit_deductions.player import DiagonalPlayer
from strongroom.theory.digit_deductions.proof import guarantee
from strongroom.theory.digit_deductions.solver import strategies
from strongroom.theory.digit_deductions.truth import truth
from strongroom.theory.solution import Report, Solution, Table, Worth


def _players(table: Table) -> dict[Seat, DiagonalPlayer]:
    return {seat: DiagonalPlayer(table, seat) for seat in Seat}


def _in_turn(view: View) -> Knowledge:
    here = knowledge(view)
    if here is None:
        raise ValueError("Only the seat whose turn it is has a move to make.")
    return here


class DigitDeductionsSolution(Solution):
    """Digit Deductions, solved exactly."""

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__(game, table)
        self.players = _players(table)
        self.adviser = Adviser(table, self.players)

    @classmethod
    def solving_share(cls, game: Game) -> float:
        """The measured share of solving in the total time."""
        return 0.4

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute both strategies from scratch, and what first guesses are worth against them."""
        table = strategies(report)
        report(0.52, "what each first guess is worth")
        players = _players(table)
        table = {**table, **first_guesses(players[Seat.ONE], players[Seat.TWO])}
        report(1.0, "solved")
        return table

    def certify(self, report: Report, every: bool = False) -> tuple[Fraction, Fraction]:
        """Exact lower and upper bound on what ONE wins, from two full best responses.

        With `every`, guesses that cannot pay are tried too: the same result, after many minutes.
        """
        lower = guarantee(
            self.players[Seat.ONE], lambda done, words: report(done / 3, words), every
        )
        upper = guarantee(
            self.players[Seat.TWO], lambda done, words: report((1 + 2 * done) / 3, words), every
        )
        return lower, 1 - upper

    def policy(self, view: View) -> dict[Move, Worth]:
        """The certified player's exact probability of each move; {} out of its turn."""
        here = knowledge(view)
        return {} if here is None else dict(self.players[here.seat].policy(here))

    def values(self, view: View) -> dict[Move, float]:
        """The actor's probability of winning with each move; {} out of its turn."""
        here = knowledge(view)
        return {} if here is None else self.adviser.values(here)

    def why(self, view: View, move: Move) -> str:
        """One sentence about a move: what it can hit and how it splits the candidates."""
        return self.adviser.told(_in_turn(view), move).now

    def plainly(self, view: View, move: Move) -> str:
        """Why to make a move, without figures."""
        return self.adviser.plainly(_in_turn(view), move)

    def instead(self, view: View, move: Move) -> str:
        """What a move could have hit, and how it would have split the candidates."""
        return self.adviser.told(_in_turn(view), move).then

    def assumes(self, view: View) -> str:
        """What the values assume about the opponent."""
        return self.adviser.assumes(_in_turn(view))

    def truth(self, state: AnyState) -> float:
        """Seat.ONE's win probability if both play on as certified, over all random choices."""
        return truth(self.players, state)
