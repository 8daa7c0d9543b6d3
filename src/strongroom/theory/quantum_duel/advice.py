"""What a move of Quantum Duel does, and what it is worth against perfect play."""

from __future__ import annotations

from fractions import Fraction

from strongroom.contract import Move, Seat, View
from strongroom.games.quantum_duel.rules import (
    Observe,
    Reply,
    adjacent,
    chained,
    unobserved,
    with_cell,
)
from strongroom.theory.move_effect import BEST, MoveEffect
from strongroom.theory.quantum_duel.board import ENDLESS, view_after
from strongroom.theory.quantum_duel.player import Tablebase

CHALLENGEABLE = "It can be challenged"
"""What is said of an observation that has no purpose of its own; it is no reason to make one."""


def values(tablebase: Tablebase, view: View) -> dict[Move, float]:
    """The actor's win probability after each move against perfect play; endless play counts half.

    Nothing is hidden in this game, so nothing is assumed about the opponent.
    """
    return {move: float(_worth(tablebase, view, move)) for move in view.moves}


def _worth(tablebase: Tablebase, view: View, move: Move) -> Fraction:
    """What a move is worth to the player who makes it."""
    value = tablebase.worth_of(view_after(view, move))
    return value if view.actor is Seat.ONE else 1 - value


def told(tablebase: Tablebase, view: View, move: Move) -> MoveEffect:
    """What a move does and what it is worth."""
    assert isinstance(view.actor, Seat)
    value = _worth(tablebase, view, move)
    if isinstance(move, Reply):
        done = _reply(view, view.actor, move)
    else:
        assert isinstance(move, Observe)
        done = _observation(view, view.actor, move.cell)
    endless = "nobody can force a win after it"
    plain = f"{done.now[0].lower()}{done.now[1:]}"
    if done.now == CHALLENGEABLE:
        plain = endless if value == ENDLESS else BEST
    if value == ENDLESS:
        return MoveEffect(
            f"{done.now}; {endless}.",
            f"{done.then}, and nobody could have forced a win after it",
            plain,
        )
    chance = f"{float(value):.0%}"
    return MoveEffect(f"{done.now}; it wins {chance}.", f"{done.then}, which wins {chance}", plain)


def _reply(view: View, seat: Seat, reply: Reply) -> MoveEffect:
    fourth = chained(view.board, seat.other)
    if not reply.challenge:
        if fourth:
            return MoveEffect("Letting it stand loses at once", "would have lost at once")
        if None not in view.board:
            return MoveEffect("The full board is cleared", "would have cleared the full board")
        return MoveEffect("The symbol stays", "would have let the symbol stay")
    if fourth:
        return MoveEffect(
            "Tails takes the four in a row back", "could have taken the four in a row back by tails"
        )
    return MoveEffect("Tails takes the symbol back", "could have taken the symbol back by tails")


def _observation(view: View, seat: Seat, cell: int) -> MoveEffect:
    contested = bool(adjacent(view.board, cell, seat))
    if chained(with_cell(view.board, cell, seat), seat):
        return MoveEffect(
            "It completes four in a row, if it stands",
            "would have completed four in a row, if it stood",
        )
    if chained(with_cell(view.board, cell, seat.other), seat.other):
        after = with_cell(view.board, cell, seat)
        others = (each.cell for each in unobserved(after))
        elsewhere = any(chained(with_cell(after, each, seat.other), seat.other) for each in others)
        what = f"the opponent from four in a row{' there' if elsewhere else ''}"
        return MoveEffect(
            f"It keeps {what}" + (", if it stands" if contested else ""),
            f"would have kept {what}" + (", if it stood" if contested else ""),
        )
    if contested:
        return MoveEffect(CHALLENGEABLE, "could have been challenged")
    return MoveEffect("It cannot be challenged", "could not have been challenged")
