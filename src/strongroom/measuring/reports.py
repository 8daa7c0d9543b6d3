"""Reports that were written: read with care, checked, and compared.

To check a report, every game is replayed, and every figure is recomputed from the games. Compared
are two players, game by game, with the same seeds paired.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from math import hypot, isclose
from random import Random
from typing import Annotated, Any, Final

import numpy as np

from strongroom.contests.workers import Progress
from strongroom.contract import Ending, Game, Json, Move, Refusal, Seat, View, quote
from strongroom.contract.codec import from_json, json_form, number_from, to_json
from strongroom.measuring.estimator import ROUNDING, Estimate, Scale, plain_estimate
from strongroom.measuring.measure import Measurement
from strongroom.measuring.protocol import MEASURED, Fixture, Protocol, Spent, Trial
from strongroom.measuring.result import (
    FORMAT,
    FORMAT_IN_BATCHES,
    NO_ANSWER,
    VERSION,
    Figures,
    Form,
    judge,
)
from strongroom.minds.dialogue import LARGEST, Style, Whole
from strongroom.minds.model import Experiment
from strongroom.minds.settings import USUAL, Settings
from strongroom.players import Player, Resigns
from strongroom.plugins.registry import PLAYERS
from strongroom.referee.record import Sitter
from strongroom.report.text import Interval
from strongroom.version import __version__

CLOSE: Final = 1e-9
"""How far a figure may be from the one recomputed, for another machine's rounding."""
ENOUGH: Final = 1000
"""After so many troubles with its games, a report is not looked at further."""
ELSEWHERE: Final = ("python", "numpy")
"""What a report says about the machine that made it, on which no figure depends."""


class NotAReport(Refusal):
    """A text that is no report of a measurement, or that cannot be read by this version."""


def read(text: str, brief: bool = False) -> Json:
    """The report in a text, if it has the form of one; with `brief`, also one in brief."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAReport(f"It is not JSON: {quote(str(error), 80)}.") from None
    if isinstance(data, dict) and data.get("format") == FORMAT_IN_BATCHES:
        told = "It has only sums of games in batches, which cannot be checked or compared."
        raise NotAReport(told, "Measure without --batches.")
    is_brief = isinstance(data, dict) and data.get("format") == FORMAT_IN_BRIEF
    if is_brief and not brief:
        told = "It is a report in brief, without its games."
        raise NotAReport(told, "Name the whole report, or use it in: leaderboard")
    if not is_brief and (not isinstance(data, dict) or data.get("format") != FORMAT):
        raise NotAReport("It is not a report of strongroom measure.")
    if data.get("version") != VERSION:
        told = f"It has version {_brief(data.get('version'))}; this strongroom reads {VERSION}."
        raise NotAReport(told)
    try:
        report: Json = data
        figures = Figures.read(report)
        Sitter(MEASURED, data["player"])  # or it is not a name
        if is_brief:
            from_json(Mapping[str, tuple[BriefGame, ...]], data.get("moves"))
            return report
        games = from_json(Mapping[str, tuple[ComparedGame, ...]], data.get("records"))
        if games.keys() != figures.results.keys() or not all(games.values()):
            raise Refusal("results and records must be about the same games.")
    except Refusal as refusal:
        raise NotAReport(refusal.reason, refusal.accepted) from None
    return report


@dataclass(frozen=True, slots=True)
class ComparedGame:
    """What a comparison reads of a game."""

    round: Whole
    seat: Seat
    value: Annotated[float, number_from(-LARGEST, LARGEST)]
    costs: Mapping[str, float]


def check(report: Json, progress: Progress | None = None) -> list[str]:
    """What does not hold in a report, a sentence each; nothing if all of it does."""
    made_by = report.get("strongroom")
    if made_by != __version__:
        raise NotAReport(
            f"It was made by strongroom {quote(str(made_by))}; this is {__version__}.",
            "Check it with the version that made it: bots may play otherwise in another one.",
        )
    protocol = Protocol.read(report)
    experiment = from_json(Experiment | None, report.get("experiment"))
    settings = experiment.settings if experiment else USUAL
    troubles: list[str] = []
    brief = report["format"] == FORMAT_IN_BRIEF
    read_trials = (
        partial(_trials_in_brief, report)
        if brief
        else partial(_trials, report, settings=settings, troubles=troubles)
    )
    trials = list(read_trials(protocol, progress=progress))
    if troubles:
        return troubles
    judged = [judge(protocol, trial) for trial in trials]
    found = Measurement(protocol, judged, experiment).to_json()
    for name in ELSEWHERE:
        found[name] = report.get(name)
    for name, told in report["results"].items():
        if "form" not in told:  # an earlier version wrote none
            del found["results"][name]["form"]
    if brief:
        found = _without_what_is_not_in_brief(found, report)
    tokens = sum(trial.spent.tokens or 0 for trial in trials)
    if experiment and experiment.spent.tokens < tokens:
        troubles.append("The whole run took fewer tokens than its games.")
    return [*differences(report, found), *troubles]


def _trials(
    report: Json,
    protocol: Protocol,
    settings: Settings,
    troubles: list[str],
    progress: Progress | None,
) -> Iterator[Trial]:
    """The games of a report, as far as they are what the protocol leads to."""
    wanted = list(protocol.fixtures)
    found = {
        game.name: _read_trials(report["records"][game.name], game, protocol.seed, troubles)
        for game in protocol.games
    }
    for done, fixture in enumerate(wanted, 1):
        trial = found[fixture.game.name].get((fixture.round, fixture.seat))
        where = _where(fixture)
        if trial is None:
            troubles.append(f"{where} is missing.")
        elif trouble := _replay_trouble(trial, protocol, settings):
            troubles.append(f"{where} {trouble}")
        else:
            yield trial
        if progress is not None:
            progress(done, len(wanted))
        if len(troubles) == ENOUGH:
            return
    if sum(map(len, found.values())) > len(wanted):
        troubles.append(f"There are more games than {protocol.rounds} rounds in each seat.")


def _read_trials(records: Any, game: Game, seed: int, troubles: list[str]) -> dict[Any, Trial]:
    found: dict[Any, Trial] = {}
    for number, data in enumerate(records, 1):
        try:
            trial = Trial.from_json(data, game, seed)
        except Refusal as refusal:
            troubles.append(f"Game {number} at {game.title}: {refusal}")
            continue
        found[trial.fixture.round, trial.fixture.seat] = trial
    return found


# --- in brief -------------------------------------------------------------------------------------


FORMAT_IN_BRIEF: Final = f"{FORMAT} in brief"
"""Reports that have, of each game, the measured player's moves alone."""
NOT_IN_BRIEF: Final = tuple(each.name for each in fields(Spent))
"""What a game took, which does not follow from its moves."""


