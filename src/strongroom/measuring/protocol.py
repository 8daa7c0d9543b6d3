"""The protocol of a measurement: which games are played, in which seats, from which seeds."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from random import Random
from typing import Any, ClassVar, Final

from strongroom.contests.schedule import play_from_seed
from strongroom.contract import Game, Json, Move, Refusal, Seat, View
from strongroom.contract.codec import from_json, json_form, read_fields, to_json
from strongroom.contract.moves import seat_of
from strongroom.contract.rules import parts
from strongroom.minds.dialogue import LARGEST, Amount, TextPlayer, Transcript, Whole
from strongroom.players import CERTIFIED, Follows, Player
from strongroom.players import player as player_named
from strongroom.plugins.foreign import FAILURES
from strongroom.plugins.registry import load
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.randomness import stream
from strongroom.referee.record import Record, Sitter, line_of
from strongroom.referee.table import tell_end

MEASURED: Final = "measured"
"""What the measured player is called in the records."""
OPPONENT: Final = "opponent"
"""What its opponent is called."""
ROUNDS: Final = 100
"""How often each game is played in each seat, unless another number is asked for."""
MOST_ROUNDS: Final = 1_000_000

SeatsPlayer = Callable[[Game, Random], Player]
"""Seats a player at a game, with its own source of randomness."""


@json_form("player against seed seed_known rounds rounds_at? seats turn_limit")
@dataclass(frozen=True, slots=True)
class Protocol:
    """What is played in a measurement; two with the same one can be compared game by game."""

    player: str
    """The measured player's name."""
    games: tuple[Game, ...]
    rounds: int = ROUNDS
    """How often each game is played in each seat."""
    seats: tuple[Seat, ...] = tuple(Seat)
    against: str = CERTIFIED
    seed: int = 1
    seed_known: bool = True
    """Whether the player could know the seed, because it was not drawn after it was named."""
    rounds_at: Mapping[str, Whole] | None = None
    """How often a game is played in each seat, where games are played differently often."""
    most_rounds: ClassVar[int] = MOST_ROUNDS

    def __post_init__(self) -> None:
        counts = (self.rounds, *(self.rounds_at or {}).values())
        if not all(type(each) is int and 0 < each <= self.most_rounds for each in counts):
            raise Refusal(f"rounds must be a number from 1 to {self.most_rounds}.")
        if type(self.seed) is not int or not abs(self.seed) < LARGEST:
            raise Refusal(f"seed must be a number below {LARGEST:.0e}.")
        if type(self.seed_known) is not bool:
            raise Refusal("seed_known must be true or false.")
        if not self.seats or len({*self.seats}) < len(self.seats):
            raise Refusal("seats must be [1], [2] or [1, 2].")
        if not self.games or len({game.name for game in self.games}) < len(self.games):
            raise Refusal("Each game can be measured once.", "Measure its variations one by one.")

    @property
    def fixtures(self) -> Iterator[Fixture]:
        """The games to be played, each round in every seat."""
        for game in self.games:
            for number in range(self.rounds_of(game)):
                for seat in self.seats:
                    yield Fixture(game, number, seat, self.seed)

    def rounds_of(self, game: Game) -> int:
        """How often a game is played in each seat."""
        return (self.rounds_at or {}).get(game.name, self.rounds)

    @property
    def turn_limit(self) -> int:
        """After how many turns a game is undecided."""
        return TURN_LIMIT

    @classmethod
    def read(cls, report: Json) -> Protocol:
        """The protocol of a report, or a refusal."""
        if report["turn_limit"] != TURN_LIMIT:
            raise Refusal(f"turn_limit must be {TURN_LIMIT}.")
        games = {name: found["options"] for name, found in report["results"].items()}
        played = tuple(load(name, **options) for name, options in games.items())
        return cls(games=played, **read_fields(cls, report))


@json_form(
    "seconds illegal tokens tokens_in? cached_tokens? tokens_out? reasoning_tokens? untold? "
    "unconstrained? money"
)
@dataclass(frozen=True, slots=True)
class Spent:
    """What the measured player spent on a game."""

    seconds: Amount = 0.0
    """How long it took to move; of a model, how long its answers took, without what they waited
    for."""
    illegal: Whole = 0
    """How many of its answers were no legal moves."""
    tokens: Whole | None = None
    money: Amount | None = None
    """In dollars."""
    tokens_in: Whole | None = None
    cached_tokens: Whole | None = None
    """Those of `tokens_in` that had been read before."""
    tokens_out: Whole | None = None
    reasoning_tokens: Whole | None = None
    """Those of `tokens_out` that were reasoning."""
    untold: Whole | None = None
    """How many answers there were whose tokens are not told and do not count."""
    unconstrained: Whole | None = None
    """How many answers were not constrained to the legal moves, where they were to be."""

    def __add__(self, other: Spent) -> Spent:
        names = [each.name for each in fields(Spent)]
        added = {name: _total(getattr(self, name), getattr(other, name)) for name in names}
        return Spent(**added | {"seconds": round(self.seconds + other.seconds, 6)})


