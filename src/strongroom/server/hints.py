"""Hints and analyses: what takes long to compute, away from the loop that serves everybody."""

from __future__ import annotations

from typing import Final

from strongroom.analysis import advise, analyze
from strongroom.contract import Json, Refusal, Seat
from strongroom.record import Record
from strongroom.server.aside import Aside, Latest, in_turn
from strongroom.server.messages import WantsHint, WireError
from strongroom.server.table import Table
from strongroom.theory.solution import NoTheory

MOST_KEPT: Final = 64
"""So many analyses are kept."""
MOST_ANALYZED: Final = 200
"""So many moves are analyzed; a game without end would keep all others waiting for minutes."""


_ADVISER: Final = Aside("hints")


async def hint(table: Table, seat: Seat, asked: WantsHint) -> Json | None:
    """The hint that a player is told, also again; None: it is not for this moment.

    It may take long, so it is not to be awaited while anybody waits for the table.
    """
    first = table.asked.get(asked.id)
    is_now = table.number == (asked.number - 1 if first is None else first.last)
    if table.actor is not seat or not is_now:
        return None
    try:
        async with in_turn():
            advised = await _ADVISER.do(advise, table.playing.view(seat))
    except NoTheory as refusal:
        raise WireError("no-hint", str(refusal), asked.id) from None
    text = "\n".join(advised.sentences(table.kept.deal.game.words))
    return {"type": "hint", "id": asked.id, "text": text}


class Analyses:
    """The analyses of finished games, one at a time, the latest kept."""

    def __init__(self) -> None:
        self._latest = Latest[Json](MOST_KEPT)
        self._aside = Aside("analysis")

    async def of(self, record: Record) -> Json:
        """What each move of a finished game cost, as JSON data."""
        if len(record.steps) > MOST_ANALYZED:
            text = f"Only games of up to {MOST_ANALYZED} moves are analyzed here."
            raise Refusal(text, "Save the record; strongroom analyze takes its time.")
        return await self._latest.of(record.id, lambda: self._aside.do(_analyzed, record))


def _analyzed(record: Record) -> Json:
    return analyze(record).to_json()
