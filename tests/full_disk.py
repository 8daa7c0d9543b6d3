"""A disk without room: files that cannot grow beyond a size."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SHELL: Final = "ulimit -f 2; export PYTHONDONTWRITEBYTECODE=1"
"""Gives a program room for a kilobyte a file, which sh counts in blocks of 512 bytes."""


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Files can have at most this size, which cuts a write short, as a full disk does."""
    # Modules compiled meanwhile would be cut short too, and not be read ever after: none is kept.
    least, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    keeps_none = sys.dont_write_bytecode
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (least, most))
        sys.dont_write_bytecode = keeps_none
