"""Linear programmes, in floating point and exact, on small ones whose answers are known."""

from fractions import Fraction

import pytest

from strongroom.theory.solvers.exact_programme import ExactProgramme
from strongroom.theory.solvers.linear_programme import Expr, LinearProgramme, add

pytest.importorskip("scipy")

METHODS = ["highs", "highs-ipm"]


def test_adding_an_expression_adds_factor_by_factor() -> None:
    into: Expr = {0: 1.0, 1: 2.0}
    other: Expr = {1: 3.0, 2: -1.0}
    add(into, other, 2.0)
    assert into == {0: 1.0, 1: 8.0, 2: -2.0}
    assert other == {1: 3.0, 2: -1.0}


@pytest.mark.parametrize("method", METHODS)
def test_a_factory_finds_the_best_use_of_its_machines_and_their_prices(method: str) -> None:
    # Maximise 3x + 5y with x <= 4, 2y <= 12, 3x + 2y <= 18: the textbook's answer is 36 at (2, 6).
    programme = LinearProgramme()
    x, y = programme.new(), programme.new()
    programme.at_most(4, {x: 1})
    programme.at_most(12, {y: 2})
    programme.at_most(18, {x: 3, y: 2})
    values, prices = programme.maximise({x: 3, y: 5}, method)
    assert values == pytest.approx([2, 6])
    assert prices == pytest.approx([0, 1.5, 1], abs=1e-9)
    assert prices @ [4, 12, 18] == pytest.approx(36)


@pytest.mark.parametrize("method", METHODS)
def test_the_prices_of_a_game_are_the_other_players_strategy(method: str) -> None:
    # Row plays x >= 0 with sum 1 and wins at least v against each column of [[3, -1], [-2, 1]];
    # the value is 1/7, row plays 3/7 and 4/7, column 2/7 and 5/7.
    wins = [[3.0, -1.0], [-2.0, 1.0]]
    programme = LinearProgramme()
    value, first, second = (programme.new() for _ in range(3))
    programme.equals(1, {first: 1, second: 1})
    for column in range(2):
        row: Expr = {value: 1.0}
        add(row, {first: wins[0][column], second: wins[1][column]}, -1.0)
        programme.at_most(0, row)
    values, prices = programme.maximise({value: 1}, method)
    assert values == pytest.approx([1 / 7, 3 / 7, 4 / 7])
    assert prices == pytest.approx([2 / 7, 5 / 7])


def test_a_programme_with_only_equations_has_no_prices_and_unknowns_are_never_negative() -> None:
    programme = LinearProgramme()
    x, y = programme.new(), programme.new()
    programme.equals(6, {x: 2, y: 3})
    values, prices = programme.maximise({x: 1, y: 1})
    assert values == pytest.approx([3, 0])
    assert len(prices) == 0
    assert programme.maximise({x: -1}).values == pytest.approx([0, 2])


def test_an_infeasible_or_unbounded_programme_is_an_error() -> None:
    infeasible, unbounded = LinearProgramme(), LinearProgramme()
    x, y = infeasible.new(), infeasible.new()
    infeasible.at_most(1, {x: 1})
    infeasible.equals(2, {x: 1})
    with pytest.raises(RuntimeError, match="infeasible"):
        infeasible.maximise({x: 1})
    assert [unbounded.new() for _ in range(2)] == [x, y] == [0, 1]
    unbounded.at_most(1, {x: 1, y: -1})
    with pytest.raises(RuntimeError):
        unbounded.maximise({x: 1})


def test_goals_of_an_exact_programme_are_met_in_order() -> None:
    programme = ExactProgramme()
    programme.at_most(4, [("x", 1), ("y", 2)])
    programme.at_most(3, [("x", 3), ("y", 1)])
    assert programme.solve({"x": 1}, {"y": 1}) == {"x": 1, "y": 0}
    assert programme.solve({"x": 1, "y": 1}) == {"x": Fraction(2, 5), "y": Fraction(9, 5)}
