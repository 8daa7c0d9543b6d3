"""What the sections of a page are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from strongroom.measuring.figures import Figures
from strongroom.measuring.report.charts import symbol


def shared(players: Sequence[Figures]) -> list[str]:
    """The games that all players were measured at."""
    return [
        name for name in players[0].results if all(name in each.results for each in players[1:])
    ]


def legend(players: Sequence[Figures]) -> str:
    """The players' marks, if there are several."""
    if len(players) == 1:
        return ""
    keys = (
        f'<span class="key">{symbol(number)} {escape(each.player)}</span>'
        for number, each in enumerate(players)
    )
    return f'<p class="legend">{"".join(keys)}</p>'


def top(kind: str) -> str:
    """The first line of a page, which says what kind of page it is."""
    return (
        '<header class="top"><p class="brand"><span aria-hidden="true">◆</span> strongroom</p>'
        f"<p>{escape(kind)}</p></header>"
    )


def section(title: str, content: str, kind: str = "") -> str:
    """A part of the page under its heading."""
    return f'<section class="part {kind}"><h2>{escape(title)}</h2>{content}</section>'


def folded(title: str, content: str) -> str:
    """What is shown when its title is pressed."""
    return f"<details><summary>{escape(title)}</summary>{content}</details>"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """A table, its columns of figures to the right; a column that says the same is left out."""
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


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
