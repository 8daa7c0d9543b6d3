"""The server's database interface: writes that share a commit, reads beside them, and the tables.

The tables are in SQL that SQLite and PostgreSQL both understand. Times are seconds since 1970, in
server time. Tokens and invitations are stored as digests only.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from strongroom.referee.randomness import fresh_token
from strongroom.server.settings import Settings

Row = tuple[Any, ...]
"""A row that was read."""


class Statement(NamedTuple):
    """An SQL statement that every database here understands, with values for its `:names`."""

    sql: str
    values: dict[str, Any]


class Insert(NamedTuple):
    """A row with a value for each column, not inserted if it conflicts with another row.

    >>> Insert("journal", {"game": "g", "number": 1}).sql
    'INSERT INTO journal (game, number) VALUES (:game, :number) ON CONFLICT DO NOTHING'
    """

    table: str
    values: dict[str, Any]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the row gives a value; rows with the same ones can be joined."""
        return tuple(self.values)

    @property
    def sql(self) -> str:
        """The statement that inserts just this row."""
        return _insert(self.table, self.columns)


@lru_cache(256)
def _insert(table: str, columns: tuple[str, ...]) -> str:
    names = ", ".join(f":{column}" for column in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({names}) ON CONFLICT DO NOTHING"


class Write(NamedTuple):
    """Statements to be written together, and the future of their result."""

    statements: tuple[Statement | Insert, ...]
    about: str
    since: float
    """When it was requested, by the loop's clock."""
    written: asyncio.Future[int]


class DatabaseTrouble(Exception):
    """The database cannot be used, and why, in a sentence for the server's operator."""


class Database(ABC):
    """Where the server stores everything that matters.

    A write is on disk before its future is done. Writes that arrive together share a commit, but
    are independent of each other. A write whose future has failed may still have happened, if that
    cannot be known; repeating it shows whether it has.
    """

    shared: bool
    """Whether other processes may write to it too."""
    among_ids: str
    """How a query tests for an id in the JSON list `:ids`; all other SQL is the same everywhere."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.process = fresh_token()
        """The id of this process among those that share the database."""
        self._waiting: deque[Write] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    async def open(self) -> None:
        """Connect, and create the tables if they do not exist."""
        self._loop = asyncio.get_running_loop()
        self._asked = asyncio.Event()
        try:
            await self._open()
        except BaseException:
            await self._close()
            raise
        self._writing = asyncio.create_task(self._write_groups(), name="writer")

    async def close(self) -> None:
        """Write what is waiting, and disconnect."""
        self._closed = True
        if self._writing is not None:
            self._asked.set()
            await self._writing
        await self._close()

    @abstractmethod
    async def read(self, sql: str, **values: Any) -> list[Row]:
        """The rows that a query returns."""

    def write(self, *statements: Statement | Insert, about: str = "") -> asyncio.Future[int]:
        """How many rows the first statement touched; if none, the others are skipped.

        `about` is the game that it is about; other processes are notified of it.
        """
        written: asyncio.Future[int] = self._loop.create_future()
        if self._closed:
            written.set_exception(DatabaseTrouble("The database is closed."))
        else:
            self._waiting.append(Write(statements, about, self._loop.time(), written))
            self._asked.set()
        return written

    @abstractmethod
    def tell(self, text: str) -> None:
        """Send other processes a word that nobody stores, if there are any."""

    @abstractmethod
    async def live_processes(self, processes: Iterable[str]) -> set[str]:
        """Which processes have a connection now, whether they are running or frozen."""

    @abstractmethod
    def listen(self, heard: Callable[[list[str]], None]) -> None:
        """Call `heard` with the games that other processes wrote about, and what they tell.

        An empty list means that some may have been missed.
        """

    @abstractmethod
    async def _open(self) -> None: ...

    @abstractmethod
    async def _close(self) -> None: ...

    @abstractmethod
    async def _commit(self, writes: Sequence[Write]) -> list[int]:
        """Commit writes together, and return how many rows each touched.

        `DatabaseTrouble` means that it is unknown which of them are written; any other exception
        means that one of them is at fault, and that none is written.
        """

    # --- group commit ---

    async def _write_groups(self) -> None:
        """Commit writes in groups: those that arrive during a commit share the next."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            while self._waiting:
                most = min(len(self._waiting), self.settings.writes_together)
                writes = [self._waiting.popleft() for _ in range(most)]
                _tell(writes, await self._results(writes))
            if self._closed:
                return

    async def _results(self, writes: Sequence[Write]) -> list[int | DatabaseTrouble]:
        try:
            return list(await self._commit(writes))
        except DatabaseTrouble as trouble:
            return [DatabaseTrouble(str(trouble)) for _ in writes]
        except Exception as error:
            # The other writes must not fail with the one at fault. Only the type of the error is
            # reported, because databases quote the values.
            if len(writes) == 1:
                return [DatabaseTrouble(f"The database refused a write: {type(error).__name__}.")]
            half = len(writes) // 2
            return [*await self._results(writes[:half]), *await self._results(writes[half:])]


def _tell(writes: Sequence[Write], results: Sequence[int | DatabaseTrouble]) -> None:
    for write, result in zip(writes, results, strict=True):
        if write.written.done():
            continue
        if isinstance(result, DatabaseTrouble):
            write.written.set_exception(result)
        else:
            write.written.set_result(result)


VERSION: Final = 2
"""The version of the tables; a file with another version is not opened."""
SCHEMA: Final = (
    """
    CREATE TABLE IF NOT EXISTS games (
        id TEXT PRIMARY KEY,
        deal TEXT NOT NULL,
        server_seed TEXT NOT NULL,
        invitation TEXT,
        waits BOOLEAN NOT NULL,
        watch BOOLEAN NOT NULL,
        created DOUBLE PRECISION NOT NULL,
        started DOUBLE PRECISION,
        ended DOUBLE PRECISION,
        result INTEGER,
        address TEXT NOT NULL,
        rematch_of TEXT UNIQUE
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS seats (
        game TEXT NOT NULL,
        seat INTEGER NOT NULL,
        name TEXT,
        player TEXT NOT NULL,
        token TEXT UNIQUE,
        seed TEXT,
        connection TEXT,
        process TEXT,
        left_at DOUBLE PRECISION,
        PRIMARY KEY (game, seat)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS journal (
        game TEXT NOT NULL,
        number INTEGER NOT NULL,
        last INTEGER NOT NULL,
        request TEXT,
        lines TEXT NOT NULL,
        PRIMARY KEY (game, number),
        UNIQUE (game, request)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS processes (
        id TEXT PRIMARY KEY,
        beat DOUBLE PRECISION NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS pauses (
        began DOUBLE PRECISION PRIMARY KEY,
        ended DOUBLE PRECISION NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS seat_pauses (
        game TEXT NOT NULL,
        seat INTEGER NOT NULL,
        began DOUBLE PRECISION NOT NULL,
        ended DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (game, seat, began)
    )
    """,
    "CREATE INDEX IF NOT EXISTS games_by_time ON games (ended, created)",
    "CREATE INDEX IF NOT EXISTS games_by_address ON games (address) WHERE ended IS NULL",
    "CREATE INDEX IF NOT EXISTS games_with_result ON games (created) WHERE result IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS games_not_started ON games (created) WHERE started IS NULL",
    "CREATE INDEX IF NOT EXISTS games_without_result ON games (created) WHERE result IS NULL",
)
"""The statements that create the tables if they do not exist.

`deal` is what is played and on what terms, as JSON; `result` is the winning seat, or 0 if nobody
won. A game that ended without a result was withdrawn. A row of the journal holds the entries of one
request, from `number` to `last`, as the lines of a record. No clock runs during one of the
`pauses`; only the seat's own clock stands still during one of the `seat_pauses`.
"""
