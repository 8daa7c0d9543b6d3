"""Signs that a terminal may not have, and what stands for them there."""

from __future__ import annotations

import os
import sys
from typing import Final, TextIO

ASCII: Final = str.maketrans({"→": ">", "…": ".", "·": "-", "•": "*", "−": "-"})
"""One character for one, so that nothing moves."""


def has_unicode() -> bool:
    """Whether box-drawing characters will be shown: not in the C locale, whatever Python does."""
    return (sys.stdout.encoding or "").lower().startswith("utf") and not sys.flags.utf8_mode


def spelled(text: str, unicode: bool) -> str:
    """A text as a terminal can show it.

    >>> spelled("dial 1 → 3", unicode=False)
    'dial 1 > 3'
    """
    return text if unicode else text.translate(ASCII)


def fitted(text: str, stream: TextIO, indent: int = 0) -> str:
    """A text as a stream is read: on a terminal broken between words, elsewhere as it is."""
    try:
        if not stream.isatty():
            return text
        width = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return text
    from strongroom.terminal.screen.wrapping import unchopped  # no script waits for rich

    return unchopped(text, width or 80, indent)
