"""Targets: what a click chooses on a page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

META: Final = "target"
"""The name under which a part of a row carries its target."""


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


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that a click can choose."""

    kind: Kind
    at: tuple[int, ...] = ()
    """Which one of its kind it is."""


def mark(text: Text, target: Target, start: int = 0, end: int | None = None) -> Text:
    """Let a part of a text carry a target, wherever the text is put on the page."""
    # Plain values, because rich 13 marshals what a text carries.
    text.apply_meta({META: (target.kind.value, target.at)}, start, end)
    return text


def target_of(style: str | Style) -> Target | None:
    """The target that a style is, which looks like nothing; None if it is none."""
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
