"""The top of a page, and the scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from statistics import fmean

from strongroom.arena.score import with_interval
from strongroom.measuring.figures import POINTS, Figures, GameFigures, percent
from strongroom.measuring.report.charts import Estimate, Row, scores, symbol
from strongroom.measuring.report.parts import legend, section, shared, table, top


def head(players: Sequence[Figures], names: str) -> Iterator[str]:
    """The name of the page and its largest figures."""
    first = players[0]
    yield top("The exact measure")
    yield f"<h1>{escape(names)} <small>against {escape(first.against)}</small></h1>"
    if len(players) == 1:
        yield f'<p class="lead">{_summary(first)}</p>'
    yield '<div class="figures">'
    for number, each in enumerate(players):
        games = each.results.values()
        name = f"<h2>{symbol(number)} {escape(each.player)}</h2>" if len(players) > 1 else ""
        yield f"<section>{name}<dl>"
        yield _figure(f"{fmean(game.score for game in games):.3f}", "score a game, on average")
        decisions = sum(game.decisions for game in games)
        if decisions:
            perfect = sum(game.decisions * (game.perfect or 0) for game in games) / decisions
            cost = sum(game.lost * game.games for game in games) / decisions
            yield _figure(percent(perfect), "of its decisions cost nothing")
            yield _figure(f"{POINTS * cost:.2f}", "points lost a decision")
        yield _figure(f"{sum(game.games for game in games):,}", "games played")
        yield "</dl></section>"
    yield "</div>"


def _summary(each: Figures) -> str:
    games = each.results.values()
    count = "one game" if len(games) == 1 else f"{len(games)} games"
    told = f"Measured at {count}, {sum(game.games for game in games):,} times in all"
    starts = [game.start for game in games if game.start is not None]
    if not starts:
        return f"{told}, by counting results."
    saved = max(game.ratio or 0.0 for game in games)
    fewer = f" That takes as little as 1/{saved:,.0f} of the games that counting would take."
    return (
        f"{told}, with luck taken out. A best response to {escape(each.against)} wins "
        f"{fmean(starts):.3f} a game.{fewer if saved >= 2 else ''}"
    )


def _figure(value: str, what: str) -> str:
    return f"<div><dt>{what}</dt><dd>{value}</dd></div>"


def score_by_game(players: Sequence[Figures]) -> str:
    """The scores with their intervals, as a plot and as a table."""
    names = shared(players)
    rows = [
        Row(
            players[0].results[name].title,
            players[0].results[name].start,
            [_estimate(each, each.results[name]) for each in players],
        )
        for name in names
    ]
    signs = (
        f'<p class="legend {"" if len(players) > 1 else "p0"}"><span class="key">'
        '<i class="dot full"></i> luck taken out</span>'
        '<span class="key"><i class="dot hollow"></i> results counted</span>'
        '<span class="key"><i class="bar best"></i> what a best response wins</span>'
        '<span class="key"><i class="bar exact"></i> exact, where known</span>'
        "<span>Lines are intervals of at least 95 %; a score of 1 is a win every time.</span></p>"
    )
    listed = table(
        ("game", "player", "score", "counted", "games saved", "exact", "best response"),
        (
            (
                game.title,
                each.player,
                with_interval(game.score, game.interval),
                with_interval(game.counted, game.counted_interval),
                "–" if game.ratio is None else f"× {game.ratio:,.1f}",
                "–" if game.exact is None else f"{game.exact:.5f}",
                "–" if game.start is None else f"{game.start:.3f}",
            )
            for name in names
            for each in players
            for game in (each.results[name],)
        ),
        "The score of each game",
    )
    saved = (
        '<p class="soft">± or in brackets: the interval, which contains the true score in at '
        "least 95 of 100 measurements. Games saved: how many times as many games counting needs "
        "for an interval as narrow.</p>"
    )
    figure = f"<figure>{legend(players)}{signs}{scores(rows)}</figure>"
    return section("Score by game", figure + listed + saved)


def _estimate(each: Figures, game: GameFigures) -> Estimate:
    return Estimate(
        each.player, game.score, game.interval, game.counted, game.counted_interval, game.exact
    )
