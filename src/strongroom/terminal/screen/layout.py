"""Rows of a page: wrapped text, keys, a game's board and its turns, laid out at any size."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.style import Style
from rich.text import Text

from strongroom.contract import Drawing, Look, Names, Seat, Tile, Turn
from strongroom.terminal.screen.keys import Kind, Target, mark
from strongroom.terminal.screen.palette import BRASS, BRIGHT, LINE, PLAYERS, SOFT

# --- text in lines --------------------------------------------------------------------------------


WHOLE: Final = re.compile(
    r"(?<!\S)(?:strongroom (?:--)?[a-z]+\b(?![:,]).*|[~/]\w.*|'[^']*'\S*)|\S+"
)
"""A word, or a unit kept whole for copying: a command, a file path, a quoted string."""


def wrap(text: str, width: int, indent: int = 0) -> list[str]:
    """Wrap a text to a width; `indent` applies to all lines of a paragraph but the first.

    >>> wrap("5 challenged, heads: stands", 16, 2)
    ['5 challenged,', '  heads: stands']
    """
    indent = min(indent, max(0, width - 4))
    return [
        line
        for paragraph in text.split("\n")
        for column in _columns(paragraph, width)
        for line in _fill(column, column.split(), max(1, width), indent, width // 2)
    ]


def wrap_whole(text: str, width: int, indent: int = 0) -> str:
    """Wrap a text for a scrolling terminal, between words only and not inside a unit to copy.

    >>> print(wrap_whole("It is over. Look at it: strongroom replay 7", 30, 2))
    It is over. Look at it:
      strongroom replay 7
    """
    paragraphs = text.split("\n")
    return "\n".join(
        line
        for paragraph in paragraphs
        for line in _fill(paragraph, WHOLE.findall(paragraph), width, indent)
    )


def _columns(text: str, width: int) -> list[str]:
    """Split a row of columns that is too wide, one column per line."""
    margin = " " * (len(text) - len(text.lstrip(" ")))
    columns = re.split(r"(?<=\S) {2,}(?=\S)", text)
    if cell_len(text) <= width or len(columns) == 1:
        return [text]
    return [columns[0], *(margin + column for column in columns[1:])]


def _fill(
    text: str, units: list[str], width: int, indent: int, deepest: int | None = None
) -> list[str]:
    """A paragraph, which keeps its own indent, as lines of its units.

    With a `deepest` indent, a unit that is too long is cut.
    """
    if cell_len(text) <= width:
        return [text]  # unchanged, with any runs of blanks between its parts
    first = len(text) - len(text.lstrip(" "))
    first = first if deepest is None else min(first, deepest)
    rest = " " * max(indent, first)
    lines = [" " * first]
    for number, unit in enumerate(units):
        joined = f"{lines[-1]} {unit}" if number else lines[-1] + unit
        if cell_len(joined) <= width:
            lines[-1] = joined
            continue
        room = max(1, width - len(rest))
        begin, *others = [unit] if deepest is None else chop_cells(unit, room)
        if number:
            lines.append(rest + begin)
        else:
            lines[-1] += begin
        lines += [rest + piece for piece in others]
    return lines


# --- rows ----------------------------------------------------------------------------------------


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
    left.truncate(max(1, width - right.cell_len - 3), overflow="ellipsis")
    row = Text(" ").append_text(left)
    row.append(" " * max(1, width - row.cell_len - right.cell_len - 1))
    return row.append_text(right)


def rule(width: int) -> Text:
    """A horizontal line across the page."""
    return Text("─" * width, LINE)


def centre(rows: Sequence[Text], width: int) -> list[Text]:
    """Rows as one block in the middle of a width, and at least a column from its side."""
    widest = max((row.cell_len for row in rows), default=0)
    return [margin(row, 1 + max(0, width - widest) // 2) for row in rows]


def margin(row: Text, columns: int = 1) -> Text:
    """A row behind a margin."""
    return Text(" " * columns).append_text(row)


def paragraph(text: str, width: int, style: str | Style = "", indent: int = 0) -> list[Text]:
    """A text as rows with a margin at each side."""
    return [margin(Text(line, style)) for line in wrap(text, width - 2, indent) if text]


# --- a game's board and its turns ----------------------------------------------------------------


FRAME: Final = tuple("╭─╮│╰╯")
BROKEN: Final = tuple("╭╌╮╎╰╯")
"""The frame of a tile that is not yet decided."""
FAINT, ASCII_FAINT = "·", "."
POINTER = "▲"
SIGNS: Final = {Look.PENDING: "?", Look.CHOSEN: "▸", Look.BEST: "★", Look.OWN: "("}
"""What stands before the label of a framed tile that is marked."""
BRACKETS: Final = {
    **dict.fromkeys((Look.TOUCHED, Look.LIT, Look.CHOSEN), "[]"),
    Look.PENDING: "??",
    Look.BEST: "★ ",
    Look.OWN: "()",
}
"""What stands around a tile of a plane that is marked."""
WIDEST_GAP: Final = 5
"""The most columns between the tiles of a large plane."""
GAP: Final = 3
"""The columns between framed tiles, where there is room."""


LARGE: Final = 16
"""From so many rows on, a board is drawn larger than it need be."""
GLYPHS: Final = {
    "1": ("╺┓ ", " ┃ ", "╺┻╸"),
    "2": ("╺━┓", "┏━┛", "┗━╸"),
    "3": ("╺━┓", " ━┫", "╺━┛"),
    "4": ("╻ ╻", "┗━┫", "  ╹"),
    "5": ("┏━╸", "┗━┓", "╺━┛"),
    "6": ("┏━╸", "┣━┓", "┗━┛"),
    "7": ("╺━┓", "  ┃", "  ╹"),
    "8": ("┏━┓", "┣━┫", "┗━┛"),
    "9": ("┏━┓", "┗━┫", "╺━┛"),
    "X": ("╲ ╱", " ╳ ", "╱ ╲"),
    "O": ("╭─╮", "│ │", "╰─╯"),
}
"""The texts of large tiles, drawn with lines."""


def board(drawing: Drawing, width: int, unicode: bool = True, height: int = 0) -> list[Text]:
    """A drawing as rows of text that fit a width; empty if there is too little room for it.

    It is drawn larger if it has many rows to fill.
    """
    large = height >= LARGE
    if not drawing.framed:
        return _plane(drawing.rows, width, unicode, height if large else 0)
    return [
        row
        for number, tiles in enumerate(drawing.rows)
        for row in _framed_rows(number, tiles, width, unicode, large)
    ]


def style(tile: Tile) -> str:
    """The style of a tile, from its owner or its look."""
    if tile.look is Look.PENDING:
        return f"dim {PLAYERS[tile.owner.index] if tile.owner else BRIGHT}"
    if tile.look is Look.LIT:
        return f"bold reverse {PLAYERS[tile.owner.index] if tile.owner else BRIGHT}"
    marked = {
        Look.CHOSEN: f"bold reverse {BRASS}",
        Look.BEST: f"bold underline {BRASS}",
        Look.OWN: f"bold underline {BRIGHT}",
    }
    if tile.look in marked:
        return marked[tile.look]
    if tile.owner is not None:
        return f"bold {PLAYERS[tile.owner.index]}"
    return {Look.FAINT: SOFT, Look.TOUCHED: f"bold {BRIGHT}", Look.PLAIN: "bold"}[tile.look]


def _framed_rows(
    number: int, tiles: tuple[Tile, ...], width: int, unicode: bool, large: bool
) -> list[Text]:
    breadth = max((len(tile.text) for tile in tiles), default=0) or 1
    inner, tall = breadth + 2, 1
    if large:
        sizes = ((11, 5), (7, 3), (5, 3))
        fits = (size for size in sizes if len(tiles) * (size[0] + 2) + GAP <= width)
        inner, tall = next((size for size in fits if size[0] > breadth), (inner, tall))
    gap = GAP if len(tiles) * (inner + 2 + GAP) <= width else 0
    if len(tiles) * (inner + 2) > width:
        return _bare_rows(number, tiles)
    top, bottom, labels = Text(), Text(), Text()
    inside = [Text() for _ in range(tall)]
    for column, tile in enumerate(tiles):
        starts = len(top)
        corner, across, other, side, low, last = BROKEN if tile.look is Look.PENDING else FRAME
        frame = style(tile) if tile.look is Look.LIT else SOFT
        marked = tile.look not in (Look.PLAIN, Look.FAINT, Look.LIT)
        frame = f"bold {BRASS}" if marked else frame.replace("reverse ", "")
        top.append(f"{corner}{across * inner}{other}", frame).append(" " * gap)
        for row, shown in zip(inside, _inside(tile.text, inner, tall, unicode), strict=True):
            row.append(side, frame).append(shown, style(tile)).append(side, frame)
            row.append(" " * gap)
        bottom.append(f"{low}{across * inner}{last}", frame).append(" " * gap)
        sign = SIGNS.get(tile.look, POINTER) if marked else " "
        label = f"{sign}{tile.label}" + ")" * (tile.look is Look.OWN)
        labels.append(f"{label:^{inner + 2}}"[: inner + 2], BRASS if marked else SOFT)
        labels.append(" " * gap)
        for row in (top, *inside, bottom, labels):
            mark(row, Target(Kind.TILE, (number, column)), starts, starts + inner + 2)
    rows = [top, *inside, bottom, labels]
    for row in rows:
        row.rstrip()
    return rows


def _inside(text: str, inner: int, tall: int, unicode: bool) -> list[str]:
    """The inside of a frame: a text in its middle, drawn with lines where there is room."""
    drawn = GLYPHS.get(text) if unicode and tall >= len(GLYPHS["1"]) else None
    rows = list(drawn or (text,))
    above = (tall - len(rows)) // 2
    rows = [""] * above + rows + [""] * (tall - len(rows) - above)
    return [f"{row:^{inner}}" for row in rows]


def _bare_rows(number: int, tiles: tuple[Tile, ...]) -> list[Text]:
    """Tiles and labels alone, for a screen too narrow for frames."""
    marks, labels = Text(), Text()
    for column, tile in enumerate(tiles):
        starts = len(marks)
        breadth = max(len(tile.text), len(tile.label), 1) + 1
        marks.append(f"{tile.text or '_':{breadth}}", style(tile))
        labels.append(f"{tile.label:{breadth}}", SOFT)
        for row in (marks, labels):
            mark(row, Target(Kind.TILE, (number, column)), starts)
    return [marks, labels]


def _plane(rows: Sequence[Sequence[Tile]], width: int, unicode: bool, height: int) -> list[Text]:
    """Rows of tiles, two columns apart, or one where space is tight, or more where it is not."""
    breadth = max((len(tile.text) for tiles in rows for tile in tiles), default=0)
    across = max(map(len, rows), default=0)
    airy = across and height > 2 * len(rows) and across * (breadth + 3) <= width
    between = next((gap for gap in (2, 1) if across * (breadth + gap) + 2 - gap <= width), 0)
    if airy:
        between = min(WIDEST_GAP, width // across - breadth)
    drawn = [
        _plane_row(number, tiles, breadth, FAINT if unicode else ASCII_FAINT, between)
        for number, tiles in enumerate(rows if between else ())
    ]
    return [row for each in drawn for row in (each, Text())][:-1] if airy else drawn


def _plane_row(number: int, tiles: Sequence[Tile], breadth: int, dot: str, between: int) -> Text:
    row, before = Text(), ""
    for column, tile in enumerate(tiles):
        faint = tile.look is Look.FAINT
        text = dot if faint else tile.text
        # Brackets make marked tiles stand out without colour.
        closed = before or " "
        brackets = BRACKETS.get(tile.look, "  ")
        opened, before = brackets[0], brackets[1]
        if between == 1:
            row.append(opened if opened != " " else closed, BRASS)
        else:
            gap = closed + " " * (between - 2) if row else " " * (between - 2)
            row.append(gap + opened, BRASS)
        row.append(f"{text:>{breadth}}", LINE if faint else style(tile))
        aimed = Target(Kind.TILE, (number, column))
        mark(row, aimed, max(0, len(row) - breadth - between // 2), len(row) + 1)
    return row.append(before or " ", BRASS)


INDENT: Final = 2
"""The indent of a turn's second and later lines."""
LEAST: Final = 6
"""The minimum width of a column in which a turn is readable."""


