"""Leaderboards: measured players in one table, ordered as far as their intervals separate them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from strongroom.contract import Json, Refusal, Seat, harmless, quote
from strongroom.measuring.estimator import weighted_mean
from strongroom.measuring.measure import Measurement
from strongroom.measuring.protocol import Fixture, Protocol, Spent, Trial
from strongroom.measuring.result import Figures, GameFigures, Judged, judge, printable
from strongroom.players import CERTIFIED
from strongroom.plugins.registry import GAMES
from strongroom.referee.randomness import describe_seed
from strongroom.referee.record import Record
from strongroom.report.charts import PlottedScore, Row, scores
from strongroom.report.page import banner, document, section, table
from strongroom.report.text import POINTS, Interval, markdown_table, percent, with_interval
from strongroom.theory.shelf import is_certified

BEGINS: Final = "<!-- strongroom leaderboard -->\n"
"""How every page begins."""
PERFECT: Final = 0.5
"""The score of perfect play, over both seats of the five games together."""
PEOPLE: Final = "people"
"""What people are called together."""
LONGEST_LABEL: Final = 60
"""How much of a name stands beside a score in a plot."""
READING: Final = (
    "score: what the player wins a game, with luck taken out, and its interval of at least 95 %; "
    "rank: the places that the player may have, as far as the intervals separate it from others. "
    "Within such a range the order says nothing."
)

Game = tuple[str, str]
"""A game's name and its options, as text."""


@dataclass(frozen=True)
class Entry:
    """A player with its settings, and its figures at each game."""

    player: str
    settings: Mapping[str, object]
    games: dict[Game, GameFigures] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    """Where the figures are from, and whether they were checked, a sentence each."""

    @property
    def base(self) -> str:
        """The player's name without what it is told."""
        return self.player.partition("?")[0]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's row in a table."""

    rank: str
    name: str
    score: float
    interval: Interval
    games: tuple[GameFigures, ...]


class Leaderboard:
    """The players of some reports, against the same opponent and in the same seats."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self._terms: tuple[str, tuple[Seat, ...]] | None = None

    def add(self, report: Json, told: str) -> None:
        """Add a report; `told` says where it is from, and whether it was checked."""
        figures = Figures.read(report)
        experiment = figures.experiment
        settings = printable(experiment.settings.chosen) if experiment else {}
        terms = figures.against, figures.seats
        if self._terms not in (None, terms):
            raise Refusal(
                "It has another opponent or other seats than those before it.",
                "Make a leaderboard for each.",
            )
        self._terms = terms
        key = json.dumps([figures.player, settings], sort_keys=True)
        entry = self.entries.setdefault(key, Entry(figures.player, settings))
        seed = describe_seed(figures.seed, figures.seed_known)
        for name, game in figures.results.items():
            place = name, json.dumps(game.options, sort_keys=True)
            if place in entry.games:
                twice = f"{quote(figures.player)} stands there already at {quote(game.title)}."
                raise Refusal(twice, "Name one report of the same player, settings and game.")
            entry.games[place] = game
        titles = ", ".join(game.title for game in figures.results.values())
        version = figures.versions["strongroom"]
        entry.told.append(f"{titles}: {seed}, strongroom {version}; {told}")

    @property
    def against(self) -> str:
        """The opponent."""
        return self._terms[0] if self._terms else CERTIFIED

    @property
    def games(self) -> list[Game]:
        """The games at which somebody was measured, the five first."""
        found = dict.fromkeys(game for each in self.entries.values() for game in each.games)
        order = [*GAMES]
        return sorted(found, key=lambda game: order.index(game[0]) if game[0] in order else 99)

    def title(self, game: Game) -> str:
        """A game's title, with its options if it is played with several."""
        found = next(each.games[game] for each in self.entries.values() if game in each.games)
        several = sum(name == game[0] for name, _ in self.games) > 1
        return f"{found.title} {game[1]}" if several else found.title

    @property
    def names(self) -> dict[str, str]:
        """What each entry is called: its player, and the settings in which it differs."""
        found = {}
        for key, each in self.entries.items():
            others = [other for other in self.entries.values() if other.base == each.base]
            names = dict.fromkeys(name for other in others for name in other.settings)
            differ = [
                name
                for name in names
                if any(other.settings.get(name) != each.settings.get(name) for other in others)
            ]
            set_here = [name for name in differ if name in each.settings]
            told = ", ".join(f"{name}={_brief(each.settings[name])}" for name in set_here)
            found[key] = f"{each.player} ({told})" if told else each.player
        return found

    def standings(self, games: Sequence[Game]) -> list[Standing]:
        """The players who were measured at all of these games, by the places that they may have."""
        names = self.names
        found = {
            key: (
                tuple(each.games[game] for game in games),
                weighted_mean(
                    [(each.games[game].score, each.games[game].interval) for game in games],
                    [1 / len(games)] * len(games),
                ),
            )
            for key, each in self.entries.items()
            if all(game in each.games for game in games)
        }
        places = ranks({key: interval for key, (_, (_, interval)) in found.items()})
        order = sorted(found, key=lambda key: (*places[key], names[key]))
        return [
            Standing(_rank_text(*places[key]), names[key], *found[key][1], found[key][0])
            for key in order
        ]

    @property
    def origins(self) -> list[str]:
        """Where the figures of each row are from, and how they were checked."""
        names = self.names
        return [f"{names[key]}: {told}" for key, e in self.entries.items() for told in e.told]

    @property
    def tables(self) -> list[tuple[str, list[Standing]]]:
        """All games together, if somebody was measured at several, and each game."""
        games = self.games
        together = self.standings(games) if len(games) > 1 else []
        all_games = [("All games together", together)] if together else []
        return [*all_games, *((self.title(game), self.standings([game])) for game in games)]


