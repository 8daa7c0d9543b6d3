"""PostgreSQL: any number of processes can share it.

A connection that is lost is opened again, and one that hangs is cut. Writes that share a commit are
sent in as few statements as possible.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import groupby
from typing import Any, Final, NamedTuple

import orjson
import psycopg
from psycopg import AsyncConnection, AsyncCursor, AsyncRawCursor
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from strongroom.server.background import cancel
from strongroom.server.monitoring import log
from strongroom.server.settings import DEFAULTS, Settings
from strongroom.server.store.database import (
    SCHEMA,
    Database,
    DatabaseTrouble,
    Insert,
    Row,
    Statement,
    Write,
)

USUAL: Final = {
    "application_name": "strongroom",
    "client_encoding": "utf8",
    "target_session_attrs": "read-write",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""The parameters of a connection, besides its timeout; the URL may override both."""
SESSION: Final = """
    SELECT set_config('statement_timeout', $1, false),
           set_config('lock_timeout', $1, false),
           set_config('idle_in_transaction_session_timeout', $1, false),
           set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                      WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
           set_config('tcp_keepalives_idle', '10', false),
           set_config('tcp_keepalives_interval', '5', false),
           set_config('tcp_keepalives_count', '3', false),
           pg_advisory_lock_shared($2::bigint)
"""
"""A commit is on disk when it is acknowledged, whatever that server's default is.

The lock marks a connection as the process's own. PostgreSQL releases it when the process ends, or
soon after its machine stops responding, but not while the process is merely frozen.
"""
MARKS: Final = """
    SELECT classid::bigint << 32 | objid::bigint FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND mode = 'ShareLock'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
"""The marks of all connections to the same database."""
NOT_SAID: Final = re.compile(
    r"^(connection .*?failed: |FATAL:  |ERROR:  |consuming input failed: )+"
)

FAULTS: Final = (
    psycopg.DataError,
    psycopg.IntegrityError,
    psycopg.ProgrammingError,
    psycopg.NotSupportedError,
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
)
"""Errors that can be one write's own fault, so that the others succeed without it."""

PostgresConnection = AsyncConnection[Row]


class PostgresServer:
    """A PostgreSQL server and how to connect to it."""

    def __init__(self, url: str, process: str, settings: Settings) -> None:
        self.settings = settings
        self._mark = mark(process)
        self._parts: dict[str, Any] = {}
        with suppress(psycopg.Error, ValueError):
            self._parts = conninfo_to_dict(url)
        # A password that contains @ or / is split apart, and must not be shown as a host.
        parts = {name: str(self._parts.get(name, "")) for name in ("host", "port", "dbname")}
        torn = "@" in "".join(parts.values()) or not re.fullmatch("[0-9,]*", parts["port"])
        if not self._parts or torn:
            raise DatabaseTrouble(
                "The PostgreSQL address cannot be read. It should look like "
                "postgresql://USER:PASSWORD@HOST:5432/NAME, with / @ : # ? % in a password "
                "written as %2F %40 %3A %23 %3F %25."
            )

    def __str__(self) -> str:
        host, port = self._parts.get("host", "localhost"), self._parts.get("port", 5432)
        name = self._parts.get("dbname") or self._parts.get("user", "")
        return f"PostgreSQL at {host}:{port}/{name}"

    async def connect(self) -> PostgresConnection:
        """A new connection, on which an acknowledged commit is on disk."""
        usual = {**USUAL, "connect_timeout": self.settings.connect_timeout}
        timeout = f"{1000 * self.settings.statement_timeout:.0f}ms"
        try:
            connection = await AsyncConnection.connect(
                **{**usual, **self._parts},
                autocommit=True,
                prepare_threshold=1,
                cursor_factory=AsyncRawCursor,
            )
            try:
                with self.within(connection):
                    await connection.execute(SESSION, (timeout, self._mark))
            except BaseException:  # a cancellation as well: nobody else knows of it yet
                await connection.close()
                raise
        except (psycopg.Error, OSError) as error:
            raise self.trouble(error) from None
        return connection

    def trouble(self, error: Exception) -> DatabaseTrouble:
        """An error as a sentence that says what went wrong."""
        if isinstance(error, DatabaseTrouble):
            return error
        if isinstance(error, psycopg.DataError | psycopg.IntegrityError):  # they quote the values
            return DatabaseTrouble(f"{self} refused a statement: {type(error).__name__}.")
        first = next(filter(None, map(str.strip, str(error).splitlines())), type(error).__name__)
        said = NOT_SAID.sub("", first).strip().rstrip(".")
        return DatabaseTrouble(f"{self} cannot be used: {said}.")

    def pause_after(self, failures: int) -> float:
        """How many seconds to wait before the next attempt to connect."""
        pauses = self.settings.reconnect_pauses
        return pauses[min(failures, len(pauses) - 1)]

    @contextmanager
    def within(self, connection: PostgresConnection) -> Iterator[None]:
        """Cut a connection whose server does not even report a timeout."""
        longest = 2 * self.settings.statement_timeout
        cutting = asyncio.get_running_loop().call_later(longest, _cut, connection)
        try:
            yield
        finally:
            cutting.cancel()


