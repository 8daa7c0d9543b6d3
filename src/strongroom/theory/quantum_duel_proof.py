"""Every position of Quantum Duel, what it is worth, and the proof that it is.

The values are found by improving strategies in turn, in floating point, and rounded to fractions;
none of that is trusted. The proof is exact and needs the rules, the values and the moves only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from strongroom.game import CHANCE, Actor, Event, Game, Seat
from strongroom.games.quantum_duel import (
    OPEN,
    SYMBOLS,
    UNOBSERVED,
    Observe,
    QuantumDuel,
    QuantumDuelState,
)

ENDLESS = Fraction(1, 2)
ERRS = 0.25
"""How often the fallible opponent, against whom ties are broken, moves at random."""

_ACTORS: tuple[Actor, ...] = (Seat.ONE, Seat.TWO, CHANCE)
_STOP = 1e-4  # per move, while searching for strategies: makes endless play cost a little
_LARGEST_DENOMINATOR = 10_000

# --- positions ----------------------------------------------------------------------------------


def key_of(board: str, actor: Actor, history: Sequence[Event]) -> int:
    """One number for a position."""
    cell = 0
    if history and history[-1].answer == OPEN:
        placed = next(e.move for e in reversed(history) if isinstance(e.move, Observe))
        cell = placed.cell
    number = 0
    for symbol in board:
        number = 3 * number + (UNOBSERVED, *SYMBOLS).index(symbol)
    return (number * 3 + _ACTORS.index(actor)) * 8 + cell


@dataclass(frozen=True)
class Graph:
    """Every position that can be reached, and where each move leads.

    The last two positions stand for a won and a lost game, as Seat.ONE sees it.
    """

    keys: list[int]
    actors: list[Actor]
    after: list[tuple[int, ...]]

    @property
    def size(self) -> int:
        """The number of positions in which the game goes on."""
        return len(self.keys)

    def all_moves(self) -> list[tuple[int, ...]]:
        """For every position, the numbers of all its moves."""
        return [tuple(range(len(after))) for after in self.after]


def explore(game: Game) -> Graph:
    """Walk through all positions with the game's own rules."""
    assert isinstance(game, QuantumDuel)
    start = game.start()
    found: dict[int, int] = {}
    states: list[QuantumDuelState] = []

    def number(state: QuantumDuelState) -> int:
        if state.outcome is not None:
            return -1 if state.outcome.winner is Seat.ONE else -2
        assert state.actor is not None
        key = key_of(state.board, state.actor, state.log)
        if key not in found:
            found[key] = len(states)
            states.append(state)
        return found[key]

    number(start)
    after: list[list[int]] = []
    for state in states:  # the list grows while it is walked
        after.append([number(state.play(move)) for move in state.moves])
    ends = {-1: len(states), -2: len(states) + 1}
    return Graph(
        list(found),
        [state.actor for state in states if state.actor is not None],
        [tuple(ends.get(each, each) for each in row) for row in after],
    )


# --- the proof ----------------------------------------------------------------------------------


def _progress(
    graph: Graph,
    values: Sequence[Fraction],
    seat: Seat,
    allowed: Sequence[tuple[int, ...]],
    endless: Fraction,
) -> list[int | None]:
    """How many moves off, at worst, is a chance to leave the region better than endless play.

    None: the opponent can keep a player who makes allowed moves there for ever.
    """
    sign = 1 if seat is Seat.ONE else -1
    ranks: list[int | None] = [None if sign * (v - endless) > 0 else 0 for v in values]
    ranks[graph.size :] = [0, 0]
    before: list[list[int]] = [[] for _ in ranks]
    for i, row in enumerate(graph.after):
        for each in set(row):
            before[each].append(i)
    waiting = [
        len({graph.after[i][m] for m in allowed[i]}) if actor is seat else len(set(graph.after[i]))
        for i, actor in enumerate(graph.actors)
    ]
    queue = [i for i, rank in enumerate(ranks) if rank == 0]
    for done in queue:  # the list grows while it is walked, so ranks only rise
        rank = ranks[done]
        assert rank is not None
        for i in before[done]:
            if ranks[i] is not None:
                continue
            actor = graph.actors[i]
            if actor is seat and done not in {graph.after[i][m] for m in allowed[i]}:
                continue
            waiting[i] -= 1
            if actor is not seat.other or not waiting[i]:
                ranks[i] = rank + 1
                queue.append(i)
    return ranks


def guaranteed(
    graph: Graph,
    values: Sequence[Fraction],
    seat: Seat,
    allowed: Sequence[tuple[int, ...]],
    endless: Fraction,
) -> bool:
    """Whether the allowed moves give the seat at least these values in every position, always.

    The value never falls, on average, whatever the opponent does, so it settles. It cannot settle
    above that of endless play while the game goes on, because from there is always a way out.
    """
    sign = 1 if seat is Seat.ONE else -1
    for i, actor in enumerate(graph.actors):
        row = [values[each] for each in graph.after[i]]
        if actor is CHANCE:
            kept = sign * (sum(row) / len(row) - values[i]) >= 0
        else:
            used = [row[m] for m in allowed[i]] if actor is seat else row
            kept = all(sign * (each - values[i]) >= 0 for each in used)
        if not kept:
            return False
    return None not in _progress(graph, values, seat, allowed, endless)


