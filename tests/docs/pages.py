"""The text of the documentation's pages, the rows of their tables, and their examples."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).parents[2] / "docs"
CELLS: Final = re.compile(r"(?<!\\)\|")


def page(name: str) -> str:
    """The text of a page, or of its section if one follows the name, like `doors.md#MCP`."""
    file, _, section = name.partition("#")
    text = (DOCS / file).read_text(encoding="utf-8")
    return text.partition(f"\n## {section}\n")[2].partition("\n## ")[0] if section else text


def rows(name: str, *heads: str) -> list[list[str]]:
    """The rows of the only table of a page with these column headings."""
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
    """The code in a cell, in backquotes."""
    return re.findall(r"`([^`]+)`", cell)


def named(name: str, *heads: str) -> list[str]:
    """The code in the first column of a table, in backquotes."""
    return [text for first, *_ in rows(name, *heads) for text in coded(first)]


EXAMPLE = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)


def run_example(page: str, replaced: Mapping[str, str] | None = None) -> tuple[str, str]:
    """What the only example of a page prints, and what the page says that it prints."""
    ((code, told),) = EXAMPLE.findall(page)
    for old, new in (replaced or {}).items():
        code = code.replace(old, new)
    with redirect_stdout(io.StringIO()) as printed:
        run(code)
    return printed.getvalue(), told


def run(code: str) -> None:
    exec(compile(code, "the example of a page", "exec"), {"__name__": "__main__"})
