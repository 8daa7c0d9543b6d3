"""The certified player of Quantum Duel: it looks up the position and makes a marked move."""

from __future__ import annotations

from fractions import Fraction

from strongroom.contract import Move, Seat, View
from strongroom.theory.quantum_duel.board import QuantumPosition, position_of
from strongroom.theory.solution import Table


class Tablebase:
    """The contents of a table by position: the moves to make there, and exact values."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rows = {key: row for row, key in enumerate(table["keys"].tolist())}

    @property
    def size(self) -> int:
        """The number of positions in the table."""
        return len(self._rows)

    def _row(self, position: QuantumPosition) -> int:
        if position.key not in self._rows:
            raise ValueError("no such position in the table of quantum-duel")
        return self._rows[position.key]

    def marked(self, position: QuantumPosition, moves: int) -> tuple[int, ...]:
        """The indices of the moves to make in a position."""
        mask = int(self._table["moves"][self._row(position)])
        return tuple(m for m in range(moves) if mask >> m & 1)

    def worth(self, position: QuantumPosition, name: str = "value") -> Fraction:
        """A position's value to Seat.ONE, or what ONE can force, or what TWO must allow."""
        numerator, denominator = self._table[name][self._row(position)]
        return Fraction(int(numerator), int(denominator))

    def worth_of(self, view: View, name: str = "value") -> Fraction:
        """The same for the position in a view, which may be terminal."""
        if view.outcome is not None:
            return Fraction(view.outcome.winner is Seat.ONE)
        return self.worth(position_of(view), name)


def policy(tablebase: Tablebase, view: View) -> dict[Move, Fraction]:
    """The marked moves of the view's position, with equal probability."""
    if not view.moves:
        return {}
    marked = tablebase.marked(position_of(view), len(view.moves))
    return {view.moves[m]: Fraction(1, len(marked)) for m in marked}
