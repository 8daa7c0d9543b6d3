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
            continue
        line = " " * (len(paragraph) - len(paragraph.lstrip(" ")))
        margin = " " * max(indent, len(line))
        for word in WHOLE.findall(paragraph):
            joined = f"{line} {word}" if line.strip() else line + word
            if line.strip() and cell_len(joined) > width:
                lines.append(line)
                joined = margin + word
            line = joined
        lines.append(line)
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
    own = len(text) - len(text.lstrip(" "))  # a paragraph keeps its own indent
    margin = " " * min(own, width // 2)
    lines = [margin]
    begun = False
    for word in text.split():
        joined = f"{lines[-1]} {word}" if begun else lines[-1] + word
        if cell_len(joined) <= width:
            lines[-1] = joined
        else:
            margin = " " * max(indent, len(margin))
            pieces = chop_cells(word, max(1, width - len(margin)))
            if begun:
                lines.append(margin + pieces[0])
            else:
                lines[-1] += pieces[0]
            lines += [margin + piece for piece in pieces[1:]]
        begun = True
    return lines
