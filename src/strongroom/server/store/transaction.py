"""Many writes in one PostgreSQL transaction, in as few statements as possible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

import orjson
import psycopg
from psycopg import AsyncCursor

from strongroom.server.store.database import Insert, Row, Statement, Write
from strongroom.server.store.postgres_connection import PostgresConnection

CHANNEL: Final = "strongroom"
"""The channel of notifications to other processes."""
MOST_NAMED: Final = 200
"""The most games that a notification names; PostgreSQL's payload is under 8,000 bytes."""

NAME: Final = re.compile(r"(?<![:\w]):(\w+)")


class Sent(NamedTuple):
    """The statement sent for the writes at some places, and its answer."""

    places: list[int]
    answer: AsyncCursor[Row]
    is_joint: bool
    """Whether the answer names the games whose rows were inserted."""

    async def rows(self, writes: Sequence[Write]) -> dict[int, int]:
        """How many rows the write at each place touched."""
        if not self.is_joint:
            return dict.fromkeys(self.places, self.answer.rowcount)
        inserted = {row[0] for row in await self.answer.fetchall()}
        return {place: int(writes[place].about in inserted) for place in self.places}


class Transaction:
    """Writes that are committed together or not at all.

    Writes about one game keep their order, because they are in different rounds. In each round, the
    first statements of all writes are sent at once, and new rows of a table as one statement: five
    times as many a second as one by one in a pipeline, and three times as many as with arrays.
    """

    def __init__(self, connection: PostgresConnection, process: str) -> None:
        self._connection = connection
        self._process = process
        self.is_committing = False
        """Whether the server may have been told to commit."""

    async def write(self, writes: Sequence[Write]) -> list[int]:
        """Commit writes, notify other processes, and return how many rows each touched."""
        touched = [0] * len(writes)
        due: list[Statement | Insert] = [Statement("BEGIN", {})]
        for places in _rounds(writes):
            async with self._connection.pipeline():
                for statement in due:
                    await self._execute(statement)
                sent = [await self._send(alike, writes) for alike in _alike(places, writes)]
            for each in sent:
                for place, rows in (await each.rows(writes)).items():
                    touched[place] = rows
            firsts = (writes[place] for place in places if touched[place])
            due = [statement for write in firsts for statement in write.statements[1:]]
        games = sorted({write.about for write, rows in zip(writes, touched, strict=True) if rows})
        async with self._connection.pipeline():
            for statement in (*due, *self._hints([game for game in games if game])):
                await self._execute(statement)
            self.is_committing = True
            end = await self._connection.execute(b"COMMIT")
        if end.statusmessage != "COMMIT":
            raise psycopg.OperationalError(f"COMMIT was answered with {end.statusmessage}")
        return touched

    async def _execute(self, statement: Statement | Insert) -> AsyncCursor[Row]:
        sql, names = numbered(statement.sql)
        return await self._connection.execute(sql, [statement.values[name] for name in names])

    async def _send(self, places: list[int], writes: Sequence[Write]) -> Sent:
        first = writes[places[0]]
        if (row := _own_row(first)) is None:
            return Sent(places, await self._execute(first.statements[0]), is_joint=False)
        sql = joint_insert(row.table, row.columns)
        rows = orjson.dumps([writes[place].statements[0].values for place in places])
        return Sent(places, await self._connection.execute(sql, (rows.decode(),)), True)

    def _hints(self, games: list[str]) -> Iterator[Statement]:
        for start in range(0, len(games), MOST_NAMED):
            hint = " ".join((self._process, *games[start : start + MOST_NAMED]))
            yield Statement("SELECT pg_notify(:channel, :hint)", {"channel": CHANNEL, "hint": hint})


def _rounds(writes: Sequence[Write]) -> list[list[int]]:
    """The places of writes in rounds; no two in a round are about the same game."""
    rounds: list[list[int]] = []
    turns: dict[str, int] = {}
    for place, write in enumerate(writes):
        turn = turns.get(write.about, 0)
        turns[write.about] = turn + 1
        if turn == len(rounds):
            rounds.append([])
        rounds[turn].append(place)
    return rounds


def _alike(places: list[int], writes: Sequence[Write]) -> Iterator[list[int]]:
    """Groups of places of writes whose first statements can be joined into one.

    Every process takes them in the same order, so that two seldom wait for each other.
    """

    def key(place: int) -> tuple[str, str]:
        sql = writes[place].statements[0].sql
        return sql, "" if _own_row(writes[place]) else writes[place].about

    places = sorted(places, key=lambda place: (*key(place), writes[place].about))
    for _, alike in groupby(places, key):
        yield list(alike)


def _own_row(write: Write) -> Insert | None:
    """The row that a write inserts first, if the game that it is about can identify it."""
    first = write.statements[0]
    return first if isinstance(first, Insert) and first.values.get("game") == write.about else None


@lru_cache(256)
def joint_insert(table: str, columns: tuple[str, ...]) -> bytes:
    """An insert of many rows given as JSON, which returns the games of the inserted rows.

    >>> joint_insert("t", ("game", "a")).decode()
    'INSERT INTO t (game, a) SELECT game, a FROM json_populate_recordset(NULL::t, $1) \
ON CONFLICT DO NOTHING RETURNING game'
    """
    names = ", ".join(columns)
    return (
        f"INSERT INTO {table} ({names}) SELECT {names}"
        f" FROM json_populate_recordset(NULL::{table}, $1)"
        " ON CONFLICT DO NOTHING RETURNING game"
    ).encode()


@lru_cache(256)
def numbered(sql: str) -> tuple[bytes, tuple[str, ...]]:
    """SQL with PostgreSQL's numbered parameters, and the names that they replace, in order.

    >>> numbered("SELECT a FROM t WHERE b = :b AND c > :c OR d < :b")
    (b'SELECT a FROM t WHERE b = $1 AND c > $2 OR d < $1', ('b', 'c'))
    """
    names = list(dict.fromkeys(NAME.findall(sql)))
    return NAME.sub(lambda name: f"${names.index(name[1]) + 1}", sql).encode(), tuple(names)
