"""Text wrapping, between words."""

from __future__ import annotations

import re
from typing import Final

from rich.cells import cell_len, chop_cells

WHOLE: Final = re.compile(r"(?<!\S)(?:strongroom (?:--)?[a-z]+\b(?!:).*|[~/]\w.*|'[^']*'\S*)|\S+")
"""A word, or a unit kept whole for copying: a command, a file path, a quoted string."""


def wrap(text: str, width: int, indent: int = 0) -> list[str]:
    """Wrap a text to a width; `indent` applies to all lines of a paragraph but the first.

    >>> wrap("5 challenged, heads: stands", 16, 2)
    ['5 challenged,', '  heads: stands']
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        for column in _columns(paragraph, width):
            lines += _paragraph(column, max(1, width), min(indent, max(0, width - 4)))
    return lines


def wrap_whole(text: str, width: int, indent: int = 0) -> str:
    """Wrap a text for a scrolling terminal, between words only and not inside a unit to copy.

    >>> print(wrap_whole("It is over. Look at it: strongroom replay 7", 30, 2))
    It is over. Look at it:
      strongroom replay 7
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        if cell_len(paragraph) <= width:
            lines.append(paragraph)
        else:
            own = len(paragraph) - len(paragraph.lstrip(" "))
            units = WHOLE.findall(paragraph)
            lines += _fill(units, width, own, max(indent, own), chops=False)
    return "\n".join(lines)


def _columns(text: str, width: int) -> list[str]:
    """Split a row of columns that is too wide, one column per line."""
    margin = " " * (len(text) - len(text.lstrip(" ")))
    columns = re.split(r"(?<=\S) {2,}(?=\S)", text)
    if cell_len(text) <= width or len(columns) == 1:
        return [text]
    return [columns[0], *(margin + column for column in columns[1:])]


def _paragraph(text: str, width: int, indent: int) -> list[str]:
    if cell_len(text) <= width:
        return [text]  # unchanged, with any runs of blanks between its parts
    own = min(len(text) - len(text.lstrip(" ")), width // 2)  # a paragraph keeps its own indent
    return _fill(text.split(), width, own, max(indent, own))


def _fill(units: list[str], width: int, first: int, rest: int, chops: bool = True) -> list[str]:
    """Lines of units with their indents; `chops`: whether a unit that is too long is cut."""
    lines = [" " * first]
    for number, unit in enumerate(units):
        joined = f"{lines[-1]} {unit}" if number else lines[-1] + unit
        if cell_len(joined) <= width:
            lines[-1] = joined
            continue
        begin, *others = chop_cells(unit, max(1, width - rest)) if chops else [unit]
        if number:
            lines.append(" " * rest + begin)
        else:
            lines[-1] += begin
        lines += [" " * rest + piece for piece in others]
    return lines
