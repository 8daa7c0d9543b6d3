"""What the games of a tournament say: scores, ratings, costs and forfeits, as tables and a page.

Ratings follow the Bradley-Terry model on Elo's scale: 400 points are ten to one. An undecided game
counts as half a win for each.
"""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import combinations
from math import fsum, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.arena.tournament import COSTED, Played
from strongroom.contests.schedule import NORMAL, Schedule, Score
from strongroom.contract import Json
from strongroom.contract.codec import to_json
from strongroom.minds.model import Experiment
from strongroom.players import CERTIFIED
from strongroom.plugins.extras import MissingExtra, extra
from strongroom.referee.randomness import describe_seed
from strongroom.report.charts import LINE, SHAPES, Axis, label_at, mark_at, plot_of, value_at
from strongroom.report.page import banner, document, section, table
from strongroom.report.text import POINTS, join_names, markdown_table
from strongroom.text.quoting import harmless
from strongroom.theory.shelf import is_certified
from strongroom.version import __version__, made_with

FORMAT: Final = "strongroom tournament"
VERSION: Final = 1
"""The version of the form of results that are written."""
EVERYBODY: Final = "everybody"
"""The opponent in a player's score against all others."""
ALL_GAMES: Final = "All games"
REASONS: Final = 3
"""How many reasons for a player's forfeits are told."""
COLUMNS: Final = ("game", "number", "first", "second", "winner", "reason", "detail")
FURTHER: Final = ("turns", "cost", "decisions", "seed")
LEGEND: Final = (
    "score: a win is 1, an undecided game one half; ± or in brackets the 95 % interval; rating: "
    "points on Elo's scale, {anchor} has 0; cost: {cost}."
)
COST: Final = (
    f"points lost a decision against master, of which a won game has {POINTS}, in the first "
    f"{COSTED} games"
)
NO_COST: Final = "not known of games that were played in batches, of which only results are kept"
SCALE: Final = 400 / log(10)
"""The points of one unit of the model's logarithmic scale."""
DOUBT: Final = 0.05
"""The probability of a clean sweep at the rating that bounds it."""
FARTHEST: Final = 30.0
"""How far from the others a bound is looked for, in units of the model."""
ITERATIONS: Final = 10_000
EXACT: Final = 1e-6

Floats = NDArray[np.float64]


