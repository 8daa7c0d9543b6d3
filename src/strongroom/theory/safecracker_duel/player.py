"""How the certified player of Safecracker Duel plays, by its table.

Codes and the first three turns are drawn from the table's mixed strategies. From their second turn
on both win where they can, and from the fourth turn of the game on they otherwise undo the
opponent's change: the opponent had the same safe on a turn that was not its first and could not win
from it, so it cannot win from it later either. Hence, if nobody has won by the fourth turn, both
can hold the game for ever, and it is worth 1/2 to both.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from strongroom.contract import Move, View
from strongroom.theory.safecracker_duel.board import Dial, Ints
from strongroom.theory.solution import Table


class DialPlayer:
    """The strategies of a table, for both seats."""

    def __init__(self, dial: Dial, table: Table) -> None:
        self.dial, self.table = dial, table

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The probability of each move; {} out of its turn.

        From the fourth turn on, it looks at the last two safes only, however long the game is.
        """
        if view.seat is None or view.actor is not view.seat:
            return {}
        seat, turn, dial = view.seat.name.lower(), view.turns, self.dial
        if view.setting_up:
            return _mixture(self.table[f"{seat}_code"], view.moves)
        own, here = dial.own(view), dial.safe(view, turn)
        winning = dial.change.get((here, own))
        if winning is not None and winning in view.moves:
            return {winning: Fraction(1)}
        if turn >= 3:
            return {dial.change[here, dial.safe(view, turn - 1)]: Fraction(1)}
        shown = dial.shown(view)
        slots = [dial.slot(before, after) for before, after in pairwise(shown)]
        name = "second" if turn == 2 else "first"
        weights = self.table[f"{seat}_{name}"][(own, *slots)]
        return _mixture(weights, [dial.change[here, after] for after in dial.near[here]])


def _mixture(weights: Ints, moves: Sequence[Move]) -> dict[Move, Fraction]:
    total = int(weights.sum())
    pairs = zip(moves, weights.tolist(), strict=True)
    return {move: Fraction(weight, total) for move, weight in pairs if weight}
