"""Scores of one player against another, with their errors."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

from strongroom.contract.codec import json_form
from strongroom.report.text import Interval, with_interval

NORMAL: Final = 1.959964
"""Half the width of a 95 % interval, in standard errors."""
MANY: Final = 100_000
"""From this many games on, scores are shown with five digits, because errors are so small."""


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
