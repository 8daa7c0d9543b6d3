"""Plain files that are private: opening, locking and making them, whatever stands in the way."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from pathlib import Path
from typing import Final

OPENING: Final = os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""How a file is opened: whatever stands there by then, nobody waits for it."""


def open_plain(file: Path, flags: int) -> int:
    """Open a file that is a plain one; a pipe or a device is not even touched."""
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
    """Keep everybody else from locking an open file; False if somebody else has."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # a file system without locks
    return True


def make_private(handle: int) -> None:
    """Leave an open file to its owner alone, whatever the umask was or who made it."""
    found = os.fstat(handle)
    if stat.S_IMODE(found.st_mode) == 0o600:
        return
    try:
        os.fchmod(handle, 0o600)
    except PermissionError:
        if found.st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, "it belongs to somebody else") from None
        # else a file system without modes


def content(handle: int, most: int) -> bytes:
    """All that an open file holds, if that is not too much."""
    data = bytearray()
    while piece := os.pread(handle, 2**20, len(data)):
        data += piece
        if len(data) > most:
            raise OSError(errno.EFBIG, "it is too long for a saved game")
    return bytes(data)


def make_folders(place: Path) -> None:
    """Make a folder and all above it that are missing, each open to its owner alone."""
    missing = []
    while not place.exists() and place != place.parent:
        missing.append(place)
        place = place.parent
    for each in reversed(missing):
        with contextlib.suppress(FileExistsError):  # another process was quicker
            os.mkdir(each, 0o700)
            os.chmod(each, 0o700)  # the umask may have cut even the owner's rights


def close_to_others(*places: Path) -> None:
    """Leave folders to their owner alone."""
    for place in places:
        found = os.lstat(place)
        if stat.S_ISDIR(found.st_mode) and found.st_mode & 0o077:
            with contextlib.suppress(PermissionError):
                os.chmod(place, 0o700)


def settle(place: Path) -> None:
    """Wait until the names in a folder are on the disk, where a folder can be waited for."""
    with contextlib.suppress(OSError):
        handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def listed(place: Path) -> list[str]:
    """The names of the plain files in a folder, but the hidden ones."""
    names = []
    with contextlib.suppress(OSError):
        for name in os.listdir(place):
            with contextlib.suppress(OSError):
                if not name.startswith(".") and stat.S_ISREG(os.stat(place / name).st_mode):
                    names.append(name)
    return names
