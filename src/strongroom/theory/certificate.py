"""What a table's strategies guarantee, proved from the rules, and whether solving reproduces it.

These are separate questions. The proof takes the table as it is shipped; another release of a
library may find another strategy that is just as good.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import isclose
from typing import Any

from strongroom.contract import Game, Refusal
from strongroom.plugins.extras import MissingExtra, extra
from strongroom.theory import shelf
from strongroom.theory.solution import NoTheory, NotProved, Report, Solution, Table
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
            "value": None if self.value is None else _number(self.value),
            "lower": _number(self.lower),
            "upper": _number(self.upper),
            "exact": self.exact,
            **{name: _number(number) for name, number in self.figures.items()},
        }


def _number(number: Probability) -> str | float:
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


class Shipped(Enum):
    """The status of the table on the shelf."""

    PROVED = "proved"
    NOT_PROVED = "NOT PROVED"
    OTHER_BOUNDS = "OTHER BOUNDS"
    NOT_SHIPPED = "not shipped"
    NOT_CHECKED = "not checked"
    WRITTEN = "written"


class Recomputed(Enum):
    """The result of recomputing the table from scratch."""

    THE_SAME = "the same"
    PROVED_TOO = "other bytes, proved too"
    OTHER_BOUNDS = "other bytes, other bounds"
    NOT_PROVED = "other bytes, not proved"
    PROVED = "proved"
    NEEDS_EXTRA = "needs strongroom[theory]"
    FAILED = "failed"


@dataclass(frozen=True)
class Verdict:
    """What was proved about a game's table, and the result of recomputing it."""

    game: Game
    certificate: Certificate | None
    """For the shipped table when that was verified, else for the computed one."""
    shipped: Shipped
    recomputed: Recomputed
    trouble: str = ""
    """Why something is not proved or not computed."""

    @property
    def verified(self) -> bool:
        """Whether the table on the shelf is proved to guarantee its stated bounds."""
        return self.shipped in (Shipped.PROVED, Shipped.WRITTEN)

    def to_json(self) -> dict[str, Any]:
        """The verdict as JSON data."""
        unproved = {"value": None, "lower": None, "upper": None, "exact": False}
        return {
            "game": self.game.name,
            "options": self.game.options.to_json(),
            **(self.certificate.to_json() if self.certificate else unproved),
            "shipped": self.shipped.value,
            "recomputed": self.recomputed.value,
            "trouble": self.trouble,
        }


def compute(game: Game, report: Report, write: bool = False) -> Verdict:
    """Solve a game from scratch and certify the result; `write` puts it on the shelf."""
    solving = shelf.solution_type(game.name).solving_share
    table = recompute(game, _part(report, 0, solving))
    certificate = _certify_table(game, table, _part(report, solving, 1))
    if write:
        shelf.write(game, table, certificate.lower, certificate.upper, shelf.file_of(game))
        return Verdict(game, certificate, Shipped.WRITTEN, Recomputed.PROVED)
    try:
        shipped, _ = shelf.read(game)
    except NoTheory:
        return Verdict(game, certificate, Shipped.NOT_SHIPPED, Recomputed.PROVED)
    same = shelf.fingerprint(shipped) == certificate.fingerprint
    recomputed = Recomputed.THE_SAME if same else Recomputed.PROVED_TOO
    return Verdict(game, certificate, Shipped.NOT_CHECKED, recomputed)


def verify(game: Game, report: Report) -> Verdict:
    """Certify the shipped table, then recompute it; if none is shipped, only compute it."""
    try:
        table, provenance = shelf.read(game)
    except NoTheory:
        return compute(game, report)
    certificate, trouble = None, ""
    proving = 1 - shelf.solution_type(game.name).solving_share
    try:
        certificate = _certify_table(game, table, _part(report, 0, proving))
    except NotProved as gap:
        shipped, trouble = Shipped.NOT_PROVED, str(gap)
    else:
        shipped = Shipped.PROVED if _proves(certificate, provenance) else Shipped.OTHER_BOUNDS
    recomputed, failure = _compute_again(game, table, provenance, proving, report)
    return Verdict(game, certificate, shipped, recomputed, f"{trouble} {failure}".strip())


def _compute_again(
    game: Game, shipped: Table, provenance: Mapping[str, str], proving: float, report: Report
) -> tuple[Recomputed, str]:
    """How a table computed from scratch compares with the shipped one, and what went wrong."""
    try:
        table = recompute(game, _part(report, proving, 1))
    except MissingExtra as refusal:
        return Recomputed.NEEDS_EXTRA, str(refusal)
    except (ValueError, RuntimeError, ArithmeticError, LookupError) as error:
        # The shipped table stays proved, whatever fails in another release of a library.
        return Recomputed.FAILED, str(error)
    if shelf.fingerprint(table) == shelf.fingerprint(shipped):
        return Recomputed.THE_SAME, ""
    # A second proof was not planned for, so the progress so far is rescaled.
    begin = 1 / (1 + proving)
    try:
        certificate = _certify_table(game, table, _part(report, begin, 1))
    except NotProved as gap:
        return Recomputed.NOT_PROVED, str(gap)
    as_good = _proves(certificate, provenance)
    return Recomputed.PROVED_TOO if as_good else Recomputed.OTHER_BOUNDS, ""


def _certify_table(game: Game, table: Table, report: Report) -> Certificate:
    """Prove what a table guarantees; NotProved if that fails, or if it holds no strategy."""
    try:
        solution = shelf.solution_type(game.name)(game, table)
    except Refusal:
        raise
    except (ValueError, LookupError, ArithmeticError) as error:
        raise NotProved(f"The table of {game.name} holds no strategy: {error}.") from error
    return certify(solution, report)


def _part(report: Report, begin: float, end: float) -> Report:
    """A progress report for one part of the work."""
    return lambda done, words: report(begin + (end - begin) * done, words)


def _proves(certificate: Certificate, provenance: Mapping[str, str]) -> bool:
    """Whether a certificate has the recorded bounds; floats may differ in the last digits."""
    bounds = ((certificate.lower, provenance["lower"]), (certificate.upper, provenance["upper"]))
    return all(
        str(bound) == written
        if isinstance(bound, Fraction)
        else isclose(bound, float(written), abs_tol=1e-9)
        for bound, written in bounds
    )
