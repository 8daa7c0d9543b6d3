"""The layout of a game's page: what stands where, at any size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from strongroom.terminal.screen.palette import BRASS, LINE, SOFT
from strongroom.terminal.screen.wrapping import wrapped

WIDE: Final = 70
"""From so many columns on, the record stands beside the board."""
LOW: Final = 12
"""A page of fewer rows does without saying who plays."""
LEFT: Final = 40
"""How many columns the board has there, if it needs no more."""
LEAST_INPUT: Final = 8
"""With less room behind a prompt, what is typed goes to a line of its own."""

Part = Callable[[int, int], list[Text]]
"""A part of a page, drawn in a width and at most a height."""


@dataclass
class Sheet:
    """All that stands on a page, before anybody knows its size."""

    top: Callable[[int], list[Text]]
    """Title and score, a rule, and who plays, in a width."""
    board: Part
    record: Part
    says: Text
    """What the referee says, or why a line was refused."""
    keys: Sequence[str] = ()
    heading: Text = field(default_factory=Text)
    """Whose turn it is, and what can be chosen."""
    typed: Sequence[str] = ()
    """The lines of this turn that were answered already, with their prompts."""
    prompt: str = ""
    line: str = ""
    """What is typed behind the prompt."""
    at: int | None = None
    """Where in the line the cursor is; None: nobody is asked."""
    unicode: bool = True


Page = tuple[list[Text], tuple[int, int] | None]
"""The rows of a page, and where the cursor is."""


def arranged(sheet: Sheet, width: int, height: int) -> Page:
    """The page at a size."""
    bottom, cursor = _bottom(sheet, width, height)
    top = sheet.top(width)[: None if height >= LOW else -1]
    says = [_margin(line) for line in _wrap(sheet.says, width - 2)]
    room = height - len(top) - len(bottom)
    says = says[: max(1, room)] if sheet.says.plain else []
    room -= len(says)
    airy = room > (8 if width >= WIDE else 16)
    middle = _middle(sheet, width, max(0, room - 3 if airy else room))
    if airy:
        blank = max(1, room - 2 - len(middle))
        rows = [*top, Text(), *middle, *[Text()] * blank, *says, Text(), *bottom]
    else:
        rows = [*top, *middle, *[Text()] * (room - len(middle)), *says, *bottom]
    rows = rows[-height:] if len(rows) > height else rows
    return rows, cursor and (cursor[0], len(rows) - len(bottom) + cursor[1])


def _middle(sheet: Sheet, width: int, room: int) -> list[Text]:
    if room <= 0:
        return []
    if width < WIDE:
        board = [_margin(row) for row in sheet.board(width - 2, room)][:room]
        left = room - len(board)
        gap = [Text()] if board and left > 4 else []
        record = [_margin(row) for row in sheet.record(width - 2, left - len(gap))]
        return [*board, *gap, *record]
    board = [_margin(row, 2) for row in sheet.board(width // 2, room)][:room]
    wide = max([LEFT, *(cell_len(row.plain) + 3 for row in board)]) if board else 1
    record = sheet.record(width - wide - 1, room)
    rows = []
    for number in range(max(len(board), len(record))):
        row = board[number].copy() if number < len(board) else Text()
        row.pad_right(wide - cell_len(row.plain))
        rows.append(row.append_text(record[number]) if number < len(record) else row)
    return rows


def _bottom(sheet: Sheet, width: int, height: int) -> Page:
    keys = _keys(sheet.keys, width)
    heading = [_margin(line) for line in _wrap(sheet.heading, width - 2)]
    typed = [Text(row, SOFT) for line in sheet.typed for row in wrapped(line, width)]
    asked, cursor = _asked(sheet, width)
    rows = [rule(width, sheet.unicode), *keys, *heading, *typed, *asked]
    if len(rows) > height // 2:  # the prompt is what cannot go
        rows = [*heading[:1], *asked]
    return rows, cursor and (cursor[0], len(rows) - len(asked) + cursor[1])


def _asked(sheet: Sheet, width: int) -> Page:
    if sheet.at is None:
        return [Text(line, SOFT) for line in wrapped(sheet.prompt, width)], None
    return asked(sheet.prompt, sheet.line, sheet.at, width)


def asked(prompt: str, line: str, at: int, width: int) -> tuple[list[Text], tuple[int, int]]:
    """A prompt with the line that is typed behind it, and the cursor in it."""
    lines = wrapped(prompt.rstrip(), width)
    if width - cell_len(lines[-1]) <= LEAST_INPUT:
        lines.append("")
    elif prompt.endswith(" ") and lines[-1]:
        lines[-1] += " "
    column = cell_len(lines[-1])
    room = width - column - 1
    # A long line slides to the left under its prompt, so that the cursor stays in sight.
    start = 0
    while cell_len(line[start:at]) > room:
        start += 1
    seen = line[start:]
    while cell_len(seen) > room:
        seen = seen[:-1]
    rows = [*map(Text, lines[:-1]), Text(lines[-1] + seen)]
    return rows, (column + cell_len(line[start:at]), len(rows) - 1)


def _keys(keys: Sequence[str], width: int) -> list[Text]:
    if not keys:
        return []
    line = next(
        (text for gap in (3, 2, 1) if len(text := (" " * gap).join(keys)) <= width - 2), None
    )
    if line is None:
        while len(" ".join(keys)) > width - 2:
            keys = [*keys[:-2], keys[-1]]
        line = " ".join(keys)
    return [Text(f" {line}", BRASS)]


def key_rows(keys: Sequence[str], width: int) -> list[Text]:
    """What keys do, in as many rows as that takes."""
    if len(wide := "   ".join(keys)) <= width - 2:
        return [Text(f" {wide}", BRASS)]
    rows = [""]
    for key in keys:
        if len(rows[-1]) + len(key) + 2 > width - 1 and rows[-1]:
            rows.append("")
        rows[-1] += f"  {key}" if rows[-1] else f" {key}"
    return [Text(row, BRASS) for row in rows]


def between(left: Text, right: Text, width: int) -> Text:
    """Two texts at the two ends of a row; the right one is cut last."""
    left, right = left.copy(), right.copy()
    right.truncate(width - 4, overflow="ellipsis")
    left.truncate(max(1, width - cell_len(right.plain) - 3), overflow="ellipsis")
    row = Text(" ").append_text(left)
    row.append(" " * max(1, width - cell_len(row.plain) - cell_len(right.plain) - 1))
    return row.append_text(right)


def rule(width: int, unicode: bool) -> Text:
    """A line from side to side."""
    return Text(("─" if unicode else "-") * width, LINE)


def _margin(row: Text, columns: int = 1) -> Text:
    return Text(" " * columns).append_text(row)


def _wrap(text: Text, width: int) -> list[Text]:
    """A styled text in a width, broken between words."""
    if not text.plain:
        return []
    return [Text(line, text.style) for line in wrapped(text.plain, width)]
