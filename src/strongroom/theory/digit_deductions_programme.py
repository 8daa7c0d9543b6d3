"""Linear programmes for Digit Deductions: the best plan of one player against all answers.

The player whose strategy is sought is the *leader*, the other the *follower*. A leader's plan is a
set of realization weights; the follower answers each secret of its own as well as it can. `known`
is what the leader still thinks possible, `hidden` what the follower still thinks possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from strongroom.theory.digit_deductions_player import ANYBODY, Cell, Path, split, useful

Expr = dict[int, float]


def add(into: Expr, expr: Mapping[int, float], times: float = 1.0) -> None:
    """Add a multiple of one linear expression to another."""
    for variable, factor in expr.items():
        into[variable] = into.get(variable, 0.0) + times * factor


def ends(cell: Cell) -> Cell:
    """The two ends of a diagonal: each tells all its cells apart and may hit."""
    return (cell[0], cell[-1])


class Programme:
    """A linear programme for a leader's plan: maximize one variable, all of them at least 0."""

    def __init__(self, style: str, masses: Iterable[float] = ()) -> None:
        self.style, self.mass = style, dict(enumerate(masses))
        self.size, self.plan = 0, dict[tuple[Path, int, int], int]()
        self.above: list[tuple[Expr, float]] = []
        self.equal: list[tuple[Expr, float]] = []
        self.one = self.new()
        self.equal.append(({self.one: 1.0}, 1.0))
        self.goal = self.new()
        self.support = tuple(s for s, mass in self.mass.items() if mass > 0)
        self.reach = {s: {self.one: self.mass[s]} for s in self.support}

    def new(self) -> int:
        """One more variable."""
        self.size += 1
        return self.size - 1

    def options(self, known: Cell, hidden: Cell) -> Cell:
        """What the leader may guess; with its secret found out, every candidate as a last shot."""
        return known if len(hidden) == 1 else self.limit(known, hidden)

    def limit(self, known: Cell, hidden: Cell) -> Cell:
        """What the leader may guess while its secret is not found out."""
        return useful(known)

    def choose(
        self, known: Cell, hidden: Cell, reach: Mapping[int, Expr], path: Path
    ) -> dict[int, dict[int, Expr]]:
        """The reach of each secret after each guess, with new variables for what is chosen."""
        options = self.options(known, hidden)
        if self.style == "tied" and len(path) > 3:  # the last choices of a tied plan are even
            return {
                g: {s: {v: c / len(options) for v, c in reach[s].items()} for s in hidden}
                for g in options
            }
        after: dict[int, dict[int, Expr]] = {g: {} for g in options}
        for who in hidden if self.style == "private" else (ANYBODY,):
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
                self.equal.append((total, 0.0))
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
                    if len(cell) == 1:  # found out is found out: the same for every such cell
                        alone = value[cell[0]]
                for t in cell:
                    add(won[t], value[t] if len(cell) > 1 or alone is None else alone)
        return won

    def follow(
        self, known: Cell, hidden: Cell, reach: Mapping[int, Expr], path: Path
    ) -> dict[int, Expr]:
        """The follower to move: it takes the worst for the leader, secret by secret."""
        if len(hidden) == 1:
            return {t: {} for t in known}
        value = {t: {self.new(): 1.0} for t in known}
        guesses = hidden if len(known) == 1 else useful(hidden)
        for h in guesses:
            rows = {t: dict(value[t]) for t in known}
            for answer, cell in split(hidden, h):
                if answer:
                    won = self.lead(known, cell, reach, self.step(path, h, answer, cell))
                    for t in known:
                        add(rows[t], won[t], -1.0)
            self.above += [(row, 0.0) for row in rows.values()]
        return value

    def step(self, path: Path, guess: int, answer: int, cell: Cell) -> Path:
        """The path after the follower's guess."""
        return (*path, (guess, answer))

    def solve(self) -> np.ndarray:
        """The variables at the optimum."""
        from scipy.optimize import linprog  # type: ignore[import-untyped]
        from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

        def matrix(lines: list[tuple[Expr, float]]) -> tuple[Any, np.ndarray]:
            at = [(i, v, c) for i, (expr, _) in enumerate(lines) for v, c in expr.items()]
            rows, columns, values = zip(*at, strict=True)
            return (
                csr_matrix((values, (rows, columns)), (len(lines), self.size)),
                np.array([bound for _, bound in lines]),
            )

        cost = np.zeros(self.size)
        cost[self.goal] = -1.0
        self.result = linprog(cost, *matrix(self.above), *matrix(self.equal), method="highs-ipm")
        if self.result.status:
            raise RuntimeError(self.result.message)
        solution: np.ndarray = self.result.x
        return solution
