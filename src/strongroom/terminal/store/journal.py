"""The journals of saved games: private files that grow by a line or two with every move.

A file is written by one process at a time, only at its end, and only after lines of its own game.
So if the process dies or the disk is full, what was saved before stays intact.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from pathlib import Path
from typing import Final, NoReturn, Self

from strongroom.contract import Refusal, shown
from strongroom.referee.record import DamagedRecord, Entry, Record, line_of
from strongroom.terminal import files
from strongroom.terminal.store.folder import CannotSave, remember

LARGEST: Final = 16 * 2**20
"""The largest size of a saved game, in bytes."""
FAILURES: Final = (OSError, ValueError, RuntimeError)
"""The exceptions that a file name or a disk can cause."""
ANOTHER: Final = "Name another file."


def read(file: Path) -> Record:
    """The record in a file; raises a refusal that says what is wrong with it."""
    return _loaded(_content(file), file)


def read_text(file: Path) -> str:
    """The text of a saved game, even if it is not a complete and valid record."""
    return _text(_content(file), file)


def _content(file: Path) -> bytes:
    try:
        file = file.expanduser()
        with open(files.open_plain(file, os.O_RDONLY), "rb") as opened:
            return files.content(opened.fileno(), LARGEST)
    except FileNotFoundError:
        raise CannotSave(f"There is no file {_named(file)}.") from None
    except FAILURES as error:
        raise CannotSave(f"Cannot read {_named(file)}: {_reason(error)}.") from None


def save_copy(record: Record, file: Path) -> None:
    """Save a game in another file, by the rules of `Journal.create`."""
    try:
        Journal(file)._begin(record).close()
    except InUse:
        # The file in which this game is being saved is already a copy.
        if read(file) != record:
            raise


class InUse(CannotSave):
    """The game in the file is being played."""


class Journal:
    """The open file of a game that is being played; no other journal can open it meanwhile.

    The lock is advisory; a file system without locks has none.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        """The file's name."""
        self._handle = -1
        self._id = ""
        self._lines = 0
        """How many complete lines are known to be on the disk."""
        self._size = 0
        """The size of these lines, in bytes."""
        self._last: Entry | None = None
        """The entry in the last of them."""
        self._torn = False
        """Whether an incomplete line of ours may follow them."""

    @classmethod
    def create(cls, file: Path, record: Record) -> Journal:
        """The journal of a game in a new or empty file, or in one that holds part of that game."""
        journal = cls(file)._begin(record)
        remember(journal.file)
        return journal

    @classmethod
    def resume(cls, file: Path) -> tuple[Journal, Record]:
        """The journal of a saved game to resume, and the record so far."""
        journal = cls(file)
        try:
            journal._open(os.O_RDWR)
            data = files.content(journal._handle, LARGEST)
            record = _loaded(data, journal.file)
            files.make_private(journal._handle)
            journal._take_up(data, record)
        except FileNotFoundError:
            raise CannotSave(f"There is no file {_named(journal.file)}.") from None
        except FAILURES as error:
            journal.close()
            journal._fail(error)
        if record.outcome is None:
            remember(journal.file)
        return journal, record

    def update(self, record: Record) -> None:
        """Append what is not on the disk yet, and sync it."""
        try:
            if self._is_gone():
                self._replace(record)
            self._append(record)
        except FAILURES as error:
            self._fail(error)

    def close(self) -> None:
        """Close and unlock the file."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            with contextlib.suppress(OSError):
                os.close(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- opening ---

    def _begin(self, record: Record) -> Self:
        """Open the file for a game and write the record so far."""
        is_new = False
        try:
            is_new = self._open_or_make()
            data = files.content(self._handle, LARGEST)
            begun = self._begun(data, record) if data else None
            files.make_private(self._handle)
            if begun is not None:
                self._take_up(data, begun)
            self._append(record)
        except FAILURES as error:
            if is_new:
                with contextlib.suppress(OSError):
                    self.file.unlink()
            self.close()
            self._fail(error)
        if is_new:
            files.settle(self.file.parent)
        return self

    def _open_or_make(self) -> bool:
        """Open the file, creating it and its folders if necessary; whether it was created."""
        flags = os.O_RDWR | os.O_CREAT
        try:
            try:
                self._open(flags | os.O_EXCL)
            except FileNotFoundError:
                files.make_folders(self.file.parent)
                self._open(flags | os.O_EXCL)
        except FileExistsError:
            self._open(flags)
            return False
        return True

    def _open(self, flags: int) -> None:
        self.file = self.file.expanduser()
        self._handle = files.open_plain(self.file, flags)
        if not files.lock(self._handle):
            elsewhere = f"The game in {_named(self.file)} is being played elsewhere."
            raise InUse(elsewhere, "Close it there first.")

    def _begun(self, data: bytes, record: Record) -> Record:
        """The part of this game that the file holds; any other content is refused."""
        try:
            begun = _loaded(data, self.file)
        except DamagedRecord:
            self._refuse("the file contains something else")
        if begun.id != record.id:
            self._refuse("the file contains another game")
        if record.entries[: len(begun.entries)] != tuple(begun.entries):
            self._refuse("the file contains another course of this game")
        return begun

    def _take_up(self, data: bytes, record: Record) -> None:
        """Continue after the file's last complete line; the rest is completed or truncated."""
        self._id, self._lines, self._size = record.id, data.count(b"\n"), data.rfind(b"\n") + 1
        if _is_whole(data[self._size :]):  # only the last newline is missing
            os.pwrite(self._handle, b"\n", len(data))
            self._lines, self._size = self._lines + 1, len(data) + 1
        else:
            os.ftruncate(self._handle, self._size)
        self._last = record.entries[self._lines - 2] if self._lines > 1 else None

    # --- writing ---

    def _append(self, record: Record) -> None:
        written = self._lines - 1
        if self._lines and (
            record.id != self._id
            or len(record.entries) < written
            or (written and record.entries[written - 1] != self._last)
        ):
            self._refuse("the file contains another game")
        missing = [record.entry_to_json(entry) for entry in record.entries[max(written, 0) :]]
        if not self._lines:
            missing.insert(0, record.header())
        if not missing:
            return
        self._write("".join(map(line_of, missing)).encode())
        self._id, self._lines = record.id, self._lines + len(missing)
        self._last = record.entries[-1] if record.entries else None

    def _write(self, data: bytes) -> None:
        """Write after the last complete line, all of the data or nothing.

        Every write has an explicit offset, so that an interrupted one is simply repeated.
        """
        if self._torn:
            os.ftruncate(self._handle, self._size)
        elif os.fstat(self._handle).st_size != self._size:
            self._refuse("another program has changed the file")
        if self._size + len(data) > LARGEST:
            raise OSError(errno.EFBIG, "the game is too long")
        self._torn = True
        try:
            done = 0
            while done < len(data):
                done += os.pwrite(self._handle, data[done:], self._size + done)
            os.fsync(self._handle)
        except OSError:
            os.ftruncate(self._handle, self._size)
            self._torn = False
            raise
        self._size += len(data)
        self._torn = False

    def _is_gone(self) -> bool:
        """Whether the file was moved or removed, so that further writes would be lost."""
        ours = os.fstat(self._handle)
        try:
            there = os.stat(self.file)
        except OSError as error:
            return error.errno in (errno.ENOENT, errno.ENOTDIR)
        return not os.path.samestat(ours, there)

    def _replace(self, record: Record) -> None:
        """Start a new file in its place."""
        again = Journal(self.file)._begin(record)
        self.close()
        self.__dict__.update(again.__dict__)

    # --- refusing ---

    def _refuse(self, reason: str) -> NoReturn:
        raise CannotSave(f"Cannot save to {_named(self.file)}: {reason}.", ANOTHER)

    def _fail(self, error: Exception) -> NoReturn:
        if isinstance(error, Refusal):
            raise error
        raise CannotSave(f"Cannot save to {_named(self.file)}: {_reason(error)}.") from None


def _loaded(data: bytes, file: Path) -> Record:
    """The record in a file's content."""
    text = _text(data, file)
    try:
        return Record.loads(text)
    except DamagedRecord as damage:
        raise DamagedRecord(f"{_named(file)} is damaged.", str(damage)) from None


def _text(data: bytes, file: Path) -> str:
    """The text of a file's content, even if its last line is truncated."""
    if data.strip() and not data.lstrip().startswith(b"{"):  # even a truncated record has the brace
        raise DamagedRecord(f"{_named(file)} is not a saved game.")
    whole = data.rfind(b"\n") + 1
    try:
        text = data[:whole].decode()
        with contextlib.suppress(UnicodeDecodeError):  # truncated within a character
            text += data[whole:].decode()
        return text
    except UnicodeDecodeError:
        raise DamagedRecord(f"{_named(file)} is damaged.", "It is not text.") from None


def _is_whole(line: bytes) -> bool:
    """Whether a line lacks only its newline: a truncated JSON object does not parse."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _named(file: Path) -> str:
    return shown(str(file), 200)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or shown(str(error), 80)
