"""Sources of input lines: a keyboard, or a script piped in."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import re
import select
import signal
import sys
import termios
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final, NoReturn, Protocol

from strongroom.contract.refusal import LONGEST_LINE
from strongroom.terminal.modes import (
    forget_typed,
    handling,
    hearing_signals,
    keep_modes,
    read_ctrl_z,
    read_key_by_key,
    silencing,
    stop_job,
)
from strongroom.terminal.printing import can_draw, has_unicode, spell
from strongroom.terminal.screen.keys import Editor, Key, Keys
from strongroom.text.quoting import printable_lines

LONGEST_READ: Final = 100 * LONGEST_LINE + 1
"""How many characters of a line are kept: enough for the table to see that it is too long."""
MOST_IN_A_LINE: Final = 1_000_000
"""More characters than this without a newline end the input: it does not consist of lines."""
YES, NO = ("y", "yes"), ("n", "no")
ALONE: Final = "Press Enter when nobody else is looking: "
"""Asked before something private is shown."""
CTRL_Z: Final = "\x1a"
"""In a line, the place where Ctrl-Z was pressed; the line is not finished."""
HIDDEN: Final = "***"
"""Echoed in place of a script's hidden line."""
ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]*+[ -/]*+[@-~]|\x1b.")
"""Escape sequences, which arrow keys leave in a line; they are never part of an answer."""


def plain_text(line: str) -> str:
    """A line without control characters or escape sequences.

    >>> plain_text("3\\x1b[A-4\\t\\0\\x07\\n")
    '3-4 '
    """
    text = ESCAPES.sub("", line.replace("\t", " "))
    return "".join(char for char in text if char.isprintable())


class Leaves(Exception):
    """Raised where a person is asked and leaves; a match stays unfinished."""


class InputEnded(Leaves):
    """There is no more input."""


class EventSource(Protocol):
    """A source of events that can arrive while the user is asked."""

    def fileno(self) -> int:
        """A file descriptor that is readable once an event has arrived."""

    def hear(self) -> str:
        """The text to show for the event, perhaps empty; raises Leaves to end the question."""


class LineSource(ABC):
    """A source of lines, each of which answers a prompt.

    By default a person types them, and each is echoed as it is typed, or never.
    """

    interactive = True
    """Whether a person is at the keyboard, who can be asked again and handed the screen."""
    beside: EventSource | None = None
    """The events to listen to while waiting for a line."""
    put_away: Callable[[], AbstractContextManager[None]] = nullcontext
    """Hides what is private while the job is stopped."""

    @abstractmethod
    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line; if `unseen`, it is not echoed."""

    def pause(self, prompt: str) -> str:
        """The next line, of which nothing is shown."""
        return self.read(prompt, unseen=True)

    def hold(self, prompt: str) -> str:
        """The next line; a script's echo is held until it is known whether it may be shown."""
        return self.read(prompt)

    def release(self, seen: bool, move: str = "") -> None:  # noqa: B027  # only scripts hold lines
        """Echo the held lines: as they are, or as three stars.

        If stars have already replaced a line of the move, `move` is echoed instead of its lines.
        """

    @hearing_signals()
    def wait_for(self, other: int) -> None:
        """Wait until `other` is readable, discarding lines; raises InputEnded at their end."""
        while not _comes_first(other):
            # At EOF it is readable, although it has no byte to read.
            if not any(fcntl.ioctl(sys.stdin.fileno(), termios.FIONREAD, bytes(4))):
                os.read(sys.stdin.fileno(), 1)  # consume the EOF: a later question can be read
                raise InputEnded
            forget_typed(sys.stdin.fileno())


