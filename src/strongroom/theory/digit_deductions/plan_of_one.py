"""ONE's plan in Digit Deductions: its guesses do not depend on its secret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from strongroom.theory.digit_deductions.board import (
    CORNER,
    DIAGONALS,
    MIRROR,
    ORBITS,
    Cell,
    ends,
    fold,
)
from strongroom.theory.digit_deductions.plan import PlanProgramme, first_cells
from strongroom.theory.digit_deductions.player import FULL_PLAN
from strongroom.theory.solvers.linear_programme import Expr, add

NARROW, BROAD = 5, 7
"""ONE shoots anywhere while the opponent has fewer than NARROW candidates left, next to the ends
below BROAD, and only at the ends from there on."""


def mirrored(value: Mapping[int, Expr], secret: int) -> Expr:
    """The mean over a secret and its mirror image, since frames are drawn at random."""
    mean: Expr = {}
    add(mean, value[secret], 0.5)
    add(mean, value[MIRROR[secret]], 0.5)
    return mean


class PlanOfOne(PlanProgramme):
    """The common part of ONE's programmes; how often ONE hides each secret is given."""

    def __init__(self, masses: Sequence[float], orbits: Iterable[int]) -> None:
        super().__init__(masses)
        self.need = {t: self.new() for _, known in DIAGONALS for t in known if t <= MIRROR[t]}
        """What ONE is sure to win against each secret of TWO, after first guesses in `orbits`."""
        for orbit in orbits:
            won = self.against(orbit)
            for t, at in self.need.items():
                row: Expr = {at: 1.0, self.goal: 1.0} if orbit else {at: 1.0}
                add(row, mirrored(won, t), -1.0)
                self.at_most(0.0, row)

    def limit(self, known: Cell, hidden: Cell) -> Cell:
        """Guesses anywhere, next to the ends, or only at the ends: fewer the less TWO knows."""
        if len(known) <= 2 or len(hidden) < NARROW:
            return known
        return (*known[:2], *known[-2:]) if len(hidden) < BROAD and len(known) > 4 else ends(known)

    def against(self, orbit: int) -> dict[int, Expr]:
        """What ONE wins against each secret of TWO after TWO's first guess."""
        value: dict[int, Expr] = {}
        for f, known in DIAGONALS:
            value.update({t: {} for t in known})
            for e, hidden, times in first_cells(orbit, self.support):
                if orbit in FULL_PLAN:
                    path = ((CORNER, f), (ORBITS[orbit][0], e))
                    won = self.lead(known, hidden, self.reach, path)
                else:
                    won = self._at_the_ends(known, hidden)
                for t in known:
                    add(value[t], won[t], times)
        return value

    def _at_the_ends(self, known: Cell, hidden: Cell) -> dict[int, Expr]:
        total = sum(self.mass[s] for s in hidden)
        missed = total - max(self.mass[s] for s in hidden)
        won: dict[int, Expr] = {t: {self.one: missed} for t in known}
        for t in ends(known):
            won[t] = {self.one: (missed + total) / 2}
        return won

    def means(self) -> Iterator[tuple[Expr, float]]:
        """For each orbit of TWO's secrets, minus ONE's mean need, and the constant part."""
        for orbit in ORBITS:
            row: Expr = {}
            fixed = 0.0
            for t in orbit:
                near = min(fold(t), MIRROR[fold(t)])
                if near == CORNER:
                    fixed += 1.0 if t == CORNER else 1.0 - max(self.mass.values())
                else:
                    add(row, {self.need[near]: -1 / len(orbit)})
            yield row, fixed / len(orbit)


class WidePlanOfOne(PlanOfOne):
    """At least the value against the corner, and the widest margin against other first guesses."""

    def __init__(self, masses: Sequence[float], value: float) -> None:
        super().__init__(masses, range(len(ORBITS)))
        for row, fixed in self.means():
            self.at_most(fixed - value, row)


class MainLineOfOne(PlanOfOne):
    """Against the corner alone, within the margin elsewhere: a vertex with small fractions."""

    def __init__(
        self, masses: Sequence[float], low: Mapping[int, float], high: Mapping[int, float]
    ) -> None:
        super().__init__(masses, (0,))
        for t, at in self.need.items():
            self.at_most(high[t], {at: 1.0})
            self.at_most(-low[t], {at: -1.0})
        for row, fixed in self.means():
            self.at_most(fixed, {**row, self.goal: 1.0})
