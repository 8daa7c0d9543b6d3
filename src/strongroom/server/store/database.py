"""A database, as the server needs one: writes that share a commit, and reads beside them."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Container, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from strongroom.tokens import fresh

Row = tuple[Any, ...]
"""A row that was read."""

MOST_TOGETHER: Final = 2000
"""So many writes share a commit at most, so that the first of them does not wait for ever."""


class Statement(NamedTuple):
    """A statement in SQL that every database here understands, with values for its `:names`."""

    sql: str
    values: dict[str, Any]


INSERT: Final = re.compile(
    r"INSERT INTO (\w+) \(([\w, ]+)\) VALUES \(([:\w, ]+)\) ON CONFLICT DO NOTHING"
)
"""A statement that keeps a row unless its place is taken."""


class Insert(NamedTuple):
    """What such a statement about a game inserts: into which table, and its columns."""

    table: str
    columns: list[str]


@lru_cache(256)
def insert_of(sql: str) -> Insert | None:
    """What SQL inserts about a game, so that many rows can be one statement; None: nothing such.

    >>> insert_of("INSERT INTO t (game, a) VALUES (:game, :a) ON CONFLICT DO NOTHING")
    Insert(table='t', columns=['game', 'a'])
    >>> insert_of("INSERT INTO t (id) VALUES (:id) ON CONFLICT DO NOTHING") is None
    True
    """
    found = INSERT.fullmatch(sql)
    if found is None:
        return None
    table, columns, names = found.groups()
    if names.replace(":", "") != columns or "game" not in columns.split(", "):
        return None
    return Insert(table, columns.split(", "))


class Write(NamedTuple):
    """What is to be written together, and who waits for it."""

    statements: tuple[Statement, ...]
    about: str
    since: float
    """When it was asked for, by the loop's clock."""
    written: asyncio.Future[int]


class DatabaseTrouble(Exception):
    """The database cannot be used, and why, in a sentence for whoever runs the server."""


class Database(ABC):
    """Where the server keeps everything that matters.

    Whatever is written is on the disk before the future of the write is done. Writes that arrive
    together share a commit; none of them knows of the others. A write whose future has failed may
    have happened all the same, if nobody can know: whoever repeats it finds out.
    """

    shared: bool
    """Whether other processes may write to it too."""
    among_ids: str
    """How a query says that something is in the JSON list `:ids`, the one thing they say apart."""

    def __init__(self) -> None:
        self.process = fresh()
        """By what the processes that share it know this one."""
        self._waiting: deque[Write] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    async def open(self) -> None:
        """Connect, and make the tables if they are not there."""
        self._loop = asyncio.get_running_loop()
        self._asked = asyncio.Event()
        try:
            await self._open()
        except BaseException:
            await self._close()
            raise
        self._writing = asyncio.create_task(self._write_on(), name="writer")

    async def close(self) -> None:
        """Write what is waiting, and disconnect."""
        self._closed = True
        if self._writing is not None:
            self._asked.set()
            await self._writing
        await self._close()

    @abstractmethod
    async def read(self, sql: str, **values: Any) -> list[Row]:
        """The rows that a query gives."""

    def write(self, *statements: Statement, about: str = "") -> asyncio.Future[int]:
        """How many rows the first statement touched; if none, the others are left out.

        `about` is the game that it is about, whose other processes are given a hint.
        """
        written: asyncio.Future[int] = self._loop.create_future()
        if self._closed:
            written.set_exception(DatabaseTrouble("The database is closed."))
        else:
            self._waiting.append(Write(statements, about, self._loop.time(), written))
            self._asked.set()
        return written

    @abstractmethod
    async def connected(self) -> Container[str]:
        """The processes that have a connection now, whether they run or are frozen."""

    @abstractmethod
    def listen(self, heard: Callable[[list[str]], None]) -> None:
        """Be told of games that other processes wrote about, where there are any.

        An empty list says that some may have been missed.
        """

    @abstractmethod
    async def _open(self) -> None: ...

    @abstractmethod
    async def _close(self) -> None: ...

    @abstractmethod
    async def _commit(self, writes: Sequence[Write]) -> list[int]:
        """Commit writes together, and say what each touched.

        `DatabaseTrouble` says that there is no saying which of them are written; any other
        exception that one of them is at fault, and that none is.
        """

    # --- group commit ---

    async def _write_on(self) -> None:
        """Whatever arrives while a commit is under way shares the next."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            while self._waiting:
                most = min(len(self._waiting), MOST_TOGETHER)
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
            # The neighbours of the one at fault must not suffer. What is said of it is its kind
            # alone: databases quote the values.
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
