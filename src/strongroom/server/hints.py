"""Hints and analyses, which take long to compute and therefore run outside the event loop."""

from __future__ import annotations

from typing import Final

from strongroom.accounts.analysis import analyze
from strongroom.contract import Json, Refusal, Seat
from strongroom.referee.record import WITHOUT_AIDS, Record
from strongroom.server.messages import HintRequest, WireError
from strongroom.server.table import Table
from strongroom.server.worker import SingleFlightCache, WorkerThread, in_turn
from strongroom.theory.hints import advise
from strongroom.theory.solution import NoTheory

MOST_KEPT: Final = 64
"""How many analyses are cached."""
MOST_ANALYZED: Final = 200
"""The most moves that are analyzed; an endless game would block the others for minutes."""


_ADVISER: Final = WorkerThread("hints")


async def hint(table: Table, seat: Seat, request: HintRequest) -> Json | None:
    """The hint for a player, also when asked again; None if it is not for the current moment.

    It may take long, so it must not be awaited while the table is locked.
    """
    if not table.stored.deal.aids:
        raise WireError("no-hint", WITHOUT_AIDS, request.id)
    first = table.requests.get(request.id)
    is_now = table.number == (request.number - 1 if first is None else first.last)
    if table.actor is not seat or not is_now:
        return None
    try:
        async with in_turn():
            advised = await _ADVISER.do(advise, table.playing.view(seat))
    except NoTheory as refusal:
        raise WireError("no-hint", str(refusal), request.id) from None
    words = table.stored.deal.game.words
    return {
        "type": "hint",
        "id": request.id,
        "text": "\n".join(advised.sentences(words)),
        "plain": advised.plain(words),
        "moves": [str(each.move) for each in advised.best],
    }


class Analyses:
    """Analyses of finished games, computed one at a time; the latest are cached."""

    def __init__(self) -> None:
        self._analyses = SingleFlightCache[Json](MOST_KEPT)
        self._worker = WorkerThread("analysis")

    async def of(self, record: Record) -> Json:
        """What each move of a finished game cost, as JSON data."""
        if len(record.steps) > MOST_ANALYZED:
            text = f"Only games of up to {MOST_ANALYZED} moves are analyzed here."
            raise Refusal(text, "Save the record and run strongroom analyze.")
        return await self._analyses.of(record.id, lambda: self._worker.do(_analyzed, record))


def _analyzed(record: Record) -> Json:
    return analyze(record).to_json()
