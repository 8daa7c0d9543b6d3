"""Today's vault: the puzzle of a day, which the date alone decides, as the page shows it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from strongroom.contract import CandidateTracker, Json, Ledger, Refusal, Seat
from strongroom.server.budget import PAYER
from strongroom.server.telling import Audience, rows
from strongroom.server.worker import SingleFlightCache, WorkerThread

FIRST: Final = date(2026, 11, 1)
"""The first day that has a vault."""
A_DAY: Final = timedelta(days=1)
MOST_KEPT: Final = 64
"""How many days' vaults are cached."""


class Vaults:
    """The vaults of days, computed one at a time; the latest are cached."""

    def __init__(self) -> None:
        self._vaults = SingleFlightCache[Json](MOST_KEPT)
        self._worker = WorkerThread("vault")

    async def of(self, day: date) -> Json:
        """The vault of a day as JSON data, or a refusal."""
        last = _today() + A_DAY  # in the east it has begun
        if not FIRST <= day <= last:
            text = f"There are vaults from {FIRST} to {last}."
            raise Refusal(text, "Check the date of this device.")
        return await self._vaults.of(day, lambda: self._found(day))

    async def prepare(self) -> None:
        """Compute the vaults of today and tomorrow before anybody asks for them."""
        for day in (_today(), _today() + A_DAY):
            await self.of(day)

    async def _found(self, day: date) -> Json:
        if abs(day - _today()) <= A_DAY:  # it is today somewhere, so everybody needs it
            PAYER.set(None)
        return await self._worker.do(vault, day)


def vault(day: date) -> Json:
    """The puzzle of a day, with all that the page needs to show it on a board and to judge it."""
    from strongroom.puzzles import todays  # loads every theory, for which no start should wait

    puzzle = todays(day)
    view, seat = puzzle.view, puzzle.view.seat
    assert seat is not None
    ledger = Ledger(puzzle.game.words)
    ledger.read(view.history)
    left = CandidateTracker(puzzle.game).left_for(seat, view.history)
    return {
        **puzzle.to_json(),
        "names": [puzzle.names[each] for each in Seat],
        "words": Audience(puzzle.game, seat, puzzle.names).shown(view, left),
        "rows": rows(ledger.turns, 0)["rows"],
    }


def _today() -> date:
    return datetime.now(UTC).date()
