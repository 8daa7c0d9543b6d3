"""Certificates: what the strategies of a table guarantee, proved from the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from strongroom.contract import Game, Refusal
from strongroom.plugins.extras import extra
from strongroom.theory import shelf
from strongroom.theory.solution import NotProved, Report, Solution, Table
from strongroom.theory.worth import Probability


@dataclass(frozen=True)
class Certificate:
    """What the strategies of both seats guarantee, as win probabilities of the first player."""

    game: Game
    lower: Probability
    upper: Probability
    fingerprint: str
    """The fingerprint of the table that holds the strategies."""
    figures: Mapping[str, Probability]
    """Figures that only some games have, such as the race value of Safe Cracker."""

    @property
    def exact(self) -> bool:
        """Whether both bounds are the same fraction."""
        return isinstance(self.lower, Fraction) and self.lower == self.upper

    @property
    def value(self) -> Probability | None:
        """The value of the game; None if the bounds differ, since it may lie anywhere between."""
        return self.lower if self.exact else None

    def to_json(self) -> dict[str, Any]:
        """The certificate as JSON data; fractions are written `a/b`."""
        return {
            "value": None if self.value is None else _written(self.value),
            "lower": _written(self.lower),
            "upper": _written(self.upper),
            "exact": self.exact,
            **{name: _written(number) for name, number in self.figures.items()},
        }


def _written(number: Probability) -> str | float:
    return str(number) if isinstance(number, Fraction) else number


def certify(solution: Solution, report: Report) -> Certificate:
    """Prove what a solution guarantees, whatever its table's origin; NotProved if that fails."""
    try:
        lower, upper = solution.certify(report)
    except Refusal:
        raise
    except (ValueError, LookupError, ArithmeticError) as gap:
        raise NotProved(f"The proof fails: {gap}.") from gap
    figures = solution.figures(report)
    return Certificate(solution.game, lower, upper, shelf.fingerprint(solution.table), figures)


def recompute(game: Game, report: Report) -> Table:
    """Compute the table of a game from scratch."""
    solution_type = shelf.solution_type(game.name)
    with extra("theory", f"Solving {game.name}"):
        return solution_type.solve(game, report)
