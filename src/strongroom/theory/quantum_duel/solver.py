"""How the values of Quantum Duel were found, and which of the good moves were marked.

The values are found by strategy iteration in floating point and rounded to fractions; none of that
is trusted. Among the moves that hold the value, those that do best against an opponent who
sometimes errs are marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import CHANCE, Game, Seat
from strongroom.theory.quantum_duel.player import ENDLESS, PositionGraph, explore
from strongroom.theory.quantum_duel.proof import (
    ENDLESS_COUNTS,
    holding_moves,
    prove_values,
    ways_out,
)
from strongroom.theory.solution import Floats, Ints, Report, Table

ERRS = 0.25
"""How often the fallible opponent, against whom ties are broken, moves at random."""

_STOP = 1e-4  # stopping probability per move during the search: makes endless play cost a little
_LARGEST_DENOMINATOR = 10_000


def solve(game: Game, report: Report) -> Table:
    """Compute the value of every position and the moves to make there."""
    report(0.0, "walking through all positions")
    graph = explore(game)
    solved: dict[str, list[Fraction]] = {}
    for done, (name, endless) in enumerate(ENDLESS_COUNTS.items()):
        report(0.06 + 0.28 * done, f"{graph.size} positions, endless play counted {endless}")
        solved[name] = solve_exactly(graph, endless)
    report(0.9, "choosing among moves of equal value")
    marked = [tempting(graph, solved["value"], seat) for seat in Seat]
    keys = [position.key for position in graph.positions]
    order = np.argsort(keys)
    masks = [sum(1 << m for rows in marked for m in rows[i]) for i in range(graph.size)]
    table: dict[str, NDArray[Any]] = {
        "keys": np.array(keys, dtype=np.int32)[order],
        "moves": np.array(masks, dtype=np.uint8)[order],
    }
    for name, values in solved.items():
        pairs = [value.as_integer_ratio() for value in values[: graph.size]]
        table[name] = np.array(pairs, dtype=np.int16)[order]
    report(1.0, "done")
    return table


# --- the values ---


def _evaluate(graph: PositionGraph, weights: Floats, endless: float, stop: float) -> Floats:
    """The value of each position when moves are made with the given probabilities."""
    from scipy.sparse import csc_matrix, identity  # type: ignore[import-untyped]
    from scipy.sparse.linalg import spsolve  # type: ignore[import-untyped]

    size = graph.size
    rows, moves = np.nonzero(weights)
    made = (rows, graph.near[rows, moves])
    step = csc_matrix((weights[rows, moves], made), shape=(size, size + 2))
    wins = step[:, size].toarray().ravel()
    system = identity(size, format="csc") - (1 - stop) * step[:, :size]
    found = spsolve(system.tocsc(), (1 - stop) * wins + stop * endless)
    return np.concatenate([found, [1.0, 0.0]])


def _pure(graph: PositionGraph, choice: Ints) -> Floats:
    """The probabilities of the moves when each player makes the chosen one."""
    weights = np.zeros(graph.near.shape)
    weights[np.arange(graph.size), choice] = 1.0
    for i, row in enumerate(graph.after):
        if graph.actors[i] is CHANCE:
            weights[i] = 0.0
            weights[i, : len(row)] = 1 / len(row)
    return weights


def _improve(graph: PositionGraph, values: Floats, choice: Ints, seat: Seat) -> bool:
    """Switch one player to better moves; returns whether there were any."""
    sign = 1 if seat is Seat.ONE else -1
    mine = np.flatnonzero(graph.mine[seat])
    worth = sign * values[graph.near[mine]]
    better = worth.max(axis=1) > worth[np.arange(len(mine)), choice[mine]] + 1e-10
    choice[mine[better]] = worth[better].argmax(axis=1)
    return bool(better.any())


def solve_exactly(graph: PositionGraph, endless: Fraction) -> list[Fraction]:
    """The exact value of each position, by strategy iteration; proved before it is returned."""
    choice = np.zeros(graph.size, dtype=np.int64)
    while True:
        values = _evaluate(graph, _pure(graph, choice), float(endless), _STOP)
        if _improve(graph, values, choice, Seat.TWO):
            continue
        if not _improve(graph, values, choice, Seat.ONE):
            break
    # A far smaller stop leaves an error too small to confuse two fractions.
    values = _evaluate(graph, _pure(graph, choice), float(endless), 1e-10)
    exact = [Fraction(float(v)).limit_denominator(_LARGEST_DENOMINATOR) for v in values]
    prove_values(graph, exact, endless)
    return exact


# --- the choice among moves of equal value ---


def tempting(graph: PositionGraph, values: Sequence[Fraction], seat: Seat) -> list[tuple[int, ...]]:
    """Among the moves that hold the value, those best against an opponent who sometimes errs."""
    holding = holding_moves(graph, values)
    ranks = ways_out(graph, values, seat, holding, ENDLESS)

    def advances(i: int, m: int) -> bool:
        here, there = ranks[i], ranks[graph.after[i][m]]
        assert here is not None
        assert there is not None
        return here == 0 or there < here

    allowed = [tuple(m for m in row if advances(i, m)) for i, row in enumerate(holding)]
    choice = np.array([row[0] if row else 0 for row in allowed])
    weights = _pure(graph, choice)
    for i, row in enumerate(graph.after):
        if graph.actors[i] is seat.other:
            weights[i, : len(row)] = [
                ERRS / len(row) + (1 - ERRS) * (m in holding[i]) / len(holding[i])
                for m in range(len(row))
            ]
    sign = 1 if seat is Seat.ONE else -1
    mine = np.flatnonzero(graph.mine[seat]).tolist()
    while True:
        found = sign * _evaluate(graph, weights, float(ENDLESS), 1e-6)
        changed = False
        for i in mine:
            worth = found[graph.near[i]]
            best = max(allowed[i], key=worth.__getitem__)
            if worth[best] > worth[choice[i]] + 1e-9:
                weights[i, choice[i]], weights[i, best] = 0.0, 1.0
                choice[i], changed = best, True
        if not changed:
            break
    kept: list[tuple[int, ...]] = [()] * graph.size
    for i in mine:
        worth = found[graph.near[i]]
        kept[i] = tuple(m for m in allowed[i] if worth[m] > worth[choice[i]] - 1e-7)
    return kept
