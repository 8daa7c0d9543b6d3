"""Tournaments: every pair of players at a game, over both seats, often enough for error bars."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import sqrt
from random import Random

from strongroom.contract import Ending, Game, Refusal, Seat
from strongroom.drive import Drive
from strongroom.match import Match
from strongroom.players import Player
from strongroom.randomness import draws, nonces, stream
from strongroom.workers import Workers

TURN_LIMIT = 100
"""After so many turns, both players' together, a game counts as undecided."""
BATCH = 50
"""How many games a worker plays before it reports."""

Make = Callable[[str, Game, Random], Player]
"""Makes the player with a name for a game; for workers, it must be a function of a module."""
Progress = Callable[[int, int], None]
"""Told how many games of how many have been played."""


@dataclass(frozen=True, slots=True)
class Score:
    """What one player scored against another at a game, over both seats."""

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
        """How many games were played."""
        return self.wins + self.undecided + self.losses

    @property
    def mean(self) -> float:
        """The score of a game: a win is 1, an undecided game one half.

        >>> Score("expert", "random", wins=2, undecided=1, losses=1).mean
        0.625
        """
        return (self.wins + self.undecided / 2) / self.games

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        squares = (self.wins + self.undecided / 4) / self.games
        return sqrt(max(0.0, squares - self.mean**2) / self.games)

    @property
    def turned(self) -> Score:
        """The same games as the opponent sees them."""
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
        return f"{self.mean:.3f} ± {self.error:.3f}"


@dataclass(frozen=True, slots=True)
class _Batch:
    """Some of the games of a pair: those with numbers from `first` up to `last`."""

    pair: tuple[str, str]
    first: int
    last: int


def tournament(
    game: Game,
    players: Sequence[str],
    make: Make,
    games: int,
    *,
    seed: int = 0,
    turn_limit: int = TURN_LIMIT,
    workers: int = 2,
    progress: Progress | None = None,
) -> list[Score]:
    """Play `games` games of every pair, in turn with either in Seat.ONE.

    The same seed gives the same scores, whatever the number of workers.
    """
    pairs = list(combinations(players, 2))
    scores = {pair: Score(*pair) for pair in pairs}
    batches = [
        _Batch(pair, first, min(first + BATCH, games))
        for first in range(0, games, BATCH)
        for pair in pairs
    ]
    played = 0
    play = partial(_play_batch, game, make, seed, turn_limit)
    for score in _each_done(play, batches, workers):
        scores[score.player, score.opponent] += score
        played += score.games
        if progress is not None:
            progress(played, games * len(pairs))
    return list(scores.values())


def _each_done(
    play: Callable[[_Batch], Score], batches: Sequence[_Batch], workers: int
) -> Iterator[Score]:
    if workers <= 1:
        yield from map(play, batches)
        return
    with Workers(workers) as pool:
        try:
            for done in as_completed([pool.submit(play, batch) for batch in batches]):
                yield done.result()
        except BrokenProcessPool:
            raise Refusal(
                "A process ended in the middle of a game; a player must do no such thing."
            ) from None


def _play_batch(game: Game, make: Make, seed: int, turn_limit: int, batch: _Batch) -> Score:
    score = Score(*batch.pair)
    for number in range(batch.first, batch.last):
        score += play_one(game, batch.pair, make, seed, number, turn_limit)
    return score


def play_one(
    game: Game, pair: tuple[str, str], make: Make, seed: int, number: int, turn_limit: int
) -> Score:
    """One game of a pair; the first of it sits in Seat.ONE if the game's number is even."""
    player, opponent = pair
    seat = Seat.ONE if number % 2 == 0 else Seat.TWO
    own_seed = f"{seed}, game {number} of {pair} at {game!r}"
    match = Match.start(game, turn_limit=turn_limit, draw=draws(own_seed), nonce=nonces(own_seed))
    sitting = {
        seat: make(player, game, stream(own_seed, "player")),
        seat.other: make(opponent, game, stream(own_seed, "opponent")),
    }
    outcome = Drive(match, sitting).run().outcome
    assert outcome is not None
    won, lost = outcome.winner is seat, outcome.winner is seat.other
    forfeited = outcome.reason is Ending.FORFEITED
    return Score(
        player,
        opponent,
        wins=int(won),
        undecided=int(outcome.winner is None),
        losses=int(lost),
        forfeits=int(lost and forfeited),
        gifts=int(won and forfeited),
    )


def markdown(players: Sequence[str], scores: Sequence[Score]) -> str:
    """The scores as a table: each row's player against each column's; then who forfeited."""
    both = [each for score in scores for each in (score, score.turned)]
    cells = {(score.player, score.opponent): str(score) for score in both}
    lines = [f"| | {' | '.join(players)} |", "|---" * (len(players) + 1) + "|"]
    lines += [
        f"| {row} | {' | '.join(cells.get((row, column), '–') for column in players)} |"
        for row in players
    ]
    for line in forfeits(players, scores):
        lines += ["", line]
    return "\n".join(lines)


def forfeits(players: Sequence[str], scores: Sequence[Score]) -> list[str]:
    """A line for each player who forfeited games, with how many."""
    both = [each for score in scores for each in (score, score.turned)]
    counts = {name: sum(each.forfeits for each in both if each.player == name) for name in players}
    return [f"Forfeited by {name}: {count}." for name, count in counts.items() if count]
