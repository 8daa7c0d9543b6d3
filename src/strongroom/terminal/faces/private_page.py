"""A private page between plain lines: the alternate screen, cleared however it is left."""

from __future__ import annotations

import contextlib
import signal
import sys
import termios
from typing import Final

from strongroom.terminal.lines import InputEnded, is_typed
from strongroom.terminal.modes import handled, left_as_found, write_through

BESIDE: Final = "\x1b[?1049h\x1b[2J\x1b[H"
"""Switches to a clean alternate screen."""
BACK: Final = "\x1b[2J\x1b[?1049l"
"""Clears it before switching back."""


class PrivatePage:
    """What only one of two people may read, on a screen that no signal or shell leaves visible."""

    def __init__(self) -> None:
        self._shown = False
        self._held = contextlib.ExitStack()
        """What to undo when the page is left, however that happens."""

    def show(self) -> None:
        """Use the alternate screen."""
        self._held.callback(self._come_back)
        if is_typed():
            self._held.enter_context(handled(signal.SIGTSTP, signal.SIG_IGN))
            try:
                self._held.enter_context(left_as_found(sys.stdin.fileno(), self._come_back))
            except termios.error:  # the terminal is gone
                raise InputEnded from None
        self._shown = True
        to_terminal(BESIDE)

    def wipe(self) -> None:
        """Clear the page, if it is shown, when what follows is private too."""
        if self._shown:
            to_terminal(BESIDE)

    def leave(self) -> None:
        """Leave the screen as it was found."""
        self._held.close()

    def _come_back(self) -> None:
        if self._shown:
            self._shown = False
            with contextlib.suppress(OSError, ValueError):  # the terminal is gone
                to_terminal(BACK)


def to_terminal(text: str) -> None:
    """Write to the terminal, even if standard output is a pipe."""
    if sys.stdout.isatty():
        write_through(sys.stdout.fileno(), text, sys.stdout.encoding or "utf-8")
        return
    with contextlib.suppress(OSError), open("/dev/tty", "w", encoding="utf-8") as screen:
        screen.write(text)
