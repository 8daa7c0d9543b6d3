"""Connections to PostgreSQL: opened, reopened when lost, and cut when they hang."""

from __future__ import annotations

import asyncio
import os
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection, AsyncRawCursor
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from strongroom.server.store.database import DatabaseTrouble, Row

PATIENCE = 5.0
"""Seconds a query waits for a database that went away."""
LONGEST = 10.0
"""The statement timeout in seconds; a connection silent for twice as long is cut."""
PAUSES: Final = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds between attempts to connect."""

USUAL: Final = {
    "connect_timeout": 5,
    "application_name": "strongroom",
    "client_encoding": "utf8",
    "target_session_attrs": "read-write",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""Connection defaults, which the URL may override."""
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

    def __init__(self, url: str, process: str) -> None:
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
        try:
            connection = await AsyncConnection.connect(
                **{**USUAL, **self._parts},
                autocommit=True,
                prepare_threshold=1,
                cursor_factory=AsyncRawCursor,
            )
            try:
                with within(connection):
                    await connection.execute(SESSION, (f"{1000 * LONGEST:.0f}ms", self._mark))
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


def mark(process: str) -> int:
    """The number that marks a process's connections, which PostgreSQL can lock.

    >>> mark("0" * 32), mark("f" * 32)
    (0, -1)
    """
    return int.from_bytes(bytes.fromhex(process[:16]), signed=True)


class MarkedProcesses:
    """The processes that have a marked connection."""

    def __init__(self, marks: Iterable[int]) -> None:
        self._marks = frozenset(marks)

    def __contains__(self, process: object) -> bool:
        return isinstance(process, str) and mark(process) in self._marks


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
                self._next_attempt = now() + pause_after(self._failures)
                self._failures += 1
            else:
                self._failures = 0
                return self._connection

    async def roll_back(self) -> None:
        """Roll back a transaction that was left open, and close the connection if that fails."""
        if self._connection is not None and not self._is_idle:
            try:
                with within(self._connection):
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


def pause_after(failures: int) -> float:
    """How many seconds to wait before the next attempt."""
    return PAUSES[min(failures, len(PAUSES) - 1)]


def is_lost(connection: PostgresConnection, error: psycopg.Error) -> bool:
    """Whether an error ended the connection."""
    return connection.closed or error.diag.severity_nonlocalized in ("FATAL", "PANIC")


@contextmanager
def within(connection: PostgresConnection) -> Iterator[None]:
    """Cut a connection whose server does not even report a timeout."""
    cutting = asyncio.get_running_loop().call_later(2 * LONGEST, _cut, connection)
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
