"""Saved games: one private file each, rewritten whole after every move."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from pathlib import Path

from strongroom.record import DamagedRecord, Record
from strongroom.refusal import Refusal, shown


class CannotSave(Refusal):
    """A file that cannot be written or read."""


def folder() -> Path:
    """Where games are saved: below the XDG state folder."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return base / "strongroom" / "games"


def new_file(game: str) -> Path:
    """A fresh file name for a game; names sort by the time they were made."""
    seconds, rest = divmod(time.time_ns(), 10**9)
    stamp = f"{time.strftime('%Y%m%d-%H%M%S', time.localtime(seconds))}-{rest // 1000:06}"
    return folder() / f"{stamp}-{game}.json"


def save(record: Record, file: Path) -> None:
    """Write a record so that at any moment the file is whole, old or new, and only its owner's."""
    part: Path | None = None
    try:
        file = file.expanduser()
        part = file.with_name(f".{file.name}.{secrets.token_hex(4)}.part")
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(record.dumps())
            out.flush()
            os.fsync(out.fileno())
        os.replace(part, file)
    except (OSError, ValueError, RuntimeError) as error:
        if part is not None:
            with contextlib.suppress(OSError, ValueError):
                part.unlink()
        reason = error.strerror if isinstance(error, OSError) else error
        raise CannotSave(f"Cannot save to {shown(str(file), 200)}: {reason}.") from None


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
