"""How the strategies of Digit Deductions are found, rounded and put into a table."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from strongroom.theory.digit_deductions.plan_of_two import MainLineOfTwo
from strongroom.theory.digit_deductions.player import Path
from strongroom.theory.digit_deductions.rounding import arrays, common, integers, rounded
from strongroom.theory.digit_deductions.solution import DigitDeductionsSolution
from strongroom.theory.digit_deductions.solver import strategies

if TYPE_CHECKING:
    from tests.theory.conftest import Proved

VALUE = Fraction(140488, 172183)


def quiet(done: float, words: str) -> None:
    """Ignore the progress."""


@pytest.mark.proof
def test_any_optimum_that_is_found_hides_as_derived_and_proves_the_exact_value(
    solution: DigitDeductionsSolution, proved: Proved
) -> None:
    rebuilt = strategies(quiet)
    for name in ("one_secrets", "two_secrets", "two_shot"):
        assert rebuilt[name].tolist() == solution.table[name].tolist()
    assert proved(DigitDeductionsSolution(solution.game, rebuilt)) == (VALUE, VALUE)


def test_the_main_line_of_two_has_the_published_size() -> None:
    assert MainLineOfTwo().size == 16566


def test_shares_become_whole_numbers_with_the_same_total() -> None:
    assert integers({1: 1 / 3, 2: 2 / 3, 3: 1e-12}, 9) == {1: 3, 2: 6}
    assert sum(integers({1: 1.0, 2: 1.0, 3: 1.0}, 100).values()) == 100


def test_a_later_choice_divides_what_the_one_before_it_left() -> None:
    here: Path = ((0, 1), (0, 2))
    there: Path = (*here, (5, 3), (7, 4))
    plan = {(here, 81, 5): 0.75, (here, 81, 6): 0.25, (there, 81, 1): 0.5, (there, 81, 2): 0.25}
    lines = rounded(plan, 2, lambda _: 8)
    assert lines == {(here, 81): {5: 6, 6: 2}, (there, 81): {1: 4, 2: 2}}
    rows, weights = arrays(lines)
    assert rows.tolist() == [
        [0, 1, 0, 2, -1, -1, -1, -1, 81, 5],
        [0, 1, 0, 2, -1, -1, -1, -1, 81, 6],
        [0, 1, 0, 2, 5, 3, 7, 4, 81, 1],
        [0, 1, 0, 2, 5, 3, 7, 4, 81, 2],
    ]
    assert weights.tolist() == [6, 2, 4, 2]


def test_a_common_denominator_is_the_smallest() -> None:
    assert common([1 / 4, 1 / 6, 0.0, 1e-12]) == 12
