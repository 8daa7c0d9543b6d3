"""What a terminal can show, and replacements for the characters that it may not have."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Final, TextIO

from strongroom.text.quoting import shown

ASCII: Final = str.maketrans({"→": ">", "…": ".", "·": "-", "•": "*", "−": "-"})
"""One character for each, so that the alignment stays."""


def has_unicode() -> bool:
    """Whether box-drawing characters work: not in the C locale, even if Python uses UTF-8.

    The console of Linux has a font of at most 512 characters, and nobody can tell which.
    """
    if os.environ.get("TERM", "").partition("-")[0] == "linux":
        return False
    return (sys.stdout.encoding or "").lower().startswith("utf") and not sys.flags.utf8_mode


def can_draw() -> bool:
    """Whether a page can be drawn: the terminal can be cleared, and written to at any place."""
    return _has("clear", "cup")


def has_second_screen() -> bool:
    """Whether the terminal has an alternate screen, on which lines can scroll and leave nothing."""
    return _has("smcup", "cup")


def _has(*capabilities: str) -> bool:
    if os.environ.get("TERM", "dumb") == "dumb":
        return False
    try:
        import curses

        curses.setupterm()
        return all(map(curses.tigetstr, capabilities))
    except Exception:  # no curses here, or no terminfo entry for this terminal
        return False


@cache
def tell_why_plain() -> None:
    """Say once to a person why there is no page, if only the terminal's description is missing."""
    name = os.environ.get("TERM", "")
    if name == "dumb" or can_draw() or not sys.stdout.isatty():
        return
    known = f"TERM is {shown(name)}" if name else "TERM is not set"
    told = f"{known}, by which no page can be drawn: the game comes in plain lines."
    advice = "For the page, set TERM to what your terminal is, often xterm-256color."
    print(fitted(f"{told} {advice}", sys.stderr), file=sys.stderr, flush=True)


def spelled(text: str, unicode: bool) -> str:
    """A text with only the characters that the terminal can show.

    >>> spelled("dial 1 → 3", unicode=False)
    'dial 1 > 3'
    """
    return text if unicode else text.translate(ASCII)


def fitted(text: str, stream: TextIO, indent: int = 0) -> str:
    """A text wrapped between words if the stream is a terminal; otherwise unchanged."""
    try:
        if not stream.isatty():
            return text
        width = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return text
    from strongroom.terminal.screen.wrapping import unchopped  # scripts should not wait for rich

    return unchopped(text, width or 80, indent)