# --- ratings --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating, with a 95 % interval; only a bound after a clean sweep.

    It is empty if the player has met nobody who is rated.
    """

    value: float | None = None
    """None if the games only say that it is beyond a bound."""
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        if self.value is None:
            if self.low is not None:
                return f"over {_sign(self.low)}"
            return "–" if self.high is None else f"under {_sign(self.high)}"
        if self.low == self.high:
            return _sign(self.value)
        return f"{_sign(self.value)} ({_sign(self.low)} to {_sign(self.high)})"


def _sign(value: float | None) -> str:
    """A rating in whole points, with a real minus sign."""
    return f"{round(value or 0.0)}".replace("-", "−")


def anchor_of(players: Sequence[str]) -> str:
    """The player whose rating is 0: master or, without it, the one named first.

    >>> anchor_of(["casual", "master"]), anchor_of(["casual", "random"])
    ('master', 'casual')
    """
    return CERTIFIED if CERTIFIED in players else players[0]


def ratings(players: Sequence[str], scores: Iterable[Score]) -> dict[str, Rating]:
    """The rating of each player, relative to the anchor's.

    Somebody who won, or lost, every game against all players that are rated has only a bound: the
    rating at which that would happen with a probability of 5 %.

    >>> rated = ratings(["a", "b"], [Score("a", "b", wins=10, losses=90)])
    >>> str(rated["a"]), str(rated["b"])
    ('0', '382 (268 to 495)')
    """
    with extra("arena", "A rating"):
        import choix
        from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]
    place = {name: number for number, name in enumerate(players)}
    wins = np.zeros((len(players), len(players)))
    for score in scores:
        one, two = place[score.player], place[score.opponent]
        wins[one, two] += score.wins + score.undecided / 2
        wins[two, one] += score.losses + score.undecided / 2
    anchor = place[anchor_of(players)]
    _, group = connected_components(wins > 0, connection="strong")
    rated = np.flatnonzero(group == group[anchor])
    among, fixed = wins[np.ix_(rated, rated)], int(np.searchsorted(rated, anchor))
    strength = np.zeros(1)
    if len(rated) > 1:
        strength = choix.ilsr_pairwise_dense(among, max_iter=ITERATIONS)
        strength = strength - strength[fixed]
    reach = NORMAL * _errors(among + among.T, strength, fixed)
    found = {
        int(number): Rating(SCALE * value, SCALE * (value - half), SCALE * (value + half))
        for number, value, half in zip(rated, strength, reach, strict=True)
    }
    for number in set(place.values()) - found.keys():
        won, lost = wins[number, rated], wins[rated, number]
        found[number] = Rating(
            low=SCALE * _sweep(won, strength) if won.any() else None,
            high=-SCALE * _sweep(lost, -strength) if lost.any() else None,
        )
    return {name: found[number] for name, number in place.items()}


def _errors(games: Floats, strength: Floats, fixed: int) -> Floats:
    """The standard errors of strengths, by the information in the games, if one is fixed."""
    chance = 1 / (1 + np.exp(strength - strength[:, None]))
    told = games * chance * (1 - chance)
    information = np.diag(told.sum(axis=1)) - told
    error = np.zeros(len(strength))
    free = np.arange(len(strength)) != fixed
    error[free] = np.sqrt(np.diag(np.linalg.inv(information[np.ix_(free, free)])))
    return error


def _sweep(games: Floats, strength: Floats) -> float:
    """The strength at which all these games are won with a probability of 5 %."""
    low, high = float(strength.min()) - FARTHEST, float(strength.max()) + FARTHEST
    while high - low > EXACT:
        middle = (low + high) / 2
        chance = -float(games @ np.log1p(np.exp(strength - middle)))
        low, high = (middle, high) if chance < log(DOUBT) else (low, middle)
    return low


# --- scores, costs and forfeits -------------------------------------------------------------------


class Results:
    """The results of the same players, at one game or at several together.

    They do not depend on the order in which the games are counted, not even by rounding.
    """

    def __init__(self, title: str, players: Sequence[str]) -> None:
        self.title, self.players = title, tuple(players)
        self._scores: dict[tuple[str, str], Score] = {}
        self._costs = defaultdict[str, list[float]](list)
        self._decisions: Counter[str] = Counter()
        self._forfeits: Counter[tuple[str, str]] = Counter()
        self._tokens: dict[str, int] = {}
        self._money = defaultdict[str, list[float]](list)

    def add(self, played: Played, score: Score) -> None:
        """Count one more game, with the score that it gives."""
        self.add_score(score)
        if played.cost is not None:
            (name,) = {*played.pairing.pair} - {CERTIFIED}
            self._costs[name].append(played.cost)
            self._decisions[name] += played.decisions
        if played.forfeiter is not None:
            self._forfeits[played.forfeiter, played.detail] += 1
        for name, said in played.said.items():
            if said.tokens is not None:
                self._tokens[name] = self._tokens.get(name, 0) + said.tokens
            if said.money is not None:
                self._money[name].append(said.money)

    def add_score(self, score: Score) -> None:
        """Count more games of a pair of which only the results are known."""
        pair = score.player, score.opponent
        self._scores[pair] = self._scores[pair] + score if pair in self._scores else score

    def score(self, player: str, opponent: str) -> Score | None:
        """A player's score against another; None if they have not met."""
        found = self._scores.get((opponent, player))
        return found.swap_sides if found else self._scores.get((player, opponent))

    def total(self, player: str) -> Score | None:
        """A player's score against all others."""
        whole = Score(player, EVERYBODY)
        for each in filter(None, (self.score(player, other) for other in self.players)):
            whole += replace(each, opponent=EVERYBODY)
        return whole if whole.games else None

    def cost(self, player: str) -> float | None:
        """What a decision against master costs the player on average; None if it is not known."""
        decisions = self._decisions[player]
        return fsum(self._costs[player]) / decisions if decisions else None

    def money(self, player: str) -> float | None:
        """What a player spent, in dollars; None if it does not tell."""
        return fsum(self._money[player]) if player in self._money else None

    def reasons(self, player: str) -> dict[str, int]:
        """Why a player forfeited games, and how many for each reason, the commonest first."""
        found = {why: n for (who, why), n in self._forfeits.items() if who == player}
        return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))

    @property
    def ranking(self) -> list[str]:
        """The players, best first."""
        means = {name: total.mean for name in self.players if (total := self.total(name))}
        return sorted(self.players, key=lambda name: -means.get(name, 0.0))

    def ratings(self) -> dict[str, Rating]:
        """The players' ratings; empty, if the extra for them is missing."""
        try:
            return ratings(self.players, self._scores.values())
        except MissingExtra:
            return {}

    @property
    def forfeits(self) -> list[str]:
        """A line for each player who forfeited games: how many, and why."""
        lines = []
        for name in self.players:
            if reasons := self.reasons(name):
                told = [f"{why.rstrip('.')} ({n})" for why, n in [*reasons.items()][:REASONS]]
                more = ["..."] if len(reasons) > REASONS else []
                lines.append(
                    f"Forfeited by {name}: {sum(reasons.values())}; {'; '.join(told + more)}."
                )
        return lines

    @property
    def notes(self) -> list[str]:
        """Lines below the tables: the forfeits, and what players spent."""
        spent = [
            f"{name} took {self._tokens[name]:,} tokens"
            + ("." if (money := self.money(name)) is None else f" and ${money:,.2f}.")
            for name in self.players
            if name in self._tokens
        ]
        return [*self.forfeits, *spent]

    def to_json(self) -> Json:
        """The figures as JSON data."""
        rated = self.ratings()
        return {
            "title": self.title,
            "players": {
                name: {
                    **(to_json(self.total(name)) or {}),
                    "rating": to_json(rated.get(name)),
                    "cost": self.cost(name),
                    "decisions": self._decisions[name],
                    "tokens": self._tokens.get(name),
                    "money": self.money(name),
                    "reasons": self.reasons(name),
                }
                for name in self.players
            },
            "pairs": [
                {"player": each.player, "opponent": each.opponent, **to_json(each)}
                for pair in combinations(self.players, 2)
                if (each := self._scores.get(pair))
            ],
        }


