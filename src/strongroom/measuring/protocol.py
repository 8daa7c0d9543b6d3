"""The protocol of a measurement: which games are played, in which seats, from which seeds."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, ClassVar, Final

from strongroom.contests.schedule import play_from_seed
from strongroom.contract import Game, Json, Move, Refusal, Seat, View
from strongroom.contract.moves import seat_of
from strongroom.contract.rules import listed, parts
from strongroom.minds.text_player import LARGEST, TextPlayer, Transcript
from strongroom.players import CERTIFIED, Follows, Patient, Player
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
    most_rounds: ClassVar[int] = MOST_ROUNDS

    def __post_init__(self) -> None:
        if type(self.rounds) is not int or not 0 < self.rounds <= self.most_rounds:
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
            for number in range(self.rounds):
                for seat in self.seats:
                    yield Fixture(game, number, seat, self.seed)

    def to_json(self) -> Json:
        """The protocol as JSON data; the games are among the results."""
        return {
            "player": self.player,
            "against": self.against,
            "seed": self.seed,
            "seed_known": self.seed_known,
            "rounds": self.rounds,
            "seats": [seat.value for seat in self.seats],
            "turn_limit": TURN_LIMIT,
        }

    @classmethod
    def from_json(cls, data: Any, options: Json) -> Protocol:
        """The protocol in a report, whose games have these options; or a refusal."""
        player, against, seed, known, rounds, seats, limit = parts(
            data, "player", "against", "seed", "seed_known", "rounds", "seats", "turn_limit"
        )
        if not (isinstance(player, str) and isinstance(against, str)):
            raise Refusal("player and against must be names.")
        if limit != TURN_LIMIT:
            raise Refusal(f"turn_limit must be {TURN_LIMIT}.")
        if not all(isinstance(chosen, dict) for chosen in options.values()):
            raise Refusal("options must be JSON objects.")
        games = tuple(load(name, **chosen) for name, chosen in options.items())
        return cls(player, games, rounds, tuple(map(seat_of, listed(seats))), against, seed, known)


@dataclass(frozen=True, slots=True)
class Spent:
    """What the measured player spent on a game."""

    seconds: float = 0.0
    illegal: int = 0
    """How many of its answers were no legal moves."""
    tokens: int | None = None
    money: float | None = None
    """In dollars."""

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            round(self.seconds + other.seconds, 6),
            self.illegal + other.illegal,
            _total(self.tokens, other.tokens),
            _total(self.money, other.money),
        )

    def to_json(self) -> Json:
        """What was spent as JSON data."""
        return {
            "seconds": self.seconds,
            "illegal": self.illegal,
            "tokens": self.tokens,
            "money": self.money,
        }

    @classmethod
    def from_json(cls, data: Any) -> Spent:
        """What `to_json` gave; or a refusal."""
        found = parts(data, "seconds", "illegal", "tokens", "money")
        for number, each in enumerate(found):
            missing = each is None and number > 1
            if not missing and (type(each) not in (int, float) or not 0 <= each < LARGEST):
                raise Refusal("What a player spent must be numbers.")
        return cls(*found)


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
        watched = watch((seated or partial(player_named, name))(game, stream(seed, "player")))
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
        said = {"transcript": self.transcript.to_json()} if self.transcript else {}
        return where | self.spent.to_json() | {"record": lines} | said

    @classmethod
    def from_json(cls, data: Any, game: Game, seed: int) -> Trial:
        """The game whose `to_json` gave this data, checked against the rules; or a refusal."""
        number, seat, lines = parts(data, "round", "seat", "record")
        if type(number) is not int or not isinstance(lines, list) or not lines:
            raise Refusal("A game has a round and the lines of its record.")
        record = Record.loads("".join(map(line_of, lines)), game)
        if record.outcome is None:
            raise Refusal("The game is not over.")
        fixture, spent = Fixture(game, number, seat_of(seat), seed), Spent.from_json(data)
        said = Transcript.from_json(data["transcript"]) if "transcript" in data else None
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


class PatientlyWatched(Watched, Patient):
    """A player who is asked again after a refused move, and what it spends."""

    def refused(self, refusal: Refusal) -> None:
        """Pass the reason on."""
        assert isinstance(self._player, Patient)
        self._player.refused(refusal)


def watch(player: Player) -> Watched:
    """The player, watched."""
    return PatientlyWatched(player) if isinstance(player, Patient) else Watched(player)
