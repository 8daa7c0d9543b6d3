"""How the strategies of Digit Deductions are found: three kinds of linear programme.

TWO's main line (both guess a corner first) gives the value, TWO's secrets and, as dual prices,
ONE's secrets. ONE's plan against every first guess of TWO follows, then TWO's rules off the main
line.

The player whose strategy is sought is the *leader*, the other the *follower*. A leader's plan is a
set of realization weights; the follower plays a best response with each secret of its own. `known`
is what the leader still considers possible, `hidden` what the follower still considers possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from strongroom.theory.digit_deductions.player import (
    ALL,
    ANYBODY,
    CORNER,
    DIAGONALS,
    FAR,
    FULL_PLAN,
    HALF,
    LAST,
    MIRROR,
    ORBIT,
    ORBITS,
    OWN_RULE,
    PATIENT,
    Cell,
    Path,
    Weights,
    case_of,
    ends,
    fold,
    split,
    useful,
)
from strongroom.theory.solution import Report, Table
from strongroom.theory.solvers.linear_programmes import Expr, LinearProgramme, Optimum, add


def first_cells(orbit: int, support: Cell) -> list[tuple[int, Cell, int]]:
    """What the first guess of an orbit tells: answer, candidates, number of equivalent answers."""
    guess = ORBITS[orbit][0]
    cells = [(answer, cell) for answer, cell in split(support, guess) if answer]
    if orbit:
        return [(answer, cell, 1) for answer, cell in cells]
    return [(answer, cell, 1 + (answer < HALF)) for answer, cell in cells if answer <= HALF]


class PlanProgramme(LinearProgramme):
    """A linear programme for a leader's plan; its goal is one of the unknowns."""

    private: ClassVar[bool] = False
    """Whether the leader's guesses depend on its own secret."""

    def __init__(self, masses: Sequence[float] = ()) -> None:
        super().__init__()
        self.mass = dict(enumerate(masses))
        self.plan: dict[tuple[Path, int, int], int] = {}
        """The unknown of each choice, by the path to it, the secret (or ANYBODY) and the guess."""
        self.one = self.new()
        self.equals(1.0, {self.one: 1.0})
        self.goal = self.new()
        self.support = tuple(s for s, mass in self.mass.items() if mass > 0)
        self.reach: dict[int, Expr] = {s: {self.one: self.mass[s]} for s in self.support}

    def best(self) -> Optimum:
        """The optimum, found by the method that produced the shipped table."""
        return self.maximise({self.goal: 1.0}, method="highs-ipm")

    def options(self, known: Cell, hidden: Cell) -> Cell:
        """What the leader may guess; once its secret is found out, any candidate as a last shot."""
        return known if len(hidden) == 1 else self.limit(known, hidden)

    def limit(self, known: Cell, hidden: Cell) -> Cell:
        """What the leader may guess while its secret is not found out."""
        return useful(known)

    def choose(
        self, known: Cell, hidden: Cell, reach: Mapping[int, Expr], path: Path
    ) -> dict[int, dict[int, Expr]]:
        """The reach of each secret after each guess, with new unknowns for the choices."""
        options = self.options(known, hidden)
        after: dict[int, dict[int, Expr]] = {g: {} for g in options}
        for who in hidden if self.private else (ANYBODY,):
            fresh = (path, who, options[0]) not in self.plan
            for g in options:
                if fresh:
                    self.plan[path, who, g] = self.new()
                at = self.plan[path, who, g]
                for s in hidden if who == ANYBODY else (who,):
                    after[g][s] = {at: 1.0 if who != ANYBODY else self.mass[s]}
            if fresh:
                total = {self.plan[path, who, g]: 1.0 for g in options}
                s = hidden[0] if who == ANYBODY else who
                add(total, reach[s], -1.0 if who != ANYBODY else -1.0 / self.mass[s])
                self.equals(0.0, total)
        return after

    def lead(
        self, known: Cell, hidden: Cell, reach: Mapping[int, Expr], path: Path
    ) -> dict[int, Expr]:
        """The leader to move: what it wins against each secret of the follower."""
        won: dict[int, Expr] = {t: {} for t in known}
        if len(known) == 1:
            for s in hidden:
                add(won[known[0]], reach[s])
            return won
        for g, after in self.choose(known, hidden, reach, path).items():
            if g in won:
                for s in hidden:
                    add(won[g], after[s])
            alone: Expr | None = None
            for answer, cell in split(known, g):
                if answer == 0 or len(hidden) == 1:
                    continue
                if len(cell) > 1 or alone is None:
                    value = self.follow(cell, hidden, after, (*path, (g, answer)))
                    if len(cell) == 1:  # every secret that is found out is worth the same
                        alone = value[cell[0]]
                for t in cell:
                    add(won[t], value[t] if len(cell) > 1 or alone is None else alone)
        return won

    def follow(
        self, known: Cell, hidden: Cell, reach: Mapping[int, Expr], path: Path
    ) -> dict[int, Expr]:
        """The follower to move: it minimises the leader's result, secret by secret."""
        if len(hidden) == 1:
            return {t: {} for t in known}
        value: dict[int, Expr] = {t: {self.new(): 1.0} for t in known}
        guesses = hidden if len(known) == 1 else useful(hidden)
        for h in guesses:
            rows = {t: dict(value[t]) for t in known}
            for answer, cell in split(hidden, h):
                if answer:
                    won = self.lead(known, cell, reach, self.step(path, h, answer, cell))
                    for t in known:
                        add(rows[t], won[t], -1.0)
            for row in rows.values():
                self.at_most(0.0, row)
        return value

    def step(self, path: Path, guess: int, answer: int, cell: Cell) -> Path:
        """The path after the follower's guess."""
        return (*path, (guess, answer))


