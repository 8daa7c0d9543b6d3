"""A report as one page: plots, tables, the worst moves, and how it was measured.

The page needs nothing but itself. Whatever comes from the report is escaped, because anybody may
have edited the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from strongroom.contract import Json
from strongroom.measuring.figures import Figures
from strongroom.measuring.report.costs import profiles, sizes
from strongroom.measuring.report.document import document
from strongroom.measuring.report.method import method, warnings
from strongroom.measuring.report.parts import listed, section
from strongroom.measuring.report.scores import head, score_by_game
from strongroom.measuring.report.worst import worst

BEGINS: Final = "<!-- strongroom measure -->\n"
"""How every page begins."""
NO_COSTS: Final = (
    "<p>What a move costs is known exactly against <code>master</code> only, so there are no "
    "costs here, and luck is not taken out.</p>"
)


def html(measurement: Json, others: Sequence[Json] = ()) -> str:
    """The page of a measurement; with others, their players stand beside it in the plots."""
    players = [Figures.read(each) for each in (measurement, *others)]
    names = listed([each.player for each in players])
    title = f"{names} against {players[0].against}"
    return BEGINS + document(title, _sections(players, names))


def _sections(players: Sequence[Figures], names: str) -> Iterator[str]:
    yield from head(players, names)
    yield warnings(players)
    yield score_by_game(players)
    if all(game.profile for each in players for game in each.results.values()):
        yield profiles(players)
        yield sizes(players)
        yield worst(players[0], named=len(players) > 1)
    else:
        yield section("Costs", NO_COSTS)
    yield method(players)