class Keyboard(LineSource):
    """A person at a terminal that shows lines."""

    def __init__(self) -> None:
        _take_any_bytes()
        self._reads_ctrl_z = False
        """Whether the editing library ends a line at Ctrl-Z; otherwise the terminal handles it."""
        with contextlib.suppress(ImportError):
            import readline

            # Editing keys work, but no history is kept: the up arrow must not recall a secret.
            readline.set_auto_history(False)
            if "libedit" not in (readline.__doc__ or ""):
                readline.parse_and_bind(r'"\C-z": "\C-v\C-z\C-m"')
                self._reads_ctrl_z = True

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line typed; an unseen one shows a dot for every key."""
        return self._read_line(prompt, spell("•", has_unicode()) if unseen else None)

    def pause(self, prompt: str) -> str:
        """The next line typed, with no sign of any key."""
        return self._read_line(prompt, "")

    @hearing_signals()
    def _read_line(self, prompt: str, dot: str | None) -> str:
        """The next line; `dot` is shown for every key, None for the keys themselves."""
        draft = ""
        try:
            while True:
                with keep_modes(sys.stdin.fileno()):
                    line = self._typed_on(printable_lines(prompt), dot, draft)
                if CTRL_Z not in line:
                    break
                draft = line.replace(CTRL_Z, "")
                with self.put_away():
                    stop_job()
        except EOFError:
            print()
            raise InputEnded from None
        except (OSError, ValueError, termios.error):  # the terminal is gone
            raise InputEnded from None
        if len(line) > MOST_IN_A_LINE:
            _end_without_lines()
        return plain_text(line[:LONGEST_READ])

    def _typed_on(self, prompt: str, dot: str | None, draft: str) -> str:
        """A line that begins with a draft; at Ctrl-Z it ends, with that character in it."""
        if dot is not None:
            return _read_unseen(prompt, dot, draft, self.beside)
        if self.beside is not None:
            return _read_with_events(prompt, self.beside)
        if not (self._reads_ctrl_z and sys.stdout.isatty()):
            return input(prompt)
        import readline

        read_ctrl_z(sys.stdin.fileno())
        readline.set_startup_hook(lambda: readline.insert_text(draft))
        try:
            return input(prompt)
        finally:
            readline.set_startup_hook(None)


def _read_with_events(prompt: str, beside: EventSource) -> str:
    """A line typed at a prompt, which is repeated below anything printed meanwhile.

    The terminal itself edits the line: readline cannot wait for two sources at once.
    """
    print(prompt, end="", flush=True)
    while _comes_first(beside.fileno()):
        if said := _hear(beside, lambda: print(flush=True)):
            print(f"\n{said}\n{prompt}", end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.removesuffix("\n")


def _hear(beside: EventSource, end_line: Callable[[], object]) -> str:
    try:
        return printable_lines(beside.hear())
    except Leaves:
        end_line()
        raise


def _read_unseen(prompt: str, dot: str, draft: str, beside: EventSource | None = None) -> str:
    # This writes to the user's terminal, because standard output may be a pipe. SIGTSTP would stop
    # the process with its echo off, so it is ignored; Ctrl-Z is a key, and SIGSTOP always stops.
    terminal = sys.stdin.fileno()

    def come_back(*_: object) -> None:
        with contextlib.suppress(termios.error):
            read_key_by_key(terminal)

    with (
        handling(signal.SIGTSTP, signal.SIG_IGN),
        handling(signal.SIGCONT, come_back),
        open(os.ttyname(terminal), "w", errors="replace") as screen,
    ):
        read_key_by_key(terminal)
        keys, line = Keys(), Editor(draft, len(draft))
        screen.write(prompt + dot * len(draft))
        while True:
            screen.flush()
            if beside is not None and _comes_first(beside.fileno()):
                if said := _hear(beside, lambda: screen.write("\n")):
                    screen.write(f"\n{said}\n{prompt}{dot * len(line.text)}")
                continue
            data = os.read(terminal, 1024)
            if not data:
                raise EOFError
            for key in keys.read(data):
                if key is Key.ENTER:
                    screen.write("\n")
                    return line.text
                if key is Key.SUSPEND:
                    screen.write("\n")
                    return line.text + CTRL_Z
                if key is Key.END_OF_INPUT and not line.text:
                    raise EOFError
                before = len(line.text)
                if isinstance(key, str) or key in (Key.BACKSPACE, Key.DELETE_TO_START):
                    line.press(key)
                change = len(line.text) - before
                screen.write(dot * change if change > 0 else "\b \b" * len(dot) * -change)


class Script(LineSource):
    """Lines piped in, echoed after their prompts so that the transcript reads like a game.

    A line can be held until it is known whether it may be shown. An accepted move is public. A move
    that a hidden code forbids must look the same as a mistyped one, whichever of the move's
    questions it answered. So hidden lines are always echoed after the first prompt.
    Events are ignored while a script is read: it answers what it was asked.
    """

    interactive = False

    def __init__(self, echo: bool = True) -> None:
        self._echo = echo
        self._held: list[tuple[str, str]] = []
        self._first = ""
        """The first prompt of the move whose lines are held."""
        self._has_hidden = False
        """Whether stars have already replaced a line of that move."""
        self._ahead: str | None = None
        """The first line, if it was read ahead."""
        self._has_lines = False
        _take_any_bytes()

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line of the script."""
        self.release(seen=False)
        line = self._next(prompt)
        self._show(prompt, line if not unseen or not line else HIDDEN)
        return line

    def hold(self, prompt: str) -> str:
        """The next line of the script; its echo is held."""
        self._first = self._first or prompt
        line = self._next(self._first)
        self._held.append((prompt, line))
        return line

    def _next(self, prompt: str) -> str:
        """The next line; at the end of the script only the prompt is echoed."""
        line, self._ahead = _next_line() if self._ahead is None else self._ahead, None
        self._has_lines = True
        if not line:
            self._held = []
            self._show(prompt, "")
            raise InputEnded
        return plain_text(line)

    @hearing_signals()
    def wait_for(self, other: int) -> None:
        """Wait until `other` is readable; raises InputEnded if the script has no line at all."""
        while not self._has_lines:
            if _comes_first(other):
                return
            self._ahead = _next_line()
            if not self._ahead:
                raise InputEnded
            self._has_lines = True
        select.select([other], [], [])

    def release(self, seen: bool, move: str = "") -> None:
        """Echo the held lines; hidden ones are echoed as one line of stars."""
        held, self._held = self._held, []
        if not held:
            return
        if not seen:
            self._has_hidden = True
            self._show(self._first, HIDDEN)
            return
        for prompt, text in [(self._first, move)] if self._has_hidden else held:
            self._show(prompt, text)
        self._first, self._has_hidden = "", False

    def _show(self, prompt: str, text: str) -> None:
        if self._echo:
            print(printable_lines(prompt) + text, flush=True)


