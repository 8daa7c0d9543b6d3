from __future__ import annotations

from fractions import Fraction

from strongroom.theory.solvers.exact_programme import ExactProgramme


def test_goals_are_met_in_order() -> None:
    programme = ExactProgramme()
    programme.at_most(4, [("x", 1), ("y", 2)])
    programme.at_most(3, [("x", 3), ("y", 1)])
    assert programme.solve({"x": 1}, {"y": 1}) == {"x": 1, "y": 0}
    assert programme.solve({"x": 1, "y": 1}) == {"x": Fraction(2, 5), "y": Fraction(9, 5)}
