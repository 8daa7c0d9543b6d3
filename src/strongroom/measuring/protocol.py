"""The protocol of a measurement: which games are played, in which seats, from which seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from strongroom.contract import Game, Seat
from strongroom.players import Player
from strongroom.players.drive import Drive
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces, stream
from strongroom.referee.record import Record
from strongroom.referee.sitter import Sitter

TURN_LIMIT: Final = 100
"""The number of turns, of both players together, after which a game counts as undecided."""

MEASURED: Final = "measured"
"""What the measured player is called in the records."""
OPPONENT: Final = "opponent"
"""What its opponent is called."""

Seats = Callable[[Game, Random], Player]
"""Seats the measured player at a game."""


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

    def play(self, name: str, player: Seats, opponent: Seats, opponent_name: str) -> Record:
        """Play it to the end."""
        seed, game, seat = self.own_seed, self.game, self.seat
        players = {
            seat: player(game, stream(seed, "player")),
            seat.other: opponent(game, stream(seed, "opponent")),
        }
        mine, other = Sitter(MEASURED, name), Sitter(OPPONENT, opponent_name)
        sitters = (mine, other) if seat is Seat.ONE else (other, mine)
        match = Match.start(game, sitters, TURN_LIMIT, draws(seed), nonces(seed))
        return Drive(match, players, clock=lambda: 0.0).run().record


def fixtures(game: Game, rounds: int, seed: int, seats: tuple[Seat, ...]) -> Iterator[Fixture]:
    """The games of a measurement, each round in every seat."""
    for number in range(rounds):
        for seat in seats:
            yield Fixture(game, number, seat, seed)
