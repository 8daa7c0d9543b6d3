"""Tournaments in batches: players who choose for many games at once, on a GPU where there is one.

Nothing is kept of a game but how it ended, so there are scores and ratings, and no costs or moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from strongroom.contests.schedule import Pair, Schedule, Score
from strongroom.contract import Game
from strongroom.referee.randomness import stream
from strongroom.vector.devices import MOST_GAMES, on_device
from strongroom.vector.matches import play
from strongroom.vector.players import seat_players


class BatchedSchedule(Schedule):
    """A schedule of more games than could be played one by one."""

    most_rounds = MOST_GAMES


@dataclass(frozen=True, slots=True)
class Heat:
    """The games of a pair in the same seats."""

    game: Game
    pair: Pair
    turned: bool
    """Whether the second of the pair sits in Seat.ONE."""
    games: int
    seed: int
    turn_limit: int

    @property
    def sitting(self) -> Pair:
        """The players in Seat.ONE and Seat.TWO."""
        one, two = self.pair
        return (two, one) if self.turned else (one, two)

    @property
    def own_seed(self) -> int:
        """The seed of these games, which no other heat has."""
        told = f"{self.seed}, {self.sitting} at {self.game!r}"
        return stream(told, "batches").getrandbits(32)

    def play(
        self, batch: int | None = None, progress: Callable[[int], None] | None = None
    ) -> Score:
        """Play all games, `batch` of them side by side; the score of the pair's first player.

        `progress` is called with how many of them are over.
        """
        env, (first, second) = seat_players(self.game, self.sitting, self.turn_limit)
        played = play(env, first, second, self.games, self.own_seed, batch=batch, progress=progress)
        won = (played.won_by_one, played.won_by_two)
        wins, losses = reversed(won) if self.turned else won
        return Score(*self.pair, wins=wins, undecided=played.undecided, losses=losses)


def check_batches(schedule: Schedule) -> None:
    """Refuse games and players that are not played in batches, before anything is played."""
    with on_device():
        for game in schedule.games:
            seat_players(game, schedule.players, schedule.turn_limit)


def heats(schedule: Schedule) -> list[Heat]:
    """The games of a schedule, each pair with the seats both ways."""
    halves = ((False, (schedule.rounds + 1) // 2), (True, schedule.rounds // 2))
    return [
        Heat(game, pair, turned, games, schedule.seed, schedule.turn_limit)
        for game in schedule.games
        for pair in schedule.pairs
        for turned, games in halves
        if games
    ]


def play_in_batches(
    schedule: Schedule,
    *,
    batch: int | None = None,
    progress: Callable[[Game, int], None] | None = None,
) -> Iterator[tuple[Game, Score]]:
    """Play the games of a tournament; a game and a pair's score, whenever that is known.

    `progress` is called with a game, and how many are over of which the score is not known. The
    same seed gives the same games, whatever the batch.

    >>> from strongroom import load
    >>> schedule = Schedule((load("safe-cracker"),), ("random", "master"), 100)
    >>> sum(score.games for _, score in play_in_batches(schedule))
    100
    """
    with on_device():
        for heat in heats(schedule):
            yield heat.game, heat.play(batch, progress and partial(progress, heat.game))
