"""What is known of a solved game: a certified strategy for both seats, read from a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from numpy.typing import NDArray

from strongroom.contract import AnyState, Game, Move, Refusal, View

Table = Mapping[str, NDArray[Any]]
"""What a solver computes and the shelf keeps: arrays by name."""
Worth = Fraction | float
"""A probability: exact where the proof is."""
Report = Callable[[float, str], None]
"""Hears how far a computation is, from 0 to 1, and what it is doing."""


class NoTheory(Refusal):
    """A game, or options of a game, that nobody has solved."""


class NotProved(Refusal):
    """A strategy that does not guarantee what its table says."""


class Solution(ABC):
    """A certified strategy of a game for both seats; every solved game has a subclass."""

    tables: ClassVar[Path] = Path(__file__).with_name("tables")
    """The folder in which the tables of its game stand; another package names its own."""

    def __init__(self, game: Game, table: Table) -> None:
        self.game = game
        self.table = table

    @classmethod
    def solving_share(cls, game: Game) -> float:
        """Which part of the time to solve a game and prove it goes into solving, as measured."""
        return 0.5

    @classmethod
    @abstractmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute the table from nothing."""

    @abstractmethod
    def certify(self, report: Report) -> tuple[Worth, Worth]:
        """What the strategies guarantee Seat.ONE at least and at most, by a full best response."""

    @abstractmethod
    def policy(self, view: View) -> Mapping[Move, Worth]:
        """With which probability the certified player makes each move; {} out of its turn."""

    @abstractmethod
    def values(self, view: View) -> Mapping[Move, float]:
        """The actor's probability of winning with each legal move, given what it knows."""

    @abstractmethod
    def why(self, view: View, move: Move) -> str:
        """One short sentence on a move."""

    def instead(self, view: View, move: Move) -> str:
        """What a move would have done, as the rest of a sentence that begins with the move."""
        why = self.why(view, move)
        return f"was better: {why[:1].lower()}{why[1:].rstrip('.')}"

    def assumes(self, view: View) -> str:
        """What `values` takes for granted of the opponent here, as the rest of "if ..."."""
        return "the opponent plays the certified strategy"

    def truth(self, state: AnyState) -> float | None:
        """Seat.ONE's probability of winning a game that goes on as certified, both secrets known.

        It is asked once both secrets are chosen. None: nobody has worked it out.
        """
        return None

    def figures(self, report: Report) -> Mapping[str, Worth]:
        """Further figures that only some games have, such as the race value of Safe Cracker."""
        return {}
