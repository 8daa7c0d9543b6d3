"""What decisions cost: by kind, and by size."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from strongroom.measuring.figures import (
    POINTS,
    VACUOUS,
    Figures,
    GameFigures,
    Kind,
    percent,
    points,
)
from strongroom.measuring.report.charts import Bars, Scale, Shares, profile, shares
from strongroom.measuring.report.parts import folded, legend, section, shared, table


def profiles(players: Sequence[Figures]) -> str:
    """What each kind of decision costs, a plot for each game."""
    panels = []
    bars = {name: _bars(players, name) for name in shared(players)}
    values = [value or 0.0 for each in bars.values() for bar in each for value in bar.values]
    scale = Scale.of(values)
    rows = []
    for name, kinds in bars.items():
        games = [each.results[name] for each in players]
        lost = " · ".join(points(POINTS * game.lost) for game in games)
        title = games[0].title
        panels.append(
            f'<figure class="card"><figcaption><h3>{escape(title)}</h3>'
            f"<p>loses {lost} points a game</p></figcaption>{profile(title, kinds, scale)}</figure>"
        )
        for each, game in zip(players, games, strict=True):
            rows += [
                (
                    *(game.title, each.player, kind.name, f"{kind.decisions:,}"),
                    *(points(POINTS * game.lost_by(kind)), _perfect(kind)),
                )
                for kind in game.profile
            ]
    if len(bars) > 1:
        panels.append(_totals(players, list(bars)))
    headings = ("game", "player", "kind of decision", "decisions", "points a game", "perfect")
    told = (
        "<p>What each kind of decision costs a game, in points: a won game is 100. The bars of a "
        "game add up to what its decisions cost together, so two players who score alike can be "
        "told apart. Nothing is at stake where every move is worth the same.</p>"
    )
    return section(
        "Where points are lost",
        f'{told}{legend(players)}<div class="panels">{"".join(panels)}</div>'
        f"{folded('The profile as a table', table(headings, rows, 'Costs by kind of decision'))}",
    )


def _totals(players: Sequence[Figures], names: Sequence[str]) -> str:
    """What each game costs each player, on a scale of its own."""
    bars = []
    for name in names:
        lost = [POINTS * each.results[name].lost for each in players]
        titles = [
            f"{each.player}, {each.results[name].title}: {points(value)} points a game"
            for each, value in zip(players, lost, strict=True)
        ]
        bars.append(Bars(players[0].results[name].title, lost, titles))
    scale = Scale.of([value or 0.0 for each in bars for value in each.values])
    return (
        '<figure class="card"><figcaption><h3>All kinds together</h3><p>points a game, by game'
        f"</p></figcaption>{profile('All kinds together', bars, scale)}</figure>"
    )


def _bars(players: Sequence[Figures], name: str) -> list[Bars]:
    """What each kind of decision costs each player at a game."""
    games = [each.results[name] for each in players]
    profiles = [{kind.name: kind for kind in game.profile} for game in games]
    found = []
    for kind in dict.fromkeys(kind for each in profiles for kind in each):
        met = [each.get(kind) for each in profiles]
        lost = [
            None if one is None else POINTS * game.lost_by(one)
            for game, one in zip(games, met, strict=True)
        ]
        titles = [
            f"{each.player}, {kind}: {_bar_title(one, cost)}"
            for each, one, cost in zip(players, met, lost, strict=True)
        ]
        found.append(Bars(kind, lost, titles))
    return found


def _bar_title(kind: Kind | None, cost: float | None) -> str:
    if kind is None:
        return "never met"
    perfect = VACUOUS if kind.perfect is None else f"{percent(kind.perfect)} of them perfect"
    return f"{points(cost)} points a game in {kind.decisions:,} decisions, {perfect}"


def _perfect(kind: Kind) -> str:
    return f"– {VACUOUS}" if kind.perfect is None else percent(kind.perfect)


def sizes(players: Sequence[Figures]) -> str:
    """How many decisions cost how much."""
    names = shared(players)
    bounds = sorted(
        {least for each in players for name in names for least in each.results[name].costs}
    )
    classes = ["perfect", *_classes(bounds)]
    rows = []
    for name in names:
        for each in players:
            game = each.results[name]
            label = game.title if len(players) == 1 else f"{game.title}, {each.player}"
            rows.append(Shares(label, _divided(game, bounds)))
    keys = "".join(
        f'<span class="key"><i class="swatch s{number}"></i> {escape(each)}</span>'
        for number, each in enumerate(classes)
    )
    listed = table(
        ("game", *classes),
        ((row.label, *map(percent, row.parts)) for row in rows),
        "Shares of decisions by what they cost",
    )
    signs = f'<p class="legend">{keys}</p>'
    plot = shares("Decisions by what they cost", rows, classes)
    return section(
        "How large the errors are",
        f"<p>Shares of all decisions, by what each cost in points.</p><figure>{signs}{plot}"
        f"</figure>{folded('The shares as a table', listed)}",
    )


def _classes(bounds: Sequence[float]) -> list[str]:
    told = [f"{POINTS * least:g}" for least in bounds]
    names = [f"{low} to {high}" for low, high in pairwise(told)]
    if bounds and bounds[0] == 0 and len(told) > 1:
        names[0] = f"under {told[1]}"
    return [*names, f"{told[-1]} and more"] if told else []


def _divided(game: GameFigures, bounds: Sequence[float]) -> list[float]:
    """The share of perfect decisions, then those of each class of costs."""
    whole = max(1, sum(game.costs.values()))
    perfect = min(game.perfect or 0.0, game.costs.get(0.0, 0) / whole)
    found = [game.costs.get(least, 0) / whole for least in bounds]
    if found:
        found[0] -= perfect
    return [perfect, *found]
