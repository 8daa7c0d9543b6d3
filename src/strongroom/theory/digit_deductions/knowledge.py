"""What a view tells the seat to move, in the indices of the board."""

from __future__ import annotations

from dataclasses import dataclass

from strongroom.contract import Move, Seat, View
from strongroom.games.codes import Code
from strongroom.theory.digit_deductions.board import AT, Trials


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that a seat knows when it is to move."""

    seat: Seat
    secret: int | None
    """Its own number; None while it is being chosen."""
    own: Trials
    theirs: Trials


def knowledge(view: View) -> Knowledge | None:
    """What the viewer knows on its turn; None out of turn."""
    if view.seat is None or view.actor is not view.seat:
        return None
    secret = None if view.setting_up else number(view.secret[0])
    return Knowledge(view.seat, secret, trials(view, view.seat), trials(view, view.seat.other))


def in_turn(view: View) -> Knowledge:
    """What the viewer knows, who must be to move."""
    here = knowledge(view)
    if here is None:
        raise ValueError("Only the seat whose turn it is has a move to make.")
    return here


def trials(view: View, seat: Seat) -> Trials:
    """The guesses of a seat and the answers it got."""
    return tuple(
        (number(event.move), event.answer)
        for event in view.history
        if event.actor is seat and isinstance(event.answer, int)
    )


def number(move: Move) -> int:
    """The index of the number that a move hides or guesses."""
    if not isinstance(move, Code):
        raise TypeError(f"{move} is not a number.")
    return AT[move]
