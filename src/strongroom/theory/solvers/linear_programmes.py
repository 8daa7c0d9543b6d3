"""Linear programmes, solved exactly in integers or, where that takes too long, in floats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class ExactProgramme:
    """Maximise goals in lexicographic order, over x >= 0 and rows of the form sum <= bound."""

    def __init__(self) -> None:
        self.columns: dict[Hashable, int] = {}
        self.rows: list[tuple[dict[int, int], int]] = []

    def _row(self, terms: Iterable[tuple[Hashable, int]]) -> dict[int, int]:
        row: dict[int, int] = defaultdict(int)
        for key, weight in terms:
            row[self.columns.setdefault(key, len(self.columns))] += weight
        return row

    def at_most(self, bound: int, terms: Iterable[tuple[Hashable, int]]) -> None:
        """Require that the sum of the terms does not exceed a bound, which is not negative."""
        self.rows.append((self._row(terms), bound))

    def solve(self, *goals: Mapping[Hashable, int]) -> dict[Hashable, Fraction]:
        """The optimal values of the unknowns, by a simplex method with integer pivoting."""
        aims = [self._row(goal.items()) for goal in goals]
        n, m = len(self.columns), len(self.rows)
        cells: NDArray[Any] = np.zeros((m + len(aims), n + m + 1), dtype=object)
        for i, (row, bound) in enumerate(self.rows):
            cells[i, list(row)] = list(row.values())
            cells[i, n + i], cells[i, -1] = 1, bound
        for i, aim in enumerate(aims, m):
            cells[i, list(aim)] = [-weight for weight in aim.values()]
        basis, scale = list(range(n, n + m)), 1
        free = np.ones(n + m, dtype=bool)
        for goal in range(m, m + len(aims)):
            stalled = 0
            while (able := np.nonzero((cells[goal, :-1] < 0) & free)[0]).size:
                # Dantzig's rule; after many degenerate pivots Bland's, which cannot cycle.
                j = int(able[0] if stalled > m else able[np.argmin(cells[goal, able])])
                step, _, i = min(
                    (Fraction(cells[i, -1], cells[i, j]), basis[i], i)
                    for i in range(m)
                    if cells[i, j] > 0
                )
                stalled = 0 if step else stalled + 1
                row, column, pivot = cells[i].copy(), cells[:, j].copy(), cells[i, j]
                cells = (cells * pivot - np.outer(column, row)) // scale
                cells[i], basis[i], scale = row, j, pivot
            # Columns that would lower this goal may not enter the basis for a later one.
            free &= cells[goal, :-1] == 0
        found = dict(zip(basis, cells[:m, -1], strict=True))
        return {key: Fraction(found.get(j, 0), scale) for key, j in self.columns.items()}


Expr = dict[int, float]
"""A linear expression: the coefficient of each unknown, by its index."""


def add(into: Expr, expr: Mapping[int, float], times: float = 1.0) -> None:
    """Add a multiple of one linear expression to another."""
    for unknown, factor in expr.items():
        into[unknown] = into.get(unknown, 0.0) + times * factor


class Optimum(NamedTuple):
    """The optimal values of the unknowns, and the dual price of each bound."""

    values: NDArray[np.float64]
    prices: NDArray[np.float64]
    """How much the goal grows per unit of each `at_most` bound, in their order."""


class LinearProgramme:
    """Maximise a linear expression over unknowns that are all at least 0."""

    def __init__(self) -> None:
        self.size = 0
        self.above: list[tuple[Expr, float]] = []
        self.equal: list[tuple[Expr, float]] = []

    def new(self) -> int:
        """Add an unknown and return its index."""
        self.size += 1
        return self.size - 1

    def at_most(self, bound: float, expr: Expr) -> None:
        """Require that an expression does not exceed a bound."""
        self.above.append((expr, bound))

    def equals(self, value: float, expr: Expr) -> None:
        """Require that an expression has this value."""
        self.equal.append((expr, value))

    def maximise(self, goal: Mapping[int, float], method: str = "highs") -> Optimum:
        """Solve the programme with HiGHS."""
        from scipy.optimize import linprog  # type: ignore[import-untyped]
        from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

        def matrix(lines: list[tuple[Expr, float]]) -> tuple[Any, NDArray[np.float64]]:
            at = [(i, v, c) for i, (expr, _) in enumerate(lines) for v, c in expr.items()]
            rows, columns, values = zip(*at, strict=True) if at else ((), (), ())
            shape = (len(lines), self.size)
            return csr_matrix((values, (rows, columns)), shape), np.array([b for _, b in lines])

        cost = np.zeros(self.size)
        for unknown, factor in goal.items():
            cost[unknown] = -factor
        result = linprog(cost, *matrix(self.above), *matrix(self.equal), method=method)
        if result.status:
            raise RuntimeError(result.message)
        return Optimum(result.x, -result.ineqlin.marginals)
