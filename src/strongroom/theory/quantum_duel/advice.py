"""What a move of Quantum Duel is worth against perfect play, and one sentence why."""

from __future__ import annotations

from fractions import Fraction

from strongroom.contract import Move, Seat, View
from strongroom.games.quantum_duel.rules import Observe, Reply, adjacent, chained, with_cell
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


def why(tablebase: Tablebase, view: View, move: Move) -> str:
    """One sentence on what a move does and what it is worth."""
    assert isinstance(view.actor, Seat)
    value = _worth(tablebase, view, move)
    worth_words = (
        "nobody can force a win after it" if value == ENDLESS else f"it is worth {value} to you"
    )
    if isinstance(move, Reply):
        return f"{_reply_words(view, view.actor, move)}; {worth_words}."
    assert isinstance(move, Observe)
    return f"{_observation_words(view, view.actor, move.cell)}; {worth_words}."


def _reply_words(view: View, seat: Seat, reply: Reply) -> str:
    fourth = chained(view.board, seat.other)
    if reply.challenge:
        return "Tails saves you from four in a row" if fourth else "Tails takes the symbol back"
    return "Letting it stand loses at once" if fourth else "The symbol stays"


def _observation_words(view: View, seat: Seat, cell: int) -> str:
    contested = bool(adjacent(view.board, cell, seat))
    if chained(with_cell(view.board, cell, seat), seat):
        return "Completes four in a row, if it stands"
    if chained(with_cell(view.board, cell, seat.other), seat.other):
        kept = "Keeps the opponent from four in a row"
        return kept + (", if it stands" if contested else "")
    return "Can be challenged" if contested else "Cannot be challenged"
