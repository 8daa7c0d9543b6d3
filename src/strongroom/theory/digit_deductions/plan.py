"""The linear programme for one player's plan in Digit Deductions, best against every response.

The player whose strategy is sought is the *leader*, the other the *follower*. A leader's plan is a
set of realization weights; the follower plays a best response with each secret of its own. `known`
is what the leader still considers possible, `hidden` what the follower still considers possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from strongroom.theory.digit_deductions.board import HALF, ORBITS, Cell, split, useful
from strongroom.theory.digit_deductions.player import ANYBODY, Path
from strongroom.theory.solvers.linear_programme import Expr, LinearProgramme, Optimum, add


def first_cells(orbit: int, support: Cell) -> list[tuple[int, Cell, int]]:
    """What the first guess of an orbit tells: answer, candidates, number of equivalent answers."""
    guess = ORBITS[orbit][0]
    told = [(answer, cell) for answer, cell in split(support, guess) if answer]
    if orbit:
        return [(answer, cell, 1) for answer, cell in told]
    return [(answer, cell, 1 + (answer < HALF)) for answer, cell in told if answer <= HALF]


class PlanProgramme(LinearProgramme):
    """A linear programme for a leader's plan; its goal is one of the unknowns."""

    private: ClassVar[bool] = False
    """Whether the leader's guesses depend on its own secret."""

    def __init__(self, masses: Sequence[float] = ()) -> None:
        super().__init__()
        self.mass = dict(enumerate(masses))
        self.plan: dict[tuple[Path, int, int], int] = {}
        """The unknown of each choice, by the path to it, the secret (or ANYBODY) and the guess."""
        self.one = self.new()
        self.equals(1.0, {self.one: 1.0})
        self.goal = self.new()
        self.support = tuple(s for s, mass in self.mass.items() if mass > 0)
        self.reach: dict[int, Expr] = {s: {self.one: self.mass[s]} for s in self.support}

    def best(self) -> Optimum:
        """The optimum, found by the method that produced the shipped table."""
        return self.maximise({self.goal: 1.0}, method="highs-ipm")

    def options(self, known: Cell, hidden: Cell) -> Cell:
        """What the leader may guess; once its secret is found out, any candidate as a last shot."""
        return known if len(hidden) == 1 else self.limit(known, hidden)

    def limit(self, known: Cell, hidden: Cell) -> Cell:
        """What the leader may guess while its secret is not found out."""
        return useful(known)

    def choose(
        self, known: Cell, hidden: Cell, reach: Mapping[int, Expr], path: Path
    ) -> dict[int, dict[int, Expr]]:
        """The reach of each secret after each guess, with new unknowns for the choices."""
        options = self.options(known, hidden)
        after: dict[int, dict[int, Expr]] = {g: {} for g in options}
        for who in hidden if self.private else (ANYBODY,):
            fresh = (path, who, options[0]) not in self.plan
            for g in options:
                if fresh:
                    self.plan[path, who, g] = self.new()
                at = self.plan[path, who, g]
                for s in hidden if who == ANYBODY else (who,):
                    after[g][s] = {at: 1.0 if who != ANYBODY else self.mass[s]}
            if fresh:
                total = {self.plan[path, who, g]: 1.0 for g in options}
                s = hidden[0] if who == ANYBODY else who
                add(total, reach[s], -1.0 if who != ANYBODY else -1.0 / self.mass[s])
                self.equals(0.0, total)
        return after

    def lead(
        self, known: Cell, hidden: Cell, reach: Mapping[int, Expr], path: Path
    ) -> dict[int, Expr]:
        """The leader to move: what it wins against each secret of the follower."""
        won: dict[int, Expr] = {t: {} for t in known}
        if len(known) == 1:
            for s in hidden:
                add(won[known[0]], reach[s])
            return won
        for g, after in self.choose(known, hidden, reach, path).items():
            if g in won:
                for s in hidden:
                    add(won[g], after[s])
            alone: Expr | None = None
            for answer, cell in split(known, g):
                if answer == 0 or len(hidden) == 1:
                    continue
                if len(cell) > 1 or alone is None:
                    value = self.follow(cell, hidden, after, (*path, (g, answer)))
                    if len(cell) == 1:  # every secret that is found out is worth the same
                        alone = value[cell[0]]
                for t in cell:
                    add(won[t], value[t] if len(cell) > 1 or alone is None else alone)
        return won

    def follow(
        self, known: Cell, hidden: Cell, reach: Mapping[int, Expr], path: Path
    ) -> dict[int, Expr]:
        """The follower to move: it minimises the leader's result, secret by secret."""
        if len(hidden) == 1:
            return {t: {} for t in known}
        value: dict[int, Expr] = {t: {self.new(): 1.0} for t in known}
        guesses = hidden if len(known) == 1 else useful(hidden)
        for h in guesses:
            rows = {t: dict(value[t]) for t in known}
            for answer, cell in split(hidden, h):
                if answer:
                    won = self.lead(known, cell, reach, self.step(path, h, answer, cell))
                    for t in known:
                        add(rows[t], won[t], -1.0)
            for row in rows.values():
                self.at_most(0.0, row)
        return value

    def step(self, path: Path, guess: int, answer: int, cell: Cell) -> Path:
        """The path after the follower's guess."""
        return (*path, (guess, answer))
