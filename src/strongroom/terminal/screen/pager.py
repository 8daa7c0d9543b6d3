"""Long texts: read on the display, with search, or in the user's own pager."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.console import Console
from rich.text import Text

from strongroom.terminal.modes import handling
from strongroom.terminal.printing import can_draw, has_unicode
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.keys import Editor, Key, Pressed
from strongroom.terminal.screen.layout import draw_input, rule, spread, wrap
from strongroom.terminal.screen.palette import BRASS, SOFT

LinesAtWidth = Callable[[int], list[Text]]
"""A text as lines that depend on the width it is wrapped to."""
WIDEST: Final = 90
"""The widest that prose is set on the display, in columns."""
CHROME: Final = 4
"""The rows not available to the text: title, two rules, keys."""
WHEEL: Final = 3
"""How many lines the wheel of the mouse scrolls."""
KEYS = "↑↓ scroll   space next page   / search   n next match   q back"
ASCII_KEYS = "up/down scroll   space next page   / search   n next match   q back"

FEW_KEYS, LAST_KEY = "space next   / search   q back", "/ search   q back"
"""Shorter key help, for narrow screens."""


@dataclass
class Pager:
    """The visible part of a text, and the search in it."""

    display: Display
    title: str
    lines: LinesAtWidth
    top: int = 0
    query: str = ""
    message: str = ""
    _cached: tuple[int, list[Text]] | None = field(default=None, init=False)

    def read(self) -> None:
        """Show the text until the person goes back."""
        for key in self.display.keys(self._draw):
            self.message = ""
            if key in ("q", "Q", "?", Key.HELP, Key.ESCAPE, Key.ENTER, Key.END_OF_INPUT):
                return
            self._press(key, self._wrap(), self.display.size[1] - CHROME)

    def _press(self, key: Pressed | None, lines: Sequence[Text], room: int) -> None:
        end = max(0, len(lines) - room)
        match key:
            case Key.DOWN | "j":
                self.top += 1
            case Key.UP | "k":
                self.top -= 1
            case Key.SCROLL_DOWN:
                self.top += WHEEL
            case Key.SCROLL_UP:
                self.top -= WHEEL
            case Key.PAGE_DOWN | " ":
                self.top += room
            case Key.PAGE_UP | "b":
                self.top -= room
            case Key.HOME | "g":
                self.top = 0
            case Key.END | "G":
                self.top = end
            case "/":
                self.query = self.display.read_line(self._draw)
                self._find(lines, self.top, 1)
            case "n":
                self._find(lines, self.top + 1, 1)
            case "N":
                self._find(lines, self.top - 1, -1)
        self.top = max(0, min(self.top, end))

    def _find(self, lines: Sequence[Text], begin: int, way: int) -> None:
        if not self.query:
            return
        at = begin
        while 0 <= at < len(lines):
            if self.query.lower() in lines[at].plain.lower():
                self.top = at
                return
            at += way
        self.message = "Not found from here on."

    def _wrap(self) -> list[Text]:
        """The text wrapped to the screen's width, cached until the width changes."""
        columns, _ = self.display.size
        if self._cached is None or self._cached[0] != columns:
            self._cached = columns, self.lines(columns - 2)
        return self._cached[1]

    def _draw(self, line: Editor | None = None) -> None:
        columns, rows = self.display.size
        lines = self._wrap()
        room = max(1, rows - CHROME)
        self.top = max(0, min(self.top, max(0, len(lines) - room)))
        shown = [self._highlight(Text(" ").append_text(each)) for each in lines[self.top :][:room]]
        shown += [Text()] * (room - len(shown))
        last = min(len(lines), self.top + room)
        place = "" if len(lines) <= room else f"{last} of {len(lines)} lines"
        edge = rule(columns)
        keys = KEYS if self.display.unicode else ASCII_KEYS
        wide = (keys, FEW_KEYS) if place else ("Esc back",)
        fits = (each for each in wide if len(each) <= columns - 2)
        foot, cursor = Text(f" {self.message or next(fits, LAST_KEY)}", BRASS), None
        if line is not None:
            (*_, foot), (column, _) = draw_input("/", line.text, line.at, columns)
            cursor = (column, rows - 1)
        head = spread(Text(self.title, "bold"), Text(place, SOFT), columns)
        self.display.draw([head, edge, *shown, edge, foot], cursor)

    def _highlight(self, line: Text) -> Text:
        if self.query:
            line.highlight_words([self.query], f"bold reverse {BRASS}", case_sensitive=False)
        return line


def show(title: str, lines: LinesAtWidth) -> None:
    """Show a text on a display of its own."""
    with Display() as display:
        Pager(display, title, lines).read()


def plain(text: str) -> LinesAtWidth:
    """A plain text, wrapped between words."""
    return lambda width: [Text(line) for line in wrap(text, width)]


def markdown(text: str, unicode: bool = True, widest: int = WIDEST) -> LinesAtWidth:
    """A Markdown page, rendered."""
    if not unicode:
        return plain(text)

    from rich.markdown import Markdown  # slow to import, so only on demand

    def lines(width: int) -> list[Text]:
        console = Console(width=min(width, widest), file=None, force_terminal=True, no_color=True)
        return [
            Text.assemble(*((part.text, part.style or "") for part in row))
            for row in console.render_lines(Markdown(text), pad=False)
        ]

    return lines


# --- the user's own pager -------------------------------------------------------------------------


def show_in_users_pager(page: str) -> None:
    """Show a Markdown page in the user's pager; print it if there is none, or it fails."""
    if can_draw() and has_unicode():
        console = Console()
        with console.capture() as rendered:
            for line in markdown(page, widest=console.width)(console.width):
                console.print(line, soft_wrap=True)
        page = rendered.get()
    command = _users_pager()
    if not command or not _show_in(command, page):
        print(page.removesuffix("\n"), flush=True)


def _users_pager() -> list[str]:
    """The pager's command, `less` by default; empty if none is wanted or installed."""
    if os.environ.get("NO_PAGER") or os.environ.get("TERM", "dumb") == "dumb":
        return []
    try:
        wished = shlex.split(os.environ.get("PAGER", "less"))
    except ValueError:  # a quotation mark is missing
        return []
    return wished if wished and wished != ["cat"] and shutil.which(wished[0]) else []


def _show_in(command: list[str], text: str) -> bool:
    """Show the text in a pager; False if it does not start or exits with an error."""
    # For less: show colours, just print a text that fits, and leave the text there at the end.
    environment = {"LESS": "FRX", **os.environ}
    sys.stdout.flush()
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
    except OSError:
        return False
    with handling(signal.SIGINT, signal.SIG_IGN):  # in the pager, Ctrl-C may not mean quit
        process.communicate(text.encode(sys.stdout.encoding or "utf-8", "replace"))
    return process.returncode <= 0
