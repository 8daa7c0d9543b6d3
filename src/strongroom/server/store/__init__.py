"""The store: games, their players and their journals, and the heartbeats of the processes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from strongroom.contract import Game, Json, Outcome, Refusal, Seat
from strongroom.contract.codec import json_form, to_json
from strongroom.plugins.registry import load
from strongroom.referee.randomness import Coins, hash_of
from strongroom.referee.record import PERSON, Sitter
from strongroom.server.clocks import Pauses, Span, TimeControl, Timekeeper
from strongroom.server.settings import DEFAULTS, Settings
from strongroom.server.store.database import Database, Insert, Row, Statement
from strongroom.server.store.database import DatabaseTrouble as DatabaseTrouble

GAME: Final = ("id", "deal", "server_seed", "created", "invitation", "waits", "watch")
SEAT: Final = ("seat", "name", "player", "token", "seed", "connection", "process", "left_at")
GAMES: Final = f"""
    SELECT {", ".join(GAME)},
           {", ".join(f"{seat}.{part}" for seat in ("one", "two") for part in SEAT)},
           started, ended, result, address,
           (SELECT later.id FROM games later WHERE later.rematch_of = games.id),
           (SELECT max(seat_pauses.ended) FROM seat_pauses WHERE seat_pauses.game = games.id)
    FROM games
    JOIN seats one ON one.game = games.id AND one.seat = 1
    JOIN seats two ON two.game = games.id AND two.seat = 2
"""
NEW_TOKEN: Final = "NOT EXISTS (SELECT 1 FROM seats other WHERE other.token = :token)"
"""The condition that a token opens no seat yet."""
NO_FILE: Final = ("postgres:", "postgresql:")
"""Starts of mistyped URLs, whose password would become the name of a folder."""
PARTS: Final = ("seats", "journal", "seat_pauses")
"""The tables of what belongs to a game."""
AGAINST_BOT: Final = f"""
    EXISTS (SELECT 1 FROM seats bot WHERE bot.game = games.id AND bot.player <> '{PERSON}')
"""
CONNECTED: Final = """
    connection IS NOT NULL AND EXISTS (
        SELECT 1 FROM processes WHERE processes.id = seats.process AND beat > {since})
"""
"""Whether somebody is at a seat whose process has sent a heartbeat since then."""


def _untouched(since: str) -> str:
    return f"""
        created < {since} AND NOT EXISTS (SELECT 1 FROM seats WHERE seats.game = games.id AND (
            left_at > {since} OR {CONNECTED.format(since=since)}))
    """


UNTOUCHED: Final = f"""
    ended < :past OR result IS NULL AND (
        {_untouched(":then")} OR {AGAINST_BOT} AND ended IS NULL AND {_untouched(":lately")})
"""
"""Which games expire; a connected player keeps a game while the process sends heartbeats."""


@json_form("game=game.name options=game.options aids clock score taken?")
@dataclass(frozen=True, slots=True)
class Deal:
    """What is played and on what terms."""

    game: Game
    aids: bool = True
    """Whether the players get hints, and a notebook of what is still possible."""
    clock: TimeControl | None = None
    score: tuple[float, float] = (0.0, 0.0)
    """The points of the two seats' players from their earlier games against each other."""
    taken: int | None = None
    """How many of its first steps come from another game, from a position of which it goes on."""

    @classmethod
    def from_json(cls, data: Any) -> Deal:
        """The deal that was written as this data."""
        one, two = data["score"]
        return cls(
            load_shared(data["game"], **data["options"]),
            data["aids"],
            TimeControl(**data["clock"]) if data["clock"] else None,
            (one, two),
            data.get("taken"),
        )


