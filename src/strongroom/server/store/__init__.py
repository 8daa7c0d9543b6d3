"""The store: games, their players and their journals, and the heartbeats of the processes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from strongroom.contract import Outcome, Refusal, Seat
from strongroom.server.clocks import Pauses, Span, Timekeeper
from strongroom.server.settings import DEFAULTS, Settings
from strongroom.server.store.database import Database, Insert, Statement
from strongroom.server.store.database import DatabaseTrouble as DatabaseTrouble
from strongroom.server.store.stored_game import GAMES
from strongroom.server.store.stored_game import Deal as Deal
from strongroom.server.store.stored_game import StoredGame as StoredGame
from strongroom.server.store.stored_game import StoredRequest as StoredRequest
from strongroom.server.store.stored_game import StoredSeat as StoredSeat
from strongroom.server.store.stored_game import game_info as game_info
from strongroom.server.store.stored_game import load_shared as load_shared

NEW_TOKEN: Final = "NOT EXISTS (SELECT 1 FROM seats other WHERE other.token = :token)"
"""The condition that a token opens no seat yet."""
NO_FILE: Final = ("postgres:", "postgresql:")
"""Starts of mistyped URLs, whose password would become the name of a folder."""
UNTOUCHED: Final = """
    ended < :past OR result IS NULL AND created < :then AND NOT EXISTS (
        SELECT 1 FROM seats WHERE seats.game = games.id AND (
            left_at > :then OR connection IS NOT NULL AND EXISTS (
                SELECT 1 FROM processes WHERE processes.id = seats.process AND beat > :then)))
