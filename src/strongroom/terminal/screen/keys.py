"""Keys: what a terminal sends when one is pressed."""

from __future__ import annotations

import codecs
import re
from enum import Enum
from typing import Final


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
    REDRAW = "redraw"
    """Ctrl-L, or anything else that makes the screen stale, like a resize."""
    END_OF_INPUT = "end of input"
    NEWS = "news"
    """Not a key: the other event source has something to read."""


Pressed = Key | str
"""A key, or the character that it types."""

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
SEQUENCE: Final = re.compile(r"\x1b[\[O]([0-9;?]*)([ -/]*[@-~])")
BEGUN: Final = re.compile(r"\x1b([\[O][0-9;? -/]{0,32})?")


class Keys:
    """Decodes bytes into keys as they arrive; an incomplete sequence waits for the rest.

    >>> Keys().read(b"3\\x1b[D\\n")
    ['3', <Key.LEFT: 'left'>, <Key.ENTER: 'enter'>]
    """

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._rest = ""

    @property
    def waits(self) -> bool:
        """Whether an escape sequence is incomplete; it may also be just the Escape key."""
        return bool(self._rest)

    def read(self, data: bytes) -> list[Pressed]:
        """The keys completed by these bytes."""
        text = self._rest + self._decode(data)
        self._rest = ""
        pressed: list[Pressed] = []
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                pressed += self._typed(text[at])
                at += 1
            elif found := SEQUENCE.match(text, at):
                pressed += self._named(found[1], found[2])
                at = found.end()
            elif BEGUN.fullmatch(text, at):
                self._rest = text[at:]
                break
            else:  # Alt with a key: the key alone
                at += 1
        return pressed

    def give_up(self) -> list[Pressed]:
        """Abandon an incomplete sequence: Escape if it was a lone ESC, otherwise no key."""
        rest, self._rest = self._rest, ""
        return [Key.ESCAPE] if rest == "\x1b" else []

    def _typed(self, char: str) -> list[Pressed]:
        if char in CONTROLS:
            return [CONTROLS[char]]
        return [char] if char.isprintable() else []

    def _named(self, numbers: str, end: str) -> list[Pressed]:
        first = numbers.partition(";")[0]
        key = SEQUENCES.get(first + end if end == "~" else end)
        return [key] if key else []