def ledger_rows(
    turns: Sequence[Turn],
    names: Names,
    result_name: str,
    width: int,
    height: int,
    scrolled: int = 0,
    lit: bool = False,
) -> list[Text]:
    """The ledger at a size: the newest turns, or older ones if it is scrolled back.

    `lit` highlights the last turn, which won the game.
    """
    number = len(str(len(turns) + 1)) + 1
    result = max([len(result_name), *(len(turn.result) for turn in turns)]) + 1
    if not result_name or width - number - 1 - result < 2 * LEAST:
        result_name, result = "", 0  # the board shows it too
    column = (width - number - 1 - result) // 2
    if height < 2 or column < LEAST:
        return []
    head = Text().append(f"{'#':>{number - 1}}  ", SOFT)
    for seat in Seat:
        head.append(pad_or_cut(names[seat], column - 1) + " ", f"bold {PLAYERS[seat.index]}")
    head.append(result_name, SOFT)
    room = height - 1
    last = max(0, len(turns) - max(0, scrolled))
    body: list[list[Text]] = []
    first = last
    while first > 0:
        newest = first == len(turns)
        turn = turns[first - 1] if result else turns[first - 1]._replace(result="")
        drawn = _turn(first, turn, number, column, newest, newest and lit)
        if sum(map(len, body)) + len(drawn) > room:
            break
        body.insert(0, drawn)
        first -= 1
    if first > 0 and len(body) > 1:
        body[0] = [Text(f"{'':{number + 1}}⋮ {first + 1} earlier"[:width], SOFT)]
    return [head, *chain(*body)]


