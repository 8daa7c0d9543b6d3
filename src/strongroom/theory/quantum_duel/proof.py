"""Why nobody beats the certified player of Quantum Duel: exact, over every position.

The proof needs only the rules, the values and the marked moves, whatever their origin.
"""

from __future__ import annotations

from fractions import Fraction

from strongroom.contract import Game, Seat
from strongroom.theory.quantum_duel.board import ENDLESS, explore
from strongroom.theory.quantum_duel.guarantees import ENDLESS_COUNTS, guaranteed, prove_values
from strongroom.theory.quantum_duel.player import Tablebase
from strongroom.theory.solution import NotProved, Report


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
        tablebase.marked(position, len(row))
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
