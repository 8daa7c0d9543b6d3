"""Files: private ones, opened, locked and appended to safely, and those that a user names."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from strongroom.contract import Refusal
from strongroom.terminal.printing import file_label

OPENING: Final = os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""The flags for opening a file: even if it has become a pipe or device, the open never blocks."""
MOST_READ: Final = 2**20
"""How many bytes of a file of JSON lines are read, from its end."""


class CannotSave(Refusal):
    """A file that cannot be written or read."""


def games_folder() -> Path:
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


def open_plain(file: Path, flags: int) -> int:
    """Open a regular file; a pipe or a device is refused before it is opened."""
    with contextlib.suppress(FileNotFoundError):
        _check_plain(os.stat(file))
    handle = os.open(file, flags | OPENING, 0o600)
    try:
        _check_plain(os.fstat(handle))
    except OSError:
        os.close(handle)
        raise
    return handle


def _check_plain(found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a plain file")


def lock(handle: int) -> bool:
    """Lock an open file exclusively; False if it is already locked elsewhere."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # a file system without locks
    return True


def make_private(handle: int) -> None:
    """Restrict an open file to its owner, whatever the umask and whoever created it."""
    found = os.fstat(handle)
    if stat.S_IMODE(found.st_mode) == 0o600:
        return
    try:
        os.fchmod(handle, 0o600)
    except PermissionError:
        if found.st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, "it belongs to somebody else") from None
        # Otherwise the file system has no modes.


def read_all(handle: int, most: int) -> bytes:
    """The whole content of an open file; OSError if it is longer than `most` bytes."""
    data, size = bytearray(), os.fstat(handle).st_size
    while size <= most and (piece := os.pread(handle, 2**20, len(data))):
        data += piece
        size = max(size, len(data))
    if size > most:
        raise OSError(errno.EFBIG, f"it is too long, over {most // 2**20:,} MiB")
    return bytes(data)


def append_json(file: Path, data: Any) -> None:
    """Append a line of JSON to a private file.

    It starts with a newline, so that a truncated line does not spoil the next one.
    """
    with open(open_plain(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "ab") as opened:
        make_private(opened.fileno())
        opened.write(f"\n{json.dumps(data)}\n".encode())


def read_json(file: Path) -> Iterator[Any]:
    """The data in the last lines of a file of JSON lines; what cannot be read is skipped."""
    try:
        with open(open_plain(file, os.O_RDONLY), "rb") as opened:
            opened.seek(max(0, os.fstat(opened.fileno()).st_size - MOST_READ))
            data = opened.read(MOST_READ)
    except OSError:
        return
    for line in data.splitlines():
        with contextlib.suppress(ValueError, RecursionError):
            yield json.loads(line)


def replace_text(file: Path, text: str) -> None:
    """Write a text file as a whole: whoever reads it finds the old text or the new one."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def make_folders(place: Path) -> None:
    """Create a folder and its missing parents, each accessible to its owner only."""
    missing = []
    while not place.exists() and place != place.parent:
        missing.append(place)
        place = place.parent
    for each in reversed(missing):
        with contextlib.suppress(FileExistsError):  # another process was quicker
            os.mkdir(each, 0o700)
            os.chmod(each, 0o700)  # the umask may have removed even the owner's permissions


def make_folders_private(*places: Path) -> None:
    """Restrict folders to their owner."""
    for place in places:
        found = os.lstat(place)
        if stat.S_ISDIR(found.st_mode) and found.st_mode & 0o077:
            with contextlib.suppress(PermissionError):
                os.chmod(place, 0o700)


def sync_folder(place: Path) -> None:
    """Wait until a folder's entries are on the disk, if the file system can sync folders."""
    with contextlib.suppress(OSError):
        handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def plain_files(place: Path) -> list[str]:
    """The names of the regular files in a folder, except hidden ones."""
    with contextlib.suppress(OSError):
        names = os.listdir(place)
        return [name for name in names if name[0] != "." and os.path.isfile(place / name)]
    return []


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
        raise CannotSave(f"Cannot write {file_label(file)}: {why}.", "Name another file.") from None


def _check_alike(place: Path, begins: str) -> None:
    """Let a product replace an empty file or an earlier product, but never anything else."""
    with open(open_plain(place, 0), "rb") as there:
        begin = there.read(ALIKE)
    if begin and begin != begins.encode()[:ALIKE]:
        raise FileExistsError(errno.EEXIST, "the file contains something else")


def write_output(file: str, text: str) -> None:
    """Write a file as a whole, or refuse and leave what is there."""
    check_output(file, text)
    try:
        replace_text(Path(file).expanduser(), text)
    except OSError as error:
        raise CannotSave(f"Cannot write {file_label(file)}: {error.strerror}.") from None


@contextlib.contextmanager
def output_folder(folder: str, begins: str) -> Iterator[Path]:
    """An empty folder that takes the place of `folder` once the block has written all its files.

    It replaces nothing, an empty folder, or an earlier product, whose README.md begins like this.
    """
    check_output_folder(folder, begins)
    place = Path(folder).expanduser()
    draft, old = (place.with_name(f".{place.name}.{os.getpid()}.{end}") for end in ("new", "old"))
    try:
        draft.mkdir()
        yield draft
        if place.exists():
            place.replace(old)
        draft.replace(place)
    except OSError as error:
        raise CannotSave(f"Cannot write {file_label(folder)}: {error.strerror}.") from None
    finally:
        if old.exists() and not place.exists():
            old.replace(place)
        for left in (draft, old):
            shutil.rmtree(left, ignore_errors=True)


def check_output_folder(folder: str, begins: str) -> None:
    """Refuse a folder that could not be replaced later, or has something else in it."""
    place = Path(folder).expanduser()
    try:
        if not place.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "its folder does not exist")
        if place.exists() and any(place.iterdir()):
            card = place / "README.md"
            if not card.is_file():
                raise FileExistsError(errno.EEXIST, "the folder contains something else")
            _check_alike(card, begins)
    except OSError as error:
        told = f"Cannot write {file_label(folder)}: {error.strerror}."
        raise CannotSave(told, "Name another folder.") from None


def read_input(file: str, most: int) -> str:
    """The text of a file that the user named."""
    try:
        with open(open_plain(Path(file).expanduser(), 0), "rb") as opened:
            return read_all(opened.fileno(), most).decode()
    except FileNotFoundError:
        raise CannotSave(f"There is no file {file_label(file)}.") from None
    except (OSError, ValueError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise CannotSave(f"Cannot read {file_label(file)}: {why}.") from None
