"""What the server keeps: games, who sits at them, and their journals, on any database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from strongroom.contract import Outcome, Refusal, Seat
from strongroom.server.deal import Chair
from strongroom.server.store.beats import ALIVE as ALIVE
from strongroom.server.store.beats import DEAD, Beats
from strongroom.server.store.database import Database as Database
from strongroom.server.store.database import DatabaseTrouble as DatabaseTrouble
from strongroom.server.store.database import Statement
from strongroom.server.store.kept import GAMES
from strongroom.server.store.kept import Kept as Kept
from strongroom.server.store.kept import Request as Request

MOST_LISTED: Final = 60
"""So many games a list has at most."""
NEW_TOKEN: Final = "NOT EXISTS (SELECT 1 FROM seats other WHERE other.token = :token)"
"""The condition that a token opens no seat yet."""
NO_FILE: Final = ("postgres:", "postgresql:")
"""A mistyped address, whose password would become the name of a folder."""
UNTOUCHED: Final = """
    ended < :past OR result IS NULL AND created < :then AND NOT EXISTS (
        SELECT 1 FROM seats WHERE seats.game = games.id AND (
            left_at > :then OR connection IS NOT NULL AND EXISTS (
                SELECT 1 FROM processes WHERE processes.id = seats.process AND beat > :then)))
