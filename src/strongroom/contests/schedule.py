"""Schedules of games between pairs of players, and how a game is played from its seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Final

from strongroom.contract import Game, Options, Refusal, Seat, shown
from strongroom.contract.codec import json_form
from strongroom.players import Player
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces
from strongroom.referee.record import SITTERS, Sitter
from strongroom.referee.table import Table

MOST_GAMES: Final = 1_000_000
"""The most games of a pair."""
Pair = tuple[str, str]
"""The names of two players."""


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
                raise Refusal(f"The player {shown(name)} {told}.", "Rename it.")
        for named in (self.players, [game.name for game in self.games]):
            if twice := [name for name, count in Counter(named).items() if count > 1]:
                raise Refusal(f"{shown(twice[0])} is named twice.", "Name each of them once.")
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
