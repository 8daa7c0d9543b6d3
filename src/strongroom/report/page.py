"""Pages that need nothing but themselves: the whole document, and the parts that it is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
"""The folder of the package."""
WIDE, MARGIN = 720, 24
"""The width of a picture, and the room around it."""


def document(title: str, sections: Iterable[str]) -> str:
    """A page with this title; its sections are HTML."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)} · strongroom</title>\n<style>\n{style()}</style>\n</head>\n"
        f"<body>\n<main>\n{chr(10).join(sections)}\n</main>\n</body>\n</html>\n"
    )


@cache
def style() -> str:
    """The style of a report, with the colours and typefaces of the page."""
    page, own = (
        (ROOT / each).read_text(encoding="utf-8")
        for each in ("server/page/style.css", "report/style.css")
    )
    tokens = re.search(r"^:root \{.*?^\}\n", page, re.DOTALL | re.MULTILINE)
    assert tokens is not None
    return tokens[0] + own


def picture(plot: str) -> str:
    """A plot as an SVG file of its own, on a card of the page's colours."""
    placed = plot.replace('width="100%"', f'x="{MARGIN}" y="{MARGIN}" width="{WIDE}"', 1)
    height = float(placed.partition('height="')[2].partition('"')[0])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE + 2 * MARGIN}" '
        f'height="{height + 2 * MARGIN:g}"><style>{style()}</style>'
        f'<rect width="100%" height="100%" rx="14" fill="var(--card)"/>{placed}</svg>\n'
    )


# --- parts of a page ------------------------------------------------------------------------------


def banner(kind: str) -> str:
    """The first line of a page, which says what kind of page it is."""
    return (
        '<header class="top"><p class="brand"><span aria-hidden="true">◆</span> strongroom</p>'
        f"<p>{escape(kind)}</p></header>"
    )


def section(title: str, content: str, kind: str = "") -> str:
    """A part of the page under its heading."""
    return f'<section class="part {kind}"><h2>{escape(title)}</h2>{content}</section>'


def details(title: str, content: str) -> str:
    """Content that opens when its title is pressed."""
    return f"<details><summary>{escape(title)}</summary>{content}</details>"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """A table with figures aligned right; a column `player` is left out if there is only one."""
    whole = [tuple(row) for row in rows]
    kept = [
        number
        for number, heading in enumerate(headings)
        if heading != "player" or len({row[number] for row in whole}) > 1
    ]
    right = {
        number
        for number in kept
        if all(row[number][:1] in "0123456789×−–" for row in whole if row[number])
    }

    def cell(tag: str, number: int, text: str) -> str:
        side = ' class="figure"' if number in right else ""
        scope = ' scope="col"' if tag == "th" else ""
        return f"<{tag}{scope}{side}>{escape(text)}</{tag}>"

    head = "".join(cell("th", number, headings[number]) for number in kept)
    body = "".join(
        f"<tr>{''.join(cell('td', number, row[number]) for number in kept)}</tr>" for row in whole
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
