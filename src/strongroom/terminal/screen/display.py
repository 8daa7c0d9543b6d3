"""The display: a terminal as one page, drawn in place, with the keys that are pressed at it.

While it is open the shell's own screen is put aside; it comes back as it was, scroll-back and all,
however the display is left.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import signal
import sys
import termios
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Self

from rich.console import Console
from rich.style import Style
from rich.text import Span, Text

from strongroom.quoting import printable
from strongroom.terminal.lines import Beside, InputEnded
from strongroom.terminal.modes import (
    forget_typed,
    handled,
    left_as_found,
    read_key_by_key,
    write_through,
)
from strongroom.terminal.screen.keys import Key, Keys, Pressed
from strongroom.terminal.screen.palette import FEW, INK, LIGHT, PAPER
from strongroom.terminal.signs import has_unicode, spelled

OPEN: Final = "\x1b[?1049h\x1b[?25l\x1b[2J"
CLOSE: Final = "\x1b[0m\x1b[2J\x1b[?25h\x1b[?1049l"
"""Wiped before it is left, so that a terminal without a second screen keeps nothing either."""
BEGIN_FRAME, END_FRAME = "\x1b[?2026h\x1b[?25l", "\x1b[?2026l"
ESCAPE_WAIT: Final = 0.05
"""How many seconds after ESC the rest of a sequence may still come."""

AT_ONCE: Final = 1024
"""How many bytes are read at once."""
PASTED: Final = 200
"""So many keys at once were pasted; drawing after each of them would take its time."""


def can_draw() -> bool:
    """Whether the terminal has a second screen to draw on."""
    if os.environ.get("TERM", "dumb") == "dumb":
        return False
    try:
        import curses

        curses.setupterm()
        return bool(curses.tigetstr("smcup") and curses.tigetstr("cup"))
    except Exception:  # no curses here, or a terminal that nobody has described
        return False


def is_light() -> bool:
    """Whether the terminal says that its own ground is light."""
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")


class Display:
    """A terminal that shows one page at a time."""

    def __init__(self) -> None:
        self.unicode = has_unicode()
        self.private = False
        """Whether somebody who comes back after Ctrl-Z may not see what is on the page."""
        self._terminal = sys.stdin.fileno()
        self._console = Console(
            file=io.StringIO(), force_terminal=True, highlight=False, markup=False, emoji=False
        )
        self._colours: Mapping[str, str] = {}
        """What stands for the colours of the palette here."""
        self._ground = Style.null()
        if self._console.color_system == "standard":
            self._colours = FEW
        elif self._console.color_system is not None and not self._console.no_color:
            self._colours = LIGHT if is_light() else {}
            paper = self._colours.get(PAPER, PAPER)
            self._ground = self._style(INK) + Style(bgcolor=paper)
        self._keys = Keys()
        self._pressed: deque[Pressed] = deque()
        self._has_more = False
        """Whether the last keys that were read were as many as can be read at once."""
        self._rows: list[str] = []
        self._awake, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._awake, False)
        self._held = contextlib.ExitStack()
        self._is_open = False

    # --- opening and leaving ---

    def __enter__(self) -> Self:
        try:
            self._held.enter_context(left_as_found(self._terminal, self._close))
            self._held.enter_context(handled(signal.SIGWINCH, self._went_stale))
            self._held.enter_context(handled(signal.SIGTSTP, self._stop))
            self._held.enter_context(handled(signal.SIGCONT, self._come_back))
            self._held.enter_context(self._woken_by_signals())
            sys.stdout.flush()
            self._open()
        except termios.error:  # the terminal is gone
            raise InputEnded from None
        except BaseException:  # Ctrl-C, too
            self._held.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()
        for end in (self._awake, self._wake):
            os.close(end)

    @contextlib.contextmanager
    def _woken_by_signals(self) -> Iterator[None]:
        """Let a signal that comes in the instant before a key is awaited end that waiting, too."""
        if threading.current_thread() is not threading.main_thread():  # which alone hears signals
            yield
            return
        before = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)

    def _open(self) -> None:
        with contextlib.suppress(termios.error):  # whoever reads next finds the terminal gone
            read_key_by_key(self._terminal)
        self._is_open = True
        self._rows = []
        self._write(OPEN)

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            with contextlib.suppress(OSError, ValueError):
                self._write(CLOSE)

    def _stop(self, number: int, _: object) -> None:
        """Ctrl-Z: the shell has its own screen while the game waits, unless eyes could change."""
        if self.private:
            return
        self._close()
        with contextlib.suppress(termios.error):
            modes = termios.tcgetattr(self._terminal)
            modes[3] |= termios.ICANON | termios.ECHO | termios.IEXTEN
            termios.tcsetattr(self._terminal, termios.TCSANOW, modes)
        # Where no shell could wake it again, the system does not let this signal stop anybody.
        with handled(signal.SIGTSTP, signal.SIG_DFL):
            signal.raise_signal(signal.SIGTSTP)
        self._open()
        self._went_stale()

    def _come_back(self, *_: object) -> None:
        """Whoever was stopped without being asked finds the terminal in the shell's modes."""
        if self._is_open:
            self._open()
            self._went_stale()

    def _went_stale(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            os.write(self._wake, b"!")

    # --- drawing ---

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        with contextlib.suppress(OSError):
            columns, rows = os.get_terminal_size(self._terminal)
            if columns and rows:
                return columns, rows
        return 80, 24

    def draw(
        self, rows: Sequence[Text], cursor: tuple[int, int] | None = None, whole: bool = False
    ) -> None:
        """Show these rows, and the cursor at a column and a row; only what changed is written."""
        columns, height = self.size
        drawn = [self._row(row, columns) for row in rows[:height]]
        drawn += [self._row(Text(), columns)] * (height - len(drawn))
        if whole or len(drawn) != len(self._rows):
            self._rows = [""] * height
        parts = [BEGIN_FRAME]
        for number, (new, old) in enumerate(zip(drawn, self._rows, strict=True), 1):
            if new != old:
                parts.append(f"\x1b[{number};1H{new}")
        if cursor is not None:
            parts.append(f"\x1b[{cursor[1] + 1};{cursor[0] + 1}H\x1b[?25h")
        self._rows = drawn
        self._write("".join([*parts, END_FRAME]))

    def _row(self, row: Text, columns: int) -> str:
        row = row.copy()
        row.plain = spelled(printable(row.plain), self.unicode)
        row.truncate(columns, overflow="crop", pad=True)
        row.spans = [Span(each.start, each.end, self._style(each.style)) for each in row.spans]
        row.style = self._ground + self._style(row.style)
        with self._console.capture() as captured:
            self._console.print(row, end="", no_wrap=True, overflow="ignore", crop=False)
        return captured.get()

    def _style(self, style: str | Style) -> Style:
        style = Style.parse(style) if isinstance(style, str) else style
        colour = style.color and self._colours.get(style.color.name)
        return style + Style(color=colour) if colour else style

    def _write(self, text: str) -> None:
        write_through(sys.stdout.fileno(), text, sys.stdout.encoding or "utf-8")

    # --- keys ---

    def key(self, patience: float | None = None, beside: Beside | None = None) -> Pressed | None:
        """The next key; None if none came in so many seconds. Key.REDRAW: the page is stale."""
        heard = [] if beside is None else [beside.fileno()]
        until = None if patience is None else time.monotonic() + patience
        while not self._pressed:
            left = None if until is None else max(0.0, until - time.monotonic())
            if self._keys.waits:
                left = ESCAPE_WAIT
            try:
                ready, _, _ = select.select([self._terminal, self._awake, *heard], [], [], left)
            except (OSError, ValueError):
                raise InputEnded from None
            if self._awake in ready:
                with contextlib.suppress(OSError):
                    os.read(self._awake, 1000)
                self._rows = []
                self._pressed.append(Key.REDRAW)
            elif self._terminal in ready:
                self._read()
            elif ready:
                return Key.NEWS
            elif self._keys.waits:
                self._pressed.extend(self._keys.give_up())
            else:
                return None
        return self._pressed.popleft()

    def _read(self) -> None:
        try:
            data = os.read(self._terminal, AT_ONCE)
        except OSError:
            data = b""
        if not data:  # the terminal is gone
            raise InputEnded
        self._has_more = len(data) == AT_ONCE
        self._pressed.extend(self._keys.read(data))

    @property
    def is_pasted_into(self) -> bool:
        """Whether so many keys wait that nobody could have pressed them one by one."""
        goes_on = self._has_more and 0 < len(self._pressed) <= PASTED
        if goes_on and select.select([self._terminal], [], [], 0)[0]:
            self._read()
        return len(self._pressed) > PASTED

    def stale(self, patience: float) -> bool:
        """Wait so many seconds, or until the page is stale; keys wait for whoever asks for them."""
        ready, _, _ = select.select([self._awake], [], [], patience)
        if ready:
            os.read(self._awake, 1000)
            self._rows = []
        return bool(ready)

    def forget_typed(self) -> None:
        """Throw away keys that were pressed before anybody was asked for them."""
        forget_typed(self._terminal)
        self._keys = Keys()
        self._pressed.clear()