def _cut(connection: PostgresConnection) -> None:
    with (
        suppress(psycopg.Error, OSError),
        socket.socket(fileno=os.dup(connection.fileno())) as endpoint,
    ):
        endpoint.shutdown(socket.SHUT_RDWR)


def mark(process: str) -> int:
    """The number that marks a process's connections, which PostgreSQL can lock.

    >>> mark("0" * 32), mark("f" * 32)
    (0, -1)
    """
    return int.from_bytes(bytes.fromhex(process[:16]), signed=True)


class ReconnectingConnection:
    """One connection at a time, reopened when it is lost, after longer and longer pauses."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._connection: PostgresConnection | None = None
        self._failures = 0
        self._next_attempt = 0.0
        self._last_trouble = DatabaseTrouble(f"{server} is not connected.")

    async def ready(self, until: float) -> PostgresConnection:
        """The connection, with retries until a time by the loop's clock."""
        if self._connection is not None and not self._connection.closed:
            return self._connection
        now = asyncio.get_running_loop().time
        while True:
            pause = self._next_attempt - now()
            if pause > 0:
                if now() + pause > until:
                    raise DatabaseTrouble(str(self._last_trouble))
                await asyncio.sleep(pause)
            try:
                self._connection = await self._server.connect()
            except DatabaseTrouble as trouble:
                self._last_trouble = trouble
                self._next_attempt = now() + self._server.pause_after(self._failures)
                self._failures += 1
            else:
                self._failures = 0
                return self._connection

    async def roll_back(self) -> None:
        """Roll back a transaction that was left open, and close the connection if that fails."""
        if self._connection is not None and not self._is_idle:
            try:
                with self._server.within(self._connection):
                    await self._connection.rollback()
            except psycopg.Error:
                await self.close()
            await self.put_back()

    async def put_back(self) -> None:
        """Close a connection that is in the middle of something."""
        if not self._is_idle:
            await self.close()

    @property
    def _is_idle(self) -> bool:
        return (
            self._connection is not None
            and self._connection.info.transaction_status is TransactionStatus.IDLE
        )

    async def close(self) -> None:
        """Disconnect."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None


def is_lost(connection: PostgresConnection, error: psycopg.Error) -> bool:
    """Whether an error ended the connection."""
    return connection.closed or error.diag.severity_nonlocalized in ("FATAL", "PANIC")


CHANNEL: Final = "strongroom"
"""The channel of notifications to other processes."""
NOTIFY: Final = "SELECT pg_notify(:channel, :hint)"
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
        sql, names = number_parameters(statement.sql)
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
            yield Statement(NOTIFY, {"channel": CHANNEL, "hint": hint})


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
def number_parameters(sql: str) -> tuple[bytes, tuple[str, ...]]:
    """SQL with PostgreSQL's numbered parameters, and the names that they replace, in order.

    >>> number_parameters("SELECT a FROM t WHERE b = :b AND c > :c OR d < :b")
    (b'SELECT a FROM t WHERE b = $1 AND c > $2 OR d < $1', ('b', 'c'))
    """
    names = list(dict.fromkeys(NAME.findall(sql)))
    return NAME.sub(lambda name: f"${names.index(name[1]) + 1}", sql).encode(), tuple(names)


SCHEMA_LOCK: Final = 0x5374726F6E67
"""The advisory lock that lets one process at a time create the tables."""


class PostgresDatabase(Database):
    """One connection writes, a few read, and one listens for other processes' writes."""

    shared = True
    among_ids = "IN (SELECT json_array_elements_text(:ids))"

    def __init__(self, url: str, settings: Settings = DEFAULTS) -> None:
        super().__init__(settings)
        self._url = url
        self._connections: list[ReconnectingConnection] = []
        self._listening: asyncio.Task[None] | None = None

    async def _open(self) -> None:
        self._server = PostgresServer(self._url, self.process, self.settings)
        many = 2 + self.settings.postgres_readers
        self._connections = [ReconnectingConnection(self._server) for _ in range(many)]
        self._writer, self._listener, *readers = self._connections
        self._free: asyncio.LifoQueue[ReconnectingConnection] = asyncio.LifoQueue()
        for reader in readers:
            self._free.put_nowait(reader)
        connection = await self._writer.ready(until=0)
        try:
            with self._server.within(connection):
                async with connection.transaction():
                    await connection.execute("SELECT pg_advisory_xact_lock($1)", (SCHEMA_LOCK,))
                    for statement in SCHEMA:
                        await connection.execute(statement.encode())
                syncs = await (await connection.execute("SHOW fsync")).fetchone()
        except psycopg.Error as error:
            raise self._server.trouble(error) from None
        if syncs != ("on",):
            text = f"{self._server} has fsync = off: a power cut can lose moves."
            log("database", text=text, level=logging.WARNING)

    async def _close(self) -> None:
        if self._listening is not None:
            await cancel([self._listening], self.settings.cancel_again)
        for connection in self._connections:
            await connection.close()

    # --- reading ---

    async def read(self, sql: str, **values: Any) -> list[Row]:
        """The rows that a query returns."""
        query, names = number_parameters(sql)
        until = self._loop.time() + self.settings.postgres_timeout
        reader = await self._free.get()
        try:
            for attempt in reversed(range(self.settings.postgres_tries)):
                connection = await reader.ready(until)
                try:
                    with self._server.within(connection):
                        cursor = await connection.execute(query, [values[name] for name in names])
                        return await cursor.fetchall()
                except psycopg.Error as error:
                    if not (is_lost(connection, error) and attempt):
                        raise self._server.trouble(error) from None
            raise AssertionError("the last attempt returns or raises")
        finally:
            await reader.put_back()
            self._free.put_nowait(reader)

    async def live_processes(self, processes: Iterable[str]) -> set[str]:
        """Which processes have a connection now, whether they are running or frozen."""
        marks = {row[0] for row in await self.read(MARKS)}
        return {process for process in processes if mark(process) in marks}

    # --- writing ---

    async def _commit(self, writes: Sequence[Write]) -> list[int]:
        until = min(write.since for write in writes) + self.settings.postgres_timeout
        for attempt in reversed(range(self.settings.postgres_tries)):
            connection = await self._writer.ready(until)
            transaction = Transaction(connection, self.process)
            try:
                with self._server.within(connection):
                    return await transaction.write(writes)
            except psycopg.Error as error:
                # A transaction whose COMMIT was never sent has not happened, and can be retried.
                # If it was sent, only a server that answers can say whether it has.
                is_open = is_lost(connection, error) and not transaction.is_committing
                if isinstance(error, FAULTS):
                    raise
                if not (is_open and attempt):
                    raise self._server.trouble(error) from None
            finally:
                await self._writer.roll_back()
        raise AssertionError("the last attempt returns or raises")

    # --- hints ---

    def tell(self, text: str) -> None:
        """Send other processes a word together with the next writes; it may be lost."""
        hint = {"channel": CHANNEL, "hint": f"{self.process} {text}"}
        self.write(Statement(NOTIFY, hint)).add_done_callback(
            lambda told: told.cancelled() or told.exception()
        )

    def listen(self, heard: Callable[[list[str]], None]) -> None:
        """Call `heard` with the games that other processes wrote about, and what they tell.

        An empty list means that some may have been missed, as after every new connection.
        """
        assert self._listening is None, "one listens"
        self._listening = asyncio.create_task(self._keep_listening(heard), name="listener")

    async def _keep_listening(self, heard: Callable[[list[str]], None]) -> None:
        failures = 0
        while True:
            try:
                until = self._loop.time() + self.settings.postgres_timeout
                connection = await self._listener.ready(until)
                with self._server.within(connection):
                    await connection.execute(f"LISTEN {CHANNEL}".encode())
                failures = 0
                self._loop.call_soon(heard, [])
                while True:
                    async for hint in connection.notifies(timeout=self.settings.postgres_check):
                        process, *games = hint.payload.split()
                        if process != self.process:
                            self._loop.call_soon(heard, games)
                    with self._server.within(connection):
                        await connection.execute("SELECT 1")
            except (psycopg.Error, DatabaseTrouble) as error:
                if not failures:
                    text = f"No hints from other processes for now. {self._server.trouble(error)}"
                    log("database", text=text, level=logging.WARNING)
                await self._listener.close()
                await asyncio.sleep(self._server.pause_after(failures))
                failures += 1
