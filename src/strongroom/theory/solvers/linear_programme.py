"""Linear programmes in floating point, for plans too large for exact arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
