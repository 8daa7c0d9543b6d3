"""The ledger: a game's running record, one numbered row per turn, the players side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from strongroom.contract import Names, Seat, Turn
from strongroom.terminal.screen.palette import BRIGHT, LINE, PLAYERS, SOFT
from strongroom.terminal.screen.wrapping import wrapped

INDENT: Final = 2
"""The indent of a turn's second and later lines."""
LEAST: Final = 6
"""The minimum width of a column in which a turn is readable."""


def rows(
    turns: Sequence[Turn],
    names: Names,
    result_name: str,
    width: int,
    height: int,
    unicode: bool = True,
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
        head.append(fitted(names[seat], column - 1) + " ", f"bold {PLAYERS[seat.index]}")
    head.append(result_name, SOFT)
    room = height - 1
    last = max(0, len(turns) - max(0, scrolled))
    body: list[list[Text]] = []
    first = last
    while first > 0:
        newest = first == len(turns)
        turn = turns[first - 1] if result else turns[first - 1]._replace(result="")
        drawn = _turn(first, turn, number, column, unicode, newest, newest and lit)
        if sum(map(len, body)) + len(drawn) > room:
            break
        body.insert(0, drawn)
        first -= 1
    if first > 0 and len(body) > 1:
        above = f"{'⋮' if unicode else ':'} {first + 1} earlier"
        body[0] = [Text(f"{'':{number + 1}}{above}"[:width], SOFT)]
    return [head, *chain(*body)]


def _turn(
    number: int, turn: Turn, margin: int, column: int, unicode: bool, newest: bool, lit: bool
) -> list[Text]:
    style = f"bold reverse {BRIGHT}" if lit else ("bold" if newest else "")
    index = turn.seat.index if turn.seat else 0
    lines = wrapped(turn.text, column - 1, INDENT)
    drawn = []
    for at, line in enumerate(lines):
        row = Text().append(f"{number if at == 0 else '':>{margin - 1}}  ", SOFT)
        row.append(" " * (column * index))
        row.append(line, style).append(" " * (column - cell_len(line) + column * (1 - index)))
        row.append(turn.result if at == 0 else "", style)
        drawn.append(row)
    if turn.mark:
        dash = "─" if unicode else "-"
        mark = wrapped(f"{dash * 2} {turn.mark} {dash * 2}", 2 * column)
        drawn += [Text(" " * (margin + 1) + line, LINE) for line in mark]
    return drawn


def fitted(text: str, width: int) -> str:
    """A text padded to a width, or cut with an ellipsis if it is longer."""
    if cell_len(text) > width:
        text = set_cell_size(text, width - 1) + "…"
    return set_cell_size(text, width)
