"""Certificates: what was computed for a game, what it proves, and what it cost."""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from strongroom.game import Game, Refusal
from strongroom.theory import NoTheory, Number, Report, Table, shelf, theory_of


class NotProved(Refusal):
    """A strategy that does not guarantee what its table says."""


@dataclass(frozen=True)
class Certificate:
    """What both strategies of a game guarantee, as win probabilities of the first player."""

    game: Game
    lower: Number
    upper: Number
    fingerprint: str
    seconds: float
    peak_mb: float
    extra: dict[str, Number]
    """Figures that only some games have, such as the race value of Safe Cracker."""

    @property
    def exact(self) -> bool:
        """Whether both bounds are one and the same fraction."""
        return isinstance(self.lower, Fraction) and self.lower == self.upper

    @property
    def value(self) -> Number:
        """The value of the game; between bounds that do not meet, their middle."""
        return self.lower if self.exact else (self.lower + self.upper) / 2

    def to_json(self) -> dict[str, Any]:
        """The certificate as JSON data; fractions are written `a/b`."""
        return {
            "game": self.game.name,
            "options": self.game.options.to_json(),
            "value": _written(self.value),
            "lower": _written(self.lower),
            "upper": _written(self.upper),
            "exact": self.exact,
            "seconds": round(self.seconds, 1),
            "peak_mb": round(self.peak_mb),
            **{name: _written(number) for name, number in self.extra.items()},
        }


def _written(number: Number) -> str | float:
    return str(number) if isinstance(number, Fraction) else number


def compute(game: Game, report: Report) -> tuple[Table, Certificate]:
    """Solve a game from nothing and certify the strategies; the table and its certificate."""
    theory = theory_of(game.name)
    begin = time.perf_counter()
    try:
        table = theory.solve(game, lambda done, words: report(done / 2, words))
    except ImportError as missing:
        reason = f"Solving {game.name} needs {missing.name}."
        raise NoTheory(reason, "Install it: pip install 'strongroom[theory]'") from None
    try:
        lower, upper = theory.certify(
            game, table, lambda done, words: report(0.5 + done / 2, words)
        )
    except Refusal:
        raise
    except ValueError as gap:
        raise NotProved(f"The proof fails: {gap}.") from gap
    extra: dict[str, Number] = {}
    race = getattr(theory, "race", None)
    if race is not None:
        extra["race"] = race(game, report)
    seconds = time.perf_counter() - begin
    certificate = Certificate(
        game, lower, upper, shelf.fingerprint(table), seconds, _peak_mb(), extra
    )
    return table, certificate


def _peak_mb() -> float:
    """The most memory this process has had; Linux counts in kilobytes, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3
