"""A page that needs nothing but itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
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
        for each in ("server/page/style.css", "measuring/report/style.css")
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
