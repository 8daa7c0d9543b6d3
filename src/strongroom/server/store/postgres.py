"""PostgreSQL: any number of processes can share it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Container, Sequence
from typing import Any, Final

import psycopg

from strongroom.server.logs import log
from strongroom.server.store.database import Database, DatabaseTrouble, Row, Write
from strongroom.server.store.postgres_connection import (
    FAULTS,
    MARKS,
    PATIENCE,
    MarkedProcesses,
    PostgresServer,
    ReconnectingConnection,
    is_lost,
    pause_after,
    within,
)
from strongroom.server.store.schema import SCHEMA
from strongroom.server.store.transaction import CHANNEL, Transaction, numbered
from strongroom.server.tasks import cancel

READERS: Final = 4
"""How many queries may run at once."""
QUIET: Final = 20.0
"""Seconds without a notification after which the connection is checked."""
TRIES: Final = 3
"""How often a read, or a write before its commit, is tried when its connection is lost."""
SCHEMA_LOCK: Final = 0x5374726F6E67
"""The advisory lock that lets one process at a time create the tables."""


class PostgresDatabase(Database):
    """One connection writes, a few read, and one listens for other processes' writes."""

    shared = True
    among_ids = "IN (SELECT json_array_elements_text(:ids))"

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._connections: list[ReconnectingConnection] = []
        self._listening: asyncio.Task[None] | None = None

    async def _open(self) -> None:
        self._server = PostgresServer(self._url, self.process)
        self._connections = [ReconnectingConnection(self._server) for _ in range(2 + READERS)]
        self._writer, self._listener, *readers = self._connections
        self._free: asyncio.LifoQueue[ReconnectingConnection] = asyncio.LifoQueue()
        for reader in readers:
            self._free.put_nowait(reader)
        connection = await self._writer.ready(until=0)
        try:
            with within(connection):
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
            await cancel([self._listening])
        for connection in self._connections:
            await connection.close()

    # --- reading ---

    async def read(self, sql: str, **values: Any) -> list[Row]:
        """The rows that a query returns."""
        query, names = numbered(sql)
        until = self._loop.time() + PATIENCE
        reader = await self._free.get()
        try:
            for attempt in reversed(range(TRIES)):
                connection = await reader.ready(until)
                try:
                    with within(connection):
                        cursor = await connection.execute(query, [values[name] for name in names])
                        return await cursor.fetchall()
                except psycopg.Error as error:
                    if not (is_lost(connection, error) and attempt):
                        raise self._server.trouble(error) from None
            raise AssertionError("the last attempt returns or raises")
        finally:
            await reader.put_back()
            self._free.put_nowait(reader)

    async def connected(self) -> Container[str]:
        """The processes that have a connection now, whether they are running or frozen."""
        return MarkedProcesses(row[0] for row in await self.read(MARKS))

    # --- writing ---

    async def _commit(self, writes: Sequence[Write]) -> list[int]:
        until = min(write.since for write in writes) + PATIENCE
        for attempt in reversed(range(TRIES)):
            connection = await self._writer.ready(until)
            transaction = Transaction(connection, self.process)
            try:
                with within(connection):
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

    def listen(self, heard: Callable[[list[str]], None]) -> None:
        """Call `heard` with the games that other processes wrote about.

        An empty list means that some may have been missed, as after every new connection.
        """
        assert self._listening is None, "one listens"
        self._listening = asyncio.create_task(self._listen_on(heard), name="listener")

    async def _listen_on(self, heard: Callable[[list[str]], None]) -> None:
        failures = 0
        while True:
            try:
                connection = await self._listener.ready(self._loop.time() + PATIENCE)
                with within(connection):
                    await connection.execute(f"LISTEN {CHANNEL}".encode())
                failures = 0
                self._loop.call_soon(heard, [])
                while True:
                    async for hint in connection.notifies(timeout=QUIET):
                        process, *games = hint.payload.split()
                        if process != self.process:
                            self._loop.call_soon(heard, games)
                    with within(connection):
                        await connection.execute("SELECT 1")
            except (psycopg.Error, DatabaseTrouble) as error:
                if not failures:
                    text = f"No hints from other processes for now. {self._server.trouble(error)}"
                    log("database", text=text, level=logging.WARNING)
                await self._listener.close()
                await asyncio.sleep(pause_after(failures))
                failures += 1