@json_form("round seat moves resigned")
@dataclass(frozen=True, slots=True)
class BriefGame:
    """What the seed of a game does not lead to: the measured player's moves."""

    round: Whole
    seat: Seat
    moves: tuple[str, ...]
    resigned: bool
    """Whether it resigned after them."""


def in_brief(report: Json) -> Json:
    """A report without its records, some hundred times smaller, that can still be checked.

    Seed and moves lead to every game again. The moves of a built-in bot follow from the seed, too.
    """
    protocol = Protocol.read(report)
    if protocol.against not in PLAYERS:
        raise NotAReport("Its opponent is not built in, so that no seed leads to its moves.")
    moves: dict[str, list[Json]] = {game.name: [] for game in protocol.games}
    for game in protocol.games if protocol.player not in PLAYERS else ():
        for data in report["records"][game.name]:
            trial = Trial.from_json(data, game, protocol.seed)
            steps, outcome = trial.record.steps, trial.record.outcome
            seat = trial.fixture.seat
            made = tuple(str(step.move) for step in steps if step.actor is seat)
            resigned = outcome is not None and outcome.reason is Ending.RESIGNED
            told = BriefGame(trial.fixture.round, seat, made, resigned)
            moves[game.name].append(to_json(told))
    kept = {name: part for name, part in report.items() if name != "records"}
    return {**kept, "format": FORMAT_IN_BRIEF, "moves": moves}


def _trials_in_brief(
    report: Json, protocol: Protocol, progress: Progress | None
) -> Iterator[Trial]:
    """The games that the seeds and the moves of a report in brief lead to."""
    told = from_json(Mapping[str, tuple[BriefGame, ...]], report["moves"])
    of_bot, wanted = protocol.player in PLAYERS, list(protocol.fixtures)
    for done, fixture in enumerate(wanted, 1):
        game, seated = fixture.game, None
        if not of_bot:
            those = told.get(game.name, ())
            place = fixture.round, fixture.seat
            found = next((each for each in those if (each.round, each.seat) == place), None)
            if found is None:
                raise Refusal(f"{_where(fixture)} is missing.")
            seated = _Repeats.of([*map(game.move, found.moves)], found.resigned)
        yield fixture.play(protocol.player, protocol.against, seated)
        if progress is not None:
            progress(done, len(wanted))


