"""Keys and clicks: what a terminal sends, what a click chooses, and the line being typed."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from strongroom.contract.refusal import LONGEST_LINE


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
    HELP = "help"
    """F1."""
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


class Kind(Enum):
    """The kinds of targets."""

    TILE = "tile"
    """A tile of the board, at a row and a column."""
    CHOICE = "choice"
    """An answer in a row of them."""
    COMMAND = "command"
    """A command on the bar."""
    ROW = "row"
    """A row of a form."""
    BACK = "back"
    """The arrow before the value of a form's row."""
    NEXT = "next"
    """The arrow behind it."""
    ENTER = "enter"
    """What Enter would do."""


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that a click can choose."""

    kind: Kind
    at: tuple[int, ...] = ()
    """Which one of its kind it is."""


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
    "P": Key.HELP,
    "11~": Key.HELP,
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
LONGEST_SEQUENCE: Final = 64
"""The most characters of a sequence that are kept; a longer one is no key."""
MOST_TYPED: Final = 2 * LONGEST_LINE
"""The most characters that can be typed: enough for the table to see that a line is too long."""
META: Final = "target"
"""The name under which a part of a row carries its target."""


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
                pressed += self._read_char(text[at])
                at += 1
            elif BEGUN.fullmatch(text, at):
                self._rest = text[at:][:LONGEST_SEQUENCE]
                break
            elif found := OLD_MOUSE.match(text, at):
                at = found.end()
            elif found := MOUSE.match(text, at):
                pressed += self._read_click(*found.groups())
                at = found.end()
            elif found := SEQUENCE.match(text, at):
                pressed += self._read_named(found[1], found[2])
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

    def _read_char(self, char: str) -> list[Sent]:
        if char in CONTROLS:
            return [CONTROLS[char]]
        return [char] if char.isprintable() else []

    def _read_click(self, button: str, column: str, row: str, end: str) -> list[Sent]:
        if end == "m":  # a button released
            return []
        if button in BUTTONS:
            return [BUTTONS[button]]
        is_click = button == FIRST_BUTTON and int(column) and int(row)
        return [Click(int(column) - 1, int(row) - 1)] if is_click else []

    def _read_named(self, numbers: str, end: str) -> list[Sent]:
        first = numbers.partition(";")[0]
        key = SEQUENCES.get(first + end if end == "~" else end)
        return [key] if key else []


def mark(text: Text, target: Target, start: int = 0, end: int | None = None) -> Text:
    """Let a part of a text carry a target, wherever the text is put on the page."""
    # Plain values, because rich 13 marshals what a text carries.
    text.apply_meta({META: (target.kind.value, target.at)}, start, end)
    return text


def target_of(style: str | Style) -> Target | None:
    """The click target of a style, or None."""
    found = style.meta.get(META) if isinstance(style, Style) else None
    return None if found is None else Target(Kind(found[0]), tuple(found[1]))


def target_at(row: Text, column: int) -> Target | None:
    """The target at a column of a row, if there is one.

    >>> target_at(mark(Text("1 2"), Target(Kind.CHOICE, (1,)), start=2), 2)
    Target(kind=<Kind.CHOICE: 'choice'>, at=(1,))
    """
    ends = accumulate(map(cell_len, row.plain))
    at = next((number for number, end in enumerate(ends) if end > column), None)
    if at is None:
        return None
    there = (target_of(span.style) for span in reversed(row.spans) if span.start <= at < span.end)
    return next((target for target in there if target is not None), None)


@dataclass
class Editor:
    """The text of a line and the position of the cursor.

    >>> line = Editor()
    >>> for key in ("3", "2", Key.LEFT, "1"):
    ...     line.press(key)
    >>> line.text
    '312'
    """

    text: str = ""
    at: int = 0

    def press(self, key: Pressed) -> None:
        """Apply a key to the line; a key that does not edit is ignored."""
        before, behind = self.text[: self.at], self.text[self.at :]
        match key:
            case str():
                if len(self.text) < MOST_TYPED:
                    before += key
            case Key.BACKSPACE:
                before = before[:-1]
            case Key.DELETE:
                behind = behind[1:]
            case Key.DELETE_WORD:
                kept = before.rstrip()
                before = kept[: kept.rfind(" ") + 1]
            case Key.DELETE_TO_START:
                before = ""
            case Key.DELETE_TO_END:
                behind = ""
            case Key.LEFT:
                before, behind = before[:-1], before[-1:] + behind
            case Key.RIGHT:
                before, behind = before + behind[:1], behind[1:]
            case Key.HOME:
                before, behind = "", before + behind
            case Key.END:
                before, behind = before + behind, ""
        self.text, self.at = before + behind, len(before)
