"""How the tables of Digit Deductions are computed: three kinds of linear programme.

TWO's main line (both guess a corner first) gives the value, TWO's secrets and, as its prices, ONE's
secrets. ONE's plan follows, against every first guess of TWO, then TWO's rules off the main line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, lcm

import numpy as np

from strongroom.game import Seat
from strongroom.theory import Report
from strongroom.theory.digit_deductions import Response
from strongroom.theory.digit_deductions_player import (
    ALL,
    CORNER,
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
    Player,
    candidates,
    fold,
    split,
    tied,
)
from strongroom.theory.digit_deductions_programme import Expr, Programme, add, ends

NARROW, BROAD = 5, 7
"""ONE shoots anywhere while the opponent has fewer than NARROW candidates left, next to the ends
below BROAD, and only at the ends from there on."""
PIN = (11, Fraction(22000, 172183))
"""The optimum leaves TWO's weight of orbit 3-5 free in an interval; this round number inside it
makes everything else a fraction with a small denominator."""


def mirrored(value: Mapping[int, Expr], secret: int) -> Expr:
    """The mean over a secret and its mirror image, since frames are drawn at random."""
    mean: Expr = {}
    add(mean, value[secret], 0.5)
    add(mean, value[MIRROR[secret]], 0.5)
    return mean


def first_cells(orbit: int, support: Cell) -> list[tuple[int, Cell, int]]:
    """What the first guess of an orbit tells: answer, candidates, how many answers say the same."""
    guess = ORBITS[orbit][0]
    told = [(answer, cell) for answer, cell in split(support, guess) if answer]
    if orbit:
        return [(answer, cell, 1) for answer, cell in told]
    return [(answer, cell, 1 + (answer < HALF)) for answer, cell in told if answer <= HALF]


DIAGONALS = [(f, candidates(((CORNER, f),))) for f in range(1, HALF + 1)]
"""What a first guess at the corner tells its owner, up to symmetry."""


class OneProgramme(Programme):
    """ONE's plan: its guesses do not depend on its secret, whose distribution is given."""

    def __init__(self, masses: Sequence[float]) -> None:
        super().__init__("public", masses)

    def limit(self, known: Cell, hidden: Cell) -> Cell:
        """Shots anywhere, next to the ends, or only at the ends, as TWO knows less."""
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
                    total = sum(self.mass[s] for s in hidden)
                    missed = total - max(self.mass[s] for s in hidden)
                    won = {t: {self.one: missed} for t in known}
                    for t in ends(known):
                        won[t] = {self.one: (missed + total) / 2}
                for t in known:
                    add(value[t], won[t], times)
        return value

    def build(self, value: float) -> None:
        """The value against the corner, and as much more as possible against all else."""
        self._need(range(len(ORBITS)))
        for row, fixed in self._means():
            self.above.append((row, fixed - value))

    def rebuild(self, low: Mapping[int, float], high: Mapping[int, float]) -> None:
        """The corner alone, with room left against all else: a vertex with small fractions."""
        self._need((0,))
        for t, at in self.need.items():
            self.above += [({at: 1.0}, high[t]), ({at: -1.0}, -low[t])]
        for row, fixed in self._means():
            self.above.append(({**row, self.goal: 1.0}, fixed))

    def _need(self, orbits: Iterable[int]) -> None:
        self.need = {t: self.new() for _, known in DIAGONALS for t in known if t <= MIRROR[t]}
        for orbit in orbits:
            won = self.against(orbit)
            for t, at in self.need.items():
                row: Expr = {at: 1.0, self.goal: 1.0} if orbit else {at: 1.0}
                add(row, mirrored(won, t), -1.0)
                self.above.append((row, 0.0))

    def _means(self) -> Iterator[tuple[Expr, float]]:
        """For each orbit of TWO's secrets, minus what ONE needs on average, and what is settled."""
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


