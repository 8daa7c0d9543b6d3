"""Where a person's lines come from: a keyboard, or a script piped in."""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import signal
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final, NoReturn, Protocol

from strongroom.contract.refusal import LONGEST_LINE
from strongroom.players import Leaves

LONGEST_READ: Final = 100 * LONGEST_LINE + 1
"""Of a longer line no more is kept: enough for the table to see that it is too long."""
MOST_IN_A_LINE: Final = 1_000_000
"""Input that goes on for longer without the end of a line has no lines in it."""
ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]*+[ -/]*+[@-~]|\x1b.")
"""What arrow keys and the like leave in a line; it is never part of an answer."""
DEADLY: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
"""The signals that end a process whose terminal may be in an odd mode."""

Handler = signal.Handlers | Callable[[int, FrameType | None], object]


def plain_text(line: str) -> str:
    """A line without anything that could act on a screen that shows it.

    >>> plain_text("3\\x1b[A-4\\t\\0\\x07\\n")
    '3-4 '
    """
    text = ESCAPES.sub("", line.replace("\t", " "))
    return "".join(char for char in text if char.isprintable())


class InputEnded(Leaves):
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
        _take_any_bytes()
        # Editing keys work, but no line is ever remembered: arrow-up cannot bring back a secret.
        with contextlib.suppress(ImportError):
            import readline

            readline.set_auto_history(False)

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line that the person types."""
        try:
            with _terminal_left_as_found():
                line = _read_unseen(prompt) if unseen else input(prompt)
        except EOFError:
            print()
            raise InputEnded from None
        except (OSError, ValueError, termios.error):  # the terminal is gone
            raise InputEnded from None
        if len(line) > MOST_IN_A_LINE:
            _end_without_lines()
        return plain_text(line[:LONGEST_READ])


def _read_unseen(prompt: str) -> str:
    # Whoever is stopped by Ctrl-Z and comes back finds the echo on again, so nobody is stopped.
    with _handled(signal.SIGTSTP, signal.SIG_IGN):
        try:
            return getpass.getpass(prompt)
        except UnicodeDecodeError:
            return "\N{REPLACEMENT CHARACTER}"


class Script:
    """Lines piped in, echoed behind their prompts so that the transcript reads like a game."""

    interactive = False

    def __init__(self, echo: bool = True) -> None:
        self._echo = echo
        _take_any_bytes()

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line of the script."""
        line = _next_line()
        text = plain_text(line)
        if self._echo:
            print(prompt + ("***" if unseen and text else text), flush=True)
        if not line:
            raise InputEnded
        return text


def open_lines(echo: bool = True) -> Lines:
    """The lines of standard input: a keyboard's if it is a terminal."""
    try:
        typed = sys.stdin is not None and sys.stdin.isatty()
    except ValueError:  # it has been closed
        typed = False
    return Keyboard() if typed else Script(echo)


# --- what standard input may hold -----------------------------------------------------------------


def _take_any_bytes() -> None:
    """Let bytes that are no text stand as signs that no answer has, instead of ending the game."""
    if getattr(sys.stdin, "errors", "replace") != "replace":
        with contextlib.suppress(AttributeError, OSError, ValueError):
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]


def _next_line() -> str:
    """The next line as far as it is kept, empty at the end; the rest of a long one is skipped."""
    try:
        line = piece = sys.stdin.readline(LONGEST_READ) if sys.stdin is not None else ""
        length = len(piece)
        while piece and not piece.endswith("\n"):
            if length > MOST_IN_A_LINE:
                _end_without_lines()
            piece = sys.stdin.readline(LONGEST_READ)
            length += len(piece)
    except (OSError, ValueError):  # closed, or not open for reading
        return ""
    return line


def _end_without_lines() -> NoReturn:
    told = f"Nothing more is read: the input goes on for {MOST_IN_A_LINE:,} characters in one line."
    print(f"\nstrongroom: {told}", file=sys.stderr)
    raise InputEnded(told)


# --- the terminal's modes -------------------------------------------------------------------------


@contextlib.contextmanager
def _terminal_left_as_found() -> Iterator[None]:
    """Have the terminal's modes put back in the end, also where a signal is the end.

    While a line is typed the echo is off, or readline does it; a process that just dies leaves the
    terminal like that. A signal that somebody handles or ignores goes its way: what a handler
    raises is cleared up after by the one who changed the modes.
    """
    terminal = sys.stdin.fileno()
    found = termios.tcgetattr(terminal)

    def put_back() -> None:
        if not _is_anothers(terminal):
            with contextlib.suppress(termios.error):
                termios.tcsetattr(terminal, termios.TCSANOW, found)

    def die(number: int, _: object) -> None:
        put_back()
        if not _is_anothers(terminal):
            with contextlib.suppress(termios.error):
                # Half a secret must not go to whoever reads the terminal next, and shows it.
                termios.tcflush(terminal, termios.TCIFLUSH)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    with contextlib.ExitStack() as handled:
        for number in DEADLY:
            if signal.getsignal(number) is signal.SIG_DFL:
                handled.enter_context(_handled(number, die))
        try:
            yield
        finally:
            put_back()


def _is_anothers(terminal: int) -> bool:
    """Whether this process is in the background of a terminal, whose modes others set by now."""
    try:
        return os.tcgetpgrp(terminal) != os.getpgrp()
    except OSError:
        return False


@contextlib.contextmanager
def _handled(number: signal.Signals, handler: Handler) -> Iterator[None]:
    """Handle a signal otherwise for a while; only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)
