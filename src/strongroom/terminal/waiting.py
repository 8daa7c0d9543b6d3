"""Waiting for a server, with a message if it takes longer than usual."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Final

SOON: Final = 3.0
"""How long to wait before the message, in seconds."""


@contextmanager
def said_if_slow(server: str, what: str = "answer") -> Iterator[None]:
    """Say on standard error what a server is to do, if the block takes more than a few seconds."""
    told = f"Waiting for {server} to {what} …"
    timer = Timer(SOON, print, (told,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
