"""Where a person's lines come from: a keyboard, or a script piped in."""

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
from collections.abc import Callable
from typing import Final, NoReturn, Protocol

from strongroom.contract.refusal import LONGEST_LINE
from strongroom.players import Leaves
from strongroom.quoting import printable_lines
from strongroom.terminal.modes import handled, hearing_signals, left_as_found, read_key_by_key
from strongroom.terminal.screen.editor import Editor
from strongroom.terminal.screen.keys import Key, Keys
from strongroom.terminal.signs import has_unicode, spelled

LONGEST_READ: Final = 100 * LONGEST_LINE + 1
"""Of a longer line no more is kept: enough for the table to see that it is too long."""
MOST_IN_A_LINE: Final = 1_000_000
"""Input that goes on for longer without the end of a line has no lines in it."""
HIDDEN: Final = "***"
"""What is echoed of a script's line that stays hidden."""
ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]*+[ -/]*+[@-~]|\x1b.")
"""What arrow keys and the like leave in a line; it is never part of an answer."""


def plain_text(line: str) -> str:
    """A line without anything that could act on a screen that shows it.

    >>> plain_text("3\\x1b[A-4\\t\\0\\x07\\n")
    '3-4 '
    """
    text = ESCAPES.sub("", line.replace("\t", " "))
    return "".join(char for char in text if char.isprintable())


class InputEnded(Leaves):
    """Nothing more can be read."""


class Beside(Protocol):
    """Something else that can happen while somebody is asked."""

    def fileno(self) -> int:
        """What can be read from once something has happened."""

    def heard(self) -> str:
        """What is to be said of it, if anything is; raises Leaves to break the question off."""


class Lines(Protocol):
    """A source of lines, each the answer to a prompt."""

    interactive: bool
    """Whether a person sits there now, who can be asked again and handed over to."""
    beside: Beside | None
    """What is listened to while a line is awaited."""

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line; one that is to stay unseen is not echoed."""

    def hold(self, prompt: str) -> str:
        """The next line, which is not echoed before it is known whether it may be seen."""

    def release(self, seen: bool, move: str = "") -> None:
        """Echo the lines that are held back: as they are, or as three stars.

        Once stars stood for a line of a move, the move that is seen is echoed as its own text.
        """

    def wait_for(self, other: int) -> None:
        """Wait until something else can be read; InputEnded if there will never be a line here."""


class Keyboard:
    """A person at a terminal."""

    interactive = True
    beside: Beside | None = None

    def __init__(self) -> None:
        _take_any_bytes()
        # Editing keys work, but no line is ever remembered: arrow-up cannot bring back a secret.
        with contextlib.suppress(ImportError):
            import readline

            readline.set_auto_history(False)

    @hearing_signals()
    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line that the person types; of an unseen one, a dot for every key is shown."""
        try:
            with left_as_found(sys.stdin.fileno()):
                asked = printable_lines(prompt)
                if unseen:
                    line = _read_unseen(asked, self.beside)
                else:
                    line = input(asked) if self.beside is None else _heard(asked, self.beside)
        except EOFError:
            print()
            raise InputEnded from None
        except (OSError, ValueError, termios.error):  # the terminal is gone
            raise InputEnded from None
        if len(line) > MOST_IN_A_LINE:
            _end_without_lines()
        return plain_text(line[:LONGEST_READ])

    def hold(self, prompt: str) -> str:
        """The next line; whoever types it sees it."""
        return self.read(prompt)

    def release(self, seen: bool, move: str = "") -> None:
        """Nothing is held back: what is typed is on the screen or not at all."""

    def wait_for(self, other: int) -> None:
        """Wait until something else can be read; what is typed meanwhile is read later."""
        wait_at_keyboard(other)


@hearing_signals()
def wait_at_keyboard(other: int) -> None:
    """Wait until something else can be read; what is typed meanwhile is read later."""
    if _comes_first(other):
        return
    if not _typed_bytes():
        os.read(sys.stdin.fileno(), 1)  # the end, so that who is asked next can answer
        raise InputEnded
    select.select([other], [], [])


def _typed_bytes() -> int:
    """How many bytes can be read from the terminal; none at the end, though it can be read."""
    counted = fcntl.ioctl(sys.stdin.fileno(), termios.FIONREAD, bytes(4))
    return int.from_bytes(counted, sys.byteorder)


