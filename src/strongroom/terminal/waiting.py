"""Waiting for a server: what is waited for is said once it takes longer than usual."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Final

SOON: Final = 3.0
"""After how many seconds of waiting it is said what for."""


@contextmanager
def said_if_slow(text: str) -> Iterator[None]:
    """Within this, a text is said on standard error once it has taken a few seconds."""
    timer = Timer(SOON, print, (text,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
