"""The results of a tournament as one page: ratings with intervals, cross tables, what was played.

The page needs nothing but itself, and whatever comes from players is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from strongroom.arena.standings import HEADINGS, Rating, Results, Standings, anchor_of, rows
from strongroom.referee.randomness import describe_seed
from strongroom.report.charts import LINE, SHAPES, Axis, label_at, mark_at, plot_of, value_at
from strongroom.report.page import banner, document, section, table
from strongroom.report.text import join_names
from strongroom.text.quoting import harmless
from strongroom.version import __version__

BEGINS: Final = "<!-- strongroom tournament -->\n"
"""How every page begins."""
SHADES: Final = 7
"""How many shades a cross table has, from no game won to all."""
BESIDE, WIDEST = 18, 40
"""How many characters of a name fit into a plot on a telephone: beside its rating, and alone."""
LEFT, RIGHT = "M5-6L-5 0L5 6Z", "M-5-6L5 0L-5 6Z"
"""The marks at bounds: the rating lies farther on this side."""


def html(standings: Standings) -> str:
    """The page of a tournament."""
    title = f"Tournament of {join_names(standings.schedule.players)}"
    return BEGINS + document(title, _sections(standings))


def _sections(standings: Standings) -> Iterator[str]:
    schedule = standings.schedule
    games = join_names([game.title for game in schedule.games])
    yield banner("Tournament")
    yield (
        f"<h1>{escape(join_names(schedule.players))}</h1>"
        f'<p class="lead">{escape(games)}: {standings.games:,} games, '
        f"{schedule.rounds:,} of each pair at each game.</p>"
    )
    for results in reversed(standings.tables):
        yield section(results.title, "".join(_results(results)))
    yield section("How it was played", _method(standings))


def _results(results: Results) -> Iterator[str]:
    rated = results.ratings()
    if rated:
        yield f"<figure>{_ratings(results, rated)}</figure>"
    yield table(HEADINGS, rows(results), f"{results.title}: the players")
    yield _heat_map(results)
    for line in results.notes:
        yield f"<p>{escape(line)}</p>"


def _ratings(results: Results, rated: dict[str, Rating]) -> str:
    """A rating with its interval for each player, best first."""
    bounds = [each for rating in rated.values() for each in (rating.low, rating.high)]
    axis, y, drawn, told = Axis.of([b for b in bounds if b is not None]), 0.0, list[str](), []
    for name in results.ranking:
        rating = rated[name]
        said = f"{name}: {rating}"
        told.append(said)
        drawn.append(label_at(harmless(name, WIDEST), y + LINE - 6))
        if len(name) > BESIDE:
            y += LINE
        drawn.append(value_at(str(rating), y=y + LINE - 6))
        y += LINE + 8
        low = axis.low if rating.low is None else rating.low
        high = axis.high if rating.high is None else rating.high
        ends = f'x1="{axis.at(low)}" x2="{axis.at(high)}" y1="{y}" y2="{y}"'
        drawn.append(f'<line class="clear p0" {ends}/>')
        if rating.value is not None:
            at, shape = rating.value, SHAPES[0]
        else:
            at, shape = (high, LEFT) if rating.low is None else (low, RIGHT)
        drawn.append(mark_at(axis.at(at), y, shape, "full p0", said))
        y += 16
    name = f"{results.title}: ratings, {anchor_of(results.players)} has 0"
    return plot_of(name, told, y + 26, [*axis.grid(y), *drawn])


def _heat_map(results: Results) -> str:
    """The cross table, darker where more is won."""
    caption = escape(f"{results.title}: scores of each row against each column")
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in results.players)
    body = "".join(
        f'<tr><th scope="row">{escape(one)}</th>'
        + "".join(_cell(results, one, two) for two in results.players)
        + "</tr>"
        for one in results.players
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">'
        f'<table class="heat"><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>'
        "</div>"
    )


def _cell(results: Results, one: str, two: str) -> str:
    score = results.score(one, two)
    if score is None:
        return "<td>–</td>"
    low, high = score.interval
    shade = min(SHADES - 1, int(score.mean * SHADES))
    told = f"{low:.{score.digits}f} to {high:.{score.digits}f}, {score.games} games"
    title = f"{one} against {two}: {told}"
    return f'<td class="s{shade}" title="{escape(title)}">{score}</td>'


def _method(standings: Standings) -> str:
    schedule = standings.schedule
    seed = describe_seed(schedule.seed, schedule.seed_known)
    return (
        f"<p>{escape(standings.legend)} The two of a pair alternate in the seats. A game "
        f"without a winner after {schedule.turn_limit} turns is undecided. Scores in the cross "
        "tables are those of the row’s player; their 95 % intervals are in the titles.</p>"
        f'<p class="soft">strongroom {escape(__version__)}, {seed}.</p>'
    )