def _heard(prompt: str, beside: Beside) -> str:
    """A line typed at a prompt that stands again below whatever is said meanwhile.

    The terminal itself edits it: who waits for two things at once cannot leave that to readline.
    """
    print(prompt, end="", flush=True)
    terminal = sys.stdin.fileno()
    while not _is_typed_next(terminal, beside):
        said = _said(beside, lambda: print(flush=True))
        if said:
            print(f"\n{said}\n{prompt}", end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.removesuffix("\n")


def _is_typed_next(terminal: int, beside: Beside | None) -> bool:
    """Wait for what comes first: something typed, or something heard."""
    if beside is None:
        return True
    ready, _, _ = select.select([terminal, beside.fileno()], [], [])
    return beside.fileno() not in ready


def _said(beside: Beside, end_line: Callable[[], object]) -> str:
    try:
        return printable_lines(beside.heard())
    except Leaves:
        end_line()
        raise


def _read_unseen(prompt: str, beside: Beside | None = None) -> str:
    # On the screen before the person, though standard output may be a pipe. Whoever is stopped by
    # Ctrl-Z and comes back finds the echo on again, so nobody is stopped, but by force.
    terminal = sys.stdin.fileno()

    def come_back(*_: object) -> None:
        with contextlib.suppress(termios.error):
            read_key_by_key(terminal)

    with (
        handled(signal.SIGTSTP, signal.SIG_IGN),
        handled(signal.SIGCONT, come_back),
        open(os.ttyname(terminal), "w", errors="replace") as screen,
    ):
        read_key_by_key(terminal)
        dot = spelled("•", has_unicode())
        keys, line = Keys(), Editor()
        screen.write(prompt)
        while True:
            screen.flush()
            if not _is_typed_next(terminal, beside):
                assert beside is not None
                if said := _said(beside, lambda: screen.write("\n")):
                    screen.write(f"\n{said}\n{prompt}{dot * len(line.text)}")
                continue
            data = os.read(terminal, 1024)
            if not data:
                raise EOFError
            for key in keys.read(data):
                if key is Key.ENTER:
                    screen.write("\n")
                    return line.text
                if key is Key.END_OF_INPUT and not line.text:
                    raise EOFError
                before = len(line.text)
                if isinstance(key, str) or key in (Key.BACKSPACE, Key.DELETE_TO_START):
                    line.press(key)
                change = len(line.text) - before
                screen.write(dot * change if change > 0 else "\b \b" * -change)


class Script:
    """Lines piped in, echoed behind their prompts so that the transcript reads like a game.

    A line can be held back until it is known whether it may be seen: a move that is accepted is
    public, while one that a hidden code forbids must not be told from one that was mistyped, nor
    at which of a move's questions it came. So whatever is hidden stands behind the first prompt.
    Nothing is heard while it is read: a script answers what it was asked.
    """

    interactive = False
    beside: Beside | None = None

    def __init__(self, echo: bool = True) -> None:
        self._echo = echo
        self._held: list[tuple[str, str]] = []
        self._first = ""
        """The first prompt of the move whose lines are held back."""
        self._has_hidden = False
        """Whether stars stood for a line of that move already."""
        self._ahead: str | None = None
        """The first line, if it was read before it was asked for."""
        self._has_lines = False
        _take_any_bytes()

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line of the script."""
        self.release(seen=False)
        line = self._next(prompt)
        self._show(prompt, line if not unseen or not line else HIDDEN)
        return line

    def hold(self, prompt: str) -> str:
        """The next line of the script, for now without its echo."""
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
        """Wait until something else can be read; InputEnded if the script has not a single line."""
        while not self._has_lines:
            if _comes_first(other):
                return
            self._ahead = _next_line()
            if not self._ahead:
                raise InputEnded
            self._has_lines = True
        select.select([other], [], [])

    def release(self, seen: bool, move: str = "") -> None:
        """Echo what is held back; of lines that stay hidden, only that there were some."""
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


def open_lines(echo: bool = True) -> Lines:
    """The lines of standard input: a keyboard's if it is a terminal."""
    return Keyboard() if is_typed() else Script(echo)


def is_typed() -> bool:
    """Whether standard input is a terminal."""
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except ValueError:  # it has been closed
        return False


# --- what standard input may hold -----------------------------------------------------------------


def _take_any_bytes() -> None:
    """Let bytes that are no text stand as signs that no answer has, instead of ending the game."""
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":
        with contextlib.suppress(OSError, ValueError):
            sys.stdin.reconfigure(errors="replace")


def _comes_first(other: int) -> bool:
    """Wait for what can be read first, standard input or something else; whether it is that."""
    try:
        return other in select.select([sys.stdin, other], [], [])[0]
    except (OSError, TypeError, ValueError):  # standard input is closed
        return False


@hearing_signals()
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