"""
"""Which games expire; a connected player keeps a game while the process sends heartbeats."""


class Store:
    """The games of a server, and the heartbeats of its processes."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.settings = database.settings
        self.time = Timekeeper(database.settings)

    # --- a game ---

    def create(self, stored: StoredGame, rematch_of: str | None = None) -> asyncio.Future[int]:
        """Store a new game; nothing is stored if a token or the place of a rematch is taken."""
        game = Insert(
            "games",
            {
                "id": stored.id,
                "deal": json.dumps(stored.deal.to_json()),
                "server_seed": stored.server_seed,
                "invitation": stored.invitation,
                "waits": stored.waits,
                "watch": stored.watch,
                "created": stored.created,
                "started": stored.started,
                "address": stored.address,
                "rematch_of": rematch_of,
            },
        )
        seats = [
            Insert(
                "seats",
                {
                    "game": stored.id,
                    "seat": each.seat.value,
                    "name": each.name,
                    "player": each.player,
                    "token": each.token,
                    "seed": each.seed,
                },
            )
            for each in sorted(stored.seats, key=lambda each: each.token is None)
        ]
        # The statement that may conflict comes first, so that everything is stored or nothing.
        order = [game, *seats] if rematch_of else [seats[0], game, seats[1]]
        return self.database.write(*order, about=rematch_of or stored.id)

    # A player who comes to a game changes `started`, and a withdrawal requires it to be unchanged.
    # Both update the same row, so of two at once one waits for the other, and is too late.

    def sit_down(self, game: str, new: StoredSeat, now: float) -> asyncio.Future[int]:
        """Take the free seat and start; 0 if it is taken, the game withdrawn, or the token used."""
        return self.database.write(
            Statement(
                "UPDATE games SET started = :now, waits = :no"
                " WHERE id = :game AND started IS NULL AND ended IS NULL"
                f" AND {NEW_TOKEN}",
                {"now": now, "game": game, "no": False, "token": new.token},
            ),
            Statement(
                "UPDATE seats SET name = :name, token = :token WHERE game = :game AND seat = :seat",
                {"name": new.name, "token": new.token, "game": game, "seat": new.seat.value},
            ),
            about=game,
        )

    def withdraw(self, stored: StoredGame, now: float) -> asyncio.Future[int]:
        """Withdraw a game as it was read; 0 if somebody has come since, which changes `started`."""
        return self._write(
            "UPDATE games SET ended = :now, waits = :no, rematch_of = NULL"
            " WHERE id = :game AND ended IS NULL AND COALESCE(started, 0) = :started",
            {"now": now, "no": False, "game": stored.id, "started": stored.started or 0.0},
        )

    def give_token(self, game: str, seat: Seat, token: str) -> asyncio.Future[int]:
        """Set the token of a reserved seat; 0 if the seat has one, or the token is used already."""
        return self._write(
            "UPDATE seats SET token = :token"
            f" WHERE game = :game AND seat = :seat AND token IS NULL AND {NEW_TOKEN}",
            {"token": token, "game": game, "seat": seat.value},
        )

    def give_seed(self, game: str, seat: Seat, seed: str) -> asyncio.Future[int]:
        """Store a seat's seed for the coins; its first counts. The second seat's begins play."""
        return self.database.write(
            Statement(
                "UPDATE seats SET seed = :seed"
                " WHERE game = :game AND seat = :seat AND seed IS NULL",
                {"seed": seed, "game": game, "seat": seat.value},
            ),
            Statement(
                "UPDATE games SET started = :now"
                " WHERE id = :game AND started IS NOT NULL AND ended IS NULL",
                {"now": self.time.now(), "game": game},
            ),
            about=game,
        )

    def arrive(self, game: str, seat: Seat, connection: str, process: str) -> asyncio.Future[int]:
        """Let a connection play for a seat from now on, in place of any earlier one."""
        return self._write(
            "UPDATE seats SET connection = :connection, process = :process, left_at = NULL"
            " WHERE game = :game AND seat = :seat",
            {"connection": connection, "process": process, "game": game, "seat": seat.value},
        )

    def leave(self, game: str, seat: Seat, connection: str, now: float) -> asyncio.Future[int]:
        """Clear a seat's connection, if it is still this one."""
        return self._write(
            "UPDATE seats SET connection = NULL, process = NULL, left_at = :now"
            " WHERE game = :game AND seat = :seat AND connection = :connection",
            {"now": now, "game": game, "seat": seat.value, "connection": connection},
        )

    def append(
        self, game: str, request: StoredRequest, outcome: Outcome | None, now: float
    ) -> asyncio.Future[int]:
        """Store a request's entries, and the outcome if any; 0 if its number or id is taken."""
        insert = Insert(
            "journal",
            {
                "game": game,
                "number": request.number,
                "last": request.last,
                "request": request.id,
                "lines": request.lines,
            },
        )
        if outcome is None:
            return self.database.write(insert, about=game)
        over = Statement(
            "UPDATE games SET ended = :now, result = :result WHERE id = :game",
            {"now": now, "result": outcome.winner.value if outcome.winner else 0, "game": game},
        )
        return self.database.write(insert, over, about=game)

    # --- reading ---

    async def game(self, id: str) -> StoredGame | None:
        """The game with this id, if there is one."""
        found = await self._games("id = :id", id=id)
        return found[0] if found else None

    async def games(self, ids: Sequence[str]) -> list[StoredGame]:
        """The games with these ids."""
        return await self._games(
            f"id {self.database.among_ids}", len(ids), ids=json.dumps(list(ids))
        )

    async def with_token(self, token: str) -> tuple[StoredGame, Seat] | None:
        """The game and the seat that a token's digest opens."""
        found = await self._games("id = (SELECT game FROM seats WHERE token = :token)", token=token)
        for stored in found:
            for each in stored.seats:
                if each.token == token:
                    return stored, each.seat
        return None

    async def journal(self, game: str, after: int = 0) -> list[StoredRequest]:
        """The journal's entries after a number, grouped by request."""
        rows = await self.database.read(
            "SELECT number, last, request, lines FROM journal"
            " WHERE game = :game AND last > :after ORDER BY number",
            game=game,
            after=after,
        )
        return [StoredRequest(*row) for row in rows]

    async def lengths(self, games: Iterable[str]) -> dict[str, int]:
        """How many entries the journals of some games have."""
        rows = await self.database.read(
            f"SELECT game, max(last) FROM journal WHERE game {self.database.among_ids}"
            " GROUP BY game",
            ids=json.dumps(list(games)),
        )
        return {row[0]: row[1] for row in rows}

    async def waiting(self) -> list[StoredGame]:
        """The games that anybody may join."""
        return await self._games("waits AND started IS NULL")

    async def playing(self) -> list[StoredGame]:
        """The games that can be watched."""
        return await self._games(
            "watch AND started IS NOT NULL AND ended IS NULL AND NOT EXISTS"
            " (SELECT 1 FROM seats waiting WHERE waiting.game = games.id AND waiting.seed IS NULL)"
        )

    async def over(self) -> list[StoredGame]:
        """The finished games that anybody may look at."""
        return await self._games("watch AND result IS NOT NULL")

    async def open_games_of(self, address: str) -> int:
        """How many unfinished games were made from an address."""
        rows = await self.database.read(
            "SELECT count(*) FROM games WHERE address = :address AND ended IS NULL", address=address
        )
        return int(rows[0][0])

    async def _games(self, where: str, most: int | None = None, **values: Any) -> list[StoredGame]:
        query = f"{GAMES} WHERE {where} ORDER BY created DESC LIMIT :most"
        values["most"] = self.settings.listed_games if most is None else most
        found = []
        for row in await self.database.read(query, **values):
            with suppress(Refusal):  # a game whose package is gone must not hide the others
                found.append(StoredGame.from_row(row))
        return found

    # --- expiry ---

    async def expire(self, unfinished: float, finished: float | None) -> list[str]:
        """Delete games untouched for this many seconds, and finished ones if an age is given."""
        now = self.time.now()
        times = {"then": now - unfinished, "past": -1.0 if finished is None else now - finished}
        rows = await self.database.read(f"SELECT id FROM games WHERE {UNTOUCHED}", **times)
        # Somebody may have come in the meantime, so each is checked again.
        gone = [
            self.database.write(
                Statement(
                    f"DELETE FROM games WHERE id = :game AND ({UNTOUCHED})", {"game": game, **times}
                ),
                Statement("DELETE FROM seats WHERE game = :game", {"game": game}),
                Statement("DELETE FROM journal WHERE game = :game", {"game": game}),
                Statement("DELETE FROM seat_pauses WHERE game = :game", {"game": game}),
                about=game,
            )
            for (game,) in rows
        ]
        await self.forget_processes(now - self.settings.process_kept)
        return [row[0] for row, deleted in zip(rows, gone, strict=True) if await deleted]

    # --- processes, and when none ran ---

    async def begin(self, process: str) -> None:
        """Record the start of a process, and a pause if no process ran before it.

        Its time continues from the stored time, whatever the wall clock says.
        """
        ((last,),) = await self.database.read("SELECT max(beat) FROM processes")
        if last is not None:
            self.time.move_up(last)
            now = self.time.now()
            if now - last > self._shortest_pause:
                await self.pause(last, now)
        await self.beat(process)

    @property
    def _shortest_pause(self) -> float:
        """The shortest gap between heartbeats that means no process was running."""
        settings = self.settings
        return settings.down_after if self.database.shared else settings.single_down_after

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

    def _write(self, sql: str, values: dict[str, Any]) -> asyncio.Future[int]:
        """Write a single statement, about the game in its values if there is one."""
        return self.database.write(Statement(sql, values), about=values.get("game", ""))


def open_database(url: str, settings: Settings = DEFAULTS) -> Database:
    """The database that a URL names: a PostgreSQL server, or a file for SQLite."""
    if url.startswith(("postgresql://", "postgres://")):
        from strongroom.server.store.postgres import PostgresDatabase

        return PostgresDatabase(url, settings)
    if ("://" in url and not url.startswith("sqlite://")) or url.lower().startswith(NO_FILE):
        kind = url.partition(":")[0]
        raise Refusal(
            f"There is no database {kind!r}.", "Give a file's name or postgresql://USER@HOST/NAME."
        )
    from strongroom.server.store.sqlite import SqliteDatabase

    file = Path(url.removeprefix("sqlite:///").removeprefix("sqlite://"))
    return SqliteDatabase(file, settings)
