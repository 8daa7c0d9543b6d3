"""Where games are saved, and in which order they were played."""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path
from typing import Final

from strongroom.contract import Refusal, shown
from strongroom.terminal import files


class CannotSave(Refusal):
    """A file that cannot be written or read."""


def folder() -> Path:
    """Where games are saved: below the XDG state folder."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(state):
        return Path(state) / "strongroom" / "games"
    try:
        home = Path.home()
    except RuntimeError:
        home = Path()
    if not home.is_absolute() or os.environ.get("HOME") == "":
        raise CannotSave(
            "There is no home folder to save games in.", "Set XDG_STATE_HOME, or use --save FILE."
        )
    return home / ".local" / "state" / "strongroom" / "games"


def typed_file(name: str) -> Path:
    """The file to save in that a person named; its folder, which may be mistyped, must be there."""
    try:
        file = Path(name).expanduser()
        file.parent.stat()
    except FileNotFoundError:
        raise CannotSave(f"There is no folder {shown(str(file.parent), 200)}.") from None
    except (OSError, ValueError, RuntimeError):
        return Path(name)  # whoever opens it says what is wrong
    return file


def new_file(game_name: str) -> Path:
    """A fresh file name for a game; names sort by the time they were made."""
    seconds, rest = divmod(time.time_ns(), 10**9)
    stamp = f"{time.strftime('%Y%m%d-%H%M%S', time.localtime(seconds))}-{rest // 1000:06}"
    return folder() / f"{stamp}-{game_name}.jsonl"


def played() -> list[Path]:
    """The files in the folder, the one last played first; those never played here come last."""
    place = folder()
    names = set(files.listed(place))
    order = dict.fromkeys(name for name in reversed(_index()) if name in names)
    never = sorted(names - order.keys(), reverse=True)
    return [place / name for name in (*order, *never)]


# --- which game was played last -------------------------------------------------------------------
# One name a line, as JSON, because a file name can hold anything; the last line was played last.
# A line ends the one before it too, so that one that was cut costs nobody else's.

INDEX_READ: Final = 2**20
"""How many bytes of the index are read, from its end."""


def _index_file() -> Path:
    return folder().with_name("played")


def remember(file: Path) -> None:
    """Note that the game in this file is the one last played, if it is in the folder."""
    with contextlib.suppress(OSError, Refusal):
        place = folder()
        if os.path.samefile(file.parent, place):
            files.close_to_others(place.parent, place)
            _add_to_index(file.name)


def _add_to_index(name: str) -> None:
    handle = files.open_plain(_index_file(), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        files.make_private(handle)
        os.write(handle, f"\n{json.dumps(name)}\n".encode())
    finally:
        os.close(handle)


def _index() -> list[str]:
    """The names in the index, as far back as anybody cares; rubbish among them is left out."""
    try:
        handle = files.open_plain(_index_file(), os.O_RDONLY)
    except OSError:
        return []
    try:
        begin = max(0, os.fstat(handle).st_size - INDEX_READ)
        data = os.pread(handle, INDEX_READ, begin)
    except OSError:
        return []
    finally:
        os.close(handle)
    names = []
    for line in data.splitlines():
        with contextlib.suppress(ValueError, RecursionError):
            name = json.loads(line)
            if isinstance(name, str):
                names.append(name)
    return names
