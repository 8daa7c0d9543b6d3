"""How the strategies of Digit Deductions are found: three kinds of linear programme.

TWO's main line (both guess a corner first) gives the value, TWO's secrets and, as dual prices,
ONE's secrets. ONE's plan against every first guess of TWO follows, then TWO's rules off the main
line.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import numpy as np

from strongroom.theory.digit_deductions.board import ALL, CORNER, ORBIT, ORBITS
from strongroom.theory.digit_deductions.plan_of_one import MainLineOfOne, WidePlanOfOne
from strongroom.theory.digit_deductions.plan_of_two import MainLineOfTwo, RuleOfTwo
from strongroom.theory.digit_deductions.player import OWN_RULE
from strongroom.theory.digit_deductions.rounding import WholePlan, arrays, common, rounded
from strongroom.theory.solution import Report, Table

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
    lines = rounded(shares, 3, lambda s: two[s] * grain)
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
    return unit, rounded(shares, 2, lambda _: unit)


def rule_of_two(main: MainLine, orbit: int) -> WholePlan:
    """TWO's rule after a first guess of this orbit."""
    rule = RuleOfTwo(main.masses(main.two), orbit)
    u = rule.best().values
    return rounded({key: u[at] for key, at in rule.plan.items()}, 3, lambda _: main.grain)


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
