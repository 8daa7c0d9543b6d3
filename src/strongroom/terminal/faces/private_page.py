"""A private page between plain lines: cleared however it is left, and while the job is stopped."""

from __future__ import annotations

import contextlib
import shutil
import signal
import sys
import termios
from collections.abc import Iterator
from typing import Final

from strongroom.terminal.lines import ALONE, InputEnded, LineSource, is_typed
from strongroom.terminal.modes import (
    Modes,
    handled,
    left_as_found,
    read_ctrl_z,
    restore,
    write_through,
)
from strongroom.terminal.signs import has_second_screen, has_unicode, spelled
from strongroom.text.quoting import printable_lines

BESIDE: Final = "\x1b[?1049h\x1b[2J\x1b[H"
"""Switches to a clean alternate screen."""
BACK: Final = "\x1b[2J\x1b[?1049l"
"""Clears it before switching back."""


class PrivatePage:
    """What only one of two people may read, on a screen that no signal or shell leaves visible.

    A terminal without an alternate screen gets empty lines instead, which push the page off it.
    """

    def __init__(self, lines: LineSource) -> None:
        self._lines = lines
        lines.put_away = self._put_away
        self._shown = False
        self._is_covered = False
        """Whether the page is hidden until its reader is alone again."""
        self._kept: list[str] = []
        """The lines on the page."""
        self._found: Modes = []
        """The terminal's modes before the page was shown."""
        self._held = contextlib.ExitStack()
        """What to undo when the page is left, however that happens."""

    def show(self) -> None:
        """Use the alternate screen."""
        self._held.callback(self._come_back)
        if is_typed():
            terminal = sys.stdin.fileno()
            self._held.enter_context(handled(signal.SIGTSTP, signal.SIG_IGN))
            try:
                self._found = self._held.enter_context(left_as_found(terminal, self._come_back))
                read_ctrl_z(terminal)
            except termios.error:  # the terminal is gone
                raise InputEnded from None
        self._shown = True
        self._turn_to()

    def keep(self, line: str) -> None:
        """Note a line on the page, if it is shown, to show it again after a stop."""
        if self._shown:
            self._kept.append(line)

    def wipe(self) -> None:
        """Clear the page, if it is shown, when what follows is private too."""
        if self._shown:
            self._turn_to()

    def leave(self) -> None:
        """Leave the screen as it was found."""
        self._held.close()

    @contextlib.contextmanager
    def _put_away(self) -> Iterator[None]:
        """Leave the page for the shell, then come back to it as soon as its reader is alone."""
        if not self._shown:
            yield
            return
        kept = self._kept
        self._come_back()
        restore(sys.stdin.fileno(), self._found)
        yield
        read_ctrl_z(sys.stdin.fileno())
        self._shown = True
        self._turn_to()
        if self._is_covered:  # stopped again before anybody was alone
            return
        self._is_covered = True
        try:
            self._lines.pause(ALONE)
        finally:
            self._is_covered = False
        self._turn_to()
        self._kept = kept
        to_terminal("".join(f"{spelled(printable_lines(each), has_unicode())}\n" for each in kept))

    def _turn_to(self) -> None:
        self._kept = []
        if has_second_screen():
            to_terminal(BESIDE)

    def _come_back(self) -> None:
        if self._shown:
            self._shown = False
            self._kept = []
            with contextlib.suppress(OSError, ValueError):  # the terminal is gone
                to_terminal(_back())


def _back() -> str:
    return BACK if has_second_screen() else "\n" * (2 * shutil.get_terminal_size().lines)


def to_terminal(text: str) -> None:
    """Write to the terminal, even if standard output is a pipe."""
    if sys.stdout.isatty():
        write_through(sys.stdout.fileno(), text, sys.stdout.encoding or "utf-8")
        return
    with contextlib.suppress(OSError), open("/dev/tty", "w", encoding="utf-8") as screen:
        screen.write(text)
