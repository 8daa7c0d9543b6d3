"""What the games of a tournament say: scores, ratings, costs and forfeits, game by game."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from math import fsum
from typing import Final

from strongroom.arena.ratings import Rating, anchor_of, ratings
from strongroom.arena.score import Score, markdown_table
from strongroom.arena.tournament import COSTED, Played, Schedule
from strongroom.contract import Json
from strongroom.players import CERTIFIED
from strongroom.plugins.extras import MissingExtra
from strongroom.version import made_with

FORMAT: Final = "strongroom tournament"
VERSION: Final = 1
"""The version of the form of results that are written."""
EVERYBODY: Final = "everybody"
"""The opponent in a player's score against all others."""
ALL_GAMES: Final = "All games"
POINTS: Final = 100
"""How many points a won game has."""
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
        return found.turned if found else self._scores.get((player, opponent))

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
                    **_score_to_json(self.total(name)),
                    "rating": rated[name].to_json() if name in rated else None,
                    "cost": self.cost(name),
                    "decisions": self._decisions[name],
                    "tokens": self._tokens.get(name),
                    "money": self.money(name),
                    "reasons": self.reasons(name),
                }
                for name in self.players
            },
            "pairs": [
                {"player": each.player, "opponent": each.opponent, **_score_to_json(each)}
                for pair in combinations(self.players, 2)
                if (each := self._scores.get(pair))
            ],
        }


def _score_to_json(score: Score | None) -> Json:
    if score is None:
        return {}
    return {
        "wins": score.wins,
        "undecided": score.undecided,
        "losses": score.losses,
        "forfeits": score.forfeits,
        "gifts": score.gifts,
        "score": score.mean,
        "error": score.error,
        "interval": list(score.interval),
    }


class Standings:
    """A tournament as far as it has been played."""

    def __init__(
        self, schedule: Schedule, played: Iterable[Played] = (), *, batches: bool = False
    ) -> None:
        self.schedule = schedule
        self.batches = batches
        """Whether it is played in batches, of which only the results are kept."""
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
        return LEGEND.format(anchor=anchor_of(self.schedule.players), cost=cost)

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
            "schedule": self.schedule.to_json(),
            "batches": self.batches,
            "anchor": anchor_of(self.schedule.players),
            "results": {name: each.to_json() for name, each in self.results.items()},
            "together": self.together.to_json(),
            "games": [each.to_json() for each in self.in_order()],
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


# --- shown ----------------------------------------------------------------------------------------

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
