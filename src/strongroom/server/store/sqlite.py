"""SQLite: one file, one process, no set-up."""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import orjson

from strongroom.server.settings import DEFAULTS, Settings
from strongroom.server.store.database import (
    SCHEMA,
    VERSION,
    Database,
    DatabaseTrouble,
    Insert,
    Row,
    Statement,
    Write,
)

FAULTS = (
    sqlite3.IntegrityError,
    sqlite3.ProgrammingError,
    sqlite3.InterfaceError,
    sqlite3.DataError,
)
"""Errors about a statement and its values; all other errors are about the file."""
A_ZERO = r"\u0000"
"""The JSON escape of the null character, at which SQLite would end a text."""


class SqliteDatabase(Database):
    """A file with a write-ahead log, synced in full at every commit.

    One thread writes and another reads, so that the event loop does not wait for the disk.
    """

    shared = False
    among_ids = "IN (SELECT value FROM json_each(:ids))"

    def __init__(self, file: Path, settings: Settings = DEFAULTS) -> None:
        super().__init__(settings)
        self._file = file
        self._lock: IO[str] | None = None
        self._opened: tuple[int, int] | None = None
        """The identity of the file when it was opened."""
        self._connections: list[sqlite3.Connection] = []
        self._committing = ThreadPoolExecutor(1, "writer")
        self._reading = ThreadPoolExecutor(1, "reader")

    async def _open(self) -> None:
        """Lock the file against a second server, and open it."""
        try:
            if not self._file.parent.exists():  # a mistyped folder is not created
                raise DatabaseTrouble(
                    f"{self._file} cannot be created: there is no folder {self._file.parent}."
                )
            # A link or file that somebody else has put there is not followed or truncated.
            lock = os.open(f"{self._file}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            self._lock = os.fdopen(lock)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not self._file.exists():  # it will hold secrets; the files beside it get its mode
                self._file.touch(mode=0o600)
        except BlockingIOError:
            raise DatabaseTrouble(
                f"{self._file} is in use by another server. SQLite supports one server process; "
                "several can share a PostgreSQL: --database postgresql://..."
            ) from None
        except OSError as error:
            raise DatabaseTrouble(f"{self._file} cannot be opened: {error.strerror}.") from None
        try:
            self._writer = self._connect()
            self._opened = self._identity()
            self._check_version()
            # Something is always written, because a read-only file opens without an error.
            for statement in (
                "BEGIN IMMEDIATE",
                *SCHEMA,
                f"PRAGMA user_version={VERSION}",
                "COMMIT",
            ):
                self._writer.execute(statement)
            self._reader = self._connect()
        except sqlite3.Error as error:
            raise DatabaseTrouble(f"{self._file} cannot be used: {error}.") from None

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._file, check_same_thread=False, isolation_level=None, cached_statements=256
        )
        busy = f"busy_timeout={1000 * self.settings.sqlite_lock_timeout:.0f}"
        for setting in ("journal_mode=WAL", "synchronous=FULL", busy):
            connection.execute(f"PRAGMA {setting}")
        self._connections.append(connection)
        return connection

    def _check_version(self) -> None:
        ((version,),) = self._writer.execute("PRAGMA user_version").fetchall()
        if version not in (0, VERSION):
            raise DatabaseTrouble(
                f"{self._file} was created by another version of strongroom. "
                "Use another file: --database NAME."
            )

    def _identity(self) -> tuple[int, int] | None:
        """The identity of the file that has the name now."""
        try:
            found = self._file.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _check_file(self) -> None:
        """Refuse to go on with a file that was removed or replaced: its writes would be lost."""
        if self._identity() != self._opened:
            raise DatabaseTrouble(f"{self._file} was removed or replaced. Restart the server.")

    async def _close(self) -> None:
        """Close the file and release its lock."""
        for thread in (self._committing, self._reading):
            await asyncio.to_thread(thread.shutdown)
        for connection in reversed(self._connections):
            connection.close()
        if self._lock is not None:
            self._lock.close()

    async def read(self, sql: str, **values: Any) -> list[Row]:
        """The rows that a query returns."""
        try:
            return await self._loop.run_in_executor(self._reading, self._read, sql, values)
        except sqlite3.Error as error:
            raise DatabaseTrouble(f"{self._file} cannot be read: {error}.") from None

    def _read(self, sql: str, values: dict[str, Any]) -> list[Row]:
        self._check_file()
        return self._reader.execute(sql, values).fetchall()

    async def live_processes(self, processes: Iterable[str]) -> set[str]:
        """This process only; no other one can connect."""
        return {self.process}

    def tell(self, text: str) -> None:
        """Do nothing, because there is no other process."""

    def listen(self, heard: Callable[[list[str]], None]) -> None:
        """Do nothing, because no other process writes."""

    async def _commit(self, writes: Sequence[Write]) -> list[int]:
        self._check_file()
        return await self._loop.run_in_executor(self._committing, self._commit_now, writes)

    def _commit_now(self, writes: Sequence[Write]) -> list[int]:
        try:
            return self._all_at_once(writes) or self._one_by_one(writes)
        except Exception as error:
            self._roll_back()
            if isinstance(error, sqlite3.Error) and not isinstance(error, FAULTS):
                raise DatabaseTrouble(f"{self._file} cannot be written: {error}.") from None
            raise

    def _roll_back(self) -> None:
        if self._writer.in_transaction:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")

    def _all_at_once(self, writes: Sequence[Write]) -> list[int] | None:
        """Insert the rows of a table as one statement; None if nothing could be written that way.

        After every statement this thread has to wait for its turn among the others, which takes
        longer than the statement itself.
        """
        execute, results = self._writer.execute, [1] * len(writes)
        about, others = Counter(write.about for write in writes), list[int]()
        rows: defaultdict[tuple[str, tuple[str, ...]], list[dict[str, Any]]] = defaultdict(list)
        for place, write in enumerate(writes):
            match write.statements:
                case [Insert() as insert] if about[write.about] == 1:
                    rows[insert.table, insert.columns].append(insert.values)
                case _:
                    others.append(place)
        joint = [(_joint_insert(*key), orjson.dumps(each).decode()) for key, each in rows.items()]
        if any(A_ZERO in given for _, given in joint):
            return None
        is_single = len(joint) == 1 and not others
        if not is_single:  # a single statement is a transaction by itself
            execute("BEGIN IMMEDIATE")
        try:
            for place in others:
                results[place] = self._one(writes[place].statements)
            for sql, given in joint:
                execute(sql, (given,))
        except sqlite3.IntegrityError:  # one of them conflicts with an existing row
            self._roll_back()
            return None
        if not is_single:
            execute("COMMIT")
        return results

    def _one_by_one(self, writes: Sequence[Write]) -> list[int]:
        self._writer.execute("BEGIN IMMEDIATE")
        results = [self._one(write.statements) for write in writes]
        self._writer.execute("COMMIT")
        return results

    def _one(self, statements: tuple[Statement | Insert, ...]) -> int:
        first, *others = statements
        touched = self._writer.execute(first.sql, first.values).rowcount
        if touched:
            for other in others:
                self._writer.execute(other.sql, other.values)
        return touched


@lru_cache(256)
def _joint_insert(table: str, columns: tuple[str, ...]) -> str:
    """An insert of many rows given as JSON; it fails if one of them conflicts."""
    values = ", ".join(f"json_extract(value, '$.{column}')" for column in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM json_each(?)"
