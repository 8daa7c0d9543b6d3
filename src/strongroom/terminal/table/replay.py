"""A recorded match, shown again."""

from __future__ import annotations

from itertools import pairwise

from strongroom.contract import Seat
from strongroom.record import Record
from strongroom.terminal.faces.face import Face
from strongroom.terminal.lines import InputEnded


class Nobody:
    """Nobody is asked anything: a replay only shows."""

    interactive = True

    def read(self, prompt: str, unseen: bool = False) -> str:
        """There is nothing to read."""
        raise InputEnded


def replay(record: Record, face: Face) -> None:
    """Show every public move as it was announced, then the end; nothing hidden before the end."""
    one, two = record.sitters
    face.names = {Seat.ONE: one.name, Seat.TWO: two.name}
    face.begin(record.game.start().view(None), [one.player, two.player])
    state = record.game.start()
    for (before, state), step in zip(pairwise(record.states()), record.steps, strict=True):
        if step.keeper is not None or step.move is None:
            continue
        if isinstance(before.actor, Seat):
            face.chose(before.view(None), step.move)
        face.happened(state.view(None))
    end = state.view(None, record.outcome)
    if end.outcome is None:
        face.write("\nThe game is not over.")
    else:
        face.ended(end, face.the_end(end))
