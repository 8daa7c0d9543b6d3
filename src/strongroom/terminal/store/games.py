"""Saved games: one private file each, and an index of which was played last."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn, Self

from strongroom.contract import Refusal, Seat, does
from strongroom.contract.codec import to_json
from strongroom.plugins.foreign import FAILURES, failure_text
from strongroom.referee.record import DamagedRecord, Entry, Record, line_of
from strongroom.terminal.store import files
from strongroom.terminal.store.files import CannotSave, games_folder
from strongroom.text.quoting import harmless, quote

LARGEST: Final = 16 * 2**20
"""The largest size of a saved game, in bytes."""
IO_FAILURES: Final = (OSError, ValueError, RuntimeError)
"""The exceptions that a file name or a disk can cause."""
ANOTHER: Final = "Name another file."
START = "Start one: strongroom play GAME"


def typed_file(name: str) -> Path:
    """The file that the user named for saving; its folder must exist, in case it was mistyped."""
    try:
        file = Path(name).expanduser()
        file.parent.stat()
    except FileNotFoundError:
        raise CannotSave(f"There is no folder {quote(str(file.parent), 200)}.") from None
    except (OSError, ValueError, RuntimeError):
        return Path(name)  # opening it will report what is wrong
    return file


def new_file(game_name: str) -> Path:
    """A new file name for a game; names sort by creation time."""
    seconds, rest = divmod(time.time_ns(), 10**9)
    stamp = f"{time.strftime('%Y%m%d-%H%M%S', time.localtime(seconds))}-{rest // 1000:06}"
    return games_folder() / f"{stamp}-{game_name}.jsonl"


def list_files() -> list[Path]:
    """The files in the folder, last played first; those never played here come last."""
    place = games_folder()
    names = set(files.plain_files(place))
    index = [name for name in files.read_json(_index_file()) if isinstance(name, str)]
    order = dict.fromkeys(name for name in reversed(index) if name in names)
    never = sorted(names - order.keys(), reverse=True)
    return [place / name for name in (*order, *never)]


# --- which game was played last -------------------------------------------------------------------
# One name per line, as JSON because a file name can hold anything; the last line was played last.


def _index_file() -> Path:
    return games_folder().with_name("played")


def note_played(file: Path) -> None:
    """Record that the game in this file was played last, if the file is in the folder."""
    with contextlib.suppress(OSError, Refusal):
        place = games_folder()
        if os.path.samefile(file.parent, place):
            files.make_folders_private(place.parent, place)
            files.append_json(_index_file(), file.name)


def read(file: Path) -> Record:
    """The record in a file; raises a refusal that says what is wrong with it."""
    return _load(_content(file), file)


def read_text(file: Path) -> str:
    """The text of a saved game, even if it is not a complete and valid record."""
    return _text(_content(file), file)


def _content(file: Path) -> bytes:
    try:
        file = file.expanduser()
        with open(files.open_plain(file, os.O_RDONLY), "rb") as opened:
            return files.read_all(opened.fileno(), LARGEST)
    except FileNotFoundError:
        raise CannotSave(f"There is no file {_quoted_name(file)}.") from None
    except IO_FAILURES as error:
        raise CannotSave(f"Cannot read {_quoted_name(file)}: {_reason(error)}.") from None


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
        note_played(journal.file)
        return journal

    @classmethod
    def resume(cls, file: Path) -> tuple[Journal, Record]:
        """The journal of a saved game to resume, and the record so far."""
        journal = cls(file)
        try:
            journal._open(os.O_RDWR)
            data = files.read_all(journal._handle, LARGEST)
            record = _load(data, journal.file)
            files.make_private(journal._handle)
            journal._take_up(data, record)
        except FileNotFoundError:
            raise CannotSave(f"There is no file {_quoted_name(journal.file)}.") from None
        except IO_FAILURES as error:
            journal.close()
            journal._fail(error)
        if record.outcome is None:
            note_played(journal.file)
        return journal, record

    def update(self, record: Record) -> None:
        """Append what is not on the disk yet, and sync it."""
        try:
            if self._is_gone():
                self._replace(record)
            self._append(record)
        except IO_FAILURES as error:
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
            data = files.read_all(self._handle, LARGEST)
            begun = self._saved_part(data, record) if data else None
            files.make_private(self._handle)
            if begun is not None:
                self._take_up(data, begun)
            self._append(record)
        except IO_FAILURES as error:
            if is_new:
                with contextlib.suppress(OSError):
                    self.file.unlink()
            self.close()
            self._fail(error)
        if is_new:
            files.sync_folder(self.file.parent)
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
            elsewhere = f"The game in {_quoted_name(self.file)} is being played elsewhere."
            raise InUse(elsewhere, "Close it there first.")

    def _saved_part(self, data: bytes, record: Record) -> Record:
        """The part of this game that the file holds; any other content is refused."""
        try:
            begun = _load(data, self.file)
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
        raise CannotSave(f"Cannot save to {_quoted_name(self.file)}: {reason}.", ANOTHER)

    def _fail(self, error: Exception) -> NoReturn:
        if isinstance(error, Refusal):
            raise error
        raise CannotSave(f"Cannot save to {_quoted_name(self.file)}: {_reason(error)}.") from None


def _load(data: bytes, file: Path) -> Record:
    """The record in a file's content."""
    text = _text(data, file)
    try:
        return Record.loads(text)
    except DamagedRecord as damage:
        raise DamagedRecord(f"{_quoted_name(file)} is damaged.", str(damage)) from None