class TwoCore(Programme):
    """TWO's secrets and its plan after both have guessed a corner, whole and secret by secret."""

    def build(self) -> None:
        """TWO hides only numbers with an even sum; that ONE gains nothing is the certificate's."""
        self.hide = {
            o: self.new() for o in range(len(ORBITS)) if FAR[ORBITS[o][0]][CORNER] % 2 == 0
        }
        self.shot = {o: self.new() for o in range(len(ORBITS))}
        self.equal.append((dict.fromkeys(self.hide.values(), 1.0), 1.0))
        self.equal.append(({self.hide[PIN[0]]: 1.0}, float(PIN[1])))
        self.support = tuple(s for s in ALL if ORBIT[s] in self.hide)
        self.reach = {s: {self.hide[ORBIT[s]]: 1 / len(ORBITS[ORBIT[s]])} for s in self.support}
        last = dict.fromkeys(self.shot.values(), 1.0)
        add(last, self.reach[LAST], -1.0)
        self.equal.append((last, 0.0))
        value: dict[int, Expr] = {}
        for e, known in [*DIAGONALS, (2 * HALF, (LAST,))]:
            value.update({t: {} for t in known})
            for f, hidden, times in first_cells(0, self.support):
                won = self.follow(known, hidden, self.reach, ((CORNER, f), (CORNER, e)))
                for t in known:
                    add(value[t], won[t], times)
        at_once: Expr = {}
        for s in self.support:
            add(at_once, self.reach[s] if s not in (CORNER, LAST) else {})
        self.rows = {}
        for o, orbit_cells in enumerate(ORBITS):
            row: Expr = {self.goal: 1.0, self.shot[o]: -1 / len(orbit_cells)}
            for t in orbit_cells:
                won_here = at_once if t == CORNER else value[LAST if t == LAST else fold(t)]
                add(row, won_here, -1 / len(orbit_cells))
            self.rows[o] = len(self.above)
            self.above.append((row, 0.0))


class TwoRule(Programme):
    """TWO's rule after another first guess of ONE: few cases, the last choices even."""

    def limit(self, known: Cell, hidden: Cell) -> Cell:
        """Shots while ONE has few candidates left, else the ends."""
        return known if len(known) <= 2 or len(hidden) < PATIENT else ends(known)

    def step(self, path: Path, guess: int, answer: int, cell: Cell) -> Path:
        """The case of the rule, for the guess that it answers."""
        if len(path) != 2:
            return (*path, (guess, answer))
        return tied(self.orbit, path[0][1], path[1][1], guess, len(cell))

    def build(self, orbit: int) -> None:
        """As much as possible against the worst secret of ONE."""
        self.orbit = orbit
        first = ORBITS[orbit][0]
        value: dict[int, Expr] = {}
        for e, known in [*DIAGONALS, (2 * HALF, (LAST,))]:
            value.update({t: {} for t in known})
            for f, hidden, times in first_cells(orbit, self.support):
                won = self.follow(known, hidden, self.reach, ((first, f), (CORNER, e)))
                for t in known:
                    add(value[t], won[t], times)
        for orbit_cells in ORBITS:
            row: Expr = {self.goal: 1.0}
            for t in orbit_cells:
                if t == CORNER:
                    add(row, {self.one: self.mass[first] - 1.0}, 1 / len(orbit_cells))
                else:
                    near = LAST if t == LAST else fold(t)
                    add(row, value[near], -1 / len(orbit_cells))
            self.above.append((row, 0.0))


def integers(shares: Mapping[int, float], total: int) -> dict[int, int]:
    """Whole numbers with this total in these proportions: exact where the shares are."""
    kept = {g: share for g, share in shares.items() if share > 1e-9}
    scaled = {
        g: Fraction(share) * total / Fraction(sum(kept.values())) for g, share in kept.items()
    }
    whole = {g: round(share) for g, share in scaled.items()}
    biggest = max(scaled, key=lambda g: scaled[g])
    whole[biggest] += total - sum(whole.values())
    return {g: n for g, n in whole.items() if n}


Lines = dict[tuple[Path, int], dict[int, int]]


def rounded(
    plan: Mapping[tuple[Path, int, int], float], first: int, total: Callable[[int], int]
) -> Lines:
    """A plan in whole numbers, choice by choice, so that what is played adds up exactly.

    The first choices lie at the end of paths of length `first`; a later one divides what the guess
    before it, two steps back, left to divide.
    """
    choices: dict[tuple[Path, int], dict[int, float]] = {}
    for (path, who, guess), share in plan.items():
        choices.setdefault((path, who), {})[guess] = max(share, 0.0)
    lines: Lines = {}
    for path, who in sorted(choices, key=lambda key: len(key[0])):
        before = (path[:-2], who)
        left = total(who) if len(path) == first else lines.get(before, {}).get(path[-2][0], 0)
        if left and sum(choices[path, who].values()) > 1e-9:
            lines[path, who] = integers(choices[path, who], left)
        elif left:  # reached by rounding alone
            lines[path, who] = integers(dict.fromkeys(choices[path, who], 1.0), left)
    return lines


def common(shares: Iterable[float]) -> int:
    """The smallest number that makes all the shares whole, or a large one if none is small."""
    least = lcm(*(Fraction(x).limit_denominator(10**6).denominator for x in shares if x > 1e-9))
    return min(least, 2**40)


