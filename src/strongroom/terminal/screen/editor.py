"""A line editor, for the line being typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from strongroom.contract.refusal import LONGEST_LINE
from strongroom.terminal.screen.keys import Key, Pressed

LONGEST: Final = 2 * LONGEST_LINE
"""The most characters that can be typed: enough for the table to see that a line is too long."""


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
                if len(self.text) < LONGEST:
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
