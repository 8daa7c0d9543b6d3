"""The certified player of Quantum Duel: it looks its position up and makes a marked move."""

from __future__ import annotations

from fractions import Fraction

from strongroom.contract import Move, Seat, View
from strongroom.theory.quantum_duel.board import QuantumPosition, position_of
from strongroom.theory.solution import Table


class Tablebase:
    """What a table says of each position: the moves to make there, and exact values."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rows = {key: row for row, key in enumerate(table["keys"].tolist())}

    @property
    def size(self) -> int:
        """For how many positions there is a row."""
        return len(self._rows)

    def _row(self, position: QuantumPosition) -> int:
        if position.key not in self._rows:
            raise ValueError("no such position in the table of quantum-duel")
        return self._rows[position.key]

    def marked(self, position: QuantumPosition, moves: int) -> tuple[int, ...]:
        """Which of a position's moves are to be made, by their numbers."""
        mask = int(self._table["moves"][self._row(position)])
        return tuple(m for m in range(moves) if mask >> m & 1)

    def worth(self, position: QuantumPosition, name: str = "value") -> Fraction:
        """What a position is worth to Seat.ONE; or what ONE can force, or TWO must allow."""
        numerator, denominator = self._table[name][self._row(position)]
        return Fraction(int(numerator), int(denominator))

    def worth_of(self, view: View, name: str = "value") -> Fraction:
        """The same of what a view shows, also of a game that is over."""
        if view.outcome is not None:
            return Fraction(view.outcome.winner is Seat.ONE)
        return self.worth(position_of(view), name)


def policy(tablebase: Tablebase, view: View) -> dict[Move, Fraction]:
    """The marked moves of the view's position, each as likely as the others."""
    if not view.moves:
        return {}
    marked = tablebase.marked(position_of(view), len(view.moves))
    return {view.moves[m]: Fraction(1, len(marked)) for m in marked}