class Standings:
    """A tournament as far as it has been played."""

    def __init__(
        self, schedule: Schedule, played: Iterable[Played] = (), *, batches: bool = False
    ) -> None:
        self.schedule = schedule
        self.batches = batches
        """Whether it is played in batches, of which only the results are kept."""
        self.experiments: Mapping[str, Experiment] = {}
        """How each model was asked, by name, and what its answers took."""
        self.names: Mapping[str, str] = {}
        """What engines call themselves, by the names under which they play."""
        self.played: list[Played] = []
        self._counts: Counter[str] = Counter()
        players = schedule.players
        self.results = {game.name: Results(game.title, players) for game in schedule.games}
        self.together = Results(ALL_GAMES, players)
        for each in played:
            self.add(each)

    def add(self, played: Played) -> None:
        """Count one more game."""
        score = played.score
        self.played.append(played)
        self._counts[played.pairing.game.name] += 1
        for results in (self.results[played.pairing.game.name], self.together):
            results.add(played, score)

    def add_score(self, game: str, score: Score) -> None:
        """Count more games of a pair of which only the results are known."""
        self._counts[game] += score.games
        for results in (self.results[game], self.together):
            results.add_score(score)

    @cached_property
    def tables(self) -> list[Results]:
        """The results of each game and, if there are several, of all together."""
        each = list(self.results.values())
        return [*each, self.together] if len(each) > 1 else each

    @property
    def legend(self) -> str:
        """What the figures mean."""
        cost = NO_COST if self.batches else COST
        unsolved = [game.title for game in self.schedule.games if not is_certified(game)]
        if unsolved and not self.batches:
            cost += f"; none at {join_names(unsolved)}, for which there is no solution"
        told = LEGEND.format(anchor=anchor_of(self.schedule.players), cost=cost)
        called = [f"{player} calls itself {name}." for player, name in self.names.items()]
        return " ".join([told, *called])

    @property
    def games(self) -> int:
        """How many games have been played."""
        return self._counts.total()

    def count(self, game: str) -> int:
        """How many games of the game with this name have been played."""
        return self._counts[game]

    def in_order(self) -> list[Played]:
        """The games in the order of the schedule, however they were played."""
        games = {game.name: number for number, game in enumerate(self.schedule.games)}
        pairs = {pair: number for number, pair in enumerate(self.schedule.pairs)}

        def place(each: Played) -> tuple[int, int, int]:
            own = each.pairing
            return games[own.game.name], own.number, pairs[own.pair]

        return sorted(self.played, key=place)

    def to_json(self) -> Json:
        """The results, and everything needed to check them."""
        return {
            "format": FORMAT,
            "version": VERSION,
            **made_with(*(["jax"] if self.batches else [])),
            "schedule": to_json(self.schedule),
            "batches": self.batches,
            "anchor": anchor_of(self.schedule.players),
            **({"experiments": to_json(self.experiments)} if self.experiments else {}),
            **({"names": dict(self.names)} if self.names else {}),
            "results": to_json(self.results),
            "together": to_json(self.together),
            "games": to_json(self.in_order()),
        }

    def to_csv(self) -> str:
        """One row for each game."""
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow((*COLUMNS, *FURTHER))
        for each in self.in_order():
            own = each.pairing
            rows.writerow(
                (
                    *(own.game.name, own.number, *own.sitting, each.winner or ""),
                    *(each.reason, each.detail, each.turns),
                    *("" if each.cost is None else each.cost, each.decisions, own.seed),
                )
            )
        return text.getvalue()


# --- as tables ------------------------------------------------------------------------------------

HEADINGS: Final = ("player", "score", "rating", "cost")


def rows(results: Results) -> list[tuple[str, ...]]:
    """A row for each player, best first: name, score, rating and cost a decision."""
    rated = results.ratings()
    return [
        (
            name,
            str(results.total(name) or "–"),
            str(rated.get(name, "–")),
            "–" if (cost := results.cost(name)) is None else f"{POINTS * cost:.2f}",
        )
        for name in results.ranking
    ]


def cross_table(results: Results) -> list[tuple[str, ...]]:
    """A row for each player, with its score against each of the players."""
    return [
        (one, *(str(results.score(one, two) or "–") for two in results.players))
        for one in results.players
    ]


def markdown(results: Results) -> str:
    """The cross table, the players' figures and the notes, as Markdown."""
    tables = [
        markdown_table(("", *results.players), cross_table(results)),
        markdown_table(HEADINGS, rows(results)),
    ]
    return "\n\n".join([*tables, *results.notes])


# --- as a page ------------------------------------------------------------------------------------


PAGE_BEGINS: Final = "<!-- strongroom tournament -->\n"
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
    return PAGE_BEGINS + document(title, _sections(standings))


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