def ranks(intervals: Mapping[str, Interval]) -> dict[str, tuple[int, int]]:
    """The first and the last place that each may have, as far as the intervals separate them.

    >>> ranks({"a": (0.4, 0.5), "b": (0.3, 0.45), "c": (0.1, 0.2)})
    {'a': (1, 2), 'b': (1, 2), 'c': (3, 3)}
    """
    return {
        name: (
            1 + sum(other[0] > high for other in intervals.values()),
            len(intervals) - sum(other[1] < low for other in intervals.values()),
        )
        for name, (low, high) in intervals.items()
    }


def _rank_text(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def _brief(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."


# --- people ---------------------------------------------------------------------------------------


def people(records: Iterable[Record], player: str = PEOPLE) -> tuple[Json | None, str]:
    """The report of people, by records of their games against the certified player.

    With a sentence on what was left out: other games, and a game that nobody played in both seats.
    The figures count these games as they are; nobody drew them by a seed.
    """
    found: dict[str, list[Trial]] = {}
    left_out = 0
    for record in records:
        seat = _person(record)
        if seat is None:
            left_out += 1
            continue
        those = found.setdefault(repr(record.game), [])
        number = sum(each.fixture.seat is seat for each in those)
        those.append(Trial(Fixture(record.game, number, seat, 0), record, Spent()))
    kept = [those for those in found.values() if len({each.fixture.seat for each in those}) == 2]
    left_out += sum(map(len, found.values())) - sum(map(len, kept))
    told = f"{sum(map(len, kept))} games of people, {left_out} others left out"
    if not kept:
        return None, told
    rounds = max(each.fixture.round for those in kept for each in those) + 1
    protocol = Protocol(player, tuple(those[0].fixture.game for those in kept), rounds, seed=0)
    judged: list[Judged] = [judge(protocol, each) for those in kept for each in those]
    return Measurement(protocol, judged).to_json(), told


def _person(record: Record) -> Seat | None:
    """The seat of a person who faced the certified player in a game that is over."""
    seats = [seat for seat in Seat if record.sitters[seat.index].is_person]
    if len(seats) != 1 or record.outcome is None or not is_certified(record.game):
        return None
    return seats[0] if record.sitters[seats[0].other.index].player == CERTIFIED else None


# --- as text and as a page ------------------------------------------------------------------------


FORM: Final = ("legal, first try", "legal, any try", "answered")


def headings(rows: Sequence[Standing]) -> list[str]:
    """The headings of a table."""
    single = ("lost a decision", "perfect", "time a decision")
    one = all(len(row.games) == 1 for row in rows)
    return ["rank", "player", "score", "games", *(single if one else ()), *_form_heads(rows)]


def _form_heads(rows: Sequence[Standing]) -> tuple[str, ...]:
    forms = [game.form for row in rows for game in row.games]
    return () if all(form is None or form.is_clean for form in forms) else FORM


def cells(row: Standing, rows: Sequence[Standing]) -> list[str]:
    """A player's row in a table of these."""
    games = sum(game.games for game in row.games)
    found = [row.rank, row.name, with_interval(row.score, row.interval), f"{games:,}"]
    if len(row.games) == 1:
        (game,) = row.games
        found += [
            f"{POINTS * (game.cost_per_decision or 0):.2f}",
            percent(game.perfect or 0),
            _duration(game.spent.seconds / (game.decisions or 1)) if game.spent.seconds else "–",
        ]
    return found + (_form_cells(row) if _form_heads(rows) else [])


def _form_cells(row: Standing) -> list[str]:
    """How often the answers were legal moves, and the score over what was answered."""
    forms = [game.form for game in row.games if game.form]
    if all(form.is_clean for form in forms) and all(g.spent.tokens is None for g in row.games):
        return ["–"] * 3  # it does not speak
    asked = sum(form.asked for form in forms)
    firsts = [form.first_try for form in forms]
    known = [form.score for form in forms if form.score is not None]
    return [
        "–" if None in firsts or not asked else percent(sum(n or 0 for n in firsts) / asked),
        percent(sum(form.answered for form in forms) / asked) if asked else "–",
        f"{sum(known) / len(known):.3f}" if known and len(known) == len(row.games) else "–",
    ]


def _duration(seconds: float) -> str:
    """A time with two digits.

    >>> _duration(0.000123), _duration(1.234)
    ('0.12 ms', '1.2 s')
    """
    return f"{seconds:.2g} s" if seconds >= 0.1 else f"{1000 * seconds:.2g} ms"


def markdown(board: Leaderboard) -> Iterator[tuple[str, str]]:
    """The title and the table of all games together, and of each."""
    for title, rows in board.tables:
        lines = [[row[0], f"`{row[1]}`", *row[2:]] for row in (cells(each, rows) for each in rows)]
        yield title, markdown_table(headings(rows), lines)


def plot(rows: Sequence[Standing]) -> str:
    """The scores with their intervals, beside those of counting results."""
    drawn = []
    for row in rows:
        share = [1 / len(row.games)] * len(row.games)
        results = [(game.counted, game.counted_interval) for game in row.games]
        counted = weighted_mean(results, share)
        starts = [game.start for game in row.games if game.start is not None]
        best = sum(starts) / len(starts) if len(starts) == len(row.games) else None
        score = PlottedScore(row.name, row.score, row.interval, *counted, None)
        drawn.append(Row(harmless(row.name, LONGEST_LABEL), best, [score]))
    return scores(drawn)


def html(board: Leaderboard) -> str:
    """The leaderboard as a page; whatever comes from reports is escaped."""
    return BEGINS + document("Leaderboard", _sections(board))


def _sections(board: Leaderboard) -> Iterator[str]:
    yield banner("The leaderboard")
    yield f"<h1>Measured players <small>against {escape(board.against)}</small></h1>"
    yield f'<p class="lead">{READING[:1].upper()}{READING[1:]}</p>'
    signs = (
        '<p class="legend p0"><span class="key"><i class="dot full"></i> luck taken out</span>'
        '<span class="key"><i class="dot hollow"></i> results counted</span>'
        '<span class="key"><i class="bar best"></i> what a best response wins</span></p>'
    )
    for title, rows in board.tables:
        listed = table(headings(rows), [cells(each, rows) for each in rows], title)
        yield section(title, f"<figure>{signs}{plot(rows)}</figure>{listed}")
    origins = [
        (name, json.dumps(entry.settings, ensure_ascii=False) if entry.settings else "–", told)
        for entry, name in zip(board.entries.values(), board.names.values(), strict=True)
        for told in entry.told
    ]
    yield section(
        "Where the figures are from",
        table(("who", "settings", "what was measured, and how it was checked"), origins, "Origins"),
    )
