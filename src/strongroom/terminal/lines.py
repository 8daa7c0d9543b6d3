"""Where a person's lines come from: a keyboard, or a script piped in."""

from __future__ import annotations

import contextlib
import getpass
import re
import signal
import sys
from typing import Protocol

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b.")
"""What arrow keys and the like leave in a line; it is never part of an answer."""


def plain_text(line: str) -> str:
    """A line without anything that could act on a screen that shows it."""
    text = ESCAPES.sub("", line.replace("\t", " "))
    return "".join(char for char in text if char.isprintable())


class InputEnded(Exception):
    """Nothing more can be read."""


class Lines(Protocol):
    """A source of lines, each the answer to a prompt."""

    interactive: bool
    """Whether a person sits there now, who can be asked again and handed over to."""

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line; one that is to stay unseen is not echoed."""


class Keyboard:
    """A person at a terminal."""

    interactive = True

    def __init__(self) -> None:
        # Editing keys work, but no line is ever remembered: arrow-up cannot bring back a secret.
        with contextlib.suppress(ImportError):
            import readline

            readline.set_auto_history(False)

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line that the person types."""
        try:
            line = _read_unseen(prompt) if unseen else input(prompt)
        except EOFError:
            print()
            raise InputEnded from None
        return plain_text(line)


def _read_unseen(prompt: str) -> str:
    # Whoever is stopped by Ctrl-Z and comes back finds the echo on again, so nobody is stopped.
    stopping = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
    try:
        return getpass.getpass(prompt)
    finally:
        signal.signal(signal.SIGTSTP, stopping)


class Script:
    """Lines piped in, echoed behind their prompts so that the transcript reads like a game."""

    interactive = False

    def __init__(self, echo: bool = True) -> None:
        self._echo = echo

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line of the script."""
        line = sys.stdin.readline() if sys.stdin is not None else ""
        text = plain_text(line)
        if self._echo:
            print(prompt + ("***" if unseen and text else text), flush=True)
        if not line:
            raise InputEnded
        return text


def open_lines(echo: bool = True) -> Lines:
    """The lines of standard input: a keyboard's if it is a terminal."""
    return Keyboard() if sys.stdin is not None and sys.stdin.isatty() else Script(echo)
