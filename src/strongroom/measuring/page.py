"""The page of a measurement: plots, tables, the worst moves, and how it was measured.

Whatever comes from the report is escaped, because anybody may have edited the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from statistics import fmean
from typing import Final

from strongroom.contract import Json, harmless
from strongroom.measuring.result import (
    FORM_HEADINGS,
    FORM_LEGEND,
    FORM_TITLE,
    VACUOUS,
    Figures,
    GameFigures,
    Kind,
    Mistake,
    form_row,
)
from strongroom.referee.randomness import describe_seed
from strongroom.report.charts import (
    Axis,
    Bars,
    PlottedScore,
    Row,
    Shares,
    board,
    fits,
    profile,
    scores,
    shares,
    symbol,
)
from strongroom.report.page import banner, details, document, section, table
from strongroom.report.text import POINTS, join_names, percent, points, with_interval

BEGINS: Final = "<!-- strongroom measure -->\n"
"""How every page begins."""
LONGEST_SETTING: Final = 100
"""How much is shown of a setting."""
NO_COSTS: Final = (
    "<p>What a move costs is known exactly against <code>master</code> only, so there are no "
    "costs here, and luck is not taken out.</p>"
)


def html(measurement: Json, others: Sequence[Json] = ()) -> str:
    """The page of a measurement; with others, their players stand beside it in the plots."""
    return page_of([Figures.read(each) for each in (measurement, *others)])


def page_of(players: Sequence[Figures]) -> str:
    """The page of the figures of one player or several."""
    names = join_names([each.player for each in players])
    title = f"{names} against {players[0].against}"
    return BEGINS + document(title, _sections(players, names))


def _sections(players: Sequence[Figures], names: str) -> Iterator[str]:
    yield from _head(players, names)
    yield _warnings(players)
    yield _score_by_game(players)
    yield _form(players)
    if all(game.profile for each in players for game in each.results.values()):
        yield _profiles(players)
        yield _sizes(players)
        yield _worst(players[0], named=len(players) > 1)
    else:
        yield section("Costs", NO_COSTS)
    yield _method(players)


def _shared_games(players: Sequence[Figures]) -> list[str]:
    """The games that all players were measured at."""
    return [
        name for name in players[0].results if all(name in each.results for each in players[1:])
    ]


def _legend(players: Sequence[Figures]) -> str:
    """The players' marks, if there are several."""
    if len(players) == 1:
        return ""
    keys = (
        f'<span class="key">{symbol(number)} {escape(each.player)}</span>'
        for number, each in enumerate(players)
    )
    return f'<p class="legend">{"".join(keys)}</p>'


# --- scores ---------------------------------------------------------------------------------------


def _head(players: Sequence[Figures], names: str) -> Iterator[str]:
    """The name of the page and its largest figures."""
    first = players[0]
    yield banner("The exact measure")
    yield f"<h1>{escape(names)} <small>against {escape(first.against)}</small></h1>"
    if len(players) == 1:
        yield f'<p class="lead">{_summary(first)}</p>'
    yield '<div class="figures">'
    for number, each in enumerate(players):
        games = each.results.values()
        name = f"<h2>{symbol(number)} {escape(each.player)}</h2>" if len(players) > 1 else ""
        yield f"<section>{name}<dl>"
        yield _figure(f"{fmean(game.score for game in games):.3f}", "score a game, on average")
        yield from _form_figures(each)
        decisions = sum(game.decisions or 0 for game in games)
        if decisions:
            perfect = sum((game.decisions or 0) * (game.perfect or 0) for game in games) / decisions
            cost = sum(game.total_cost * game.games for game in games) / decisions
            yield _figure(percent(perfect), "of its decisions cost nothing")
            yield _figure(f"{POINTS * cost:.2f}", "points lost a decision")
        yield _figure(f"{sum(game.games for game in games):,}", "games played")
        yield "</dl></section>"
    yield "</div>"


def _form_figures(each: Figures) -> Iterator[str]:
    """The largest figures about form, if it matters."""
    forms = [game.form for game in each.results.values() if game.form]
    if not each.with_form:
        return
    if (scores := [form.score for form in forms if form.score is not None]) and any(
        form.cost for form in forms
    ):
        yield _figure(f"{fmean(scores):.3f}", "score over the decisions that were answered")
    asked = max(1, sum(form.asked for form in forms))
    firsts = [form.first_try for form in forms]
    if None not in firsts:
        share = sum(first or 0 for first in firsts) / asked
        yield _figure(percent(share), "of decisions answered legally at the first try")
    share = sum(form.answered for form in forms) / asked
    yield _figure(percent(share), "of decisions answered legally at any try")


def _form(players: Sequence[Figures]) -> str:
    """How often the answers were legal moves, and the scores apart from that."""
    rows = [form_row(each.player, game) for each in players for game in each.with_form]
    if not rows:
        return ""
    told = f"<p>{FORM_LEGEND[:1].upper()}{FORM_LEGEND[1:]}</p>"
    return section(FORM_TITLE, told + table(FORM_HEADINGS, rows, "Answers that were legal moves"))


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


