"""Waiting with a message if it takes longer than usual."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Timer
from typing import Final

SOON: Final = 3.0
"""How long to wait for a server before the message, in seconds."""


def said_if_slow(server: str, what: str = "answer") -> AbstractContextManager[None]:
    """Say on standard error what a server is to do, if the block takes more than a few seconds."""
    return print_if_slow(f"Waiting for {server} to {what} …", SOON)


@contextmanager
def print_if_slow(text: str, seconds: float) -> Iterator[None]:
    """Print a text on standard error if the block takes longer than this."""
    timer = Timer(seconds, print, (text,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
