"""Tournaments: every pair of players at a game, in both seats, often enough for error bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from itertools import combinations
from math import sqrt
from operator import add
from random import Random

from strongroom.arena.workers import each_done, pool_for
from strongroom.contract import Ending, Game, Seat
from strongroom.players import Player, player
from strongroom.players.drive import Drive
from strongroom.plugins.registry import find_entry
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces, stream

TURN_LIMIT = 100
"""The number of turns, of both players together, after which a game counts as undecided."""

Make = Callable[[str, Game, Random], Player]
"""Creates the player with a name for a game; for workers, it must be a module-level function."""
Progress = Callable[[int, int], None]
"""Called with the number of games played and their total."""
_Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Score:
    """One player's score against another at a game, over both seats."""

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
        """The mean score per game: a win is 1, an undecided game one half.

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
        counts = map(add, astuple(self)[2:], astuple(other)[2:])
        return Score(self.player, self.opponent, *counts)

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.error:.3f}"


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
    """Play `games` games of every pair, with the seats alternating.

    The same seed gives the same scores, whatever the number of workers.
    """
    pairs = list(combinations(players, 2))
    scores = {pair: Score(*pair) for pair in pairs}
    tasks = [(pair, number) for number in range(games) for pair in pairs]
    work = partial(_play_task, game, make, seed, turn_limit)
    seats = map(partial(find_entry, "player"), players) if make is player else ()
    pool = pool_for(seats, len(tasks), workers)
    for played, score in enumerate(each_done(work, tasks, pool), 1):
        scores[score.player, score.opponent] += score
        if progress is not None:
            progress(played, len(tasks))
    return list(scores.values())


def _play_task(
    game: Game, make: Make, seed: int, turn_limit: int, task: tuple[_Pair, int]
) -> Score:
    pair, number = task
    return play_one(game, pair, make, seed, number, turn_limit)


def play_one(game: Game, pair: _Pair, make: Make, seed: int, number: int, turn_limit: int) -> Score:
    """One game of a pair; its first player sits in Seat.ONE if the game's number is even."""
    name, opponent = pair
    seat = Seat.ONE if number % 2 == 0 else Seat.TWO
    own_seed = f"{seed}, game {number} of {pair} at {game!r}"
    match = Match.start(game, turn_limit=turn_limit, draw=draws(own_seed), nonce=nonces(own_seed))
    sitting = {
        seat: make(name, game, stream(own_seed, "player")),
        seat.other: make(opponent, game, stream(own_seed, "opponent")),
    }
    outcome = Drive(match, sitting).run().outcome
    assert outcome is not None
    won, lost = outcome.winner is seat, outcome.winner is seat.other
    forfeited = outcome.reason is Ending.FORFEITED
    return Score(
        name,
        opponent,
        wins=int(won),
        undecided=int(outcome.winner is None),
        losses=int(lost),
        forfeits=int(lost and forfeited),
        gifts=int(won and forfeited),
    )


def markdown(players: Sequence[str], scores: Sequence[Score]) -> str:
    """The scores as a Markdown table, each row's player against each column's, then forfeits."""
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
    """A line for each player who forfeited games, with their number."""
    both = [each for score in scores for each in (score, score.turned)]
    counts = {name: sum(each.forfeits for each in both if each.player == name) for name in players}
    return [f"Forfeited by {name}: {count}." for name, count in counts.items() if count]
