"""A report as one page: plots, tables, the worst moves, and how it was measured.

The page needs nothing but itself. Whatever comes from the report is escaped, because anybody may
have edited the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from strongroom.contract import Json
from strongroom.measuring.figures import Figures
from strongroom.measuring.report.costs import profiles, sizes
from strongroom.measuring.report.method import method
from strongroom.measuring.report.parts import listed, section
from strongroom.measuring.report.scores import head, score_by_game
from strongroom.measuring.report.worst import worst

ROOT: Final = Path(__file__).parents[2]
"""The folder of the package."""
BEGINS: Final = "<!-- strongroom measure -->\n<!doctype html>\n"
"""How every page begins."""
NO_COSTS: Final = (
    "<p>What a move costs is known exactly against <code>master</code> only, so there are no "
    "costs here, and luck is not taken out.</p>"
)


def html(measurement: Json, others: Sequence[Json] = ()) -> str:
    """The page of a measurement; with others, their players stand beside it in the plots."""
    players = [Figures.read(each) for each in (measurement, *others)]
    names = listed([each.player for each in players])
    title = escape(f"{names} against {players[0].against}")
    return (
        f'{BEGINS}<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title} · strongroom</title>\n<style>\n{style()}</style>\n</head>\n"
        f"<body>\n<main>\n{chr(10).join(_sections(players, names))}\n</main>\n</body>\n</html>\n"
    )


def _sections(players: Sequence[Figures], names: str) -> Iterator[str]:
    yield from head(players, names)
    yield score_by_game(players)
    if all(game.profile for each in players for game in each.results.values()):
        yield profiles(players)
        yield sizes(players)
        yield worst(players[0], named=len(players) > 1)
    else:
        yield section("Costs", NO_COSTS)
    yield method(players)


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
