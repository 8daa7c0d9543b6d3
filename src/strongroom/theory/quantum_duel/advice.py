"""What a move of Quantum Duel is worth against perfect play, and what it does there."""

from __future__ import annotations

from fractions import Fraction

from strongroom.contract import Move, Seat, View
from strongroom.games.quantum_duel.rules import Observe, Reply, adjacent, chained, with_cell
from strongroom.theory.deed import Deed
from strongroom.theory.quantum_duel.board import ENDLESS, view_after
from strongroom.theory.quantum_duel.player import Tablebase


def values(tablebase: Tablebase, view: View) -> dict[Move, float]:
    """The actor's chance to win after each move against perfect play, endless play counted half.

    Nothing is hidden in this game, so nothing is assumed about the opponent.
    """
    return {move: float(_worth(tablebase, view, move)) for move in view.moves}


def _worth(tablebase: Tablebase, view: View, move: Move) -> Fraction:
    """What a move is worth to the player who makes it."""
    value = tablebase.worth_of(view_after(view, move))
    return value if view.actor is Seat.ONE else 1 - value


def told(tablebase: Tablebase, view: View, move: Move) -> Deed:
    """What a move does and what it is worth."""
    assert isinstance(view.actor, Seat)
    value = _worth(tablebase, view, move)
    if isinstance(move, Reply):
        done = _reply(view, view.actor, move)
    else:
        assert isinstance(move, Observe)
        done = _observation(view, view.actor, move.cell)
    if value == ENDLESS:
        return Deed(
            f"{done.now}; nobody can force a win after it.",
            f"{done.then}, and nobody could have forced a win after it",
        )
    chance = f"{float(value):.0%}"
    return Deed(f"{done.now}; it wins {chance}.", f"{done.then}, which wins {chance}")


def _reply(view: View, seat: Seat, reply: Reply) -> Deed:
    fourth = chained(view.board, seat.other)
    if not reply.challenge:
        if fourth:
            return Deed("Letting it stand loses at once", "would have lost at once")
        return Deed("The symbol stays", "would have let the symbol stay")
    if fourth:
        return Deed(
            "Tails takes the four in a row back", "could have taken the four in a row back by tails"
        )
    return Deed("Tails takes the symbol back", "could have taken the symbol back by tails")


def _observation(view: View, seat: Seat, cell: int) -> Deed:
    contested = bool(adjacent(view.board, cell, seat))
    if chained(with_cell(view.board, cell, seat), seat):
        return Deed(
            "It completes four in a row, if it stands",
            "would have completed four in a row, if it stood",
        )
    if chained(with_cell(view.board, cell, seat.other), seat.other):
        what = "the opponent from four in a row"
        return Deed(
            f"It keeps {what}" + (", if it stands" if contested else ""),
            f"would have kept {what}" + (", if it stood" if contested else ""),
        )
    if contested:
        return Deed("It can be challenged", "could have been challenged")
    return Deed("It cannot be challenged", "could not have been challenged")