def _total(one: Any, two: Any) -> Any:
    return (one or 0) + (two or 0) if one is not None or two is not None else None


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played: everything in it but the player's moves follows from its seed."""

    game: Game
    round: int
    seat: Seat
    """The seat of the measured player."""
    seed: int

    @property
    def own_seed(self) -> str:
        """The seed of this game; it does not depend on the player, so that two can be compared."""
        return f"{self.seed}, round {self.round}, Player {self.seat.value} at {self.game!r}"

    def play(self, name: str, against: str, seated: SeatsPlayer | None = None) -> Trial:
        """Play it to the end; `seated` seats a player who is not registered under its name."""
        seed, game, seat = self.own_seed, self.game, self.seat
        watched = Watched((seated or partial(player_named, name))(game, stream(seed, "player")))
        players = {seat: watched, seat.other: player_named(against, game, stream(seed, "opponent"))}
        mine, other = Sitter(MEASURED, name), Sitter(OPPONENT, against)
        sitters = (mine, other) if seat is Seat.ONE else (other, mine)
        record = play_from_seed(game, players, seed, sitters=sitters).record
        return Trial(self, record, watched.spent, watched.transcript)


@dataclass(frozen=True, slots=True)
class Trial:
    """One game of a measurement, played."""

    fixture: Fixture
    record: Record
    spent: Spent = field(compare=False)
    transcript: Transcript | None = None
    """What was said, if the player was asked in text."""

    def to_json(self) -> Json:
        """The game as JSON data, with its record line by line."""
        record = self.record
        lines = [record.header(), *map(record.entry_to_json, record.entries)]
        where = {"round": self.fixture.round, "seat": self.fixture.seat.value}
        said = {"transcript": to_json(self.transcript)} if self.transcript else {}
        return {**where, **to_json(self.spent), "record": lines, **said}

    @classmethod
    def from_json(cls, data: Any, game: Game, seed: int) -> Trial:
        """The game whose `to_json` gave this data, checked against the rules; or a refusal."""
        number, seat, lines = parts(data, "round", "seat", "record")
        if type(number) is not int or not isinstance(lines, list) or not lines:
            raise Refusal("A game has a round and the lines of its record.")
        record = Record.loads("".join(map(line_of, lines)), game)
        if record.outcome is None:
            raise Refusal("The game is not over.")
        fixture, spent = Fixture(game, number, seat_of(seat), seed), from_json(Spent, data)
        said = from_json(Transcript, data["transcript"]) if "transcript" in data else None
        return cls(fixture, record, spent, said)


class Watched(Follows):
    """A player, and what it spends."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._seconds = 0.0
        self._illegal = 0

    def choose(self, view: View) -> Move:
        """The player's move."""
        began = time.perf_counter()
        try:
            move = self._player.choose(view)
        finally:
            self._seconds += time.perf_counter() - began
        with contextlib.suppress(*FAILURES):  # it may be anything
            self._illegal += move not in view.moves
        return move

    def over(self, view: View) -> None:
        """Tell the player how the game ended, if it wants to know."""
        tell_end(self._player, view)

    @property
    def spent(self) -> Spent:
        """What the player has spent; one that has `illegal`, `tokens` or `money` tells those."""
        if isinstance(player := self._player, TextPlayer):
            return Spent(**{each.name: getattr(player, each.name) for each in fields(Spent)})
        illegal, tokens, money = (self._own_figure(name) for name in ("illegal", "tokens", "money"))
        return Spent(
            round(self._seconds, 6),
            self._illegal if illegal is None else int(illegal),
            None if tokens is None else int(tokens),
            money,
        )

    @property
    def transcript(self) -> Transcript | None:
        """What was said, if the player is asked in text."""
        return Transcript.of(self._player) if isinstance(self._player, TextPlayer) else None

    def _own_figure(self, name: str) -> float | None:
        """What the player says it spent; None if that is no number."""
        with contextlib.suppress(*FAILURES):
            told = float(getattr(self._player, name))
            return told if 0 <= told < LARGEST else None
        return None
