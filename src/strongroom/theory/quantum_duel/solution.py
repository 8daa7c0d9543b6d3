"""Quantum Duel solved: the table's values, the proof that they hold, and what moves do."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from strongroom.contract import AnyState, Game, Move, Seat, View
from strongroom.games.quantum_duel.rules import (
    Observe,
    Reply,
    adjacent,
    chained,
    possible_observations,
    with_cell,
)
from strongroom.theory.quantum_duel import proof, solver
from strongroom.theory.quantum_duel.player import ENDLESS, Tablebase
from strongroom.theory.quantum_duel.worth import CertifiedWorth
from strongroom.theory.solution import BEST, MoveEffect, Report, Solution, Table

CHALLENGEABLE = "It can be challenged"
"""What is said of an observation that has no purpose of its own; it is no reason to make one."""


class QuantumDuelSolution(Solution):
    """Exact values of all positions, and moves that hold them."""

    solving_share = 0.8

    @cached_property
    def tablebase(self) -> Tablebase:
        """The table, ready for lookups."""
        return Tablebase(self.table)

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute the values by strategy iteration."""
        return solver.solve(game, report)

    def certify(self, report: Report) -> tuple[Fraction, Fraction]:
        """What the marked moves guarantee, over every position."""
        return proof.prove(self.game, self.tablebase, report)

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The moves marked in this position, with equal probability."""
        return self.tablebase.policy(view)

    def effect(self, view: View, move: Move) -> MoveEffect:
        """What a move does and what it is worth."""
        assert isinstance(view.actor, Seat)
        value = self.tablebase.value_of_move(view, move)
        if isinstance(move, Reply):
            does, would = _reply(view, view.actor, move)
        else:
            assert isinstance(move, Observe)
            does, would = _observation(view, view.actor, move.cell)
        endless = "nobody can force a win after it"
        reason = f"{does[0].lower()}{does[1:]}"
        if does == CHALLENGEABLE:
            reason = endless if value == ENDLESS else BEST
        if value == ENDLESS:
            would = f"{would}, and nobody could have forced a win after it"
            return MoveEffect(f"{does}; {endless}.", would, reason)
        chance = f"{float(value):.0%}"
        return MoveEffect(f"{does}; it wins {chance}.", f"{would}, which wins {chance}", reason)

    def truth(self, state: AnyState) -> float:
        """The position's value to Seat.ONE, since nothing is hidden."""
        return float(self.tablebase.worth_of(state.view(None)))

    @cached_property
    def worth(self) -> CertifiedWorth:
        """What each decision is worth, by position and turns left."""
        return CertifiedWorth(self.game, self.tablebase)


def _reply(view: View, seat: Seat, reply: Reply) -> tuple[str, str]:
    """What a reply does, and would have done."""
    fourth = chained(view.board, seat.other)
    if not reply.challenge:
        if fourth:
            return "Letting it stand loses at once", "would have lost at once"
        if None not in view.board:
            return "The full board is cleared", "would have cleared the full board"
        return "The symbol stays", "would have let the symbol stay"
    what = "four in a row" if fourth else "symbol"
    return f"Tails takes the {what} back", f"could have taken the {what} back by tails"


def _observation(view: View, seat: Seat, cell: int) -> tuple[str, str]:
    """What an observation does, and would have done."""
    contested = bool(adjacent(view.board, cell, seat))
    if chained(with_cell(view.board, cell, seat), seat):
        return (
            "It completes four in a row, if it stands",
            "would have completed four in a row, if it stood",
        )
    if chained(with_cell(view.board, cell, seat.other), seat.other):
        after = with_cell(view.board, cell, seat)
        others = (each.cell for each in possible_observations(after))
        elsewhere = any(chained(with_cell(after, each, seat.other), seat.other) for each in others)
        what = f"the opponent from four in a row{' there' if elsewhere else ''}"
        return (
            f"It keeps {what}" + (", if it stands" if contested else ""),
            f"would have kept {what}" + (", if it stood" if contested else ""),
        )
    if contested:
        return CHALLENGEABLE, "could have been challenged"
    return "It cannot be challenged", "could not have been challenged"
