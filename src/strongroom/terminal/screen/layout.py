"""The layout of a game's page, at any size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from strongroom.terminal.screen.boards import LARGE
from strongroom.terminal.screen.keys import Kind, Target, mark
from strongroom.terminal.screen.palette import BRASS, BRIGHT, LINE, SOFT
from strongroom.terminal.screen.wrapping import wrap

WIDE: Final = 70
"""The minimum width at which the record is shown beside the board."""
LOW: Final = 12
"""Pages with fewer rows omit the row that says who plays."""
OTHERS: Final = 18
"""The rows of a page that the board can never count on."""
LEAST_INPUT: Final = 8
"""If no more columns than this are left after a prompt, the input gets its own line."""

Part = Callable[[int, int], list[Text]]
"""Draws a part of a page, given its width and maximum height."""


@dataclass
class Sheet:
    """The content of a page, independent of its size."""

    top: Callable[[int], list[Text]]
    """Title and score, a rule, and who plays, at a given width."""
    board: Part
    record: Part
    says: Text
    """The words of the referee, or the reason why a line was refused."""
    keys: Sequence[str] = ()
    commands: Sequence[str] = ()
    """The commands that a click on the keys can mark."""
    marked: int | None = None
    """The key that is marked, if any."""
    heading: Text = field(default_factory=Text)
    """Whose turn it is, and what can be chosen."""
    aim: Callable[[int], Text] = lambda width: Text()
    """The effect of Enter, or how to choose, at a given width."""
    typed: Sequence[str] = ()
    """The lines already entered this turn, with their prompts."""
    prompt: str = ""
    line: str = ""
    """The text typed after the prompt."""
    at: int | None = None
    """The cursor's position in the line; None if there is no input."""


Frame = tuple[list[Text], tuple[int, int] | None]
"""The rows of a page, and where the cursor is."""


def arrange(sheet: Sheet, width: int, height: int) -> Frame:
    """Lay out a sheet as a page of this size."""
    bottom, cursor = _bottom(sheet, width, height)
    top = sheet.top(width)[: None if height >= LOW else -1]
    says = [_margin(line) for line in _wrap(sheet.says, width - 2)]
    room = height - len(top) - len(bottom)
    says = says[: max(1, room)] if sheet.says.plain else []
    room -= len(says)
    airy = room > (8 if width >= WIDE else 16)
    space = max(0, room - 3 if airy else room)
    middle = _middle(sheet, width, space, board_height(space, height))
    if airy:
        blank = max(1, room - 2 - len(middle))
        rows = [*top, Text(), *middle, *[Text()] * blank, *says, Text(), *bottom]
    else:
        rows = [*top, *middle, *[Text()] * (room - len(middle)), *says, *bottom]
    rows = rows[-height:] if len(rows) > height else rows
    return rows, cursor and (cursor[0], len(rows) - len(bottom) + cursor[1])


def board_height(room: int, height: int) -> int:
    """The rows for a board, of this room: on a low page no board is drawn large at times."""
    return min(room, max(LARGE - 1, height - OTHERS))


