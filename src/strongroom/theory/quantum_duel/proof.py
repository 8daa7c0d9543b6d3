"""Why nobody beats the certified player of Quantum Duel: exact, over every position.

The proof needs only the rules, the values and the marked moves, whatever their origin. The game has
cycles, so a move of the right value is not enough: a player who is ahead must also make progress.
Hence there are two conditions: no move of the opponent lowers the value, and the opponent cannot
keep the player for ever where the value is better than that of endless play.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from operator import gt, lt

from strongroom.contract import CHANCE, Game, Seat
from strongroom.theory.quantum_duel.player import ENDLESS, PositionGraph, Tablebase, explore
from strongroom.theory.solution import NotProved, Report

ENDLESS_COUNTS = {"value": ENDLESS, "one_forces": Fraction(0), "two_allows": Fraction(1)}
"""The payoff of endless play for each of the three values of a position."""


def guaranteed(
    graph: PositionGraph,
    values: Sequence[Fraction],
    seat: Seat,
    allowed: Sequence[tuple[int, ...]],
    endless: Fraction,
) -> bool:
    """Whether the allowed moves guarantee the seat at least these values in every position.

    The value never falls, on average, whatever the opponent does, so it converges. It cannot
    converge above that of endless play while the game goes on, because there is always a way out.
    """
    parts = lcm(*(value.denominator for value in values))
    whole = [value.numerator * (parts // value.denominator) for value in values]
    sign = 1 if seat is Seat.ONE else -1
    for i, actor in enumerate(graph.actors):
        row, here = [whole[each] for each in graph.after[i]], whole[i]
        if actor is CHANCE:
            kept = sign * (sum(row) - len(row) * here) >= 0
        else:
            used = [row[m] for m in allowed[i]] if actor is seat else row
            kept = bool(used) and all(sign * (each - here) >= 0 for each in used)
        if not kept:
            return False
    return None not in ways_out(graph, values, seat, allowed, endless)


def ways_out(
    graph: PositionGraph,
    values: Sequence[Fraction],
    seat: Seat,
    allowed: Sequence[tuple[int, ...]],
    endless: Fraction,
) -> list[int | None]:
    """How many moves away, at worst, is a chance to leave the region better than endless play.

    None means that the opponent can keep a player who makes allowed moves there for ever.
    """
    better = gt if seat is Seat.ONE else lt
    ranks: list[int | None] = [None if better(value, endless) else 0 for value in values]
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
    for done in queue:  # a breadth-first queue, so ranks only rise
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


def prove_values(graph: PositionGraph, values: Sequence[Fraction], endless: Fraction) -> None:
    """Prove that both seats have moves that hold these values; NotProved otherwise."""
    holding = holding_moves(graph, values)
    for seat in Seat:
        if not guaranteed(graph, values, seat, holding, endless):
            raise NotProved(f"The values of quantum-duel are not proved for {seat}.")


def holding_moves(graph: PositionGraph, values: Sequence[Fraction]) -> list[tuple[int, ...]]:
    """For every position, the moves that keep its value."""
    return [
        tuple(m for m, each in enumerate(row) if values[each] == values[i])
        for i, row in enumerate(graph.after)
    ]


def prove(game: Game, tablebase: Tablebase, report: Report) -> tuple[Fraction, Fraction]:
    """Lower and upper bound on Seat.ONE's value from the marked moves, by the rules alone."""
    report(0.0, "walking through all positions")
    graph = explore(game)
    if tablebase.size != graph.size:
        raise NotProved("The table of quantum-duel has other positions than the game.")
    values = {
        name: [
            *(tablebase.worth(position, name) for position in graph.positions),
            Fraction(1),
            Fraction(0),
        ]
        for name in ENDLESS_COUNTS
    }
    marked = [
        tablebase.marked_moves(position, len(row))
        for position, row in zip(graph.positions, graph.after, strict=True)
    ]
    report(0.24, "trying everything against each strategy")
    for seat in Seat:
        if not guaranteed(graph, values["value"], seat, marked, ENDLESS):
            raise NotProved(f"The table of quantum-duel does not hold its values for {seat}.")
    report(0.43, "checking what each side can force")
    for name in ("one_forces", "two_allows"):
        prove_values(graph, values[name], ENDLESS_COUNTS[name])
    report(1.0, "done")
    start = values["value"][0]
    return start, start
