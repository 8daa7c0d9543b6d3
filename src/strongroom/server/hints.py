"""Hints and analyses: what takes long to compute, away from the loop that serves everybody."""

from __future__ import annotations

from typing import Final

from strongroom.analysis import advise, analyze
from strongroom.contract import Game, Json, Refusal, View
from strongroom.record import Record
from strongroom.server.aside import Aside, Latest
from strongroom.server.messages import WireError
from strongroom.theory.solution import NoTheory

MOST_KEPT: Final = 64
"""So many analyses are kept."""
MOST_ANALYZED: Final = 200
"""So many moves are analyzed; a game without end would keep all others waiting for minutes."""


_ADVISER: Final = Aside("hints")


async def hint(game: Game, view: View, id: str) -> str:
    """What to play, for the seat whose view this is, a sentence a line."""
    try:
        advised = await _ADVISER.do(advise, view)
    except NoTheory as refusal:
        raise WireError("no-hint", str(refusal), id) from None
    return "\n".join(advised.sentences(game.words))


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
