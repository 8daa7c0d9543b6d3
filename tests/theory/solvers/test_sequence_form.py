"""Perfect play by the sequence form, compared with derived, published and OpenSpiel's values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from small_games import KUHN, KUHN_VALUE, Forgetful, in_open_spiel, matrix_game
from strongroom_bluff.game import Bluff

from strongroom import load
from strongroom.contract import Actor, Game, Seat, State
from strongroom.theory.solvers.sequence_form import Equilibrium, solve
from strongroom.theory.solvers.tree import NoSmallTree, Tree, exact_odds

ONE, TWO = Seat
AnyState = State[Any, Any, Any]
Numbers = defaultdict[Actor | None, dict[Hashable, int]]


# --- known values ---


@pytest.mark.parametrize(
    ("winners", "value"),
    [
        (((ONE,),), 1),
        (((TWO,),), 0),
        (((None,),), Fraction(1, 2)),
        (((ONE, TWO), (TWO, ONE)), Fraction(1, 2)),  # matching pennies
        (((None, TWO, ONE), (ONE, None, TWO), (TWO, ONE, None)), Fraction(1, 2)),  # and scissors
        (((ONE, TWO, TWO), (TWO, ONE, TWO), (TWO, TWO, ONE)), Fraction(1, 3)),
        (((ONE, TWO), (None, ONE)), Fraction(2, 3)),
        (((ONE, TWO), (ONE, ONE)), 1),
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


def test_kuhn_poker_and_bluff_have_their_published_values() -> None:
    assert solve(KUHN).value == KUHN_VALUE == Fraction(35, 72)
    assert solve(Bluff()).value == Fraction(3, 7)


# --- the result is a strategy ---


def test_every_information_set_has_probabilities_for_its_moves() -> None:
    one, two = solve(KUHN).strategies
    assert len(one) == len(two) == 6
    for known, mixture in (one | two).items():
        assert [*mixture] == [*known.moves]
        assert sum(mixture.values()) == 1
        assert min(mixture.values()) >= 0


def test_the_policy_reads_the_strategy_of_the_seat_that_is_to_move() -> None:
    found = solve(Bluff())
    state = Bluff().start()
    for card in "24":
        state = state.play(Bluff().move(card))
    told = {str(move): p for move, p in found.policy(state.view(ONE)).items()}
    assert told == {card: Fraction(3 if card == "2" else 1, 7) for card in "12345"}
    answer = found.policy(state.play(Bluff().move("4")).view(TWO))
    assert answer == {Bluff().move("believe"): 0, Bluff().move("doubt"): 1}


# --- refusals ---


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


# --- the same games in OpenSpiel ---


@pytest.mark.parametrize("game", [Bluff(), KUHN], ids=lambda game: game.name)
def test_open_spiel_finds_the_same_value_and_nothing_to_exploit(game: Game) -> None:
    found = solve(game)
    value, exploitable = in_open_spiel(game, found)
    assert value == pytest.approx(float(found.value), abs=1e-9)
    assert exploitable < 1e-9


def test_open_spiel_finds_how_to_exploit_a_weak_strategy() -> None:
    found = solve(Bluff())
    honest = {
        known: {move: Fraction(move in known.secret) for move in known.moves}
        for known in found.strategies[0]
    }
    weak = Equilibrium(found.value, (honest, found.strategies[1]))
    assert in_open_spiel(Bluff(), weak)[1] == pytest.approx(3 / 7)