def _score_by_game(players: Sequence[Figures]) -> str:
    """The scores with their intervals, as a plot and as a table."""
    names = _shared_games(players)
    rows = [
        Row(
            players[0].results[name].title,
            players[0].results[name].start,
            [_score_plot(each, each.results[name]) for each in players],
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
    figure = f"<figure>{_legend(players)}{signs}{scores(rows)}</figure>"
    return section("Score by game", figure + listed + saved)


def _score_plot(each: Figures, game: GameFigures) -> PlottedScore:
    return PlottedScore(
        each.player, game.score, game.interval, game.counted, game.counted_interval, game.exact
    )


# --- costs ----------------------------------------------------------------------------------------


def _profiles(players: Sequence[Figures]) -> str:
    """What each kind of decision costs, a plot for each game."""
    panels = []
    bars = {name: _bars(players, name) for name in _shared_games(players)}
    values = [value or 0.0 for each in bars.values() for bar in each for value in bar.values]
    axis = Axis.of(values)
    rows = []
    for name, kinds in bars.items():
        games = [each.results[name] for each in players]
        lost = " · ".join(points(POINTS * game.total_cost) for game in games)
        title = games[0].title
        panels.append(
            f'<figure class="card"><figcaption><h3>{escape(title)}</h3>'
            f"<p>loses {lost} points a game</p></figcaption>{profile(title, kinds, axis)}</figure>"
        )
        for each, game in zip(players, games, strict=True):
            rows += [
                (
                    *(game.title, each.player, kind.name, f"{kind.decisions:,}"),
                    *(points(POINTS * game.lost_by(kind)), _perfect(kind)),
                )
                for kind in game.profile or ()
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
        f'{told}{_legend(players)}<div class="panels">{"".join(panels)}</div>'
        f"{details('The profile as a table', table(headings, rows, 'Costs by kind of decision'))}",
    )


def _totals(players: Sequence[Figures], names: Sequence[str]) -> str:
    """What each game costs each player, on an axis of its own."""
    bars = []
    for name in names:
        lost = [POINTS * each.results[name].total_cost for each in players]
        titles = [
            f"{each.player}, {each.results[name].title}: {points(value)} points a game"
            for each, value in zip(players, lost, strict=True)
        ]
        bars.append(Bars(players[0].results[name].title, lost, titles))
    axis = Axis.of([value or 0.0 for each in bars for value in each.values])
    return (
        '<figure class="card"><figcaption><h3>All kinds together</h3><p>points a game, by game'
        f"</p></figcaption>{profile('All kinds together', bars, axis)}</figure>"
    )


def _bars(players: Sequence[Figures], name: str) -> list[Bars]:
    """What each kind of decision costs each player at a game."""
    games = [each.results[name] for each in players]
    profiles = [{kind.name: kind for kind in game.profile or ()} for game in games]
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


def _sizes(players: Sequence[Figures]) -> str:
    """How many decisions cost how much."""
    names = _shared_games(players)
    bounds = sorted(
        {least for each in players for name in names for least in each.results[name].sizes}
    )
    classes = ["perfect", *_classes(bounds)]
    rows = []
    for name in names:
        for each in players:
            game = each.results[name]
            label = game.title if len(players) == 1 else f"{game.title}, {each.player}"
            rows.append(Shares(label, _size_shares(game, bounds)))
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
        f"</figure>{details('The shares as a table', listed)}",
    )


def _classes(bounds: Sequence[float]) -> list[str]:
    told = [f"{POINTS * least:g}" for least in bounds]
    names = [f"{low} to {high}" for low, high in pairwise(told)]
    if bounds and bounds[0] == 0 and len(told) > 1:
        names[0] = f"under {told[1]}"
    return [*names, f"{told[-1]} and more"] if told else []


def _size_shares(game: GameFigures, bounds: Sequence[float]) -> list[float]:
    """The share of perfect decisions, then those of each class of costs."""
    whole = max(1, sum(game.sizes.values()))
    perfect = min(game.perfect or 0.0, game.sizes.get(0.0, 0) / whole)
    found = [game.sizes.get(least, 0) / whole for least in bounds]
    if found:
        found[0] -= perfect
    return [perfect, *found]


# --- worst moves ----------------------------------------------------------------------------------


def _worst(each: Figures, named: bool) -> str:
    """The worst moves of a player, who is named if there are others."""
    parts = [
        "<p>The moves that cost most, as the player saw the board. "
        '<span class="key"><i class="ring played"></i> played</span> '
        '<span class="key"><i class="ring better"></i> better</span></p>'
    ]
    for game in each.results.values():
        if game.worst:
            cards = "".join(_mistake(one) for one in game.worst)
            parts.append(f"<h3>{escape(game.title)}</h3><ol>{cards}</ol>")
    if len(parts) == 1:
        parts = ["<p>No move cost anything.</p>"]
    whose = f" of {each.player}" if named else ""
    return section(f"The worst moves{whose}", "".join(parts), "worst")


def _mistake(one: Mistake) -> str:
    when = "set-up" if one.turn is None else f"turn {one.turn}"
    drawn = (
        board(one.drawing, one.move or "", one.better)
        if one.drawing is not None and fits(one.drawing)
        else ""
    )
    picture = f"<pre>{escape(one.picture)}</pre>" if one.picture else ""
    if drawn and picture:
        picture = details("What the player knew", picture)
    if one.thought:
        picture += details("What the player said", f"<p>{escape(one.thought)}</p>")
    why = f"<p>{escape(_capital(one.why))}</p>" if one.why else ""
    return (
        f'<li class="card"><p class="soft">round {one.round}, Player {one.seat.value}, {when} · '
        f'{escape(one.kind)}</p><div class="drawn">{drawn}</div>'
        f'<p class="said"><b>{escape(_capital(one.said))}</b> '
        f'<span class="cost">−{points(POINTS * one.cost)} points</span></p>'
        f"<p>Better: <b>{escape(one.better_said)}</b>.</p>{why}{picture}</li>"
    )


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


# --- method ---------------------------------------------------------------------------------------


def _method(players: Sequence[Figures]) -> str:
    """The protocol, what was spent, and what the figures mean."""
    first = players[0]
    protocol = table(
        ("player", "opponent", "rounds", "seats", "turn limit", "seed", "versions"),
        (
            (
                each.player,
                each.against,
                each.rounds_text,
                each.seats_text,
                str(each.turn_limit),
                describe_seed(each.seed, each.seed_known).removeprefix("seed "),
                ", ".join(f"{name} {version}" for name, version in each.versions.items()),
            )
            for each in players
        ),
        "The protocol",
    )
    spent = table(
        (
            *("game", "player", "games", "luck (z)", "forfeits", "illegal", "seconds", "tokens"),
            *("cost ($)", "V is"),
        ),
        (
            (
                game.title,
                each.player,
                f"{game.games:,}",
                "–" if game.luck_z is None else f"{game.luck_z:.1f}".replace("-", "−"),
                f"{game.forfeits:,}",
                f"{game.spent.illegal:,}",
                f"{game.spent.seconds:,.1f}",
                "–" if game.spent.tokens is None else f"{game.spent.tokens:,}",
                "–" if game.spent.money is None else f"{game.spent.money:,.2f}",
                game.baseline or "–",
            )
            for each in players
            for game in each.results.values()
        ),
        "What was played and spent",
    )
    reading = (
        "<p>Everything in a game but the player's moves follows from the seed. The opponent's "
        "exact mixtures are known, so each result is V before the first move, minus what the "
        "player's decisions cost, plus luck, whose mean is zero whoever plays; the score is the "
        "result with luck taken out. A point is a hundredth of a won game. Where V is what a best "
        "response wins, no decision can cost less than nothing; with another V it can.</p>"
        "<p>Luck (z) is the luck that was taken out, as a multiple of its standard error: 4 and "
        "more is hardly luck. A player who knows the seed can know what is hidden, so a seed that "
        "is drawn once the player is named is worth more than one that was known beforehand.</p>"
    )
    check = (
        "<p>To replay every game and recompute every figure: "
        "<code>strongroom measure --check FILE</code>, with the JSON file of this report. How long "
        "moves took, on which versions of Python and numpy, and when the seed was drawn cannot be "
        "checked.</p>"
    )
    return section(
        "How it was measured",
        f"{reading}{protocol}{_experiments(players)}{spent}{check}{_citation(first)}",
    )


def _experiments(players: Sequence[Figures]) -> str:
    """How models were asked, and what their endpoints call them; empty if there are none."""
    rows = [
        (
            each.player,
            harmless(how.served or "–", LONGEST_SETTING),
            ", ".join(
                harmless(f"{name}={value}", LONGEST_SETTING)
                for name, value in how.settings.chosen.items()
            )
            or "as usual",
            str(how.asked),
            _calls(each, how.spent.calls),
            how.date,
            ", ".join(f"{name} {version}" for name, version in how.libraries.items()),
        )
        for each in players
        if (how := each.experiment)
    ]
    headings = ("player", "served as", "settings", "answers by", "calls", "date", "libraries")
    return table(headings, rows, "How the model was asked") if rows else ""


def _calls(each: Figures, calls: int) -> str:
    """How many answers there were, and how many of the games' were not constrained."""
    free = each.unconstrained
    return f"{calls:,}" if not free else f"{calls:,}, of which {free:,} not constrained"


def _warnings(players: Sequence[Figures]) -> str:
    """What to suspect of games that had too much luck; empty if nothing."""
    told = [escape(sentence) for each in players for sentence in each.warnings]
    return section("Too much luck", "".join(f"<p>{each}</p>" for each in told)) if told else ""


def _citation(each: Figures) -> str:
    version = each.versions["strongroom"]
    titles = join_names([game.title for game in each.results.values()])
    rounds = f"{each.rounds_text} round{'s' * (each.rounds_text != '1')}"
    return (
        f'<p class="cite">Cite as: {escape(each.player)} against {escape(each.against)} at '
        f"{escape(titles)}; {rounds} in seats {each.seats_text}, "
        f"{describe_seed(each.seed, each.seed_known)}; the exact measure, strongroom "
        f"{escape(version)}.</p>"
    )
