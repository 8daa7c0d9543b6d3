"""Numbers that are typed as options."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Final

MOST: Final = 1_000_000
"""The most turns or games, unless an option allows more."""


def positive(text: str, most: int = MOST) -> int:
    """Parse a number of turns or games.

    >>> positive("2000000", most=2**24)
    2000000
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not is_number or not 1 <= int(text) <= most:
        raise ArgumentTypeError(f"must be a number from 1 to {most}; you gave {text[:20]!r}")
    return int(text)


def port(text: str) -> int:
    """Parse the number of a port; 0 means any free one."""
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise ArgumentTypeError("must be a number from 0 to 65535")
    return int(text)
