"""Digit Deductions as a solved game."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from strongroom.contract import AnyState, Game, Move, Seat, View
from strongroom.theory.digit_deductions.advice import Adviser
from strongroom.theory.digit_deductions.knowledge import in_turn, knowledge
from strongroom.theory.digit_deductions.opening import first_guesses, second_guesses
from strongroom.theory.digit_deductions.player import DiagonalPlayer
from strongroom.theory.digit_deductions.proof import guarantee
from strongroom.theory.digit_deductions.solver import strategies
from strongroom.theory.digit_deductions.truth import truth
from strongroom.theory.digit_deductions.worth import DiagonalWorth
from strongroom.theory.solution import Report, Solution, Table
from strongroom.theory.worth import Probability


def _players(table: Table) -> dict[Seat, DiagonalPlayer]:
    return {seat: DiagonalPlayer(table, seat) for seat in Seat}


class DigitDeductionsSolution(Solution):
    """Digit Deductions, solved exactly."""

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__(game, table)
        self.players = _players(table)

    @cached_property
    def worth(self) -> DiagonalWorth:
        """What each decision is worth against the certified player, exactly."""
        return DiagonalWorth(self.table, self.players)

    @cached_property
    def adviser(self) -> Adviser:
        """Values and explains moves."""
        return Adviser(self.worth)

    @classmethod
    def solving_share(cls, game: Game) -> float:
        """The measured share of solving in the total time."""
        return 0.63

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute both strategies from scratch, and what early guesses are worth against them."""
        table = strategies(report)
        report(0.42, "what each first guess is worth")
        one, two = _players(table).values()
        firsts = first_guesses(one, two)
        report(0.8, "what each second guess is worth")
        seconds = second_guesses(two)
        report(1.0, "solved")
        return {**table, **firsts, **seconds}

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

    def policy(self, view: View) -> dict[Move, Probability]:
        """The certified player's exact probability of each move; {} out of its turn."""
        here = knowledge(view)
        return {} if here is None else dict(self.players[here.seat].policy(here))

    def values(self, view: View) -> dict[Move, float]:
        """The actor's probability of winning with each move; {} out of its turn."""
        here = knowledge(view)
        return {} if here is None else self.adviser.values(here)

    def why(self, view: View, move: Move) -> str:
        """One sentence about a move: what it can hit and how it splits the candidates."""
        return self.adviser.told(in_turn(view), move).now

    def plainly(self, view: View, move: Move) -> str:
        """Why to make a move, without figures."""
        return self.adviser.plainly(in_turn(view), move)

    def instead(self, view: View, move: Move) -> str:
        """What a move could have hit, and how it would have split the candidates."""
        return self.adviser.told(in_turn(view), move).then

    def assumes(self, view: View) -> str:
        """What the values assume about the opponent."""
        return self.adviser.assumes(in_turn(view))

    def truth(self, state: AnyState) -> float:
        """Seat.ONE's win probability if both play on as certified, over all random choices."""
        return truth(self.players, state)
