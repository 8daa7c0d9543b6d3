"""The display: a terminal that shows one page, redrawn in place, and reads keys.

It uses the alternate screen, so that the shell's own screen and scrollback come back unchanged,
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Self

from rich.console import Console
from rich.style import Style
from rich.text import Span, Text

from strongroom.terminal.lines import ALONE, EventSource, InputEnded
from strongroom.terminal.modes import (
    Modes,
    forget_typed,
    handling,
    keep_modes,
    read_key_by_key,
    restore,
    stop_job,
    write_through,
)
from strongroom.terminal.printing import has_unicode, spell
from strongroom.terminal.screen.keys import (
    Click,
    Editor,
    Key,
    Keys,
    Pressed,
    Sent,
    Target,
    target_at,
    target_of,
)
from strongroom.terminal.screen.palette import INK, PAPER, PLAYERS, page_colours, recolour
from strongroom.text.quoting import printable

OPEN: Final = "\x1b[?1049h\x1b[?25l\x1b[2J"
MOUSE: Final = "\x1b[?1000h\x1b[?1006h"
"""Asks for clicks; with Shift pressed, a terminal still selects text."""
CLOSE: Final = "\x1b[?1006l\x1b[?1000l\x1b[0m\x1b[2J\x1b[H\x1b[?25h\x1b[?1049l"
"""Clears the screen first, so that a terminal without an alternate screen keeps nothing either."""
BEGIN_FRAME, END_FRAME = "\x1b[?2026h\x1b[?25l", "\x1b[?2026l"
ESCAPE_WAIT: Final = 0.05
"""How long the rest of an escape sequence may take to arrive after ESC, in seconds."""

AT_ONCE: Final = 1024
"""The most bytes per read."""


def is_light() -> bool:
    """Whether the terminal reports a light background."""
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")


class Display:
    """A terminal that shows one page at a time."""

    def __init__(self, mouse: bool = True) -> None:
        self._mouse = mouse
        """Whether clicks are asked for."""
        self.unicode = has_unicode()
        self.private = False
        """Whether the page is for one person only, while another might resume a stopped job."""
        self._is_covered = False
        """Whether a private page is hidden until its reader is alone again."""
        self.swapped = False
        """Whether the players have changed seats, and take their colours with them."""
        self._terminal = sys.stdin.fileno()
        self._console = Console(
            file=io.StringIO(), force_terminal=True, highlight=False, markup=False, emoji=False
        )
        self._colours: Mapping[str, str] = {}
        """Replacements for the palette's colours on this terminal."""
        self._ground = Style.null()
        if self._console.color_system is not None and not self._console.no_color:
            self._colours = page_colours(self._console.color_system, is_light())
            self._ground = self._style(INK) + Style(bgcolor=self._colours[PAPER])
        self._keys = Keys()
        self._pressed: deque[Sent] = deque()
        self._rows: list[str] = []
        self._shown: Sequence[Text] = ()
        """The rows of the page, with their targets."""
        self._awake, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._awake, False)
        self._held = contextlib.ExitStack()
        self._found: Modes = []
        """The terminal's modes before the display was opened."""
        self._is_open = False

    # --- opening and leaving ---

    def __enter__(self) -> Self:
        try:
            found = self._held.enter_context(keep_modes(self._terminal, self._close))
            self._found = found
            self._held.enter_context(handling(signal.SIGWINCH, self._went_stale))
            self._held.enter_context(handling(signal.SIGTSTP, self._asked_to_stop))
            self._held.enter_context(handling(signal.SIGCONT, self._come_back))
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
        """Let a signal that arrives just before the wait for a key interrupt that wait, too."""
        if threading.current_thread() is not threading.main_thread():  # it alone gets signals
            yield
            return
        before = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)

    def _open(self) -> None:
        with contextlib.suppress(termios.error):  # the next read finds the terminal gone
            read_key_by_key(self._terminal)
        self._is_open = True
        self._rows = []
        self._write(OPEN + MOUSE * self._mouse)

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            with contextlib.suppress(OSError, ValueError):
                self._write(CLOSE)

    def _asked_to_stop(self, *_: object) -> None:
        """Treat a signal like Ctrl-Z, at the next wait for a key."""
        self._pressed.append(Key.SUSPEND)

    def _suspend(self) -> None:
        """Give the shell its screen and modes, stop the job, and come back to a whole page."""
        self._pressed.clear()  # as the terminal does with what was typed before Ctrl-Z
        self._close()
        restore(self._terminal, self._found)
        stop_job()
        self._is_covered = self.private
        self._open()
        self._went_stale()

    def _come_back(self, *_: object) -> None:
        """Set up the terminal again after SIGSTOP, which leaves it in the shell's modes."""
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
        """Show these rows, with the cursor at a column and row; only changed rows are written."""
        columns, height = self.size
        if self._is_covered:
            rows, cursor = [Text(f" {ALONE}")], (len(ALONE) + 1, 0)
        self._shown = rows[:height]
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
        row.plain = spell(printable(row.plain), self.unicode)
        row.truncate(columns, overflow="crop", pad=True)
        row.spans = [
            Span(each.start, each.end, self._style(each.style))
            for each in row.spans
            if target_of(each.style) is None
        ]
        row.style = self._ground + self._style(row.style)
        with self._console.capture() as captured:
            self._console.print(row, end="", no_wrap=True, overflow="ignore", crop=False)
        return captured.get()

    def _style(self, style: str | Style) -> Style:
        colours = self._colours
        if self.swapped:
            one, two = PLAYERS
            colours = {**colours, one: colours.get(two, two), two: colours.get(one, one)}
        return recolour(style, colours)

    def _write(self, text: str) -> None:
        write_through(sys.stdout.fileno(), text, sys.stdout.encoding or "utf-8")

    # --- keys ---

    def key(
        self, timeout: float | None = None, beside: EventSource | None = None
    ) -> Pressed | None:
        """The next key, or None after `timeout` seconds; Key.REDRAW means a stale page."""
        heard = [] if beside is None else [beside.fileno()]
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            if self._pressed:
                pressed = self._pressed.popleft()
                if pressed is Key.SUSPEND:
                    self._suspend()
                    continue
                if self._is_covered and pressed is Key.ENTER:
                    self._is_covered, pressed = False, Key.REDRAW
                elif self._is_covered and pressed is not Key.REDRAW:
                    continue
                if not isinstance(pressed, Click):
                    return pressed
                if (target := self._target(pressed)) is not None:
                    return target
                continue
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

    def keys(
        self,
        draw: Callable[[], None],
        timeout: float | None = None,
        beside: EventSource | None = None,
    ) -> Iterator[Pressed | None]:
        """The keys as they are pressed, with the page drawn before each wait for one.

        So a paste is not drawn key by key.
        """
        while True:
            if not self._pressed:
                draw()
            yield self.key(timeout, beside)

    def read_line(self, draw: Callable[[Editor], None]) -> str:
        """A line that is typed, drawn as it is; Escape gives an empty one."""
        line = Editor()
        for key in self.keys(lambda: draw(line)):
            if key in (Key.ESCAPE, Key.END_OF_INPUT):
                return ""
            if key is Key.ENTER:
                break
            if key is not None:
                line.press(key)
        return line.text

    def _target(self, click: Click) -> Target | None:
        """The target of a click; None beside the page or where the page offers nothing."""
        if not (self._mouse and click.row < len(self._shown)):
            return None
        return target_at(self._shown[click.row], click.column)

    def _read(self) -> None:
        try:
            data = os.read(self._terminal, AT_ONCE)
        except OSError:
            data = b""
        if not data:  # the terminal is gone
            raise InputEnded
        self._pressed.extend(self._keys.read(data))

    def stale(self, timeout: float) -> bool:
        """Whether the page becomes stale within some seconds; keys stay in the queue."""
        ready, _, _ = select.select([self._awake], [], [], timeout)
        if ready:
            os.read(self._awake, 1000)
            self._rows = []
        return bool(ready)

    def forget_typed(self) -> None:
        """Discard keys that were typed before the prompt."""
        forget_typed(self._terminal)
        self._keys = Keys()
        self._pressed.clear()
