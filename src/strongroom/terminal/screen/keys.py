"""Keys and clicks: what a terminal sends when one is pressed."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from strongroom.terminal.screen.targets import Target


class Key(Enum):
    """A key that types no character."""

    ENTER = "enter"
    ESCAPE = "escape"
    TAB = "tab"
    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"
    HOME = "home"
    END = "end"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    BACKSPACE = "backspace"
    DELETE = "delete"
    DELETE_WORD = "delete word"
    DELETE_TO_START = "delete to the start"
    DELETE_TO_END = "delete to the end"
    HIDE = "hide"
    """Ctrl-X, which hides or shows the person's own secret."""
    SCROLL_UP = "scroll up"
    """The wheel of the mouse."""
    SCROLL_DOWN = "scroll down"
    SUSPEND = "suspend"
    """Ctrl-Z, which stops the job; a display takes it and returns it to nobody."""
    REDRAW = "redraw"
    """Ctrl-L, or anything else that makes the screen stale, like a resize."""
    END_OF_INPUT = "end of input"
    NEWS = "news"
    """Not a key: the other event source has something to read."""


@dataclass(frozen=True, slots=True)
class Click:
    """A click with the first button, at a column and row counted from 0."""

    column: int
    row: int


Pressed = Key | str | Target
"""A key, the character that it types, or what was clicked."""
Sent = Key | str | Click
"""What a terminal sends, before the page says what was clicked."""

CONTROLS: Final = {
    "\n": Key.ENTER,
    "\r": Key.ENTER,
    "\t": Key.TAB,
    "\x7f": Key.BACKSPACE,
    "\x08": Key.BACKSPACE,
    "\x01": Key.HOME,
    "\x02": Key.LEFT,
    "\x04": Key.END_OF_INPUT,
    "\x05": Key.END,
    "\x06": Key.RIGHT,
    "\x0b": Key.DELETE_TO_END,
    "\x0c": Key.REDRAW,
    "\x0e": Key.DOWN,
    "\x10": Key.UP,
    "\x15": Key.DELETE_TO_START,
    "\x17": Key.DELETE_WORD,
    "\x18": Key.HIDE,
    "\x1a": Key.SUSPEND,
}
SEQUENCES: Final = {
    "A": Key.UP,
    "B": Key.DOWN,
    "C": Key.RIGHT,
    "D": Key.LEFT,
    "H": Key.HOME,
    "F": Key.END,
    "1~": Key.HOME,
    "7~": Key.HOME,
    "4~": Key.END,
    "8~": Key.END,
    "3~": Key.DELETE,
    "5~": Key.PAGE_UP,
    "6~": Key.PAGE_DOWN,
}
"""What follows ESC [ or ESC O, without modifiers."""
BUTTONS: Final = {"64": Key.SCROLL_UP, "65": Key.SCROLL_DOWN}
"""The buttons of the mouse that are keys."""
FIRST_BUTTON: Final = "0"
SEQUENCE: Final = re.compile(r"\x1b[\[O]([0-?]*)([ -/]*[@-~])")
BEGUN: Final = re.compile(r"\x1b(\[M.{0,2}|[\[O][ -?]*)?", re.DOTALL)
BROKEN: Final = re.compile(r"\x1b\[[ -?]+[@-~]?")
"""A sequence that no terminal sends, or that a control character interrupts."""
MOUSE: Final = re.compile(r"\x1b\[<([0-9]{1,3});([0-9]{1,4});([0-9]{1,4})([Mm])")
"""What the mouse sends: the button, the column and the row, counted from 1."""
OLD_MOUSE: Final = re.compile(r"\x1b\[M.{3}", re.DOTALL)
"""What it sends if the terminal knows no better; three characters that are not typed."""
LONGEST: Final = 64
"""The most characters of a sequence that are kept; a longer one is no key."""


class Keys:
    """Decodes bytes into keys as they arrive; an incomplete sequence waits for the rest.

    >>> Keys().read(b"3\\x1b[D\\n")
    ['3', <Key.LEFT: 'left'>, <Key.ENTER: 'enter'>]
    """

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._rest = ""
        self._late = ""
        """The beginning of what the mouse sent, if its end did not come in time."""

    @property
    def waits(self) -> bool:
        """Whether an escape sequence is incomplete; it may also be just the Escape key."""
        return bool(self._rest)

    def read(self, data: bytes) -> list[Sent]:
        """The keys completed by these bytes."""
        text = self._rest + self._decode(data)
        if self._late and MOUSE.match(self._late + text):
            text = self._late + text
        self._rest = self._late = ""
        pressed: list[Sent] = []
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                pressed += self._typed(text[at])
                at += 1
            elif BEGUN.fullmatch(text, at):
                self._rest = text[at:][:LONGEST]
                break
            elif found := OLD_MOUSE.match(text, at):
                at = found.end()
            elif found := MOUSE.match(text, at):
                pressed += self._clicked(*found.groups())
                at = found.end()
            elif found := SEQUENCE.match(text, at):
                pressed += self._named(found[1], found[2])
                at = found.end()
            elif found := BROKEN.match(text, at):
                at = found.end()
            else:  # Alt with a key: the key alone
                at += 1
        return pressed

    def give_up(self) -> list[Sent]:
        """Abandon an incomplete sequence: Escape if it was a lone ESC, otherwise no key."""
        rest, self._rest = self._rest, ""
        self._late = rest if rest.startswith("\x1b[<") else ""
        return [Key.ESCAPE] if rest == "\x1b" else []

    def _typed(self, char: str) -> list[Sent]:
        if char in CONTROLS:
            return [CONTROLS[char]]
        return [char] if char.isprintable() else []

    def _clicked(self, button: str, column: str, row: str, end: str) -> list[Sent]:
        if end == "m":  # a button released
            return []
        if button in BUTTONS:
            return [BUTTONS[button]]
        is_click = button == FIRST_BUTTON and int(column) and int(row)
        return [Click(int(column) - 1, int(row) - 1)] if is_click else []

    def _named(self, numbers: str, end: str) -> list[Sent]:
        first = numbers.partition(";")[0]
        key = SEQUENCES.get(first + end if end == "~" else end)
        return [key] if key else []