def _turn(number: int, turn: Turn, margin: int, column: int, newest: bool, lit: bool) -> list[Text]:
    style = f"bold reverse {BRIGHT}" if lit else ("bold" if newest else "")
    index = turn.seat.index if turn.seat else 0
    lines = wrap(turn.text, column - 1, INDENT)
    drawn = []
    for at, line in enumerate(lines):
        row = Text().append(f"{number if at == 0 else '':>{margin - 1}}  ", SOFT)
        row.append(" " * (column * index))
        row.append(line, style).append(" " * (column - cell_len(line) + column * (1 - index)))
        row.append(turn.result if at == 0 else "", style)
        drawn.append(row)
    if turn.mark:
        mark = wrap(f"── {turn.mark} ──", 2 * column)
        drawn += [Text(" " * (margin + 1) + line, LINE) for line in mark]
    return drawn


def pad_or_cut(text: str, width: int) -> str:
    """A text padded to a width, or cut with an ellipsis if it is longer."""
    if cell_len(text) > width:
        text = set_cell_size(text, width - 1) + "…"
    return set_cell_size(text, width)


# --- a game's page --------------------------------------------------------------------------------


SPACIOUS: Final = 100
"""The minimum width at which the record takes more than half of it."""
WIDE: Final = 70
"""The minimum width at which the record is shown beside the board."""
AIRY: Final = (28, 22)
"""From how many rows on a page has blank rows: a narrow one, and one of at least that width."""
MOST_KEPT: Final = 3
"""How many rows of what is said are worth more than the keys of a low page."""
OTHERS: Final = 18
"""The rows of a page that the board can never count on."""
BELOW: Final = 8
"""The rows below a board that a low page keeps, whatever they say at the moment."""
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
    newest_last: bool = False
    """Whether the last line of what is said matters most, where there is too little room."""
    keys: Sequence[str] = ()
    only_keys: bool = False
    """Whether nothing can be typed, so that the keys stay also on a low page."""
    commands: Sequence[str] = ()
    """The commands that a click on the keys can mark."""
    marked: int | None = None
    """The key that is marked, if any."""
    heading: Text = field(default_factory=Text)
    """Whose turn it is, and what can be chosen."""
    own: str = ""
    """What a sole viewer has hidden, which a page too low for the row of players says there."""
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
    """Lay out a sheet as a page of this size, on which no message moves the board.

    If there is too little room for the board and a sentence, the rest goes: first the keys.
    """
    wide = width >= WIDE
    asked, cursor = _draw_prompt(sheet, width)
    title, line, players = ([row] for row in sheet.top(width))
    keys = [rule(width), *_keys(sheet, width)]
    heading = paragraph(sheet.heading.plain, width, sheet.heading.style)
    aim = _aim(sheet.aim(width - 1), width)
    typed = [row for each in sheet.typed for row in paragraph(each, width, SOFT) or [Text()]]
    says = paragraph(sheet.says.plain, width, sheet.says.style)
    board = len(sheet.board(width // 2 if wide else width - 2, 0)) if sheet.keys else 0
    for part in (line, players, title) if board else ():  # by the size alone: the board stays
        if len(title) + len(line) + len(players) > max(0, height - board - BELOW):
            part.clear()
    parts = [title, line, players, keys, heading, aim, typed, asked]
    least = board + min(len(says), MOST_KEPT if sheet.keys else height)
    if sheet.marked is not None and sum(map(len, parts)) + least > height:
        del keys[:1]  # that keys give commands now is seen on the lowest page
    first = [] if sheet.only_keys or sheet.marked is not None else [keys]
    for part in (*first, line, players, typed, title, heading, aim):
        if sum(map(len, parts)) + least > height:
            part.clear()
    if heading and sheet.own and not players:
        heading[0].append(f" · {sheet.own}").truncate(width, overflow="ellipsis")
    room = height - sum(map(len, parts))
    said = sheet.says.plain.split("\n")
    while len(says) > (kept := max(1, room - board)) and sheet.newest_last and len(said) > 1:
        said = said[1:]
        says = paragraph("\n".join(said), width, sheet.says.style)
    if len(says) > kept:
        says = says[:kept]
        says[-1].append(" …")
        says[-1].truncate(width, overflow="ellipsis")
    room -= len(says)
    airy = height >= AIRY[wide] and room > board + 1
    # What is said grows and shrinks, and the record beside the board does not move for it.
    calm = 0 if sheet.only_keys or height < AIRY[True] else max(0, MOST_KEPT - len(says))
    middle = _middle(sheet, width, room - 2 if airy else room, height, calm)
    rows = [*title, *line, *players, *[Text()] * airy, *middle]
    bottom = [*says, *[Text()] * airy, *keys, *heading, *aim, *typed, *asked]
    rows += [Text()] * (height - len(rows) - len(bottom))
    rows = [*rows, *bottom][-height:]
    return rows, cursor and (cursor[0], len(rows) - len(asked) + cursor[1])


def shows_whole(sheet: Sheet, width: int, height: int) -> bool:
    """Whether a page of this size has room for all that is said."""
    said = " ".join(row.plain.strip() for row in arrange(sheet, width, height)[0])
    return " ".join(sheet.says.plain.split()) in " ".join(said.split())


def board_height(room: int, height: int) -> int:
    """The rows for a board, of this room: on a low page no board is drawn large at times."""
    return min(room, max(LARGE - 1, height - OTHERS))


def _middle(sheet: Sheet, width: int, room: int, height: int, calm: int) -> list[Text]:
    if room <= 0:
        return []
    stage = board_height(room, height)
    if width < WIDE:
        board = centre(sheet.board(width - 2, stage)[:room], width - 2)
        left = room - len(board)
        gap = [Text()] if board and left > 4 else []
        return [*board, *gap, *map(margin, sheet.record(width - 2, left - len(gap)))]
    board = sheet.board(width // 2, stage)[:room]
    least = width // 2 if width < SPACIOUS else 2 * width // 5
    wide = max([least, *(row.cell_len + 3 for row in board)]) if board else 1
    board = centre(board, wide - 2)
    if (high := height - OTHERS) >= LARGE // 2:
        board = [Text()] * min(room - len(board), (high - len(board)) // 3) + board
    return side_by_side(board, sheet.record(width - wide - 1, room - calm), wide)


def side_by_side(left: Sequence[Text], right: Sequence[Text], at: int) -> list[Text]:
    """Two blocks of rows, the right one from column `at` on."""
    rows = []
    for number in range(max(len(left), len(right))):
        row = left[number].copy() if number < len(left) else Text()
        row.pad_right(at - row.cell_len)
        rows.append(row.append_text(right[number]) if number < len(right) else row)
    return rows


def _aim(aim: Text, width: int) -> list[Text]:
    """The effect of Enter, whole if it fits into a row or two; a strip has its own margin."""
    if aim.plain[:1] in ("", " ", "["):
        return [aim] if aim.plain else []
    first, *rest = paragraph(aim.plain, width, aim.style)
    if len(rest) > 1:
        rest[0].append_text(rest[1]).truncate(width - 1, overflow="ellipsis")
    return [mark(row, Target(Kind.ENTER)) for row in (first, *rest[:1])]


def _draw_prompt(sheet: Sheet, width: int) -> Frame:
    if sheet.at is None:
        return paragraph(sheet.prompt, width, SOFT) or [Text()], None
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
