"""A terminal emulator with a second screen, which real ones have and pyte lacks."""

from __future__ import annotations

import copy
from collections import deque
from typing import Any

import pyte

SECOND_SCREEN = 1049


class Emulator(pyte.HistoryScreen):
    """While the second screen is on, the first one is kept with its scroll-back."""

    scrolls = 0
    """How often the second screen had to scroll."""
    _first: tuple[Any, Any, Any] | None = None
    __getattribute__ = object.__getattribute__
    """pyte looks at every attribute for commands to page through the history; nobody pages here."""

    @property
    def display(self) -> list[str]:
        """The lines on the screen; nothing follows the first half of a wide character."""
        columns, rows = range(self.columns), range(self.lines)
        return ["".join([self.buffer[y][x].data for x in columns]) for y in rows]

    @property
    def on_second_screen(self) -> bool:
        return self._first is not None

    def index(self) -> None:
        if self.on_second_screen and self.cursor.y == (self.margins or (0, self.lines - 1))[1]:
            self.scrolls += 1
        super().index()

    def set_mode(self, *modes: int, **how: bool) -> None:
        if how.get("private") and SECOND_SCREEN in modes and self._first is None:
            self._first = copy.deepcopy(self.buffer), self.history, copy.copy(self.cursor)
            nothing: deque[Any] = deque(maxlen=self.history.size)
            self.history = self.history._replace(top=nothing, bottom=nothing.copy())
            self.erase_in_display(2)
        super().set_mode(*modes, **how)

    def reset_mode(self, *modes: int, **how: bool) -> None:
        super().reset_mode(*modes, **how)
        if how.get("private") and SECOND_SCREEN in modes and self._first is not None:
            self.buffer, self.history, self.cursor = self._first
            self._first = None
            self.dirty.update(range(self.lines))
