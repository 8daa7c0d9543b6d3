"""Many writes in one transaction of a PostgreSQL, in as few statements as possible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

import orjson
import psycopg
from psycopg import AsyncCursor

from strongroom.server.store.connection import Connection
from strongroom.server.store.database import Row, Statement, Write, insert_of

CHANNEL: Final = "strongroom"
"""Where hints are given."""
MOST_NAMED: Final = 200
"""So many games a hint names: PostgreSQL carries less than 8,000 bytes."""

NAME: Final = re.compile(r"(?<![:\w]):(\w+)")


class Asked(NamedTuple):
    """What was sent for some writes, by their places, and where the answer is."""

    places: list[int]
    answer: AsyncCursor[Row]
    is_joint: bool
    """Whether the answer names the games whose rows were kept."""

    async def rows(self, writes: Sequence[Write]) -> dict[int, int]:
        """How many rows the write at each place touched."""
        if not self.is_joint:
            return dict.fromkeys(self.places, self.answer.rowcount)
        kept = {row[0] for row in await self.answer.fetchall()}
        return {place: int(writes[place].about in kept) for place in self.places}


class Transaction:
    """Writes that happen together or not at all.

    Writes about one game keep their order, because they are in different rounds. In a round the
    first statements of all go to the server at once, and new rows of a table as one statement:
    five times as many a second as in a pipeline one by one, and three times as many as with arrays.
    """

    def __init__(self, connection: Connection, process: str) -> None:
        self._connection = connection
        self._process = process
        self.is_committing = False
        """Whether the server may have been told to commit."""

    async def write(self, writes: Sequence[Write]) -> list[int]:
        """Commit writes, give a hint of them, and say what each touched."""
        touched = [0] * len(writes)
        due = [Statement("BEGIN", {})]
        for places in _rounds(writes):
            async with self._connection.pipeline():
                for statement in due:
                    await self._execute(statement)
                asked = [await self._ask(alike, writes) for alike in _alike(places, writes)]
            for each in asked:
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

    async def _execute(self, statement: Statement) -> AsyncCursor[Row]:
        sql, names = numbered(statement.sql)
        return await self._connection.execute(sql, [statement.values[name] for name in names])

    async def _ask(self, places: list[int], writes: Sequence[Write]) -> Asked:
        first = writes[places[0]].statements[0]
        if (joint := _joint(writes[places[0]])) is None:
            return Asked(places, await self._execute(first), is_joint=False)
        rows = orjson.dumps([writes[place].statements[0].values for place in places])
        return Asked(places, await self._connection.execute(joint, (rows.decode(),)), True)

    def _hints(self, games: list[str]) -> Iterator[Statement]:
        for start in range(0, len(games), MOST_NAMED):
            hint = " ".join((self._process, *games[start : start + MOST_NAMED]))
            yield Statement("SELECT pg_notify(:channel, :hint)", {"channel": CHANNEL, "hint": hint})


def _rounds(writes: Sequence[Write]) -> list[list[int]]:
    """The places of writes, of which no two in a round are about the same game."""
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
    """The places of writes whose first statements can be joined into one.

    Every process takes them in the same order, so that two seldom wait for each other.
    """

    def key(place: int) -> tuple[str, str]:
        sql = writes[place].statements[0].sql
        return sql, "" if _joint(writes[place]) else writes[place].about

    places = sorted(places, key=lambda place: (*key(place), writes[place].about))
    for _, alike in groupby(places, key):
        yield list(alike)


def _joint(write: Write) -> bytes | None:
    """What inserts the rows of many such writes, and gives back the games whose rows were kept."""
    sql, values = write.statements[0]
    return joint_insert(sql) if values.get("game") == write.about else None


@lru_cache(256)
def joint_insert(sql: str) -> bytes | None:
    """The same for many rows, given as JSON, if it inserts a row about a game if it can.

    >>> joint_insert("INSERT INTO t (game, a) VALUES (:game, :a) ON CONFLICT DO NOTHING").decode()
    'INSERT INTO t (game, a) SELECT game, a FROM json_populate_recordset(NULL::t, $1) \
ON CONFLICT DO NOTHING RETURNING game'
    """
    insert = insert_of(sql)
    if insert is None:
        return None
    columns = ", ".join(insert.columns)
    return (
        f"INSERT INTO {insert.table} ({columns}) SELECT {columns}"
        f" FROM json_populate_recordset(NULL::{insert.table}, $1)"
        " ON CONFLICT DO NOTHING RETURNING game"
    ).encode()


@lru_cache(256)
def numbered(sql: str) -> tuple[bytes, tuple[str, ...]]:
    """SQL as PostgreSQL wants it, with numbers for the names, and the names in their order.

    >>> numbered("SELECT a FROM t WHERE b = :b AND c > :c OR d < :b")
    (b'SELECT a FROM t WHERE b = $1 AND c > $2 OR d < $1', ('b', 'c'))
    """
    names = list(dict.fromkeys(NAME.findall(sql)))
    return NAME.sub(lambda name: f"${names.index(name[1]) + 1}", sql).encode(), tuple(names)
