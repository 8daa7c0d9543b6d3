"""Whether a shipped table is proved, and whether computing it again gives the same bytes.

These are two questions. The proof takes the table as it is shipped; another release of a library
may find another strategy that is just as good.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import isclose
from typing import Any

from strongroom.contract import Game, Refusal
from strongroom.theory import shelf
from strongroom.theory.certificate import Certificate, MissingExtra, certify, recompute
from strongroom.theory.solution import NoTheory, NotProved, Report, Solution, Table, Worth


class Shipped(Enum):
    """What is known of the table on the shelf."""

    PROVED = "proved"
    NOT_PROVED = "NOT PROVED"
    OTHER_BOUNDS = "OTHER BOUNDS"
    NOT_SHIPPED = "not shipped"
    NOT_CHECKED = "not checked"
    WRITTEN = "written"


class Recomputed(Enum):
    """What came of computing the table from nothing."""

    THE_SAME = "the same"
    PROVED_TOO = "other bytes, proved too"
    OTHER_BOUNDS = "other bytes, other bounds"
    NOT_PROVED = "other bytes, not proved"
    PROVED = "proved"
    NEEDS_EXTRA = "needs strongroom[theory]"
    FAILED = "failed"


@dataclass(frozen=True)
class Verdict:
    """What was proved of a game's table, and what came of computing it again."""

    game: Game
    certificate: Certificate | None
    """Of the shipped table where that was to be verified, else of the computed one."""
    shipped: Shipped
    recomputed: Recomputed
    trouble: str = ""
    """Why something is not proved or not computed."""

    @property
    def verified(self) -> bool:
        """Whether what is on the shelf is proved to guarantee what it says."""
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
    """Solve a game from nothing and certify what came out; `write` puts it on the shelf."""
    solving = shelf.solution_type(game.name).solving_share(game)
    table = recompute(game, _part(report, 0, solving))
    certificate = certify(_solution(game, table), _part(report, solving, 1))
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
    """Certify the shipped table itself, then compute it again; without one, compute it."""
    try:
        table, provenance = shelf.read(game)
    except NoTheory:
        return compute(game, report)
    certificate, trouble = None, ""
    proving = 1 - shelf.solution_type(game.name).solving_share(game)
    try:
        certificate = certify(_solution(game, table), _part(report, 0, proving))
    except NotProved as gap:
        shipped, trouble = Shipped.NOT_PROVED, str(gap)
    else:
        shipped = Shipped.PROVED if _proves(certificate, provenance) else Shipped.OTHER_BOUNDS
    recomputed, failure = _compute_again(game, table, provenance, proving, report)
    return Verdict(game, certificate, shipped, recomputed, f"{trouble} {failure}".strip())


def _compute_again(
    game: Game, shipped: Table, provenance: Mapping[str, str], proving: float, report: Report
) -> tuple[Recomputed, str]:
    """How a table computed from nothing compares with the shipped one, and what went wrong."""
    try:
        table = recompute(game, _part(report, proving, 1))
    except MissingExtra as refusal:
        return Recomputed.NEEDS_EXTRA, str(refusal)
    except (ValueError, RuntimeError, ArithmeticError, LookupError) as error:
        # Whatever another release of a library runs into, the shipped table stands as proved.
        return Recomputed.FAILED, str(error)
    if shelf.fingerprint(table) == shelf.fingerprint(shipped):
        return Recomputed.THE_SAME, ""
    # There is more to do than anybody knew: what was all of it is now a part.
    begin = 1 / (1 + proving)
    try:
        certificate = certify(_solution(game, table), _part(report, begin, 1))
    except NotProved as gap:
        return Recomputed.NOT_PROVED, str(gap)
    as_good = _proves(certificate, provenance)
    return Recomputed.PROVED_TOO if as_good else Recomputed.OTHER_BOUNDS, ""


def _solution(game: Game, table: Table) -> Solution:
    """The solution that a table holds, if it holds one."""
    try:
        return shelf.solution_type(game.name)(game, table)
    except Refusal:
        raise
    except (ValueError, LookupError, ArithmeticError) as error:
        raise NotProved(f"The table of {game.name} holds no strategy: {error}.") from error


def _part(report: Report, begin: float, end: float) -> Report:
    """The report of a part of the work."""
    return lambda done, words: report(begin + (end - begin) * done, words)


def _proves(certificate: Certificate, provenance: Mapping[str, str]) -> bool:
    """Whether a certificate has the bounds that were written down with the shipped table."""
    return _is(certificate.lower, provenance["lower"]) and _is(
        certificate.upper, provenance["upper"]
    )


def _is(number: Worth, written: str) -> bool:
    """Whether a bound is the one that was written down; floating point may differ in the end."""
    if isinstance(number, Fraction):
        return str(number) == written
    return isclose(number, float(written), abs_tol=1e-9)