@lru_cache(200, typed=True)
def load_shared(name: str, /, **options: Any) -> Game:
    """A game with its options, cached and shared because it is large with its words."""
    return load(name, **options)


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """A seat of a stored game, and who has it."""

    seat: Seat
    name: str | None
    """None until somebody sits down."""
    player: str = PERSON
    token: str | None = None
    """The digest of the token of the person who sits here."""
    seed: str | None = None
    """The seed that this seat gave for the coins."""
    connection: str | None = None
    """The connection that plays for this seat now, if there is one."""
    process: str | None = None
    """The server process that holds that connection."""
    left_at: float | None = None
    """Since when there is no connection."""

    @property
    def is_bot(self) -> bool:
        """Whether the server plays for this seat."""
        return self.player != PERSON

    @property
    def sitter(self) -> Sitter:
        """Who sits here, once somebody does."""
        assert self.name is not None
        return Sitter(self.name, self.player)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is stored, without its journal."""

    id: str
    deal: Deal
    server_seed: str
    """The server's seed for the coins, secret until the end."""
    created: float
    seats: tuple[StoredSeat, StoredSeat]
    invitation: str | None = None
    """The digest of the invitation that the second player needs to sit down."""
    waits: bool = False
    """Whether anybody may sit down."""
    watch: bool = True
    """Whether anybody may watch."""
    started: float | None = None
    """When the second player sat down; later, when the last player first connected."""
    ended: float | None = None
    result: int | None = None
    """The winning seat, or 0 if nobody won; None before the end, and for a withdrawn game."""
    address: str = ""
    """The address whose limit of open games it counts towards; empty if nobody's."""
    rematch: str | None = None
    """The id of the rematch."""
    paused: float | None = None
    """When the last pause of one of its seats ended."""

    @classmethod
    def from_row(cls, row: Row) -> StoredGame:
        """The game in a row of `GAMES`."""
        id, deal, server_seed, created, invitation, waits, watch, *rest = row
        one, two = (StoredSeat(Seat(rest.pop(0)), *(rest.pop(0) for _ in SEAT[1:])) for _ in Seat)
        terms = invitation, bool(waits), bool(watch), *rest
        return cls(id, Deal.from_json(json.loads(deal)), server_seed, created, (one, two), *terms)

    def seat_of(self, token: str) -> Seat | None:
        """The seat that a token opens, if it opens one."""
        digested = hash_of(token)
        return next((each.seat for each in self.seats if each.token == digested), None)

    @property
    def is_open(self) -> bool:
        """Whether a seat is free."""
        return any(each.name is None for each in self.seats)

    @property
    def is_complete(self) -> bool:
        """Whether both players are there and have given their seeds, so that the match begins."""
        return all(each.name is not None and each.seed is not None for each in self.seats)

    def coins(self, seed: str | None) -> Coins:
        """What determines chance, with the server's seed or, before the end, without it."""
        one, two = self.seats
        return Coins(hash_of(self.server_seed), (one.seed, two.seed), seed, self.deal.taken)

    @property
    def is_withdrawn(self) -> bool:
        """Whether it was withdrawn before it began."""
        return self.ended is not None and self.result is None


class StoredRequest(NamedTuple):
    """The journal entries of one request, from `number` to `last`."""

    number: int
    last: int
    id: str | None
    lines: str


def game_info(
    stored: StoredGame,
    outcome: Outcome | None = None,
    presence: Sequence[float | None] = (None, None),
    watchers: int = 0,
) -> Json:
    """A game as JSON data; `presence` is since when each player has been away."""
    seats = [
        None
        if each.name is None
        else {"name": each.name, "player": each.player, "here": away is None, "away_since": away}
        for each, away in zip(stored.seats, presence, strict=True)
    ]
    won = stored.result if outcome is None else outcome.winner and outcome.winner.value
    return {
        "id": stored.id,
        **to_json(stored.deal),
        "title": stored.deal.game.title,
        "watch": stored.watch,
        "state": _state(stored, outcome),
        "winner": won or None,
        "open": stored.waits and stored.is_open,
        "seats": seats,
        "coins": to_json(stored.coins(None)),
        "watchers": watchers,
        "rematch": stored.rematch,
        "created": round(stored.created, 3),
    }


