"""File names, which may hold anything but a slash and NUL, made safe to display and copy."""

from __future__ import annotations

import os
import shlex

from strongroom.text.quoting import harmless


def named(file: str | os.PathLike[str]) -> str:
    r"""A file name for display, in one line without control characters.

    >>> named("a\x1b]0;b\nc")
    'a?]0;b?c'
    """
    return harmless(str(file), 400)


def quoted(file: str | os.PathLike[str]) -> str:
    r"""A file name quoted for a shell, and safe to print on a terminal.

    >>> print(quoted("it is.json"), quoted("-x"), quoted("a\x1bb"))
    'it is.json' ./-x $'a\x1bb'
    """
    name = f"./{file}" if str(file).startswith("-") else str(file)
    if name.isprintable():
        return shlex.quote(name)
    return f"$'{''.join(map(_escaped, os.fsencode(name)))}'"


def _escaped(byte: int) -> str:
    if chr(byte) in "'\\":
        return f"\\{chr(byte)}"
    return chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}"
