"""Best responses: what they win, and what they certify."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as some
from small_games import KUHN, KUHN_VALUE, matrix_game
from strongroom_bluff.game import BELIEVE, DOUBT, Bluff

from strongroom.contract import Move, Seat, View
from strongroom.theory.solvers.best_response import NoPolicy, best_response, bounds
from strongroom.theory.solvers.sequence_form import solve
from strongroom.theory.solvers.tree import Tree
from tests.tries import tries

ONE, TWO = Seat


def evenly(view: View) -> dict[Move, Fraction]:
    return dict.fromkeys(view.moves, Fraction(1, len(view.moves)))


def honest(view: View) -> dict[Move, Fraction]:
    return {view.secret[0]: Fraction(1)} if view.seat is ONE else {BELIEVE: Fraction(1)}


def test_the_solutions_of_small_games_are_certified_and_imperfect_policies_are_not() -> None:
    uneven = matrix_game((ONE, TWO), (None, ONE)), matrix_game((None, TWO, ONE), (ONE, None, TWO))
    for game in (KUHN, Bluff(), *uneven):
        found = solve(game)
        assert bounds(game, found.policy) == (found.value, found.value)
    lower, upper = bounds(KUHN, evenly)
    assert lower < KUHN_VALUE < upper


def test_the_best_response_believes_an_honest_player_who_then_never_wins() -> None:
    response = best_response(Tree.of(Bluff()), TWO, honest)
    assert response.value == 1
    heard = {known: known.history[0].move for known in response.moves}
    assert all(
        response.moves[known] == BELIEVE for known in heard if heard[known] not in known.secret
    )


def test_the_best_response_lies_to_a_believer() -> None:
    response = best_response(Tree.of(Bluff()), ONE, honest)
    assert response.value == 1
    assert all(known.secret[0] != move for known, move in response.moves.items())


def test_a_best_response_needs_no_mixing_but_cannot_beat_a_perfect_player() -> None:
    perfect = solve(Bluff()).policy
    response = best_response(Tree.of(Bluff()), ONE, perfect)
    assert response.value == Fraction(3, 7)

    def policy(view: View) -> Mapping[Move, Fraction]:
        return {response.moves[view]: Fraction(1)} if view.seat is ONE else perfect(view)

    assert 1 - best_response(Tree.of(Bluff()), TWO, policy).value < Fraction(3, 7)


def test_all_moves_of_a_perfect_player_are_worth_the_same() -> None:
    perfect = solve(Bluff())
    for seat in Seat:
        response = best_response(Tree.of(Bluff()), seat, perfect.policy)
        assert response.values.keys() == perfect.strategies[seat.index].keys()
        for known, mixture in perfect.strategies[seat.index].items():
            made = {response.values[known][move] for move, weight in mixture.items() if weight}
            assert made == {max(response.values[known].values())}


def test_nothing_is_reported_about_positions_that_the_policy_never_reaches() -> None:
    ones = {card for card in Bluff().actions if str(card) == "1"}

    def always_one(view: View) -> dict[Move, Fraction]:
        return dict.fromkeys(ones, Fraction(1))

    response = best_response(Tree.of(Bluff()), TWO, always_one)
    assert {known.history[0].move for known in response.values} == ones
    assert len(response.moves) == 5 * len(response.values)
    assert response.value == Fraction(4, 5)


@tries(0.25)
@given(some.lists(some.integers(0, 9), min_size=5, max_size=5).filter(any))
def test_no_mixture_of_claims_guarantees_more_than_the_value(weights: list[int]) -> None:
    def policy(view: View) -> dict[Move, Fraction]:
        if view.seat is TWO:
            return {DOUBT: Fraction(1)}
        return {m: Fraction(w, sum(weights)) for m, w in zip(view.moves, weights, strict=True)}

    lower, upper = bounds(Bluff(), policy)
    assert lower <= Fraction(3, 7) <= upper


@pytest.mark.parametrize(
    "mixture",
    [{BELIEVE: Fraction(1, 2)}, {BELIEVE: Fraction(2), DOUBT: Fraction(-1)}, {}, {BELIEVE: 1.0}],
)
def test_weights_that_are_no_probabilities_of_legal_moves_are_refused(
    mixture: dict[Move, Fraction],
) -> None:
    with pytest.raises(NoPolicy, match="no probabilities of the legal moves"):
        best_response(Tree.of(Bluff()), ONE, lambda view: mixture)
    with pytest.raises(NoPolicy, match="doubt: 1"):
        best_response(Tree.of(Bluff()), TWO, lambda view: {DOUBT: Fraction(1)})
