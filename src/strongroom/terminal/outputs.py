"""Files that a command writes because the user named them: reports, pictures, sets of puzzles."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final

from strongroom.terminal import files
from strongroom.terminal.filenames import named
from strongroom.terminal.store import CannotSave

ALIKE: Final = 24
"""How many characters of a file must be as in the new one, so that it may be replaced."""


def check_output(file: str, begins: str) -> None:
    """Refuse a file that could not be written later with a text that begins like this."""
    try:
        place = Path(file).expanduser()
        if not place.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "its folder does not exist")
        if place.exists():
            _check_alike(place, begins)
    except (OSError, ValueError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise CannotSave(f"Cannot write {named(file)}: {why}.", "Name another file.") from None


def _check_alike(place: Path, begins: str) -> None:
    """Let a product replace an empty file or an earlier product, but never anything else."""
    with open(files.open_plain(place, 0), "rb") as there:
        begin = there.read(ALIKE)
    if begin and begin != begins.encode()[:ALIKE]:
        raise FileExistsError(errno.EEXIST, "the file contains something else")


def write_output(file: str, text: str) -> None:
    """Write a file as a whole, or refuse and leave what is there."""
    check_output(file, text)
    try:
        files.replace_text(Path(file).expanduser(), text)
    except OSError as error:
        raise CannotSave(f"Cannot write {named(file)}: {error.strerror}.") from None


def read_input(file: str, most: int) -> str:
    """The text of a file that the user named."""
    try:
        with open(files.open_plain(Path(file).expanduser(), 0), "rb") as opened:
            return files.content(opened.fileno(), most).decode()
    except FileNotFoundError:
        raise CannotSave(f"There is no file {named(file)}.") from None
    except (OSError, ValueError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise CannotSave(f"Cannot read {named(file)}: {why}.") from None
