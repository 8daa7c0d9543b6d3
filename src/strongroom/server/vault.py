"""Today's vault: the puzzle of a day, which the date alone decides, ready to be drawn on a board."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from strongroom.contract import YOU, CandidateTracker, Json, Ledger, Seat
from strongroom.puzzles import Puzzle, todays
from strongroom.server.lobby import NotGranted
from strongroom.server.telling import Audience, rows
from strongroom.server.worker import SingleFlightCache, WorkerThread
from strongroom.theory.shelf import solution_of

FIRST: Final = date(2026, 11, 1)
"""The first day that has a vault."""
MOST_KEPT: Final = 64
"""How many days' vaults are cached."""
OPPONENT: Final = "Master"
"""What the certified player is called, whom every puzzle is played against."""


class Vaults:
    """The vaults of days, computed one at a time; the latest are cached."""

    def __init__(self) -> None:
        self._vaults = SingleFlightCache[Json](MOST_KEPT)
        self._worker = WorkerThread("vault")

    async def of(self, text: str) -> Json:
        """The vault of a day as JSON data, or why there is none."""
        day = _checked(text)
        return await self._vaults.of(day, lambda: self._worker.do(_vault, day))


def _checked(text: str) -> date:
    """The day that a text names, if it has a vault: up to tomorrow, which begins in the east."""
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NotGranted(422, "bad-request", f"day: there is no day {text}.") from None
    if not FIRST <= day <= tomorrow:
        text = f"day: there are vaults from {FIRST} to {tomorrow}. Check this device's date."
        raise NotGranted(422, "bad-request", text)
    return day


def _vault(day: date) -> Json:
    """What the page needs to show the puzzle of a day on a board and to judge an answer."""
    puzzle = todays(day)
    view = puzzle.view
    game, seat = view.game, view.seat
    assert seat is not None
    names = {seat: YOU, seat.other: OPPONENT}
    audience, ledger = Audience(game, seat, names), Ledger(game.words)
    ledger.read(view.history)
    left = CandidateTracker(game).left_for(seat, view.history)
    best = [move for move, cost in puzzle.costs.items() if cost < 1e-9]
    solution = solution_of(game)
    return {
        "day": day.isoformat(),
        "game": game.name,
        "question": puzzle.question,
        "lamps": puzzle.lamps,
        "seat": seat.value,
        "names": [names[each] for each in Seat],
        "view": view.to_json(),
        "words": audience.shown(view, left),
        "rows": rows(ledger.turns, 0)["rows"],
        "moves": [
            {"move": str(move), "said": game.words.spoken(move), "cost": cost}
            for move, cost in puzzle.costs.items()
        ],
        "best": [str(move) for move in best],
        "answer": game.words.spoken(best[0]) + " is right. " + solution.why(view, best[0]),
        "nudge": f"The right move is right because {solution.plainly(view, best[0])}. Not",
        "casual": puzzle.casual,
    }