def arrays(lines: Lines) -> tuple[np.ndarray, np.ndarray]:
    """A plan as two arrays: the lines (path, secret, guess), padded, and their weights."""
    longest = max(len(path) for path, _ in lines)
    rows, weights = [], []
    for (path, who), shares in sorted(lines.items()):
        flat = [n for step in path for n in step] + [-1] * 2 * (longest - len(path))
        for guess, weight in sorted(shares.items()):
            rows.append([*flat, who, guess])
            weights.append(weight)
    return np.array(rows, np.int8), np.array(weights, np.int64)


def solve(report: Report) -> dict[str, np.ndarray]:
    """The table from nothing: TWO's main line, which gives the value, then ONE, then the rest."""
    report(0.0, "TWO's secrets and main line")
    core = TwoCore("private")
    core.build()
    x = core.solve()
    lost = Fraction(x[core.goal]).limit_denominator(10**6)
    whole = lost.denominator
    hide = {o: x[core.hide[o]] if o in core.hide else 0.0 for o in range(len(ORBITS))}
    two = [round(hide[ORBIT[s]] * whole / len(ORBITS[ORBIT[s]])) for s in ALL]
    grain = common(x[at] * whole for at in core.plan.values())
    two_lines = rounded({key: x[at] for key, at in core.plan.items()}, 3, lambda s: two[s] * grain)
    # The prices of ONE's secrets in TWO's programme are how often ONE must hide them.
    prices = [-core.result.ineqlin.marginals[core.rows[o]] for o in range(len(ORBITS))]
    one = [round(prices[ORBIT[s]] * whole / len(ORBITS[ORBIT[s]])) for s in ALL]

    report(0.15, "ONE's plan against every first guess")
    wide = OneProgramme([n / whole for n in one])
    wide.build(1 - float(lost))
    y = wide.solve()
    room = y[wide.goal] / 2
    main = OneProgramme([n / whole for n in one])
    main.rebuild(
        {t: ceil((y[at] - room) * whole) / whole for t, at in wide.need.items()},
        {t: floor((y[at] + room) * whole) / whole for t, at in wide.need.items()},
    )
    z = main.solve()
    unit = common(z[at] for at in main.plan.values())
    shares = {key: y[at] for key, at in wide.plan.items() if key[0][1][0] != CORNER}
    shares |= {key: z[at] for key, at in main.plan.items()}
    one_lines = rounded(shares, 2, lambda _: unit)

    for done, orbit in ((0.5, OWN_RULE), (0.7, 5)):
        report(done, f"TWO's rule off the main line ({orbit})")
        rule = TwoRule("tied", [n / whole for n in two])
        rule.build(orbit)
        u = rule.solve()
        two_lines |= rounded({key: u[at] for key, at in rule.plan.items()}, 3, lambda _: grain)
    one_rows, one_weights = arrays(one_lines)
    two_rows, two_weights = arrays(two_lines)
    shot = [round(x[core.shot[ORBIT[s]]] * 1e9 / len(ORBITS[ORBIT[s]])) for s in ALL]
    table = {
        "one_secrets": np.array(one),
        "two_secrets": np.array(two),
        "two_shot": np.array(shot),
        "one_lines": one_rows,
        "one_weights": one_weights,
        "two_lines": two_rows,
        "two_weights": two_weights,
        "grains": np.array([unit, grain]),
    }
    report(0.9, "first guesses")
    table |= first_guesses(Player(table, Seat.ONE), Player(table, Seat.TWO))
    report(1.0, "solved")
    return table


def first_guesses(one: Player, two: Player) -> dict[str, np.ndarray]:
    """The best that each secret can do with each first guess: ONE's by the orbits of both, TWO's by
    its secret in the near half and the orbit of its guess, after a corner by ONE."""
    count = len(ORBITS)
    result = {"one_first": np.zeros((count, count)), "two_first": np.zeros((len(ALL), count))}
    reach, response = {s: two.secrets[s] * 10**24 for s in two.support}, Response(two)
    for o, orbit in enumerate(ORBITS):
        won = response.answered(orbit[0], ALL, reach, (), ())
        result["one_first"][:, o] = [1 - won[each[0]] / sum(reach.values()) for each in ORBITS]
    reach, response = {s: one.secrets[s] * 10**24 for s in one.support}, Response(one)
    for f, known in [*DIAGONALS, (2 * HALF, (LAST,))]:
        for o, orbit in enumerate(ORBITS):
            won = response.answered(orbit[0], known, reach, ((CORNER, f),), ())
            for t in known:
                result["two_first"][fold(t), o] = 1 - won[t] / sum(reach.values())
    return {name: array.astype(np.float32) for name, array in result.items()}
