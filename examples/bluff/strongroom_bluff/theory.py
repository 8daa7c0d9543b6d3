"""Bluff, solved: linear programming finds perfect play, best responses prove it."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from pathlib import Path

import numpy as np

from strongroom.contract import Game, Move, Seat, View
from strongroom.theory.solution import MoveEffect, Report, Solution, Table
from strongroom.theory.solvers.small_games import Tree, bounds, solve


class BluffSolution(Solution):
    """Perfect play in Bluff; its table holds the probability of every choice, as text."""

    tables = Path(__file__).parent

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """The table, computed from nothing."""
        found = solve(game)
        report(1.0, f"value {found.value}")
        mixtures = [found.policy(known).values() for known in Tree.of(game).before]
        return {"choices": np.array([str(weight) for each in mixtures for weight in each])}

    def certify(self, report: Report) -> tuple[Fraction, Fraction]:
        """What both strategies guarantee, by a full best response to each."""
        report(0.0, "best responses")
        return bounds(self.game, self.policy)

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The probability of each move of the perfect player."""
        return self._mixtures[view]

    def effect(self, view: View, move: Move) -> MoveEffect:
        """What a claim or a reply does, in one sentence."""
        if view.seat is Seat.ONE:
            why = "The truth 3 times in 7, each lie once: then no reply does better than another."
        elif view.history[0].move in view.secret:
            why = "You hold that card yourself, so the claim is a lie."
        else:
            why = "Believed 4 times in 7, a claim wins as often whether it is true or not."
        return MoveEffect.of(why)

    @cached_property
    def _mixtures(self) -> dict[View, dict[Move, Fraction]]:
        weights = map(Fraction, self.table["choices"].tolist())
        known = Tree.of(self.game).before
        return {view: {move: next(weights) for move in view.moves} for view in known}