def _without_what_is_not_in_brief(found: Json, report: Json) -> Json:
    """What was recomputed, with what no moves lead to as the report has it."""
    del found["records"]
    for name, told in report["results"].items():
        of = found["results"][name]
        of |= {part: told.get(part) for part in NOT_IN_BRIEF if part in of or part in told}
        if "form" in told and "form" in of:
            of["form"] |= {"first_try": told["form"].get("first_try")}
        for one, two in zip(of["worst"] or (), told["worst"] or (), strict=False):
            one |= {part: two[part] for part in ("thought",) if part in two}
    return {**found, "format": FORMAT_IN_BRIEF, "moves": report["moves"]}


def _where(fixture: Fixture) -> str:
    return f"Round {fixture.round} in seat {fixture.seat.value} at {fixture.game.title}"


def _replay_trouble(trial: Trial, protocol: Protocol, settings: Settings) -> str:
    """What differs from the game that the seed and the player's moves lead to; empty if nothing."""
    if trouble := _transcript_trouble(trial, protocol.player, settings):
        return trouble
    if protocol.against not in PLAYERS:
        return ""  # how it draws its moves is not known here
    fixture, record = trial.fixture, trial.record
    moves = [step.move for step in record.steps if step.actor is fixture.seat]
    gave_up = record.outcome is not None and record.outcome.reason is Ending.RESIGNED
    # A built-in bot has to make the same moves again; anybody else's are taken as they are.
    seated = None if protocol.player in PLAYERS else _Repeats.of(moves, gave_up)
    again = fixture.play(protocol.player, protocol.against, seated).record
    same = record.header() == again.header() and tuple(record.steps) == tuple(again.steps)
    if same and record.outcome is not None and again.outcome is not None:
        one, two = record.outcome, again.outcome
        if (one.winner, one.reason) == (two.winner, two.reason):
            return ""
    return "is not the game that its seed leads to."


def _transcript_trouble(trial: Trial, player: str, settings: Settings) -> str:
    """What in a game's transcript does not lead to its moves; empty if nothing."""
    said, seat = trial.transcript, trial.fixture.seat
    scheme, _, name = player.partition(":")
    if said is None:
        return "lacks what was said." if scheme == "model" else ""
    try:
        if scheme == "model" and Style.read(name.partition("?")[2]) != said.style:
            raise Refusal("It was put in another style.")
        spoke = said.replay(trial.record, seat, settings)
    except Refusal as refusal:
        return f"is not the game that was talked about. {refusal}"
    for kind in (each.name for each in fields(Spent) if each.name != "seconds"):
        told, took = getattr(trial.spent, kind), getattr(spoke, kind)
        is_old = told is None and kind not in ("tokens", "money")  # it was not kept once
        if not (is_old or _same(told, took)):
            return "did not take what its answers took."
    return ""


class _Repeats:
    """A player who makes given moves, and then gives up as in the record."""

    def __init__(self, moves: Sequence[Move | None], resigns: bool) -> None:
        self._moves, self._resigns = iter(moves), resigns

    @classmethod
    def of(cls, moves: Sequence[Move | None], resigns: bool) -> Callable[[Game, Random], Player]:
        return lambda game, rng: cls(moves, resigns)

    def choose(self, view: View) -> Move:
        move = next(self._moves, None)
        if move is not None:
            return move
        raise Resigns if self._resigns else RuntimeError("it forfeited here")


def differences(told: Any, found: Any, where: str = "") -> Iterator[str]:
    """Where a report differs from what its games lead to, a sentence for each figure."""
    if isinstance(told, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*told, *found)):
            place = f"{where}.{key}" if where else str(key)
            if key not in told or key not in found:
                fault = "is missing" if key in found else "is no part of a report"
                yield f"{quote(place, 200)} {fault}."
            else:
                yield from differences(told[key], found[key], place)
    elif isinstance(told, list) and isinstance(found, list) and len(told) == len(found):
        for number, pair in enumerate(zip(told, found, strict=True)):
            yield from differences(*pair, f"{where}[{number}]")
    elif not _same(told, found):
        place = quote(where, 200)
        yield f"{place} is {_brief(told)}, but {_brief(found)} follows from the games."


def _brief(value: Any) -> str:
    return repr(value) if type(value) in (int, float) else quote(str(value))


def _same(told: Any, found: Any) -> bool:
    if type(told) in (int, float) and type(found) in (int, float) and abs(told) < LARGEST:
        return isclose(told, found, rel_tol=CLOSE, abs_tol=CLOSE)
    return type(told) is type(found) and told == found


# --- comparing ------------------------------------------------------------------------------------


