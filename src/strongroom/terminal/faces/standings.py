"""The standings of a tournament on a terminal: while it is played, and at its end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rich.console import Console, Group, RenderableType
from rich.text import Text

from strongroom.arena.standings import HEADINGS, Results, Standings, cross_table, rows
from strongroom.referee.randomness import describe_seed
from strongroom.terminal.faces.measurement import LEAST, WIDEST, Told, in_ascii
from strongroom.terminal.progress import Bars
from strongroom.terminal.screen.palette import BRASS, INK, LINE, SOFT
from strongroom.terminal.signs import has_unicode
from strongroom.terminal.text_tables import Column, print_lines, rendered, table

COLUMNS = (Column("player"), *(Column(name, right=True) for name in HEADINGS[1:]))
LIVE = (Column("player"), Column("games", 1, right=True), Column("score", right=True))
NO_RATINGS = "Ratings need the extra arena: pip install 'strongroom[arena]'"


def report(standings: Standings, width: int, unicode: bool = True) -> list[Text]:
    """The results in lines of at most `width` characters; the least width is 40."""
    width = min(max(LEAST, width), WIDEST)
    return rendered(Group(*_parts(standings, width, str if unicode else in_ascii)), width)


def show(standings: Standings, console: Console) -> None:
    """Print the results at the width of the console."""
    print_lines(report(standings, console.width, has_unicode()), console)


def _parts(standings: Standings, width: int, told: Told) -> Iterator[RenderableType]:
    schedule = standings.schedule
    yield Text(told(", ".join(schedule.players)), f"bold {INK}")
    yield Text(told("─" * width), LINE)
    for results in standings.tables:
        yield Text(told(results.title), f"bold {BRASS}")
        yield table(COLUMNS, [[*map(told, row)] for row in rows(results)], width)
        yield ""
        crossed = (Column(""), *(Column(told(f"against {n}"), right=True) for n in results.players))
        yield table(crossed, [[*map(told, row)] for row in cross_table(results)], width)
        yield from (Text(told(line), INK) for line in results.notes)
        yield ""
    yield Text(told(standings.legend), SOFT)
    if not standings.together.ratings():
        yield Text(told(NO_RATINGS), SOFT)
    seed = describe_seed(schedule.seed, schedule.seed_known)
    yield Text(told(f"{standings.games:,} games, {seed}."), SOFT)


class LiveStandings(Bars):
    """The standings above a bar for each game, while they are played."""

    def __init__(self, standings: Standings) -> None:
        self._standings = standings
        self._told: Told = str if has_unicode() else in_ascii
        super().__init__()

    def get_renderables(self) -> Iterator[RenderableType]:
        """The table, as long as games are left, and the bars below it.

        Of many players, it shows the best, so that the bars stay on the screen.
        """
        results = self._standings.together
        if not self.finished and any(results.total(name) for name in results.players):
            best = islice(_live(results), max(1, self.console.height - len(self.tasks) - 2))
            yield table(LIVE, [[*map(self._told, row)] for row in best], self.width)
        yield from super().get_renderables()


def _live(results: Results) -> Iterator[tuple[str, str, str]]:
    for name in results.ranking:
        total = results.total(name)
        yield name, f"{total.games:,}" if total else "0", str(total or "–")
