"""Helpers for the tests of the stores: open a store, make games, write and read entries."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import psycopg
import pytest
from starting import Piped, surroundings

from strongroom.contract import Ending, Outcome, Seat
from strongroom.plugins.registry import load
from strongroom.referee.randomness import fresh_seed
from strongroom.referee.randomness import fresh_token as fresh
from strongroom.referee.randomness import hash_of as digest
from strongroom.server.clocks import TimeControl
from strongroom.server.settings import Settings
from strongroom.server.store import (
    DatabaseTrouble,
    Deal,
    Store,
    StoredGame,
    StoredRequest,
    StoredSeat,
    load_shared,
    open_database,
)
from strongroom.server.store.database import Row, Statement

ONE, TWO = Seat.ONE, Seat.TWO
LINE = '{"seat":1,"move":"4-7"}\n'
ENDED = Outcome(TWO, Ending.RESIGNED)
PASSWORD = "c4n4ry"


@asynccontextmanager
async def opened(url: str, **settings: Any) -> AsyncIterator[Store]:
    store = Store(open_database(url, Settings(**settings)))
    await store.database.open()
    try:
        yield store
    finally:
        await store.database.close()


async def trouble(url: str) -> str:
    """The line that says why a database cannot be used, without its password."""
    with pytest.raises(DatabaseTrouble) as trouble:
        async with opened(url):
            pass
    assert PASSWORD not in str(trouble.value)
    assert "\n" not in str(trouble.value)
    return str(trouble.value)


def game(**parts: Any) -> StoredGame:
    """A game that waits for a second player."""
    usual: dict[str, Any] = {
        "id": fresh(),
        "deal": Deal(load("digit-deductions"), clock=TimeControl(5, 3)),
        "server_seed": fresh_seed(),
        "created": time.time(),
        "seats": (StoredSeat(ONE, "Ada", token=digest(fresh())), StoredSeat(TWO, None)),
        "waits": True,
        "address": "192.0.2.1",
    }
    return StoredGame(**usual | parts)


def begun(name: str, clock: TimeControl | None = None) -> StoredGame:
    """A game between two people who have both given their seeds."""
    one, two = (
        StoredSeat(seat, who, token=digest(fresh()), seed=fresh())
        for seat, who in zip(Seat, ("Ada", "Bob"), strict=True)
    )
    return game(
        deal=Deal(load_shared(name), clock=clock), waits=False, started=1.0, seats=(one, two)
    )


def append(store: Store, game: str, number: int, id: str | None = None) -> asyncio.Future[int]:
    return store.append(game, StoredRequest(number, number, id or fresh(), LINE), None, 0.0)


def statement(sql: str, **values: Any) -> Statement:
    return Statement(sql, values)


async def outcome(write: Awaitable[int]) -> int | str:
    """The result of a write: the number of rows it touched, or its error."""
    try:
        return await write
    except DatabaseTrouble as trouble:
        return str(trouble)


async def numbers(store: Store) -> list[tuple[str, int]]:
    """The game and number of every stored entry, in order."""
    rows: list[Row] = await store.database.read(
        "SELECT game, number FROM journal ORDER BY game, number"
    )
    return [(row[0], row[1]) for row in rows]


def another_process(program: str, *arguments: str) -> Piped:
    paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", program, *arguments]
    return Piped(command, environment=surroundings() | paths)


def end_connections(url: str) -> int:
    """End every connection to a database, as an administrator would."""
    with psycopg.connect(url, autocommit=True) as administrator:
        ended = administrator.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchone()
    assert ended is not None
    return int(ended[0])


@contextmanager
def database_away(url: str) -> Iterator[None]:
    """Cut all connections to a database and refuse new ones for the block."""
    name = url.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(url.replace(f"/{name}?", "/postgres?"), autocommit=True) as server:
        server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
        )
        try:
            yield
        finally:
            server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