Games = dict[tuple[int, Seat], float]
"""A number for each game of a measurement, by its round and the player's seat."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much the first player's mean exceeds the second's."""

    mean: float
    interval: Interval
    """It contains the truth in at least 95 % of all comparisons."""

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes no difference, rounding aside."""
        low, high = self.interval
        return low > ROUNDING or high < -ROUNDING


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two players at one game."""

    game: str
    title: str
    players: tuple[str, str]
    scores: tuple[float, float]
    pairs: int
    """How many games of the same seed were paired; only these make the differences, if any."""
    score: Difference
    answered: Difference | None
    """Of the scores over the decisions that were answered; None if nobody forfeited."""
    forms: tuple[Form | None, Form | None]
    """How often each player's answers were legal moves; None in a report of an earlier version."""
    kinds: dict[str, Difference]
    """What decisions of each kind cost a game; above zero where the first player's cost more."""

    @property
    def paired(self) -> bool:
        """Whether the same seeds were paired, game by game."""
        return self.pairs > 0

    @property
    def better(self) -> str:
        """Who is better, beyond doubt; an empty string if that is not clear."""
        return self._ahead(self.score, self.score.mean > 0)

    def better_at(self, kind: str) -> str:
        """Who loses less by decisions of a kind, beyond doubt."""
        return self._ahead(self.kinds[kind], self.kinds[kind].mean < 0)

    def _ahead(self, difference: Difference, first: bool) -> str:
        return self.players[0 if first else 1] if difference.is_clear else ""

    def to_json(self) -> Json:
        """The comparison as JSON data."""
        return {
            "game": self.game,
            "players": list(self.players),
            "scores": list(self.scores),
            "paired": self.paired,
            "pairs": self.pairs,
            "score": to_json(self.score),
            "better": self.better or None,
            "answered": to_json(self.answered),
            "forms": to_json(self.forms),
            "costs": {
                kind: to_json(difference) | {"better": self.better_at(kind) or None}
                for kind, difference in self.kinds.items()
            },
        }


def compare(one: Json, two: Json) -> list[Comparison]:
    """Two reports, game by game; those of different games or opponents cannot be compared."""
    if one["against"] != two["against"]:
        raise Refusal(
            f"One player met {one['against']}, the other {two['against']}.",
            "Measure both against the same opponent.",
        )
    if one["seats"] != two["seats"]:
        raise Refusal("The players sat in different seats.", "Measure both in the same ones.")
    found = list(_compare_games(one, two))
    if not found:
        raise Refusal("The reports have no game with the same options in common.")
    return found


def _compare_games(one: Json, two: Json) -> Iterator[Comparison]:
    for name, first in one["results"].items():
        second = two["results"].get(name)
        if second is None or first["options"] != second["options"]:
            continue
        records = one["records"][name], two["records"][name]
        values = [_numbers(each, lambda data: data["value"]) for each in records]
        pairs = len(values[0].keys() & values[1].keys()) if one["seed"] == two["seed"] else 0
        paired = pairs > 0
        kinds = dict.fromkeys(kind for each in records for data in each for kind in data["costs"])
        yield Comparison(
            name,
            first["title"],
            (one["player"], two["player"]),
            (first["score"], second["score"]),
            pairs,
            _difference(values[0], values[1], paired),
            _answered_difference(records, paired) if NO_ANSWER in kinds else None,
            (_form(first), _form(second)),
            {
                kind: _difference(_costs(records[0], kind), _costs(records[1], kind), paired)
                for kind in kinds
            },
        )


def _form(result: Json) -> Form | None:
    return from_json(Form | None, result.get("form"))


def _answered_difference(records: tuple[Any, Any], paired: bool) -> Difference:
    one, two = (
        _numbers(each, lambda data: data["value"] + data["costs"].get(NO_ANSWER, 0.0))
        for each in records
    )
    return _difference(one, two, paired)


def _costs(records: Any, kind: str) -> Games:
    return _numbers(records, lambda data: data["costs"].get(kind, 0.0))


def _numbers(records: Any, number: Callable[[Any], float]) -> Games:
    return {(data["round"], Seat(data["seat"])): float(number(data)) for data in records}


def _difference(one: Games, two: Games, paired: bool) -> Difference:
    if paired:
        found = _mean({place: one[place] - two[place] for place in one if place in two}, least=-1.0)
        return Difference(found.mean, found.interval)
    first, second = _mean(one), _mean(two)
    (low, high), (lower, upper) = first.interval, second.interval
    mean = first.mean - second.mean
    down = hypot(first.mean - low, upper - second.mean)
    up = hypot(high - first.mean, second.mean - lower)
    return Difference(mean, (mean - down, mean + up))


def _mean(games: Games, least: float = 0.0) -> Estimate:
    """The mean of numbers of games, each between `least` and 1."""
    seats = np.array([seat.index for _, seat in games])
    parts = len(np.unique(seats))
    return plain_estimate(
        seats, np.array(list(games.values())), Scale([least] * parts, [1.0] * parts)
    )