def _middle(sheet: Sheet, width: int, room: int, stage: int) -> list[Text]:
    if room <= 0:
        return []
    if width < WIDE:
        board = centre(sheet.board(width - 2, stage)[:room], width - 2)
        left = room - len(board)
        gap = [Text()] if board and left > 4 else []
        record = [_margin(row) for row in sheet.record(width - 2, left - len(gap))]
        return [*board, *gap, *record]
    board = sheet.board(width // 2, stage)[:room]
    wide = max([width // 2, *(cell_len(row.plain) + 3 for row in board)]) if board else 1
    board = centre(board, wide - 2)
    if room >= LARGE:
        board = [Text()] * ((room - len(board)) // 3) + board
    record = sheet.record(width - wide - 1, room)
    return side_by_side(board, record, wide)


def side_by_side(left: Sequence[Text], right: Sequence[Text], at: int) -> list[Text]:
    """Two blocks of rows, the right one from column `at` on."""
    rows = []
    for number in range(max(len(left), len(right))):
        row = left[number].copy() if number < len(left) else Text()
        row.pad_right(at - cell_len(row.plain))
        rows.append(row.append_text(right[number]) if number < len(right) else row)
    return rows


def _bottom(sheet: Sheet, width: int, height: int) -> Frame:
    keys = _keys(sheet, width)
    heading = [_margin(line) for line in _wrap(sheet.heading, width - 2)]
    typed = [_margin(Text(row, SOFT)) for line in sheet.typed for row in wrap(line, width - 2)]
    aim = _aim(sheet.aim(width - 1), width - 2)
    asked, cursor = _draw_prompt(sheet, width)
    rows = [rule(width), *keys, *heading, *aim, *typed, *asked]
    if len(rows) > height // 2:  # the prompt must stay
        rows = [*heading[:1], *asked]
    return rows, cursor and (cursor[0], len(rows) - len(asked) + cursor[1])


def _aim(aim: Text, width: int) -> list[Text]:
    """The effect of Enter, whole if it fits into a row or two; a strip has its own margin."""
    if aim.plain[:1] in ("", " ", "["):
        return [aim] if aim.plain else []
    if cell_len(aim.plain) <= width:
        return [_margin(aim)]
    first, *rest = _wrap(aim, width)
    if len(rest) > 1:
        rest[0].append(" ").append_text(rest[1]).truncate(width, overflow="ellipsis")
    return [_margin(first), *map(_margin, rest[:1])]


def _draw_prompt(sheet: Sheet, width: int) -> Frame:
    if sheet.at is None:
        return [_margin(Text(line, SOFT)) for line in wrap(sheet.prompt, width - 2)], None
    return draw_input(sheet.prompt, sheet.line, sheet.at, width)


def draw_input(prompt: str, line: str, at: int, width: int) -> tuple[list[Text], tuple[int, int]]:
    """A prompt followed by the line being typed, and the position of the cursor."""
    lines = [f" {row}" for row in wrap(prompt.rstrip(), width - 2)]
    if width - cell_len(lines[-1]) <= LEAST_INPUT:
        lines.append(" ")
    elif prompt.endswith(" ") and lines[-1]:
        lines[-1] += " "
    if width - cell_len(lines[-1]) - 1 < cell_len(line) < width:
        lines.append(" ")  # the whole line fits below its prompt
    column = cell_len(lines[-1])
    room = width - column - 1
    # A long line scrolls to the left, so that the cursor stays visible.
    start = 0
    while cell_len(line[start:at]) > room:
        start += 1
    seen = line[start:]
    while cell_len(seen) > room:
        seen = seen[:-1]
    rows = [*map(Text, lines[:-1]), Text(lines[-1] + seen)]
    return rows, (column + cell_len(line[start:at]), len(rows) - 1)


def _keys(sheet: Sheet, width: int) -> list[Text]:
    keys = sheet.keys
    if not keys:
        return []
    if sheet.marked is not None:
        return [strip(keys, sheet.marked, width - 1, Kind.COMMAND)]
    gap = next((gap for gap in (3, 2) if len((" " * gap).join(keys)) <= width - 2), 2)
    while len(keys) > 1 and len((" " * gap).join(keys)) > width - 2:
        keys = [*keys[:-2], keys[-1]]
    row = Text(style=BRASS)
    for key in keys:
        row.append(" " * (gap if row else 1)).append(key)
        if (command := key.rpartition(" ")[2]) in sheet.commands:
            at = sheet.commands.index(command)
            mark(row, Target(Kind.COMMAND, (at,)), len(row) - len(key))
    return [row]


def strip(names: Sequence[str], marked: int | None, width: int, kind: Kind = Kind.CHOICE) -> Text:
    """Names in a row with one of them marked, or as many around it as fit, behind a margin."""
    first, last = 0, len(names)
    if cut := sum(map(cell_len, names)) + 2 * len(names) > width:
        width -= 5
    while last - first > 1 and sum(map(cell_len, names[first:last])) + 2 * (last - first) > width:
        if (marked or 0) - first > last - 1 - (marked or 0):
            first += 1
        else:
            last -= 1
    row = Text()
    for number in range(first, last):
        # Brackets make the marked one stand out without colour.
        ends = "[]" if number == marked else "  "
        row.append(
            f"{ends[0]}{names[number]}{ends[1]}", f"bold {BRIGHT}" if number == marked else BRASS
        )
        mark(row, Target(kind, (number,)), len(row) - len(names[number]) - 2)
    row.truncate(width, overflow="ellipsis")
    if not cut:
        return row
    begin, end = ("‹" if first else " "), ("›" if last < len(names) else " ")
    return Text(f" {begin} ", SOFT).append_text(row).append(f" {end}", SOFT)


def key_rows(keys: Sequence[str], width: int, marked: int | None = None) -> list[Text]:
    """The key help, in as many rows as it takes, with one of the keys marked, if any."""
    gap = 3 if len("   ".join(keys)) <= width - 2 else 2
    rows = [Text(" ")]
    for number, key in enumerate(keys):
        if len(rows[-1]) + len(key) > width - 1 and len(rows[-1]) > 1:
            rows.append(Text(" "))
        row = rows[-1]
        row.right_crop(1)
        # Brackets make the marked one stand out without colour.
        before, behind = "[]" if number == marked else "  "
        row.append(before, BRIGHT).append(key, f"bold {BRIGHT}" if number == marked else BRASS)
        mark(row, Target(Kind.CHOICE, (number,)), len(row) - len(key))
        row.append(behind, BRIGHT).append(" " * (gap - 1))
    for row in rows:
        row.rstrip()
    return rows


def spread(left: Text, right: Text, width: int) -> Text:
    """A row with a text at each end; the left one is shortened first."""
    left, right = left.copy(), right.copy()
    right.truncate(width - 4, overflow="ellipsis")
    left.truncate(max(1, width - cell_len(right.plain) - 3), overflow="ellipsis")
    row = Text(" ").append_text(left)
    row.append(" " * max(1, width - cell_len(row.plain) - cell_len(right.plain) - 1))
    return row.append_text(right)


def rule(width: int) -> Text:
    """A horizontal line across the page."""
    return Text("─" * width, LINE)


def centre(rows: Sequence[Text], width: int) -> list[Text]:
    """Rows as one block in the middle of a width, and at least a column from its side."""
    widest = max((cell_len(row.plain) for row in rows), default=0)
    return [_margin(row, 1 + max(0, width - widest) // 2) for row in rows]


def _margin(row: Text, columns: int = 1) -> Text:
    return Text(" " * columns).append_text(row)


def _wrap(text: Text, width: int) -> list[Text]:
    """Wrap a styled text to a width, between words."""
    if not text.plain:
        return []
    return [Text(line, text.style) for line in wrap(text.plain, width)]