"""
"""Somebody who sits at a game touches it for as long as the process beats that serves them."""


class Store(Beats):
    """The games of a server, and the beats of its processes."""

    # --- a game ---

    def create(self, kept: Kept, rematch_of: str | None = None) -> asyncio.Future[int]:
        """Keep a new game; nothing is kept, if a token or the place of a rematch is taken."""
        game = Statement(
            "INSERT INTO games (id, deal, server_seed, invitation, waits, watch, created, started,"
            " address, rematch_of) VALUES (:id, :deal, :server_seed, :invitation, :waits, :watch,"
            " :created, :started, :address, :rematch_of) ON CONFLICT DO NOTHING",
            {
                "id": kept.id,
                "deal": json.dumps(kept.deal.to_json()),
                "server_seed": kept.server_seed,
                "invitation": kept.invitation,
                "waits": kept.waits,
                "watch": kept.watch,
                "created": kept.created,
                "started": kept.started,
                "address": kept.address,
                "rematch_of": rematch_of,
            },
        )
        seats = [
            Statement(
                "INSERT INTO seats (game, seat, name, player, token, seed)"
                " VALUES (:game, :seat, :name, :player, :token, :seed) ON CONFLICT DO NOTHING",
                {
                    "game": kept.id,
                    "seat": chair.seat.value,
                    "name": chair.name,
                    "player": chair.player,
                    "token": chair.token,
                    "seed": chair.seed,
                },
            )
            for chair in sorted(kept.chairs, key=lambda chair: chair.token is None)
        ]
        # What can be refused stands first, so that all of it is kept or none.
        order = [game, *seats] if rematch_of else [seats[0], game, seats[1]]
        return self.database.write(*order, about=rematch_of or kept.id)

    # Whoever comes to a game changes when it started, and who takes it back asks for that to be as
    # it was: the same row of both, so that of two at once one waits for the other, and is too late.

    def sit_down(self, game: str, chair: Chair, now: float) -> asyncio.Future[int]:
        """Let somebody have the free seat, and start; 0: it is taken or back, or the token old."""
        return self.database.write(
            Statement(
                "UPDATE games SET started = :now, waits = :no"
                " WHERE id = :game AND started IS NULL AND ended IS NULL"
                f" AND {NEW_TOKEN}",
                {"now": now, "game": game, "no": False, "token": chair.token},
            ),
            Statement(
                "UPDATE seats SET name = :name, token = :token WHERE game = :game AND seat = :seat",
                {
                    "name": chair.name,
                    "token": chair.token,
                    "game": game,
                    "seat": chair.seat.value,
                },
            ),
            about=game,
        )

    def withdraw(self, kept: Kept, now: float) -> asyncio.Future[int]:
        """Take a game back as it was read; 0: somebody has come since, which starts it anew."""
        return self.database.write(
            Statement(
                "UPDATE games SET ended = :now, waits = :no, rematch_of = NULL"
                " WHERE id = :game AND ended IS NULL AND COALESCE(started, 0) = :started",
                {"now": now, "no": False, "game": kept.id, "started": kept.started or 0.0},
            ),
            about=kept.id,
        )

    def give_token(self, game: str, seat: Seat, token: str) -> asyncio.Future[int]:
        """Let the holder of a seat that is kept come with a token; 0: one has, or it is old."""
        return self.database.write(
            Statement(
                "UPDATE seats SET token = :token"
                f" WHERE game = :game AND seat = :seat AND token IS NULL AND {NEW_TOKEN}",
                {"token": token, "game": game, "seat": seat.value},
            ),
            about=game,
        )

    def give_seed(self, game: str, seat: Seat, seed: str) -> asyncio.Future[int]:
        """Keep what a seat gives for the coins; the first counts. The last of both starts it."""
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
        """Let a connection play for a seat from now on, instead of whichever did before."""
        return self.database.write(
            Statement(
                "UPDATE seats SET connection = :connection, process = :process, left_at = NULL"
                " WHERE game = :game AND seat = :seat",
                {
                    "connection": connection,
                    "process": process,
                    "game": game,
                    "seat": seat.value,
                },
            ),
            about=game,
        )

    def leave(self, game: str, seat: Seat, connection: str, now: float) -> asyncio.Future[int]:
        """Let a seat be without a connection, if it still was this one."""
        return self.database.write(
            Statement(
                "UPDATE seats SET connection = NULL, process = NULL, left_at = :now"
                " WHERE game = :game AND seat = :seat AND connection = :connection",
                {"now": now, "game": game, "seat": seat.value, "connection": connection},
            ),
            about=game,
        )

    def append(
        self, game: str, request: Request, outcome: Outcome | None, now: float
    ) -> asyncio.Future[int]:
        """Keep what a request brought, and the end if it is one; 0: its numbers or id are taken."""
        insert = Statement(
            "INSERT INTO journal (game, number, last, request, lines)"
            " VALUES (:game, :number, :last, :request, :lines) ON CONFLICT DO NOTHING",
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
            {
                "now": now,
                "result": outcome.winner.value if outcome.winner else 0,
                "game": game,
            },
        )
        return self.database.write(insert, over, about=game)

    # --- reading ---

    async def game(self, id: str) -> Kept | None:
        """What is kept of a game, if there is one with this id."""
        found = await self._games("id = :id", id=id)
        return found[0] if found else None

    async def games(self, ids: Sequence[str]) -> list[Kept]:
        """What is kept of several."""
        return await self._games(
            f"id {self.database.among_ids}", most=len(ids), ids=json.dumps(list(ids))
        )

    async def with_token(self, token: str) -> tuple[Kept, Seat] | None:
        """The game and the seat that a token's digest opens."""
        found = await self._games("id = (SELECT game FROM seats WHERE token = :token)", token=token)
        for kept in found:
            for chair in kept.chairs:
                if chair.token == token:
                    return kept, chair.seat
        return None

    async def journal(self, game: str, after: int = 0) -> list[Request]:
        """The journal's entries after a number, by the requests that brought them."""
        rows = await self.database.read(
            "SELECT number, last, request, lines FROM journal"
            " WHERE game = :game AND last > :after ORDER BY number",
            game=game,
            after=after,
        )
        return [Request(*row) for row in rows]

    async def lengths(self, games: Iterable[str]) -> dict[str, int]:
        """How many entries the journals of some games have."""
        rows = await self.database.read(
            f"SELECT game, max(last) FROM journal WHERE game {self.database.among_ids}"
            " GROUP BY game",
            ids=json.dumps(list(games)),
        )
        return {row[0]: row[1] for row in rows}

    async def waiting(self) -> list[Kept]:
        """The games that wait for anybody."""
        return await self._games("waits AND started IS NULL")

    async def playing(self) -> list[Kept]:
        """The games that can be watched."""
        return await self._games(
            "watch AND started IS NOT NULL AND ended IS NULL AND NOT EXISTS"
            " (SELECT 1 FROM seats waiting WHERE waiting.game = games.id AND waiting.seed IS NULL)"
        )

    async def over(self) -> list[Kept]:
        """The finished games that anybody may look at."""
        return await self._games("watch AND result IS NOT NULL")

    async def open_games_of(self, address: str) -> int:
        """How many unfinished games were made from an address."""
        rows = await self.database.read(
            "SELECT count(*) FROM games WHERE address = :address AND ended IS NULL",
            address=address,
        )
        return int(rows[0][0])

    async def _games(self, where: str, most: int = MOST_LISTED, **values: Any) -> list[Kept]:
        query = f"{GAMES} WHERE {where} ORDER BY created DESC LIMIT :most"
        found = []
        for row in await self.database.read(query, most=most, **values):
            with suppress(Refusal):  # a game whose package is gone must not hide the others
                found.append(Kept.from_row(row))
        return found

    # --- what nobody needs any more ---

    async def expire(self, unfinished: float, finished: float | None) -> list[str]:
        """Forget games nobody touched for so many seconds, finished ones too if that is said."""
        now = self.time.now()
        times = {"then": now - unfinished, "past": -1.0 if finished is None else now - finished}
        rows = await self.database.read(f"SELECT id FROM games WHERE {UNTOUCHED}", **times)
        # Somebody may have come in the meantime, so each is asked about again.
        gone = [
            self.database.write(
                Statement(
                    f"DELETE FROM games WHERE id = :game AND ({UNTOUCHED})",
                    {"game": game, **times},
                ),
                Statement("DELETE FROM seats WHERE game = :game", {"game": game}),
                Statement("DELETE FROM journal WHERE game = :game", {"game": game}),
                Statement("DELETE FROM seat_pauses WHERE game = :game", {"game": game}),
                about=game,
            )
            for (game,) in rows
        ]
        await self.forget_processes(now - DEAD)
        return [row[0] for row, deleted in zip(rows, gone, strict=True) if await deleted]


def open_database(url: str) -> Database:
    """The database that an URL names: a PostgreSQL, or a file for SQLite."""
    if url.startswith(("postgresql://", "postgres://")):
        from strongroom.server.store.postgres import PostgresDatabase

        return PostgresDatabase(url)
    if ("://" in url and not url.startswith("sqlite://")) or url.lower().startswith(NO_FILE):
        kind = url.partition(":")[0]
        raise Refusal(
            f"There is no database {kind!r}.", "Give a file's name or postgresql://USER@HOST/NAME."
        )
    from strongroom.server.store.sqlite import SqliteDatabase

    return SqliteDatabase(Path(url.removeprefix("sqlite:///").removeprefix("sqlite://")))