def open_lines(echo: bool = True) -> LineSource:
    """The lines of standard input: a keyboard if it is a terminal, otherwise a script."""
    return Keyboard() if is_typed() else Script(echo)


def confirms(question: str) -> bool:
    """Whether the next line says yes; the end of the input does not."""
    try:
        return open_lines().read(question).strip().lower() in YES
    except InputEnded:
        return False


def is_typed() -> bool:
    """Whether standard input is a terminal."""
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except ValueError:  # it has been closed
        return False


def quiet_keyboard() -> AbstractContextManager[None]:
    """Show nothing of what is typed meanwhile, and discard it, if a person types."""
    return silencing(sys.stdin.fileno()) if is_typed() else nullcontext()


def can_page() -> bool:
    """Whether a person is at a terminal that a page can be drawn on."""
    return is_typed() and sys.stdout.isatty() and can_draw()


# --- what standard input may contain --------------------------------------------------------------


def _take_any_bytes() -> None:
    """Replace undecodable bytes by a character that no answer has, instead of ending the game."""
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":
        with contextlib.suppress(OSError, ValueError):
            sys.stdin.reconfigure(errors="replace")


def _comes_first(other: int) -> bool:
    """Wait until standard input or `other` is readable; whether `other` is."""
    try:
        return other in select.select([sys.stdin, other], [], [])[0]
    except (OSError, TypeError, ValueError):  # standard input is closed
        return False


@hearing_signals()
def _next_line() -> str:
    """The next line, empty at EOF; the rest of a line longer than LONGEST_READ is skipped."""
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
    told = f"The input has a line of more than {MOST_IN_A_LINE:,} characters; nothing more is read."
    print(f"\nstrongroom: {told}", file=sys.stderr)
    raise InputEnded(told)
