"""Printing on a terminal: signs it can show, lines that fit, file names, notes on slow work."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache

from strongroom.text.quoting import harmless, quote

TYPE_CHECKING = False  # without importing typing, which takes a tenth of the time to start
if TYPE_CHECKING:
    from typing import Final, TextIO

ASCII: Final = str.maketrans(
    "■□★→←↑↓…·•−×–─╌│╎╭╮╰╯┤┼└┬█▏▎▍▌▋▊▉●▲▸‹›⋮◐◓◑◒",
    "#o*><^v.-*-x---|:++++|+++#       *^><>:|/-\\",
)
"""One character for each, so that the alignment stays; who draws need not know of it."""
SLOW_SERVER: Final = 3.0
"""How long to wait for a server before the message, in seconds."""


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
    known = f"TERM is {quote(name)}" if name else "TERM is not set"
    told = f"{known}, by which no page can be drawn: the game comes in plain lines."
    advice = "For the page, set TERM to what your terminal is, often xterm-256color."
    print(fit(f"{told} {advice}", sys.stderr), file=sys.stderr, flush=True)


def spell(text: str, unicode: bool) -> str:
    """A text with only the characters that the terminal can show.

    >>> spell("dial 1 → 3", unicode=False)
    'dial 1 > 3'
    """
    return text if unicode else text.translate(ASCII)


def fit(text: str, stream: TextIO, indent: int = 0) -> str:
    """A text wrapped between words if the stream is a terminal; otherwise unchanged."""
    try:
        if not stream.isatty():
            return text
        width = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return text
    from strongroom.terminal.screen.layout import wrap_whole  # scripts should not wait for rich

    return wrap_whole(text, width or 80, indent)


def say_if_slow(server: str, what: str = "answer") -> AbstractContextManager[None]:
    """Say on standard error what a server is to do, if the block takes more than a few seconds."""
    return print_if_slow(f"Waiting for {server} to {what} …", SLOW_SERVER)


@contextmanager
def print_if_slow(text: str, seconds: float) -> Iterator[None]:
    """Print a text on standard error if the block takes longer than this."""
    from threading import Timer

    timer = Timer(seconds, print, (text,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


# --- commands ---------------------------------------------------------------------------------


def program() -> str:
    """How the person can call this program: by its name, if the shell finds it."""
    called = sys.argv[0]
    if os.path.basename(called) != "strongroom" or _is_found("strongroom"):
        return "strongroom"
    with contextlib.suppress(OSError):  # the working folder may be gone
        called = min(called, os.path.relpath(called), key=len)
    return shlex.quote(called)


def _is_found(name: str) -> bool:
    """Whether the shell finds a program; importing shutil would take longer than looking."""
    places = [os.path.join(folder, name) for folder in os.get_exec_path()]
    return any(os.path.isfile(place) and os.access(place, os.X_OK) for place in places)


def paste(text: str) -> str:
    """A text with its commands as they can be called from here; each follows a colon or comma.

    In a clone, an extra is installed from the clone, into its own environment.
    """
    called = program()
    if called != "strongroom" and (clone := _clone()) is not None:
        pip = shlex.quote(os.path.join(os.path.dirname(shlex.split(called)[0]), "pip"))
        extra = re.compile(r"pip install 'strongroom(\[[\w-]+\])'")
        text = extra.sub(lambda found: f"{pip} install -e {shlex.quote(clone + found[1])}", text)
    return re.sub(r"(?<=[:,] )( *)strongroom(?= [a-z])", lambda found: found[1] + called, text)


def _clone() -> str | None:
    """The folder of the clone that this program runs from, as seen from here; None if none."""
    folder = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
    if not os.path.isfile(os.path.join(folder, "pyproject.toml")):
        return None
    with contextlib.suppress(OSError):  # the working folder may be gone
        folder = min(folder, os.path.relpath(folder), key=len)
    return folder


def paste_examples(help_text: str) -> str:
    """The help of a command with its examples as they can be called from here.

    An example is an indented line that begins with the program, perhaps behind a pipe, a variable
    or the shell's `source`.
    """
    begins = r"^(  (?:\S.* \| |[A-Z]+=\S+ |source <\()?)strongroom(?= )"
    called = program()
    return re.sub(begins, lambda found: found[1] + called, help_text, flags=re.MULTILINE)


# --- file names, which may hold anything but a slash and NUL --------------------------------------


def file_label(file: str | os.PathLike[str]) -> str:
    r"""A file name for display, in one line without control characters.

    >>> file_label("a\x1b]0;b\nc")
    'a?]0;b?c'
    """
    return harmless(str(file), 400)


def shell_quote(file: str | os.PathLike[str]) -> str:
    r"""A file name quoted for a shell, and safe to print on a terminal.

    >>> print(shell_quote("it is.json"), shell_quote("-x"), shell_quote("a\x1bb"))
    'it is.json' ./-x $'a\x1bb'
    """
    name = f"./{file}" if str(file).startswith("-") else str(file)
    if name.isprintable():
        return shlex.quote(name)
    return f"$'{''.join(map(_escape, os.fsencode(name)))}'"


def _escape(byte: int) -> str:
    if chr(byte) in "'\\":
        return f"\\{chr(byte)}"
    return chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}"
