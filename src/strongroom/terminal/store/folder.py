"""The folder of saved games, and the order in which they were played."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from strongroom.contract import Refusal, shown
from strongroom.terminal import files


class CannotSave(Refusal):
    """A file that cannot be written or read."""


def folder() -> Path:
    """The folder of saved games, below the XDG state folder."""
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
    """The file that the user named for saving; its folder must exist, in case it was mistyped."""
    try:
        file = Path(name).expanduser()
        file.parent.stat()
    except FileNotFoundError:
        raise CannotSave(f"There is no folder {shown(str(file.parent), 200)}.") from None
    except (OSError, ValueError, RuntimeError):
        return Path(name)  # opening it will report what is wrong
    return file


def new_file(game_name: str) -> Path:
    """A new file name for a game; names sort by creation time."""
    seconds, rest = divmod(time.time_ns(), 10**9)
    stamp = f"{time.strftime('%Y%m%d-%H%M%S', time.localtime(seconds))}-{rest // 1000:06}"
    return folder() / f"{stamp}-{game_name}.jsonl"


def played() -> list[Path]:
    """The files in the folder, last played first; those never played here come last."""
    place = folder()
    names = set(files.listed(place))
    index = [name for name in files.read_json(_index_file()) if isinstance(name, str)]
    order = dict.fromkeys(name for name in reversed(index) if name in names)
    never = sorted(names - order.keys(), reverse=True)
    return [place / name for name in (*order, *never)]


# --- which game was played last -------------------------------------------------------------------
# One name per line, as JSON because a file name can hold anything; the last line was played last.


def _index_file() -> Path:
    return folder().with_name("played")


def remember(file: Path) -> None:
    """Record that the game in this file was played last, if the file is in the folder."""
    with contextlib.suppress(OSError, Refusal):
        place = folder()
        if os.path.samefile(file.parent, place):
            files.close_to_others(place.parent, place)
            files.append_json(_index_file(), file.name)
