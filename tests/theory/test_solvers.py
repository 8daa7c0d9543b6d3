"""Linear programmes, perfect play by the sequence form, and best responses, on small games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from small_games import KUHN, KUHN_VALUE, Forgetful, in_open_spiel, matrix_game
from strongroom_bluff.game import BELIEVE, DOUBT, Bluff

from strongroom import load
from strongroom.contract import Game, Move, Seat, View
from strongroom.theory.solvers.linear_programmes import ExactProgramme, LinearProgramme
from strongroom.theory.solvers.small_games import (
    Equilibrium,
    NoPolicy,
    NoSmallTree,
    Tree,
    best_response,
    bounds,
    exact_odds,
    solve,
)

ONE, TWO = Seat


@pytest.mark.parametrize("method", ["highs", "highs-ipm"])
def test_a_programme_finds_the_best_values_and_their_prices(method: str) -> None:
    pytest.importorskip("scipy")
    # Maximise 3x + 5y with x <= 4, 2y <= 12, 3x + 2y <= 18: the textbook's answer is 36 at (2, 6).
    factory = LinearProgramme()
    x, y = factory.new(), factory.new()
    factory.at_most(4, {x: 1})
    factory.at_most(12, {y: 2})
    factory.at_most(18, {x: 3, y: 2})
    values, prices = factory.maximise({x: 3, y: 5}, method)
    assert values == pytest.approx([2, 6])
    assert prices == pytest.approx([0, 1.5, 1], abs=1e-9)


def test_unknowns_are_never_negative_and_a_programme_without_an_answer_is_an_error() -> None:
    pytest.importorskip("scipy")
    equations, infeasible, unbounded = LinearProgramme(), LinearProgramme(), LinearProgramme()
    assert [equations.new() for _ in range(2)] == [unbounded.new() for _ in range(2)] == [0, 1]
    equations.equals(6, {0: 2, 1: 3})
    values, prices = equations.maximise({0: 1, 1: 1})
    assert values == pytest.approx([3, 0])
    assert len(prices) == 0
    assert equations.maximise({0: -1}).values == pytest.approx([0, 2])
    x = infeasible.new()
    infeasible.at_most(1, {x: 1})
    infeasible.equals(2, {x: 1})
    with pytest.raises(RuntimeError, match="infeasible"):
        infeasible.maximise({x: 1})
    unbounded.at_most(1, {0: 1, 1: -1})
    with pytest.raises(RuntimeError):
        unbounded.maximise({0: 1})


def test_goals_of_an_exact_programme_are_met_in_order() -> None:
    programme = ExactProgramme()
    programme.at_most(4, [("x", 1), ("y", 2)])
    programme.at_most(3, [("x", 3), ("y", 1)])
    assert programme.solve({"x": 1}, {"y": 1}) == {"x": 1, "y": 0}
    assert programme.solve({"x": 1, "y": 1}) == {"x": Fraction(2, 5), "y": Fraction(9, 5)}


@pytest.mark.parametrize(
    ("winners", "value"),
    [
        (((ONE,),), 1),
        (((None,),), Fraction(1, 2)),
        (((ONE, TWO), (TWO, ONE)), Fraction(1, 2)),  # matching pennies
        (((None, TWO, ONE), (ONE, None, TWO), (TWO, ONE, None)), Fraction(1, 2)),  # and scissors
        (((ONE, TWO, TWO), (TWO, ONE, TWO), (TWO, TWO, ONE)), Fraction(1, 3)),
        (((ONE, TWO), (None, ONE)), Fraction(2, 3)),
    ],
)
def test_a_matrix_game_has_the_value_derived_by_hand(
    winners: Sequence[Sequence[Seat | None]], value: Fraction
) -> None:
    found = solve(matrix_game(*winners))
    assert found.value == value
    for choices in found.strategies if value == Fraction(1, 2) else ():
        played = [*next(iter(choices.values())).values()]  # the symmetric ones are played evenly
        assert played == [Fraction(1, len(winners))] * len(winners)


def test_kuhn_poker_and_bluff_have_their_published_values_as_open_spiel_finds() -> None:
    for game, value in ((KUHN, Fraction(35, 72)), (Bluff(), Fraction(3, 7))):
        found = solve(game)
        assert found.value == value
        theirs, exploitable = in_open_spiel(game, found)
        assert theirs == pytest.approx(float(value), abs=1e-9)
        assert exploitable < 1e-9
    honest = {
        known: {move: Fraction(move in known.secret) for move in known.moves}
        for known in found.strategies[0]
    }
    weak = Equilibrium(found.value, (honest, found.strategies[1]))
    assert in_open_spiel(Bluff(), weak)[1] == pytest.approx(3 / 7)


def test_every_information_set_has_probabilities_that_the_policy_reads() -> None:
    one, two = solve(KUHN).strategies
    assert len(one) == len(two) == 6
    for known, mixture in (one | two).items():
        assert [*mixture] == [*known.moves]
        assert sum(mixture.values()) == 1
        assert min(mixture.values()) >= 0
    found, state = solve(Bluff()), Bluff().start()
    for card in "24":
        state = state.play(Bluff().move(card))
    told = {str(move): p for move, p in found.policy(state.view(ONE)).items()}
    assert told == {card: Fraction(3 if card == "2" else 1, 7) for card in "12345"}
    assert found.policy(state.play(Bluff().move("4")).view(TWO)) == {BELIEVE: 0, DOUBT: 1}


@pytest.mark.parametrize(
    ("game", "largest", "told"),
    [
        (load("quantum-duel"), None, "Quantum Duel can last longer than 50 moves"),
        (Bluff(), 100, "Bluff has more than 100 states"),
        (Forgetful(), None, "has to follow from its view"),
    ],
    ids=repr,
)
def test_a_game_that_is_too_long_too_large_or_forgetful_is_refused(
    game: Game, largest: int | None, told: str
) -> None:
    with pytest.raises(NoSmallTree, match=told):
        Tree.of(game, largest=largest) if largest else solve(game)


def test_odds_that_are_not_fractions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    state = Bluff().start()
    assert exact_odds(state) == (Fraction(1, 5),) * 5
    monkeypatch.setattr(type(state), "odds", (0.3,) * 5)
    with pytest.raises(NoSmallTree, match="no fractions that add up to 1"):
        exact_odds(state)


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


def test_a_best_response_believes_the_honest_and_ignores_what_is_never_reached() -> None:
    response = best_response(Tree.of(Bluff()), TWO, honest)
    assert response.value == 1
    heard = {known: known.history[0].move for known in response.moves}
    assert all(
        response.moves[known] == BELIEVE for known in heard if heard[known] not in known.secret
    )
    response = best_response(Tree.of(Bluff()), ONE, honest)
    assert response.value == 1
    assert all(known.secret[0] != move for known, move in response.moves.items())
    ones = {card for card in Bluff().actions if str(card) == "1"}
    response = best_response(Tree.of(Bluff()), TWO, lambda view: dict.fromkeys(ones, Fraction(1)))
    assert {known.history[0].move for known in response.values} == ones
    assert len(response.moves) == 5 * len(response.values)
    assert response.value == Fraction(4, 5)


def test_all_moves_of_a_perfect_player_are_worth_the_same_but_mixing_is_needed() -> None:
    perfect, tree = solve(Bluff()), Tree.of(Bluff())
    for seat, value in ((TWO, Fraction(4, 7)), (ONE, Fraction(3, 7))):
        response = best_response(tree, seat, perfect.policy)
        assert response.value == value
        assert response.values.keys() == perfect.strategies[seat.index].keys()
        for known, mixture in perfect.strategies[seat.index].items():
            made = {response.values[known][move] for move, weight in mixture.items() if weight}
            assert made == {max(response.values[known].values())}

    def unmixed(view: View) -> Mapping[Move, Fraction]:
        return {response.moves[view]: Fraction(1)} if view.seat is ONE else perfect.policy(view)

    assert 1 - best_response(tree, TWO, unmixed).value < Fraction(3, 7)


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
