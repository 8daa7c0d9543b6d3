"""A measurement: a player's games against the certified player, and what they say about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial

from strongroom.contests.workers import GameProgress, each_done, pool_for
from strongroom.contract import Game, Json, Refusal
from strongroom.contract.codec import to_json
from strongroom.contract.moves import seat_of
from strongroom.measuring.protocol import ROUNDS, Fixture, Protocol, SeatsPlayer, Trial
from strongroom.measuring.result import Figures, GameFigures, Judged, Result, judge, odd_luck
from strongroom.minds.model import Experiment, ModelSeats
from strongroom.players import stand_in
from strongroom.plugins.registry import GAMES, find_entry, is_registered, load, load_all
from strongroom.referee.randomness import choose_seed
from strongroom.referee.record import LONGEST_NAME
from strongroom.report.text import percent, with_interval
from strongroom.version import made_with


class Measurement:
    """The games of a measurement and, game by game, the figures that follow from them."""

    def __init__(
        self, protocol: Protocol, judged: Iterable[Judged], experiment: Experiment | None = None
    ) -> None:
        self.protocol, self.experiment = protocol, experiment
        found: dict[Game, list[Judged]] = {game: [] for game in protocol.games}
        for each in judged:
            found[each.trial.fixture.game].append(each)
        self.results = {game.name: Result(game, protocol, those) for game, those in found.items()}

    @cached_property
    def report(self) -> Figures:
        """The figures of all games."""
        asked = self.protocol
        return Figures(
            *(asked.player, asked.against, asked.seed, asked.seed_known, asked.rounds),
            *(asked.seats, asked.turn_limit, made_with()),
            {name: result.figures for name, result in self.results.items()},
            self.experiment,
            asked.rounds_at,
        )

    @cached_property
    def figures(self) -> Json:
        """The figures of each game, as JSON data."""
        return dict(to_json(self.report.results))

    def to_json(self) -> Json:
        """The report: the figures, and everything needed to check them."""
        records = {name: result.records() for name, result in self.results.items()}
        return {**to_json(self.report), "records": records}

    def __str__(self) -> str:
        return "\n".join(
            f"{each.title:17} {with_interval(each.score, each.interval)}"
            + (f", {percent(each.perfect)} perfect" if each.perfect is not None else "")
            + _form_note(each)
            + (f", {lost}" if (lost := self.results[name].forfeit_note) else "")
            + (f", {odd}" if (odd := odd_luck(each.luck_z)) else "")
            for name, each in self.report.results.items()
        )


def _form_note(each: GameFigures) -> str:
    """The score apart from forfeits, if there were any and anything was answered."""
    form = each.form
    if form is None or not form.cost or form.score is None:
        return ""
    return f", {form.score:.3f} over the decisions that were answered"


def measure(
    player: str | SeatsPlayer,
    games: Sequence[str | Game] | str | Game = (),
    *,
    rounds: int = ROUNDS,
    seats: Sequence[int] = (1, 2),
    against: str = "master",
    seed: int | None = None,
    name: str = "",
    workers: int | None = None,
    progress: GameProgress | None = None,
) -> Measurement:
    """How good a player is: a registered name, or a function that seats one at a game.

    All games that can be measured, unless some are named. `name` is what a player is called that
    has none. Without a seed, one is drawn; a given one leads to the same games again, and the
    player may know it.
    """
    chosen = [games] if isinstance(games, str | Game) else games or _installed(against)
    found = tuple(load(each) if isinstance(each, str) else each for each in chosen)
    if not isinstance(player, str) and not callable(player):
        raise Refusal("A player is a registered name, or a function (game, rng) -> player.")
    named = name or getattr(player, "__name__", "player")[:LONGEST_NAME]
    called = player if isinstance(player, str) else named
    if not isinstance(player, str) and is_registered("player", called):
        told = f"{called} is the name of a registered player."
        raise Refusal(told, 'Call yours otherwise: name="...".')
    sitting = tuple(map(seat_of, seats))
    protocol = Protocol(
        called, found, rounds, sitting, against, choose_seed(seed), seed is not None
    )
    seated = find_entry("player", player) if isinstance(player, str) else player
    if isinstance(seated, ModelSeats):  # they are the same for all games, and keep what they took
        player = seated
    judged = play_games(protocol, player, workers=workers, progress=progress)
    return Measurement(protocol, judged, getattr(seated, "experiment", None))


def _installed(against: str) -> list[Game]:
    """The five games, and those of other packages that can be measured against a player."""
    games = load_all()
    return [each for each in games if each.name in GAMES or stand_in(against, each)[0] == against]


def play_games(
    protocol: Protocol,
    player: str | SeatsPlayer,
    *,
    kept: Iterable[Trial] = (),
    keep: Callable[[Trial], None] | None = None,
    workers: int | None = None,
    progress: GameProgress | None = None,
) -> list[Judged]:
    """Play and judge the games of a measurement, apart from those already `kept`."""
    for name in {protocol.against, *([player] if isinstance(player, str) else [])}:
        find_entry("player", name)
    done = {trial.fixture: trial for trial in kept}
    work = [done.get(fixture, fixture) for fixture in protocol.fixtures]
    counts = dict.fromkeys(protocol.games, 0)
    found: list[Judged] = []
    seats = find_entry("player", player) if isinstance(player, str) else player
    pool = pool_for([seats], len(work), workers or (1 if seats is player else None))
    play = partial(_play_and_judge, protocol, None if isinstance(player, str) else player)
    for each in each_done(play, work, pool):
        trial = each.trial
        if keep is not None and trial.fixture not in done:
            keep(trial)
        found.append(each)
        counts[trial.fixture.game] += 1
        if progress is not None:
            of = protocol.rounds_of(trial.fixture.game) * len(protocol.seats)
            progress(trial.fixture.game, counts[trial.fixture.game], of)
    return found


def _play_and_judge(
    protocol: Protocol, seated: SeatsPlayer | None, each: Fixture | Trial
) -> Judged:
    """The game, played if it was not, and accounted for."""
    if isinstance(each, Fixture):
        each = each.play(protocol.player, protocol.against, seated)
    return judge(protocol, each)
