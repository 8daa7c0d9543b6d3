"""What the pages of the documentation hold: their text, and the rows of their tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).parents[2] / "docs"
CELLS: Final = re.compile(r"(?<!\\)\|")


def page(name: str) -> str:
    """The text of a page."""
    return (DOCS / name).read_text(encoding="utf-8")


def rows(name: str, *heads: str) -> list[list[str]]:
    """The rows of the one table of a page whose columns have these heads."""
    found = []
    for block in re.findall(r"(?:^\|.*\|\n)+", page(name), re.MULTILINE):
        head, _, *lines = (
            [cell.strip() for cell in CELLS.split(line.strip("|"))] for line in block.splitlines()
        )
        if head == list(heads):
            found.append(lines)
    assert len(found) == 1, f"{name} has {len(found)} tables with the columns {heads}"
    return found[0]


def coded(cell: str) -> list[str]:
    """What stands in backquotes in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def named(name: str, *heads: str) -> list[str]:
    """What stands in backquotes in the first column of a table."""
    return [text for first, *_ in rows(name, *heads) for text in coded(first)]
