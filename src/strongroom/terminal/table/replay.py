"""The replay of a recorded match."""

from __future__ import annotations

from itertools import pairwise

from strongroom.contract import Seat
from strongroom.referee.record import Record
from strongroom.terminal.faces.face import Face


def replay(record: Record, face: Face) -> None:
    """Show every public move, then the end; nothing hidden is shown before the end.

    A page lets people step through the moments themselves, forwards and back.
    """
    one, two = record.sitters
    face.names = {Seat.ONE: one.name, Seat.TWO: two.name}
    face.here = frozenset()
    face.score = dict(zip(Seat, record.score, strict=True))
    state = record.game.start()
    moments = [state.view(None)]
    for (_, state), step in zip(pairwise(record.states()), record.steps, strict=True):
        if step.keeper is None:
            moments.append(state.view(None))
    moments[-1] = state.view(None, record.outcome)
    face.go_through(moments, [one.player, two.player])