# --- ONE's plan: its guesses do not depend on its secret ---

NARROW, BROAD = 5, 7
"""ONE shoots anywhere while the opponent has fewer than NARROW candidates left, next to the ends
below BROAD, and only at the ends from there on."""


def mirror_mean(value: Mapping[int, Expr], secret: int) -> Expr:
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
                add(row, mirror_mean(won, t), -1.0)
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


# --- TWO's plans: the main line, and the rules off it ---

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
        first, second = case_of(self.orbit, path[0][1], guess, len(cell))
        return (first, path[1], second)


# --- plans in integers, exact, as the table stores them ---

WholePlan = dict[tuple[Path, int], Weights]
"""How often each guess is made, by path and secret (or ANYBODY)."""
NO_SHARE = 1e-9
"""Shares up to this are 0 but for floating-point error."""


def integers(shares: Mapping[int, float], total: int) -> Weights:
    """Integers with this total in these proportions, exact where the shares are."""
    kept = {g: share for g, share in shares.items() if share > NO_SHARE}
    scaled = {
        g: Fraction(share) * total / Fraction(sum(kept.values())) for g, share in kept.items()
    }
    whole = {g: round(share) for g, share in scaled.items()}
    biggest = max(scaled, key=lambda g: scaled[g])
    whole[biggest] += total - sum(whole.values())
    return {g: n for g, n in whole.items() if n}


def round_plan(
    plan: Mapping[tuple[Path, int, int], float], first: int, total: Callable[[int], int]
) -> WholePlan:
    """A plan in integers, rounded choice by choice so that the weights add up exactly.

    The first choices lie at the end of paths of length `first`; each later one divides the weight
    of the guess before it, two trials back.
    """
    choices: dict[tuple[Path, int], dict[int, float]] = {}
    for (path, who, guess), share in plan.items():
        choices.setdefault((path, who), {})[guess] = max(share, 0.0)
    lines: WholePlan = {}
    for path, who in sorted(choices, key=lambda key: len(key[0])):
        before = (path[:-2], who)
        left = total(who) if len(path) == first else lines.get(before, {}).get(path[-2][0], 0)
        if left and sum(choices[path, who].values()) > NO_SHARE:
            lines[path, who] = integers(choices[path, who], left)
        elif left:  # reached by rounding alone
            lines[path, who] = integers(dict.fromkeys(choices[path, who], 1.0), left)
    return lines


def common(shares: Iterable[float]) -> int:
    """The least common denominator of the shares, capped at 2**40."""
    least = lcm(*(Fraction(x).limit_denominator(10**6).denominator for x in shares if x > NO_SHARE))
    return min(least, 2**40)


def arrays(lines: WholePlan) -> tuple[NDArray[Any], NDArray[Any]]:
    """A plan as two arrays: the lines (path, secret, guess), padded, and their weights."""
    longest = max(len(path) for path, _ in lines)
    rows, weights = [], []
    for (path, who), shares in sorted(lines.items()):
        flat = [n for trial in path for n in trial] + [-1] * 2 * (longest - len(path))
        for guess, weight in sorted(shares.items()):
            rows.append([*flat, who, guess])
            weights.append(weight)
    return np.array(rows, np.int8), np.array(weights, np.int64)


