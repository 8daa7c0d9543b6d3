"""A pager: a long text on the display, with search; whoever leaves it is back where they were."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.console import Console
from rich.text import Text

from strongroom.terminal.lines import is_typed
from strongroom.terminal.screen.display import Display, can_draw
from strongroom.terminal.screen.editor import Editor
from strongroom.terminal.screen.keys import Key, Pressed
from strongroom.terminal.screen.layout import asked, between, rule
from strongroom.terminal.screen.palette import BRASS, SOFT
from strongroom.terminal.screen.wrapping import wrapped

Lines = Callable[[int], list[Text]]
"""A text, set in a width."""
FRAME: Final = 4
"""The rows that are not the text's: title, two rules, keys."""
KEYS = "↑↓ scroll   space next page   / search   n next match   q back"
ASCII_KEYS = "up/down scroll   space next page   / search   n next match   q back"

FEW_KEYS, LAST_KEY = "space next   / search   q back", "/ search   q back"
"""Where there is no room for all of them."""


@dataclass
class Pager:
    """What part of a text is in sight, and what is searched for in it."""

    display: Display
    title: str
    lines: Lines
    top: int = 0
    sought: str = ""
    told: str = ""
    _is_set: tuple[int, list[Text]] | None = field(default=None, init=False)

    def read(self) -> None:
        """Show the text until the person goes back."""
        while True:
            _, rows = self.display.size
            lines = self._set()
            if not self.display.is_pasted_into:
                self._draw()
            key = self.display.key()
            self.told = ""
            if key in ("q", "Q", Key.ESCAPE, Key.ENTER, Key.END_OF_INPUT):
                return
            self._press(key, lines, rows - FRAME)

    def _press(self, key: Pressed | None, lines: Sequence[Text], room: int) -> None:
        end = max(0, len(lines) - room)
        match key:
            case Key.DOWN | "j":
                self.top += 1
            case Key.UP | "k":
                self.top -= 1
            case Key.PAGE_DOWN | " ":
                self.top += room
            case Key.PAGE_UP | "b":
                self.top -= room
            case Key.HOME | "g":
                self.top = 0
            case Key.END | "G":
                self.top = end
            case "/":
                self.sought = self._asked_for()
                self._find(lines, self.top, 1)
            case "n":
                self._find(lines, self.top + 1, 1)
            case "N":
                self._find(lines, self.top - 1, -1)
        self.top = max(0, min(self.top, end))

    def _find(self, lines: Sequence[Text], begin: int, way: int) -> None:
        if not self.sought:
            return
        at = begin
        while 0 <= at < len(lines):
            if self.sought.lower() in lines[at].plain.lower():
                self.top = at
                return
            at += way
        self.told = "Not found from here on."

    def _asked_for(self) -> str:
        line = Editor()
        while True:
            if not self.display.is_pasted_into:
                self._draw(line)
            key = self.display.key()
            if key in (Key.ENTER, Key.END_OF_INPUT):
                return line.text
            if key is Key.ESCAPE:
                return ""
            if key is not None:
                line.press(key)

    def _set(self) -> list[Text]:
        """The text in the width that there is; a long one is not set anew for every key."""
        columns, _ = self.display.size
        if self._is_set is None or self._is_set[0] != columns:
            self._is_set = columns, self.lines(columns - 2)
        return self._is_set[1]

    def _draw(self, line: Editor | None = None) -> None:
        columns, rows = self.display.size
        lines = self._set()
        room = max(1, rows - FRAME)
        self.top = max(0, min(self.top, max(0, len(lines) - room)))
        shown = [self._marked(Text(" ").append_text(each)) for each in lines[self.top :][:room]]
        shown += [Text()] * (room - len(shown))
        last = min(len(lines), self.top + room)
        place = "all" if len(lines) <= room else f"{last} of {len(lines)} lines"
        edge = rule(columns, self.display.unicode)
        keys = KEYS if self.display.unicode else ASCII_KEYS
        fits = (each for each in (keys, FEW_KEYS) if len(each) <= columns - 2)
        foot, cursor = Text(f" {self.told or next(fits, LAST_KEY)}", BRASS), None
        if line is not None:
            (*_, foot), (column, _) = asked("/", line.text, line.at, columns)
            cursor = (column, rows - 1)
        head = between(Text(self.title, "bold"), Text(place, SOFT), columns)
        self.display.draw([head, edge, *shown, edge, foot], cursor)

    def _marked(self, line: Text) -> Text:
        if self.sought:
            line.highlight_words([self.sought], f"bold reverse {BRASS}", case_sensitive=False)
        return line


def can_page() -> bool:
    """Whether somebody sits at a terminal that a page can be drawn on."""
    return is_typed() and sys.stdout.isatty() and can_draw()


def page(title: str, lines: Lines) -> None:
    """Show a text on a display of its own."""
    with Display() as display:
        Pager(display, title, lines).read()


def plain(text: str) -> Lines:
    """Lines as they are, wrapped between words."""
    return lambda width: [Text(line) for line in wrapped(text, width)]


def markdown(text: str, unicode: bool = True) -> Lines:
    """A page in Markdown, set."""
    if not unicode:
        return plain(text)

    from rich.markdown import Markdown  # heavy, and nobody waits for it who reads no rules

    def lines(width: int) -> list[Text]:
        console = Console(width=min(width, 90), file=None, force_terminal=True, no_color=True)
        return [
            Text.assemble(*((part.text, part.style or "") for part in row))
            for row in console.render_lines(Markdown(text), pad=False)
        ]

    return lines
