"""The heartbeats of the server's processes, and the pauses in which its clocks stand still."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from strongroom.contract import Seat
from strongroom.server.clocks import Pauses, Span
from strongroom.server.store.database import Database, Statement
from strongroom.server.timekeeper import Timekeeper

DEAD: Final = 86400.0
"""How many seconds after its last heartbeat a process may be forgotten."""
ALIVE: Final = 8.0
"""How many seconds after its last heartbeat a process still counts as alive."""
SILENT: Final = 3.0
"""Seconds without any heartbeat that mean no process was running: each beats more often."""
BLINK: Final = 0.2
"""The same for a single process: it was down since its last heartbeat, whenever that was."""


class HeartbeatStore:
    """When each process last ran, the server time by that, and when no process ran."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.time = Timekeeper()

    def _write(self, sql: str, values: dict[str, Any]) -> asyncio.Future[int]:
        """Write a single statement, about the game in its values if there is one."""
        return self.database.write(Statement(sql, values), about=values.get("game", ""))

    async def begin(self, process: str) -> None:
        """Record the start of a process, and a pause if no process ran before it.

        Its time continues from the stored time, whatever the wall clock says.
        """
        ((last,),) = await self.database.read("SELECT max(beat) FROM processes")
        if last is not None:
            self.time.move_up(last)
            now = self.time.now()
            if now - last > (SILENT if self.database.shared else BLINK):
                await self.pause(last, now)
        await self.beat(process)

    def pause(self, began: float, ended: float) -> asyncio.Future[int]:
        """Store a pause of all clocks; it extends one that began at the same time."""
        return self._write(
            "INSERT INTO pauses (began, ended) VALUES (:began, :ended)"
            " ON CONFLICT (began) DO UPDATE SET ended = excluded.ended"
            " WHERE pauses.ended < excluded.ended",
            {"began": began, "ended": ended},
        )

    def pause_seat(
        self, game: str, seat: Seat, host: Seat, process: str, span: Span
    ) -> asyncio.Future[int]:
        """Store a pause of a seat's clock, if the player of `host` is still on that process."""
        return self._write(
            "INSERT INTO seat_pauses (game, seat, began, ended)"
            " SELECT game, :seat, :began, :ended FROM seats"
            " WHERE game = :game AND seat = :host AND process = :process"
            " ON CONFLICT DO NOTHING",
            {
                "game": game,
                "seat": seat.value,
                "host": host.value,
                "process": process,
                "began": span[0],
                "ended": span[1],
            },
        )

    async def pauses(self) -> Pauses:
        """The pauses of all clocks."""
        return Pauses(
            (row[0], row[1]) for row in await self.database.read("SELECT began, ended FROM pauses")
        )

    async def seat_pauses(self, game: str) -> dict[Seat, Pauses]:
        """The pauses of each seat's clock in a game."""
        rows = await self.database.read(
            "SELECT seat, began, ended FROM seat_pauses WHERE game = :game", game=game
        )
        return {
            seat: Pauses((row[1], row[2]) for row in rows if row[0] == seat.value) for seat in Seat
        }

    def beat(self, process: str) -> asyncio.Future[int]:
        """Store a heartbeat of a process."""
        return self._write(
            "INSERT INTO processes (id, beat) VALUES (:id, :now)"
            " ON CONFLICT (id) DO UPDATE SET beat = :now",
            {"id": process, "now": self.time.now()},
        )

    async def beats(self) -> dict[str, float]:
        """The last heartbeat of each process."""
        return {row[0]: row[1] for row in await self.database.read("SELECT * FROM processes")}

    async def forget_processes(self, before: float) -> None:
        """Delete processes without a heartbeat since `before` that no seat refers to."""
        await self._write(
            "DELETE FROM processes WHERE beat < :before AND NOT EXISTS"
            " (SELECT 1 FROM seats WHERE seats.process = processes.id)",
            {"before": before},
        )
