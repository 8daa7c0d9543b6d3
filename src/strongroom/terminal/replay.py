"""Showing a recorded game again, turn by turn."""

from __future__ import annotations

from itertools import pairwise

from strongroom.game import Seat
from strongroom.record import Record
from strongroom.terminal.lines import InputEnded
from strongroom.terminal.sitting import make_face, the_end


class Nobody:
    """Nobody is asked anything: a replay only shows."""

    interactive = True

    def read(self, prompt: str, unseen: bool = False) -> str:
        """There is nothing to read."""
        raise InputEnded


def replay(record: Record, plain: bool = False, json: bool = False) -> None:
    """Show every public move as it was announced, then the end; nothing hidden before the end."""
    face = make_face(Nobody(), plain, json)
    one, two = record.sitters
    face.names = {Seat.ONE: one.name, Seat.TWO: two.name}
    states = record.states()
    face.begin(states[0].view(None), [one.player, two.player])
    for (before, after), played in zip(pairwise(states), record.moves, strict=True):
        if played.nonce is not None:
            continue
        if isinstance(before.actor, Seat):
            face.chose(before.view(None), played.move)
        face.happened(after.view(None), played)
    end = states[-1].view(None, record.outcome)
    if end.outcome is None:
        face.write("\nThe game is not over.")
    else:
        face.ended(end, the_end(end, face.names))