# --- finding the values -------------------------------------------------------------------------


def _evaluate(
    graph: Graph, weights: Sequence[Sequence[float]], endless: float, stop: float
) -> NDArray[np.float64]:
    """The value of each position when every move is made with the given weight."""
    from scipy.sparse import csc_matrix, identity  # type: ignore[import-untyped]
    from scipy.sparse.linalg import spsolve  # type: ignore[import-untyped]

    size = graph.size
    rows = [i for i, row in enumerate(graph.after) for _ in row]
    columns = [each for row in graph.after for each in row]
    chances = [weight for row in weights for weight in row]
    step = csc_matrix((chances, (rows, columns)), shape=(size, size + 2))
    wins = step[:, size].toarray().ravel()
    system = identity(size, format="csc") - (1 - stop) * step[:, :size]
    found = spsolve(system.tocsc(), (1 - stop) * wins + stop * endless)
    return np.concatenate([found, [1.0, 0.0]])


def _pure(graph: Graph, choice: Sequence[int]) -> list[list[float]]:
    """The weights of the moves when each player makes the chosen one."""
    return [
        [1 / len(row)] * len(row)
        if graph.actors[i] is CHANCE
        else [float(m == choice[i]) for m in range(len(row))]
        for i, row in enumerate(graph.after)
    ]


def _improve(graph: Graph, values: NDArray[np.float64], choice: list[int], seat: Seat) -> bool:
    """Let one player change to better moves; whether there were any."""
    sign = 1 if seat is Seat.ONE else -1
    changed = False
    for i, actor in enumerate(graph.actors):
        if actor is seat:
            row = sign * values[list(graph.after[i])]
            if row.max() > row[choice[i]] + 1e-10:
                choice[i] = int(row.argmax())
                changed = True
    return changed


def solve_exactly(graph: Graph, endless: Fraction) -> list[Fraction]:
    """The exact value of each position, by improving strategies in turn; proved before returned."""
    choice = [0] * graph.size
    while True:
        values = _evaluate(graph, _pure(graph, choice), float(endless), _STOP)
        if _improve(graph, values, choice, Seat.TWO):
            continue
        if not _improve(graph, values, choice, Seat.ONE):
            break
    # A far smaller stop leaves an error below what tells two fractions apart.
    values = _evaluate(graph, _pure(graph, choice), float(endless), 1e-10)
    exact = [Fraction(float(v)).limit_denominator(_LARGEST_DENOMINATOR) for v in values]
    check(graph, exact, endless)
    return exact


def _tight(graph: Graph, values: Sequence[Fraction]) -> list[tuple[int, ...]]:
    """For every position, the moves that keep its value."""
    return [
        tuple(m for m, each in enumerate(row) if values[each] == values[i])
        for i, row in enumerate(graph.after)
    ]


def check(graph: Graph, values: Sequence[Fraction], endless: Fraction) -> None:
    """Prove that both sides have moves that hold these values, or complain."""
    tight = _tight(graph, values)
    for seat in Seat:
        stuck = any(not tight[i] for i, actor in enumerate(graph.actors) if actor is seat)
        if stuck or not guaranteed(graph, values, seat, tight, endless):
            raise ValueError(f"the values of quantum-duel are not proved for {seat}")


def tempting(graph: Graph, values: Sequence[Fraction], seat: Seat) -> list[tuple[int, ...]]:
    """Among the moves that hold the value, those best against an opponent who sometimes errs."""
    tight = _tight(graph, values)
    ranks = _progress(graph, values, seat, tight, ENDLESS)

    def advances(i: int, m: int) -> bool:
        here, there = ranks[i], ranks[graph.after[i][m]]
        assert here is not None
        assert there is not None
        return here == 0 or there < here

    allowed = [tuple(m for m in row if advances(i, m)) for i, row in enumerate(tight)]
    choice = [row[0] if row else 0 for row in allowed]
    weights = _pure(graph, choice)
    for i, row in enumerate(graph.after):
        if graph.actors[i] is seat.other:
            weights[i] = [
                ERRS / len(row) + (1 - ERRS) * (m in tight[i]) / len(tight[i])
                for m in range(len(row))
            ]
    sign = 1 if seat is Seat.ONE else -1
    mine = [i for i, actor in enumerate(graph.actors) if actor is seat]
    while True:
        found = sign * _evaluate(graph, weights, float(ENDLESS), 1e-6)
        changed = False
        for i in mine:
            best = max(allowed[i], key=lambda m, i=i: found[graph.after[i][m]])  # type: ignore[misc]
            if found[graph.after[i][best]] > found[graph.after[i][choice[i]]] + 1e-9:
                weights[i][choice[i]], weights[i][best] = 0.0, 1.0
                choice[i], changed = best, True
        if not changed:
            break
    kept: list[tuple[int, ...]] = [()] * graph.size
    for i in mine:
        worth = found[list(graph.after[i])]
        kept[i] = tuple(m for m in allowed[i] if worth[m] > worth[choice[i]] - 1e-7)
    return kept
