"""SQLite: one file, one process, no set-up."""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import orjson

from strongroom.server.store.database import (
    Database,
    DatabaseTrouble,
    Row,
    Statement,
    Write,
    insert_of,
)
from strongroom.server.store.schema import SCHEMA, VERSION

FAULTS = (
    sqlite3.IntegrityError,
    sqlite3.ProgrammingError,
    sqlite3.InterfaceError,
    sqlite3.DataError,
)
"""What SQLite raises about a statement and its values; all else is about the file."""
A_ZERO = r"\u0000"
"""How JSON writes the character at which SQLite would end a text."""
BUSY = 10.0
"""So many seconds a write waits for another program that has locked the file."""


_Rows = defaultdict[str, list[dict[str, Any]]]
"""The values of rows that the same SQL inserts."""


class SqliteDatabase(Database):
    """A file with a write-ahead log, synced in full at every commit.

    One thread writes and another reads, so that nobody else waits for the disk.
    """

    shared = False
    among_ids = "IN (SELECT value FROM json_each(:ids))"

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._lock: IO[str] | None = None
        self._opened: tuple[int, int] | None = None
        """Which file it was when it was opened."""
        self._writer: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._committing = ThreadPoolExecutor(1, "writer")
        self._reading = ThreadPoolExecutor(1, "reader")

    async def _open(self) -> None:
        """Lock the file against a second server, and open it."""
        try:
            if not self._file.parent.exists():  # none is made of a mistyped one
                raise DatabaseTrouble(
                    f"{self._file} cannot be made: there is no folder {self._file.parent}."
                )
            # Whatever somebody else has put there is not followed, nor emptied.
            lock = os.open(f"{self._file}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            self._lock = os.fdopen(lock)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not self._file.exists():  # it will hold secrets; the files beside it get its mode
                self._file.touch(mode=0o600)
        except BlockingIOError:
            raise DatabaseTrouble(
                f"{self._file} is in use by another server. SQLite serves one process; "
                "several share a PostgreSQL: --database postgresql://..."
            ) from None
        except OSError as error:
            raise DatabaseTrouble(f"{self._file} cannot be opened: {error.strerror}.") from None
        try:
            self._writer = self._connect()
            self._opened = self._identity()
            self._check_version()
            # Something is written every time, because a file that can only be read opens well.
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
        for setting in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={1000 * BUSY:.0f}"):
            connection.execute(f"PRAGMA {setting}")
        return connection

    def _check_version(self) -> None:
        assert self._writer is not None
        ((version,),) = self._writer.execute("PRAGMA user_version").fetchall()
        if version not in (0, VERSION):
            raise DatabaseTrouble(
                f"{self._file} was made by another version of strongroom. "
                "Give another file: --database NAME."
            )

    def _identity(self) -> tuple[int, int] | None:
        """Which file it is that has the name now."""
        try:
            found = self._file.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _check_file(self) -> None:
        """Refuse to go on with a file that nobody could open again: what it takes would be lost."""
        if self._identity() != self._opened:
            raise DatabaseTrouble(f"{self._file} was removed or replaced. Start the server again.")

    async def _close(self) -> None:
        """Let the file go."""
        for thread in (self._committing, self._reading):
            await asyncio.to_thread(thread.shutdown)
        for connection in (self._reader, self._writer):
            if connection is not None:
                connection.close()
        if self._lock is not None:
            self._lock.close()

    async def read(self, sql: str, **values: Any) -> list[Row]:
        """The rows that a query gives."""
        try:
            return await self._loop.run_in_executor(self._reading, self._read, sql, values)
        except sqlite3.Error as error:
            raise DatabaseTrouble(f"{self._file} cannot be read: {error}.") from None

    def _read(self, sql: str, values: dict[str, Any]) -> list[Row]:
        assert self._reader is not None
        self._check_file()
        return self._reader.execute(sql, values).fetchall()

    async def connected(self) -> Container[str]:
        """Nobody else has one."""
        return (self.process,)

    def listen(self, heard: Callable[[list[str]], None]) -> None:
        """Nobody else writes."""

    async def _commit(self, writes: Sequence[Write]) -> list[int]:
        self._check_file()
        return await self._loop.run_in_executor(self._committing, self._commit_now, writes)

    def _commit_now(self, writes: Sequence[Write]) -> list[int]:
        assert self._writer is not None
        try:
            return self._all_at_once(writes) or self._one_by_one(writes)
        except Exception as error:
            self._roll_back()
            if isinstance(error, sqlite3.Error) and not isinstance(error, FAULTS):
                raise DatabaseTrouble(f"{self._file} cannot be written: {error}.") from None
            raise

    def _roll_back(self) -> None:
        assert self._writer is not None
        if self._writer.in_transaction:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")

    def _all_at_once(self, writes: Sequence[Write]) -> list[int] | None:
        """Take rows of a table as one statement; None: nothing is written, it has to be one by one.

        After every statement this thread has to wait for its turn among the others, which is
        longer than what the statement takes.
        """
        assert self._writer is not None
        execute, results = self._writer.execute, [1] * len(writes)
        about, rows, others = Counter(write.about for write in writes), _Rows(list), list[int]()
        for place, write in enumerate(writes):
            sql, values = write.statements[0]
            if len(write.statements) == 1 and about[write.about] == 1 and insert_of(sql):
                rows[sql].append(values)
            else:
                others.append(place)
        joint = [(sql, orjson.dumps(together).decode()) for sql, together in rows.items()]
        if any(A_ZERO in given for _, given in joint):
            return None
        is_single = len(joint) == 1 and not others
        if not is_single:  # a single statement is a transaction by itself
            execute("BEGIN IMMEDIATE")
        try:
            for place in others:
                results[place] = self._one(writes[place].statements)
            for sql, given in joint:
                execute(_joint_insert(sql), (given,))
        except sqlite3.IntegrityError:  # somebody else has the place of one of them
            self._roll_back()
            return None
        if not is_single:
            execute("COMMIT")
        return results

    def _one_by_one(self, writes: Sequence[Write]) -> list[int]:
        assert self._writer is not None
        self._writer.execute("BEGIN IMMEDIATE")
        results = [self._one(write.statements) for write in writes]
        self._writer.execute("COMMIT")
        return results

    def _one(self, statements: tuple[Statement, ...]) -> int:
        assert self._writer is not None
        (sql, values), *others = statements
        touched = self._writer.execute(sql, values).rowcount
        if touched:
            for sql, values in others:
                self._writer.execute(sql, values)
        return touched


@lru_cache(256)
def _joint_insert(sql: str) -> str:
    """The same for many rows, given as JSON; an error, if one of them cannot be taken."""
    insert = insert_of(sql)
    assert insert is not None
    values = ", ".join(f"json_extract(value, '$.{column}')" for column in insert.columns)
    return (
        f"INSERT INTO {insert.table} ({', '.join(insert.columns)}) SELECT {values}"
        " FROM json_each(?)"
    )
