"""TWO's plans in Digit Deductions: the main line, and the rules off it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from strongroom.theory.digit_deductions.board import (
    ALL,
    CORNER,
    DIAGONALS,
    FAR,
    HALF,
    LAST,
    ORBIT,
    ORBITS,
    Cell,
    ends,
    fold,
)
from strongroom.theory.digit_deductions.plan import PlanProgramme, first_cells
from strongroom.theory.digit_deductions.player import PATIENT, Path, tied
from strongroom.theory.solvers.linear_programme import Expr, add

PIN = (11, Fraction(22000, 172183))
"""The optimum leaves TWO's weight of orbit 3-5 free in an interval; this value inside it makes
everything else a fraction with a small denominator."""


class PlanOfTwo(PlanProgramme):
    """The common part of TWO's programmes: ONE guesses first, then TWO guesses a corner."""

    def against(self, orbit: int) -> dict[int, Expr]:
        """What TWO wins against each secret of ONE after ONE's first guess."""
        value: dict[int, Expr] = {}
        for e, known in [*DIAGONALS, (2 * HALF, (LAST,))]:
            value.update({t: {} for t in known})
            for f, hidden, times in first_cells(orbit, self.support):
                path = ((ORBITS[orbit][0], f), (CORNER, e))
                won = self.follow(known, hidden, self.reach, path)
                for t in known:
                    add(value[t], won[t], times)
        return value


class MainLineOfTwo(PlanOfTwo):
    """TWO's secrets and its full plan, by secret, after both have guessed a corner.

    TWO hides only numbers with an even sum; the certificate proves that ONE gains nothing by it.
    """

    private = True

    def __init__(self) -> None:
        super().__init__()
        orbits = range(len(ORBITS))
        self.hide = {o: self.new() for o in orbits if FAR[ORBITS[o][0]][CORNER] % 2 == 0}
        self.shot = {o: self.new() for o in orbits}
        self.equals(1.0, dict.fromkeys(self.hide.values(), 1.0))
        self.equals(float(PIN[1]), {self.hide[PIN[0]]: 1.0})
        self.support = tuple(s for s in ALL if ORBIT[s] in self.hide)
        self.reach = {s: {self.hide[ORBIT[s]]: 1 / len(ORBITS[ORBIT[s]])} for s in self.support}
        last = dict.fromkeys(self.shot.values(), 1.0)
        add(last, self.reach[LAST], -1.0)
        self.equals(0.0, last)
        value = self.against(0)
        at_once: Expr = {}
        for s in self.support:
            add(at_once, self.reach[s] if s not in (CORNER, LAST) else {})
        self.rows: dict[int, int] = {}
        """The index of the constraint for ONE's secrets of each orbit."""
        for o, orbit in enumerate(ORBITS):
            row: Expr = {self.goal: 1.0, self.shot[o]: -1 / len(orbit)}
            for t in orbit:
                won = at_once if t == CORNER else value[LAST if t == LAST else fold(t)]
                add(row, won, -1 / len(orbit))
            self.rows[o] = len(self.above)
            self.at_most(0.0, row)


class RuleOfTwo(PlanOfTwo):
    """TWO's rule after any other first guess of ONE: few cases, and uniform last choices.

    It maximises what TWO wins against the secret of ONE that is worst for TWO.
    """

    def __init__(self, masses: Sequence[float], orbit: int) -> None:
        super().__init__(masses)
        self.orbit = orbit
        value = self.against(orbit)
        for secrets in ORBITS:
            row: Expr = {self.goal: 1.0}
            for t in secrets:
                if t == CORNER:
                    missed = self.mass[ORBITS[orbit][0]] - 1.0
                    add(row, {self.one: missed}, 1 / len(secrets))
                else:
                    add(row, value[LAST if t == LAST else fold(t)], -1 / len(secrets))
            self.at_most(0.0, row)

    def limit(self, known: Cell, hidden: Cell) -> Cell:
        """Guesses anywhere while ONE has few candidates left, else only at the ends."""
        return known if len(known) <= 2 or len(hidden) < PATIENT else ends(known)

    def choose(
        self, known: Cell, hidden: Cell, reach: Mapping[int, Expr], path: Path
    ) -> dict[int, dict[int, Expr]]:
        """The reach of each secret after each guess: one free choice, then uniform ones."""
        if len(path) <= 3:
            return super().choose(known, hidden, reach, path)
        options = self.options(known, hidden)
        return {
            g: {s: {v: c / len(options) for v, c in reach[s].items()} for s in hidden}
            for g in options
        }

    def step(self, path: Path, guess: int, answer: int, cell: Cell) -> Path:
        """The path after the follower's guess; ONE's second guess selects a case of the rule."""
        if len(path) != 2:
            return super().step(path, guess, answer, cell)
        first, second = tied(self.orbit, path[0][1], guess, len(cell))
        return (first, path[1], second)
