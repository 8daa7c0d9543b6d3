"""Schedules of games between pairs of players, how one is played from its seed, and scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from random import Random
from typing import ClassVar, Final

from strongroom.contract import Game, Options, Refusal, Seat, quote
from strongroom.contract.codec import json_form
from strongroom.players import Player, player
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces, stream
from strongroom.referee.record import SITTERS, Sitter
from strongroom.referee.table import Table
from strongroom.report.text import Interval, with_interval

MOST_GAMES: Final = 1_000_000
"""The most games of a pair."""
Pair = tuple[str, str]
"""The names of two players."""
Make = Callable[[str, Game, Random], Player]
"""Creates the player with a name for a game; for workers, it must be a module-level function."""


@json_form("games=options players rounds seed seed_known turn_limit")
@dataclass(frozen=True, slots=True)
class Schedule:
    """What is played in a tournament; everything but the players' moves follows from it."""

    games: tuple[Game, ...]
    players: tuple[str, ...]
    rounds: int
    """How many games each pair plays, with the seats alternating."""
    seed: int = 1
    turn_limit: int = TURN_LIMIT
    seed_known: bool = True
    """Whether the players could know the seed, because it was not drawn after they were named."""
    most_rounds: ClassVar[int] = MOST_GAMES

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise Refusal("A tournament needs two players.", "For example: --players master expert")
        for name in self.players:
            if not name.isprintable():
                told = "has characters that cannot be printed"
                raise Refusal(f"The player {quote(name)} {told}.", "Rename it.")
        for named in (self.players, [game.name for game in self.games]):
            if twice := [name for name, count in Counter(named).items() if count > 1]:
                raise Refusal(f"{quote(twice[0])} is named twice.", "Name each of them once.")
        if not 0 < self.rounds <= self.most_rounds:
            raise Refusal(f"A pair can play 1 to {self.most_rounds} games.")

    @property
    def pairs(self) -> list[Pair]:
        """Every pair of players."""
        return list(combinations(self.players, 2))

    @property
    def pairings(self) -> Iterator[Pairing]:
        """The games to be played, game by game and round by round."""
        pairs = self.pairs
        for game in self.games:
            for number in range(self.rounds):
                for pair in pairs:
                    yield Pairing(game, pair, number, self.seed, self.turn_limit)

    @property
    def named(self) -> dict[str, Game]:
        """The games by their names."""
        return {game.name: game for game in self.games}

    @property
    def options(self) -> dict[str, Options]:
        """The options of each game, by its name."""
        return {name: game.options for name, game in self.named.items()}


@json_form("game=game.name pair number first")
@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played."""

    game: Game
    pair: Pair
    number: int
    """The first of the pair sits in Seat.ONE if this is even."""
    seed: int
    turn_limit: int = TURN_LIMIT

    @property
    def sitting(self) -> Pair:
        """The players in Seat.ONE and Seat.TWO."""
        one, two = self.pair
        return (one, two) if self.number % 2 == 0 else (two, one)

    @property
    def first(self) -> str:
        """The player in Seat.ONE."""
        return self.sitting[0]

    @property
    def own_seed(self) -> str:
        """The seed of this game."""
        return f"{self.seed}, game {self.number} of {self.pair} at {self.game!r}"

    def seat_players(self, make: Make = player) -> dict[Seat, Player]:
        """The players in their seats, each with its own source of randomness."""
        streams = ("player", "opponent") if self.number % 2 == 0 else ("opponent", "player")
        return {
            seat: make(name, self.game, stream(self.own_seed, own))
            for seat, name, own in zip(Seat, self.sitting, streams, strict=True)
        }


def play_from_seed(
    game: Game,
    players: Mapping[Seat, Player],
    seed: str,
    *,
    sitters: tuple[Sitter, Sitter] = SITTERS,
    turn_limit: int = TURN_LIMIT,
) -> Match:
    """A match of these players to its end; everything but their moves follows from the seed."""
    match = Match.start(game, sitters, turn_limit, draws(seed), nonces(seed))
    return Table(match, players, clock=lambda: 0.0).run()


# --- scores ---------------------------------------------------------------------------------------


NORMAL: Final = 1.959964
"""Half the width of a 95 % interval, in standard errors."""
MANY: Final = 100_000
"""From this many games on, scores are shown with five digits, because errors are so small."""


def mean_and_variance(wins: int, undecided: int, losses: int) -> tuple[float, float]:
    """Those of the results of games: a win is 1, an undecided game one half.

    >>> mean_and_variance(wins=2, undecided=1, losses=1)
    (0.625, 0.171875)
    """
    games = wins + undecided + losses
    mean, squares = (wins + undecided / 2) / games, (wins + undecided / 4) / games
    return mean, max(0.0, squares - mean**2)


@json_form("wins undecided losses forfeits gifts score=mean error interval")
@dataclass(frozen=True, slots=True)
class Score:
    """One player's score against another at a game, over both seats.

    >>> str(Score("master", "random", wins=3, losses=1))
    '0.750 (0.301 to 0.954)'
    >>> str(Score("master", "random", wins=750_000, losses=250_000))
    '0.75000 ± 0.00085'
    """

    player: str
    opponent: str
    wins: int = 0
    undecided: int = 0
    losses: int = 0
    forfeits: int = 0
    """How many of the losses were forfeits: the player failed, or its move was refused."""
    gifts: int = 0
    """How many of the wins were the opponent's forfeits."""

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.wins + self.undecided + self.losses

    @property
    def mean(self) -> float:
        """The mean score per game: a win is 1, an undecided game one half."""
        return self._mean_and_variance[0]

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return sqrt(self._mean_and_variance[1] / self.games)

    @property
    def _mean_and_variance(self) -> tuple[float, float]:
        return mean_and_variance(self.wins, self.undecided, self.losses)

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the mean, by Wilson's method.

        >>> tuple(round(bound, 3) for bound in Score("expert", "random", wins=9, losses=1).interval)
        (0.596, 0.982)
        """
        spread = NORMAL**2 / self.games
        middle = (self.mean + spread / 2) / (1 + spread)
        reach = NORMAL * sqrt(self.mean * (1 - self.mean) / self.games + spread / 4 / self.games)
        return max(0.0, middle - reach / (1 + spread)), min(1.0, middle + reach / (1 + spread))

    @property
    def digits(self) -> int:
        """How many digits of the mean are told: more, where the games are very many."""
        return 3 if self.games < MANY else 5

    @property
    def swap_sides(self) -> Score:
        """The same games from the opponent's side."""
        return Score(
            self.opponent,
            self.player,
            wins=self.losses,
            undecided=self.undecided,
            losses=self.wins,
            forfeits=self.gifts,
            gifts=self.forfeits,
        )

    def __add__(self, other: Score) -> Score:
        assert (self.player, self.opponent) == (other.player, other.opponent)
        return Score(
            self.player,
            self.opponent,
            self.wins + other.wins,
            self.undecided + other.undecided,
            self.losses + other.losses,
            self.forfeits + other.forfeits,
            self.gifts + other.gifts,
        )

    def __str__(self) -> str:
        return with_interval(self.mean, self.interval, self.digits)