# --- the table ---

SMALL = 10**6
"""The value is a fraction with a denominator below this."""
SHOT = 1e9
"""TWO's weights of hiding a corner and shooting at once are rounded to multiples of 1/SHOT."""
ANY_OTHER = 5
"""The orbit of ONE's first guess from which TWO's rule for all other orbits is computed."""


@dataclass(frozen=True)
class MainLine:
    """The result of TWO's programme: the value, how both hide, and how TWO plays."""

    value: Fraction
    """What TWO wins."""
    one: list[int]
    """How often ONE hides each number, in parts of the value's denominator."""
    two: list[int]
    shot: list[int]
    grain: int
    lines: WholePlan

    def masses(self, secrets: list[int]) -> list[float]:
        """How often each number is hidden, as a share of all games."""
        return [n / self.value.denominator for n in secrets]


def main_line() -> MainLine:
    """TWO's secrets and main line, and ONE's secrets."""
    programme = MainLineOfTwo()
    x, prices = programme.best()
    value = Fraction(x[programme.goal]).limit_denominator(SMALL)
    whole = value.denominator
    hide = {o: x[programme.hide[o]] if o in programme.hide else 0.0 for o in range(len(ORBITS))}
    two = [round(hide[ORBIT[s]] * whole / len(ORBITS[ORBIT[s]])) for s in ALL]
    # By duality, the prices of ONE's secrets in TWO's programme are how often ONE hides them.
    dear = [prices[programme.rows[o]] for o in range(len(ORBITS))]
    one = [round(dear[ORBIT[s]] * whole / len(ORBITS[ORBIT[s]])) for s in ALL]
    shot = [round(x[programme.shot[ORBIT[s]]] * SHOT / len(ORBITS[ORBIT[s]])) for s in ALL]
    grain = common(x[at] * whole for at in programme.plan.values())
    shares = {key: x[at] for key, at in programme.plan.items()}
    lines = round_plan(shares, 3, lambda s: two[s] * grain)
    return MainLine(value, one, two, shot, grain, lines)


def plan_of_one(main: MainLine) -> tuple[int, WholePlan]:
    """ONE's plan against every first guess, after the number of parts in which it is counted.

    It has small fractions on the main line, and slack off it.
    """
    masses, whole = main.masses(main.one), main.value.denominator
    wide = WidePlanOfOne(masses, 1 - float(main.value))
    y = wide.best().values
    room = y[wide.goal] / 2
    sharp = MainLineOfOne(
        masses,
        low={t: ceil((y[at] - room) * whole) / whole for t, at in wide.need.items()},
        high={t: floor((y[at] + room) * whole) / whole for t, at in wide.need.items()},
    )
    z = sharp.best().values
    unit = common(z[at] for at in sharp.plan.values())
    shares = {key: y[at] for key, at in wide.plan.items() if key[0][1][0] != CORNER}
    shares |= {key: z[at] for key, at in sharp.plan.items()}
    return unit, round_plan(shares, 2, lambda _: unit)


def rule_of_two(main: MainLine, orbit: int) -> WholePlan:
    """TWO's rule after a first guess of this orbit."""
    rule = RuleOfTwo(main.masses(main.two), orbit)
    u = rule.best().values
    return round_plan({key: u[at] for key, at in rule.plan.items()}, 3, lambda _: main.grain)


def strategies(report: Report) -> Table:
    """Both strategies from scratch: TWO's main line, which gives the value, then the rest."""
    report(0.0, "what both hide, and Player 2's main line")
    main = main_line()
    report(0.03, "Player 1's plan against every first guess")
    unit, one_lines = plan_of_one(main)
    two_lines = dict(main.lines)
    for done, orbit in ((0.2, OWN_RULE), (0.3, ANY_OTHER)):
        report(done, "Player 2's answers to other first guesses")
        two_lines |= rule_of_two(main, orbit)
    one_rows, one_weights = arrays(one_lines)
    two_rows, two_weights = arrays(two_lines)
    return {
        "one_secrets": np.array(main.one),
        "two_secrets": np.array(main.two),
        "two_shot": np.array(main.shot),
        "one_lines": one_rows,
        "one_weights": one_weights,
        "two_lines": two_rows,
        "two_weights": two_weights,
        "grains": np.array([unit, main.grain]),
    }
