"""A display without a terminal: keys that were pressed beforehand, and pages that must fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from strongroom.terminal.lines import EventSource, InputEnded
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.keys import Key, Pressed


class Paper(Display):
    """Keeps the last page as text, and checks that every page fits."""

    is_pasted_into = False
    swapped = False

    def __init__(
        self,
        *lines: str,
        size: tuple[int, int] = (80, 24),
        unicode: bool = True,
        mouse: bool = True,
    ) -> None:
        self.unicode = unicode
        self.private = False
        self.page = ""
        self.pages: list[str] = []
        self.cursor: tuple[int, int] | None = None
        self._size = size
        self._to_press: list[Pressed] = [key for line in lines for key in [*line, Key.ENTER]]

    def press(self, keys: Iterable[Pressed]) -> None:
        """Press these keys after the others."""
        self._to_press += keys

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def draw(
        self, rows: Sequence[Text], cursor: tuple[int, int] | None = None, whole: bool = False
    ) -> None:
        columns, height = self._size
        assert len(rows) <= height
        assert max(row.cell_len for row in rows) <= columns, "a row is cut off"
        if cursor is not None:
            assert 0 <= cursor[0] < columns
            assert 0 <= cursor[1] < height
        self.cursor = cursor
        self.page = "\n".join(row.plain.rstrip() for row in rows)
        self.pages.append(self.page)

    def key(
        self, patience: float | None = None, beside: EventSource | None = None
    ) -> Pressed | None:
        if not self._to_press:
            raise InputEnded
        return self._to_press.pop(0)

    def stale(self, patience: float) -> bool:
        return False

    def forget_typed(self) -> None:
        """Nothing to forget: keys are pressed at the right moment here."""
