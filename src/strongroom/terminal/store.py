"""Saved games: one private file each, rewritten whole after every move."""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path

from strongroom.record import DamagedRecord, Record
from strongroom.refusal import Refusal


class CannotSave(Refusal):
    """A file that cannot be written or read."""


def folder() -> Path:
    """Where games are saved: below the XDG state folder."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return base / "strongroom" / "games"


def new_file(game: str) -> Path:
    """A fresh file name for a game; names sort by the time they were made."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    return folder() / f"{stamp}-{game}-{secrets.token_hex(3)}.json"


def save(record: Record, file: Path) -> None:
    """Write a record so that at any moment the file is whole, old or new, and only its owner's."""
    part = file.with_name(f".{file.name}.{secrets.token_hex(4)}.part")
    try:
        if not file.parent.is_dir():
            file.parent.mkdir(parents=True, mode=0o700)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(record.dumps())
            out.flush()
            os.fsync(out.fileno())
        os.replace(part, file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise CannotSave(f"Cannot save to {file}: {error.strerror}.") from None


def read(file: Path) -> Record:
    """The record in a file, or a refusal that says what is wrong with it."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CannotSave(f"There is no file {file}.") from None
    except OSError as error:
        raise CannotSave(f"Cannot read {file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise DamagedRecord(f"{file} is damaged.", "It is not text.") from None
    try:
        return Record.loads(text)
    except DamagedRecord as damage:
        raise DamagedRecord(f"{file} is damaged.", str(damage)) from None


def latest_unfinished() -> Path:
    """The newest saved game that is not over."""
    for file in sorted(folder().glob("*.json"), reverse=True):
        try:
            if read(file).outcome is None:
                return file
        except Refusal:
            continue
    raise CannotSave("There is no unfinished game to resume.", "Start one: strongroom play GAME")
