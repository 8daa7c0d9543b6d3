"""Today's vault: the puzzle of a day, which the date alone decides, as the page shows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Final

import orjson

from strongroom.contract import CandidateTracker, Json, Ledger, Refusal, Seat
from strongroom.contract.codec import to_json
from strongroom.server.background import SingleFlightCache, WorkerThread
from strongroom.server.files import ALWAYS_ASK, File, make_file
from strongroom.server.limits import PAYER
from strongroom.server.settings import Settings
from strongroom.server.table import Audience

FIRST: Final = date(2026, 11, 1)
"""The first day that has a vault."""
A_DAY: Final = timedelta(days=1)
WEST: Final = timedelta(hours=12)
"""How long after its end by universal time a day goes on in the west."""


class Vaults:
    """The vaults of days, computed one at a time; the latest are cached.

    `now` is the wall clock, in seconds since 1970: what day it is changes when it is set.
    """

    def __init__(self, settings: Settings, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._vaults = SingleFlightCache[File](settings.cached_vaults, settings.most_slow_work)
        self._worker = WorkerThread("vault")

    async def of(self, day: date) -> File:
        """The vault of a day as JSON, or a refusal."""
        last = self._today() + A_DAY  # in the east it has begun
        if not FIRST <= day <= last:
            text = f"There are vaults from {FIRST} to {last}."
            raise Refusal(text, "Check the date of this device.")
        return await self._vaults.of(day, lambda: self._compute(day))

    async def prepare(self) -> None:
        """Compute the vaults of today and tomorrow before anybody asks for them."""
        for day in (self._today(), self._today() + A_DAY):
            await self.of(day)

    def caching(self, day: date) -> str:
        """How a vault may be cached: until its day has ended everywhere, then if unchanged."""
        ends = datetime(day.year, day.month, day.day, tzinfo=UTC) + A_DAY + WEST
        left = int(ends.timestamp() - self._now())
        return f"public, max-age={left}" if left > 0 else ALWAYS_ASK

    async def _compute(self, day: date) -> File:
        if abs(day - self._today()) <= A_DAY:  # it is today somewhere, so everybody needs it
            PAYER.set(None)
        return await self._worker.do(_vault_file, day)

    def _today(self) -> date:
        return datetime.fromtimestamp(self._now(), UTC).date()


def _vault_file(day: date) -> File:
    return make_file("application/json", orjson.dumps(vault(day)))


def vault(day: date) -> Json:
    """The puzzle of a day, with all that the page needs to show it on a board and to judge it."""
    from strongroom.puzzles import todays  # loads every theory, for which no start should wait

    puzzle = todays(day)
    view, seat = puzzle.view, puzzle.view.seat
    assert seat is not None
    ledger = Ledger(puzzle.game.words)
    ledger.read(view.history)
    left = CandidateTracker(puzzle.game).left_for(seat, view.history)
    told = puzzle.to_json()
    for each in told["moves"]:
        if each["said"] == each["move"]:  # half of what a large puzzle would take
            del each["said"]
    return {
        **told,
        "names": [puzzle.names[each] for each in Seat],
        "words": Audience(puzzle.game, seat, puzzle.names).show(view, left),
        "rows": to_json(ledger.turns),
    }
