"""The journals of saved games: private files that grow by a line or two with every move.

A file is written by one process at a time, only at its end, and only below lines of its own game.
So whatever ends the process, and if the disk is full, what was saved before stays whole.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Final, NoReturn, Self

from strongroom.contract import Refusal, shown
from strongroom.record import DamagedRecord, Entry, Record, line_of
from strongroom.terminal import files
from strongroom.terminal.store.folder import CannotSave, remember

LARGEST: Final = 16 * 2**20
"""No saved game is longer than so many bytes."""
FAILURES: Final = (OSError, ValueError, RuntimeError)
"""What can come of a file name and a disk."""
ANOTHER: Final = "Name another file."


def read(file: Path) -> Record:
    """The record in a file, or a refusal that says what is wrong with it."""
    return _loaded(_content(file), file)


def read_text(file: Path) -> str:
    """The text of a saved game, whether or not it is a whole and fitting record."""
    return _text(_content(file), file)


def _content(file: Path) -> bytes:
    try:
        file = file.expanduser()
        handle = files.open_plain(file, os.O_RDONLY)
        try:
            return files.content(handle, LARGEST)
        finally:
            os.close(handle)
    except FileNotFoundError:
        raise CannotSave(f"There is no file {_named(file)}.") from None
    except FAILURES as error:
        raise CannotSave(f"Cannot read {_named(file)}: {_reason(error)}.") from None


def save_copy(record: Record, file: Path) -> None:
    """Save a game in one more file, by the rules of `Journal.create`."""
    try:
        Journal(file)._begin(record).close()
    except InUse:
        # The file that this game is being saved in anyway is a copy already.
        if read(file) != record:
            raise


class InUse(CannotSave):
    """A file in which a game is being played."""


class Journal:
    """The open file of a game that is being played; no other journal can be opened on it meanwhile.

    That is a lock among those who ask for it; a file system without locks has none.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        """The file's name."""
        self._handle = -1
        self._id = ""
        self._lines = 0
        """How many lines are known to be on the disk, whole."""
        self._size = 0
        """How many bytes these lines have."""
        self._last: Entry | None = None
        """The entry in the last of them."""
        self._torn = False
        """Whether something of ours may follow them that is not a whole line."""

    @classmethod
    def create(cls, file: Path, record: Record) -> Journal:
        """The journal of a game in a new or empty file, or in one that holds a part of it."""
        journal = cls(file)._begin(record)
        remember(journal.file)
        return journal

    @classmethod
    def resume(cls, file: Path) -> tuple[Journal, Record]:
        """The journal of a saved game, to go on with, and what has been played of it."""
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
        """Append what is not on the disk yet, and wait until it is there."""
        try:
            if self._is_gone():
                self._replace(record)
            self._append(record)
        except FAILURES as error:
            self._fail(error)

    def close(self) -> None:
        """Let others have the file."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            with contextlib.suppress(OSError):
                os.close(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- opening ---

    def _begin(self, record: Record) -> Self:
        """Open the file for a game and write what there is of it."""
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
        """Open the file, made with its folders if there is none; whether it was made."""
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
            raise InUse(elsewhere, "End it there first.")

    def _begun(self, data: bytes, record: Record) -> Record:
        """What the file holds of this game; whatever else it holds is refused."""
        try:
            begun = _loaded(data, self.file)
        except DamagedRecord:
            self._refuse("there is something else in it")
        if begun.id != record.id:
            self._refuse("there is another game in it")
        if record.entries[: len(begun.entries)] != tuple(begun.entries):
            self._refuse("this game has gone on differently in it")
        return begun

    def _take_up(self, data: bytes, record: Record) -> None:
        """Stand behind the last whole line of what the file holds, and end or cut what follows."""
        self._id, self._lines, self._size = record.id, data.count(b"\n"), data.rfind(b"\n") + 1
        if _is_whole(data[self._size :]):  # only the end of the last line is missing
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
            self._refuse("there is another game in it")
        missing = [record.entry_to_json(entry) for entry in record.entries[max(written, 0) :]]
        if not self._lines:
            missing.insert(0, record.header())
        if not missing:
            return
        self._write("".join(map(line_of, missing)).encode())
        self._id, self._lines = record.id, self._lines + len(missing)
        self._last = record.entries[-1] if record.entries else None

    def _write(self, data: bytes) -> None:
        """Write behind the last whole line, all of it or nothing.

        The place is told with every write, so that one that broke off is simply written again.
        """
        if self._torn:
            os.ftruncate(self._handle, self._size)
        elif os.fstat(self._handle).st_size != self._size:
            self._refuse("another program has changed it")
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
        """Whether the file was moved or removed since, so that what is written there is lost."""
        ours = os.fstat(self._handle)
        try:
            there = os.stat(self.file)
        except OSError as error:
            return error.errno in (errno.ENOENT, errno.ENOTDIR)
        return not os.path.samestat(ours, there)

    def _replace(self, record: Record) -> None:
        """Begin again where the file was."""
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
    """The record in what a file holds."""
    text = _text(data, file)
    try:
        return Record.loads(text)
    except DamagedRecord as damage:
        raise DamagedRecord(f"{_named(file)} is damaged.", str(damage)) from None


def _text(data: bytes, file: Path) -> str:
    """The text of what a file holds, whatever cut its last line."""
    if data.strip() and not data.lstrip().startswith(b"{"):  # as not even a cut record begins
        raise DamagedRecord(f"{_named(file)} is no saved game.")
    whole = data.rfind(b"\n") + 1
    try:
        text = data[:whole].decode()
        with contextlib.suppress(UnicodeDecodeError):  # cut in the middle of a character
            text += data[whole:].decode()
        return text
    except UnicodeDecodeError:
        raise DamagedRecord(f"{_named(file)} is damaged.", "It is not text.") from None


def _is_whole(line: bytes) -> bool:
    """Whether a line lacks nothing but its end: no JSON object that is cut is one."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _named(file: Path) -> str:
    return shown(str(file), 200)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or shown(str(error), 80)
