"""Checks of a report: every game is replayed, and every figure is recomputed from the games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from random import Random
from typing import Annotated, Any, Final

from strongroom.contests.workers import Progress
from strongroom.contract import Ending, Game, Json, Move, Refusal, Seat, View, shown
from strongroom.contract.codec import from_json, number_from
from strongroom.measuring.figures import FORMAT, FORMAT_IN_BATCHES, VERSION, Figures
from strongroom.measuring.measure import Measurement
from strongroom.measuring.protocol import MEASURED, Fixture, Protocol, Trial
from strongroom.measuring.result import judge
from strongroom.minds.dialogue import Style
from strongroom.minds.text_player import LARGEST, Whole
from strongroom.players import Player, Resigns
from strongroom.plugins.registry import PLAYERS
from strongroom.referee.record import Sitter
from strongroom.version import __version__

CLOSE: Final = 1e-9
"""How far a figure may be from the one recomputed, for another machine's rounding."""
ENOUGH: Final = 1000
"""After so many troubles with its games, a report is not looked at further."""
ELSEWHERE: Final = ("python", "numpy")
"""What a report says about the machine that made it, on which no figure depends."""


class NotAReport(Refusal):
    """A text that is no report of a measurement, or that cannot be read by this version."""


def read(text: str) -> Json:
    """The report in a text, if it has the form of one."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAReport(f"It is not JSON: {shown(str(error), 80)}.") from None
    if isinstance(data, dict) and data.get("format") == FORMAT_IN_BATCHES:
        told = "It has only sums of games in batches, which cannot be checked or compared."
        raise NotAReport(told, "Measure without --batches.")
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise NotAReport("It is not a report of strongroom measure.")
    if data.get("version") != VERSION:
        told = f"It has version {_brief(data.get('version'))}; this strongroom reads {VERSION}."
        raise NotAReport(told)
    try:
        figures = Figures.read(data)
        Sitter(MEASURED, data["player"])  # or it is not a name
        games = from_json(Mapping[str, tuple[Played, ...]], data.get("records"))
        if games.keys() != figures.results.keys() or not all(games.values()):
            raise Refusal("results and records must be about the same games.")
    except Refusal as refusal:
        raise NotAReport(refusal.reason, refusal.accepted) from None
    return data


@dataclass(frozen=True, slots=True)
class Played:
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
            f"It was made by strongroom {shown(str(made_by))}; this is {__version__}.",
            "Check it with the version that made it: bots may play otherwise in another one.",
        )
    protocol = Protocol.read(report)
    troubles: list[str] = []
    trials = list(_trials(report, protocol, troubles, progress))
    if troubles:
        return troubles
    found = Measurement(protocol, (judge(protocol, trial) for trial in trials)).to_json()
    for name in ELSEWHERE:
        found[name] = report.get(name)
    return list(differences(report, found))


def _trials(
    report: Json, protocol: Protocol, troubles: list[str], progress: Progress | None
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
        elif trouble := _replay_trouble(trial, protocol):
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


def _where(fixture: Fixture) -> str:
    return f"Round {fixture.round} in seat {fixture.seat.value} at {fixture.game.title}"


def _replay_trouble(trial: Trial, protocol: Protocol) -> str:
    """What differs from the game that the seed and the player's moves lead to; empty if nothing."""
    if trouble := _transcript_trouble(trial, protocol.player):
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


def _transcript_trouble(trial: Trial, player: str) -> str:
    """What in a game's transcript does not lead to its moves; empty if nothing."""
    said, seat = trial.transcript, trial.fixture.seat
    scheme, _, settings = player.partition(":")
    if said is None:
        return "lacks what was said." if scheme == "model" else ""
    try:
        if scheme == "model" and Style.read(settings.partition("?")[2]) != said.style:
            raise Refusal("It was put in another style.")
        spoke = said.replayed(trial.record, seat)
    except Refusal as refusal:
        return f"is not the game that was talked about. {refusal}"
    spent = trial.spent
    if (spent.illegal, spent.tokens) != (spoke.illegal, spoke.tokens) or not _same(
        spent.money, spoke.money
    ):
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
                yield f"{shown(place, 200)} {fault}."
            else:
                yield from differences(told[key], found[key], place)
    elif isinstance(told, list) and isinstance(found, list) and len(told) == len(found):
        for number, pair in enumerate(zip(told, found, strict=True)):
            yield from differences(*pair, f"{where}[{number}]")
    elif not _same(told, found):
        place = shown(where, 200)
        yield f"{place} is {_brief(told)}, but {_brief(found)} follows from the games."


def _brief(value: Any) -> str:
    return repr(value) if type(value) in (int, float) else shown(str(value))


def _same(told: Any, found: Any) -> bool:
    if type(told) in (int, float) and type(found) in (int, float) and abs(told) < LARGEST:
        return isclose(told, found, rel_tol=CLOSE, abs_tol=CLOSE)
    return type(told) is type(found) and told == found
