"""Solutions of games: a certified strategy for both seats, read from a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from numpy.typing import NDArray

from strongroom.contract import AnyState, Game, Move, Refusal, View
from strongroom.theory.move_effect import BEST

Table = Mapping[str, NDArray[Any]]
"""What a solver computes and the shelf stores: arrays by name."""
Worth = Fraction | float
"""A probability, exact where the proof is exact."""
TIE = 1e-9
"""The largest difference that rounding makes between equal win probabilities."""
Report = Callable[[float, str], None]
"""A progress callback: the share done, from 0 to 1, and the current step."""


class NoTheory(Refusal):
    """A game, or options of a game, that nobody has solved."""


class NotProved(Refusal):
    """A strategy that does not guarantee what its table says."""


class Solution(ABC):
    """A certified strategy of a game for both seats; every solved game has a subclass."""

    tables: ClassVar[Path] = Path(__file__).with_name("tables")
    """The folder of the game's tables; a third-party package sets its own."""

    def __init__(self, game: Game, table: Table) -> None:
        self.game = game
        self.table = table

    @classmethod
    def solving_share(cls, game: Game) -> float:
        """The measured share of solving in the total time to solve and prove a game."""
        return 0.5

    @classmethod
    @abstractmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute the table from scratch."""

    @abstractmethod
    def certify(self, report: Report) -> tuple[Worth, Worth]:
        """Lower and upper bound on Seat.ONE's value, proved by full best responses."""

    @abstractmethod
    def policy(self, view: View) -> Mapping[Move, Worth]:
        """The certified player's probability of each move; {} out of its turn."""

    @abstractmethod
    def values(self, view: View) -> Mapping[Move, float]:
        """The actor's probability of winning with each legal move, given what it knows."""

    @abstractmethod
    def why(self, view: View, move: Move) -> str:
        """One short sentence about a move."""

    def plainly(self, view: View, move: Move) -> str:
        """Why to make a move, without figures, as the rest of a sentence that begins with it."""
        return BEST

    def instead(self, view: View, move: Move) -> str:
        """What a move would have done, as the rest of a sentence that begins with the move."""
        why = self.why(view, move)
        return f"was better: {why[:1].lower()}{why[1:].rstrip('.')}"

    def assumes(self, view: View) -> str:
        """What `values` assumes about the opponent here, as the rest of "if ..."."""
        return "the opponent plays the certified strategy"

    def truth(self, state: AnyState) -> float | None:
        """Seat.ONE's probability of winning, given both secrets, if both play on as certified.

        It is called once both secrets are chosen. None means that it has not been worked out.
        """
        return None

    def figures(self, report: Report) -> Mapping[str, Worth]:
        """Further figures that only some games have, such as the race value of Safe Cracker."""
        return {}
