"""How the games are solved: a file a game, and the tables and certificates that come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from numpy.typing import NDArray

from strongroom.game import Game, Move, View
from strongroom.refusal import Refusal

Table = Mapping[str, NDArray[Any]]
Report = Callable[[float, str], None]
"""Hears how far a computation is, from 0 to 1, and what it is doing."""
Number = Fraction | float

SOLVED = {
    "safecracker-duel": "strongroom.theory.safecracker_duel",
    "safe-cracker": "strongroom.theory.safe_cracker",
    "safe-code": "strongroom.theory.safe_code",
    "digit-deductions": "strongroom.theory.digit_deductions",
    "quantum-duel": "strongroom.theory.quantum_duel",
}


class NoTheory(Refusal):
    """A game, or options of a game, that nobody has solved."""


class Theory(Protocol):
    """What is known of a game: the module of each solved one offers this."""

    def solve(self, game: Game, report: Report) -> Table:
        """Compute the table from nothing."""

    def certify(self, game: Game, table: Table, report: Report) -> tuple[Number, Number]:
        """What the two strategies guarantee, by a full best response over the game's rules."""

    def policy(self, table: Table, view: View) -> dict[Move, Number]:
        """With which probability the certified player makes each move."""

    def values(self, table: Table, view: View) -> dict[Move, float]:
        """The actor's probability of winning with each legal move, given what it knows."""

    def why(self, table: Table, view: View, move: Move) -> str:
        """One short sentence on a move."""


@cache
def theory_of(name: str) -> Theory:
    """The theory of the game with this name."""
    if name not in SOLVED:
        raise NoTheory(f"Nobody has solved {name} yet.", f"Solved are: {', '.join(SOLVED)}.")
    return cast("Theory", import_module(SOLVED[name]))