def _text(data: bytes, file: Path) -> str:
    """The text of a file's content, even if its last line is truncated."""
    if data.strip() and not data.lstrip().startswith(b"{"):  # even a truncated record has the brace
        raise DamagedRecord(f"{_quoted_name(file)} is not a saved game.")
    whole = data.rfind(b"\n") + 1
    try:
        text = data[:whole].decode()
        with contextlib.suppress(UnicodeDecodeError):  # truncated within a character
            text += data[whole:].decode()
        return text
    except UnicodeDecodeError:
        raise DamagedRecord(f"{_quoted_name(file)} is damaged.", "It is not text.") from None


def _is_whole(line: bytes) -> bool:
    """Whether a line lacks only its newline: a truncated JSON object does not parse."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _quoted_name(file: Path) -> str:
    return quote(str(file), 200)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or quote(str(error), 80)


@dataclass(frozen=True)
class SavedGame:
    """A summary of a saved game; its words reveal nothing hidden."""

    file: Path
    """The file of the game."""
    record: Record
    """The record of the game."""
    standing: str
    """The current state in words, or how it ended."""
    turns: int
    """The number of turns played."""
    seconds: float
    """When it was last played, in seconds since 1970."""

    @property
    def game(self) -> str:
        """The game's title, with the options that are not the default."""
        game = self.record.game
        return ", ".join([game.title, *game.options.changes_in_words()])

    @property
    def sitters(self) -> str:
        """The players, Seat 1 first."""
        return " and ".join(each.description for each in self.record.sitters)

    @property
    def when(self) -> str:
        """When it was last played, in local time."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.seconds))

    def to_json(self) -> dict[str, Any]:
        """The summary as JSON data."""
        record = self.record
        return {
            "file": str(self.file),
            "time": self.seconds,
            "game": record.game.name,
            "options": record.game.options.to_json(),
            "names": [each.name for each in record.sitters],
            "players": [each.player for each in record.sitters],
            "turns": self.turns,
            "end": to_json(record.outcome),
        }


def summaries() -> Iterator[SavedGame | Refusal]:
    """The game in each file of the folder, last played first, or what is wrong with the file."""
    for file in list_files():
        try:
            yield summarize(file)
        except Refusal as trouble:
            yield trouble


def summarize(file: Path) -> SavedGame:
    """The game in a file; a failure in another package's code raises a refusal as well."""
    try:
        record = read(file)
        state = record.replay()
        seconds = record.steps[-1].time if record.steps else os.stat(file).st_mtime
        names = {seat: record.sitters[seat.index].name for seat in Seat}
        if record.outcome is not None:
            standing = record.game.words.ending(record.outcome, names)
        elif isinstance(state.actor, Seat):
            standing = does(names[state.actor], "is next", "are next")
        else:
            standing = "not over"
        return SavedGame(file, record, harmless(standing, 200), state.turns, seconds)
    except Refusal:
        raise
    except FAILURES as failure:
        why = quote(failure_text(failure), 80)
        raise CannotSave(f"Cannot read {quote(str(file), 200)}: {why}.") from failure


def file_at(number: int) -> Path:
    """The file with this number, where 1 was played last."""
    found = list_files()
    if not 1 <= number <= len(found):
        raise CannotSave(f"There is no saved game {number}.", "List them: strongroom list")
    return found[number - 1]


def latest() -> Path:
    """The game last played."""
    return _latest(lambda record: True, "There are no saved games.")


def latest_finished() -> Path:
    """The finished game that was played last."""
    return _latest(lambda record: record.outcome is not None, "There is no finished game.")


def latest_unfinished() -> Path:
    """The unfinished game that was played last."""
    from strongroom.terminal.store import seats  # other commands need no links

    trouble, advice = "There is no unfinished game to resume.", START
    if online := seats.unfinished_seats():
        trouble = "No unfinished game is saved here."
        advice = f"{online[0].title} on a server goes on with: strongroom join"
    return _latest(lambda record: record.outcome is None, trouble, advice)


def is_latest_unfinished(file: Path) -> bool:
    """Whether `strongroom resume` alone resumes the game in this file."""
    try:
        return os.path.samefile(latest_unfinished(), file)
    except (OSError, Refusal):
        return False


def _latest(wanted: Callable[[Record], bool], trouble: str, advice: str = START) -> Path:
    for file in list_files():
        try:
            if wanted(read(file)):
                return file
        except Refusal:
            continue
    raise CannotSave(trouble, advice)