def _state(stored: StoredGame, outcome: Outcome | None) -> str:
    if stored.is_withdrawn:
        return "withdrawn"
    if outcome is not None or stored.result is not None:
        return "over"
    return "playing" if stored.is_complete else "waiting"


class Store:
    """The games of a server, and the heartbeats of its processes."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.settings = database.settings
        self.time = Timekeeper(database.settings)

    # --- a game ---

    def create(
        self, stored: StoredGame, rematch_of: str | None = None, begun: StoredRequest | None = None
    ) -> asyncio.Future[int]:
        """Store a new game; nothing is stored if a token or the place of a rematch is taken.

        `begun` are the entries that it begins with.
        """
        row = {part: getattr(stored, part) for part in (*GAME, "started", "address")}
        deal = json.dumps(to_json(stored.deal))
        game = Insert("games", {**row, "deal": deal, "rematch_of": rematch_of})
        seats = []
        for each in sorted(stored.seats, key=lambda each: each.token is None):
            row = {part: getattr(each, part) for part in ("name", "player", "token", "seed")}
            seats.append(Insert("seats", {"game": stored.id, "seat": each.seat.value, **row}))
        # The statement that may conflict comes first, so that everything is stored or nothing.
        order = [game, *seats] if rematch_of else [seats[0], game, seats[1]]
        if begun is not None:
            number, last, id, lines = begun
            row = {"game": stored.id, "number": number, "last": last, "request": id, "lines": lines}
            order.append(Insert("journal", row))
        return self.database.write(*order, about=rematch_of or stored.id)

    # A player who comes to a game changes `started`, and a withdrawal requires it to be unchanged.
    # Both update the same row, so of two at once one waits for the other, and is too late.

    def sit_down(self, game: str, new: StoredSeat, now: float) -> asyncio.Future[int]:
        """Take the free seat and start; 0 if it is taken, the game withdrawn, or the token used."""
        values = {"game": game, "seat": new.seat.value, "name": new.name, "token": new.token}
        return self._write(
            {**values, "now": now, "no": False},
            "UPDATE games SET started = :now, waits = :no"
            f" WHERE id = :game AND started IS NULL AND ended IS NULL AND {NEW_TOKEN}",
            "UPDATE seats SET name = :name, token = :token WHERE game = :game AND seat = :seat",
        )

    def withdraw(self, stored: StoredGame, now: float) -> asyncio.Future[int]:
        """Withdraw a game as it was read; 0 if somebody has come since, which changes `started`."""
        return self._write(
            {"now": now, "no": False, "game": stored.id, "started": stored.started or 0.0},
            "UPDATE games SET ended = :now, waits = :no, rematch_of = NULL"
            " WHERE id = :game AND ended IS NULL AND COALESCE(started, 0) = :started",
        )

    def give_token(self, game: str, seat: Seat, token: str) -> asyncio.Future[int]:
        """Set the token of a reserved seat; 0 if the seat has one, or the token is used already."""
        return self._write(
            {"token": token, "game": game, "seat": seat.value},
            "UPDATE seats SET token = :token"
            f" WHERE game = :game AND seat = :seat AND token IS NULL AND {NEW_TOKEN}",
        )

    def give_seed(self, game: str, seat: Seat, seed: str) -> asyncio.Future[int]:
        """Store a seat's seed for the coins; its first counts. The second seat's begins play."""
        return self._write(
            {"seed": seed, "game": game, "seat": seat.value, "now": self.time.now()},
            "UPDATE seats SET seed = :seed WHERE game = :game AND seat = :seat AND seed IS NULL",
            "UPDATE games SET started = :now"
            " WHERE id = :game AND started IS NOT NULL AND ended IS NULL",
        )

    def arrive(self, game: str, seat: Seat, connection: str, process: str) -> asyncio.Future[int]:
        """Let a connection play for a seat from now on, in place of any earlier one."""
        return self._write(
            {"connection": connection, "process": process, "game": game, "seat": seat.value},
            "UPDATE seats SET connection = :connection, process = :process, left_at = NULL"
            " WHERE game = :game AND seat = :seat",
        )

    def leave(self, game: str, seat: Seat, connection: str, now: float) -> asyncio.Future[int]:
        """Clear a seat's connection, if it is still this one."""
        return self._write(
            {"now": now, "game": game, "seat": seat.value, "connection": connection},
            "UPDATE seats SET connection = NULL, process = NULL, left_at = :now"
            " WHERE game = :game AND seat = :seat AND connection = :connection",
        )

    def append(
        self, game: str, request: StoredRequest, outcome: Outcome | None, now: float
    ) -> asyncio.Future[int]:
        """Store a request's entries, and the outcome if any; 0 if its number or id is taken."""
        number, last, id, lines = request
        row = {"game": game, "number": number, "last": last, "request": id, "lines": lines}
        insert = Insert("journal", row)
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

    async def open_games_of(self, address: str) -> tuple[int, int]:
        """How many unfinished games were made from an address, and how many of them count.

        A game against a bot counts while somebody is there.
        """
        rows = await self.database.read(
            f"SELECT count(*), coalesce(sum(CASE WHEN {AGAINST_BOT} AND NOT EXISTS (SELECT 1"
            f" FROM seats WHERE seats.game = games.id AND {CONNECTED.format(since=':lately')})"
            " THEN 0 ELSE 1 END), 0) FROM games WHERE address = :address AND ended IS NULL",
            address=address,
            lately=self.time.now() - self.settings.process_timeout,
        )
        return int(rows[0][0]), int(rows[0][1])

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
        times = {
            "then": now - unfinished,
            "lately": now - min(unfinished, self.settings.expire_bots),
            "past": -1.0 if finished is None else now - finished,
        }
        rows = await self.database.read(f"SELECT id FROM games WHERE {UNTOUCHED}", **times)
        # Somebody may have come in the meantime, so each is checked again.
        gone = [
            self._write(
                {**times, "game": game},
                f"DELETE FROM games WHERE id = :game AND ({UNTOUCHED})",
                *(f"DELETE FROM {part} WHERE game = :game" for part in PARTS),
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
            {"began": began, "ended": ended},
            "INSERT INTO pauses (began, ended) VALUES (:began, :ended)"
            " ON CONFLICT (began) DO UPDATE SET ended = excluded.ended"
            " WHERE pauses.ended < excluded.ended",
        )

    def pause_seat(
        self, game: str, seat: Seat, host: Seat, process: str, span: Span
    ) -> asyncio.Future[int]:
        """Store a pause of a seat's clock, if the player of `host` is still on that process."""
        return self._write(
            {
                "game": game,
                "seat": seat.value,
                "host": host.value,
                "process": process,
                "began": span[0],
                "ended": span[1],
            },
            "INSERT INTO seat_pauses (game, seat, began, ended)"
            " SELECT game, :seat, :began, :ended FROM seats"
            " WHERE game = :game AND seat = :host AND process = :process"
            " ON CONFLICT DO NOTHING",
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
            {"id": process, "now": self.time.now()},
            "INSERT INTO processes (id, beat) VALUES (:id, :now)"
            " ON CONFLICT (id) DO UPDATE SET beat = :now",
        )

    async def beats(self) -> dict[str, float]:
        """The last heartbeat of each process."""
        return {row[0]: row[1] for row in await self.database.read("SELECT * FROM processes")}

    async def forget_processes(self, before: float) -> None:
        """Delete processes without a heartbeat since `before` that no seat refers to."""
        await self._write(
            {"before": before},
            "DELETE FROM processes WHERE beat < :before AND NOT EXISTS"
            " (SELECT 1 FROM seats WHERE seats.process = processes.id)",
        )

    def _write(self, values: dict[str, Any], *statements: str) -> asyncio.Future[int]:
        """Write statements, about the game in their values if there is one."""
        written = [Statement(sql, values) for sql in statements]
        return self.database.write(*written, about=values.get("game", ""))


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
