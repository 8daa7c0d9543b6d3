"""Perfect play by the sequence form, compared with derived, published and OpenSpiel's values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import pyspiel
import pytest
from strongroom_bluff.game import Bluff

from strongroom import load
from strongroom.contract import Actor, Game, Seat, State
from strongroom.theory.solvers.sequence_form import Equilibrium, solve
from strongroom.theory.solvers.tree import NoSmallTree, Tree, exact_odds, won

ONE, TWO = Seat
AnyState = State[Any, Any, Any]
Numbers = defaultdict[Actor | None, dict[Hashable, int]]
MatrixGame = Callable[[Sequence[Sequence[Seat | None]]], Game]


# --- known values ---


def test_matching_pennies_is_even_and_both_choose_evenly(matrix_game: MatrixGame) -> None:
    game = matrix_game(((ONE, TWO), (TWO, ONE)))
    found = solve(game)
    assert found.value == Fraction(1, 2)
    for choices in found.strategies:
        assert [*next(iter(choices.values())).values()] == [Fraction(1, 2)] * 2


def test_rock_paper_scissors_is_even_and_played_evenly(matrix_game: MatrixGame) -> None:
    found = solve(matrix_game(((None, TWO, ONE), (ONE, None, TWO), (TWO, ONE, None))))
    assert found.value == Fraction(1, 2)
    first = next(iter(found.strategies[0].values()))
    assert [*first.values()] == [Fraction(1, 3)] * 3


@pytest.mark.parametrize(
    ("winners", "value"),
    [
        (((ONE,),), 1),
        (((TWO,),), 0),
        (((None,),), Fraction(1, 2)),
        (((ONE, TWO, TWO), (TWO, ONE, TWO), (TWO, TWO, ONE)), Fraction(1, 3)),
        (((ONE, TWO), (None, ONE)), Fraction(2, 3)),
        (((ONE, TWO), (ONE, ONE)), 1),
    ],
)
def test_a_matrix_game_has_the_value_derived_by_hand(
    matrix_game: MatrixGame, winners: Sequence[Sequence[Seat | None]], value: Fraction
) -> None:
    assert solve(matrix_game(winners)).value == value


def test_kuhn_poker_has_its_published_value(kuhn: Game, kuhn_value: Fraction) -> None:
    assert solve(kuhn).value == kuhn_value == Fraction(35, 72)


def test_bluff_has_the_value_that_its_rules_page_states() -> None:
    assert solve(Bluff()).value == Fraction(3, 7)


# --- the result is a strategy ---


def test_every_information_set_has_probabilities_for_its_moves(kuhn: Game) -> None:
    one, two = solve(kuhn).strategies
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


def test_a_game_without_a_last_move_is_refused() -> None:
    with pytest.raises(NoSmallTree, match="Quantum Duel can last longer than 50 moves"):
        solve(load("quantum-duel"))


def test_a_game_with_too_many_states_is_refused() -> None:
    with pytest.raises(NoSmallTree, match="Bluff has more than 100 states"):
        Tree.of(Bluff(), largest=100)


def test_a_game_in_which_a_player_forgets_is_refused(forgetful: Game) -> None:
    with pytest.raises(NoSmallTree, match="has to follow from its view"):
        solve(forgetful)


def test_odds_that_are_not_fractions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    state = Bluff().start()
    assert exact_odds(state) == (Fraction(1, 5),) * 5
    monkeypatch.setattr(type(state), "odds", (0.3,) * 5)
    with pytest.raises(NoSmallTree, match="no fractions that add up to 1"):
        exact_odds(state)


# --- the same games in OpenSpiel ---


def efg(game: Game) -> str:
    """A game in the extensive-form format that Gambit and OpenSpiel read."""
    numbers: Numbers = defaultdict(dict)
    head = f'EFG 2 R "{game.name}" {{ "one" "two" }}'
    return "\n".join([head, *_nodes(game.start(), numbers)])


def _nodes(state: AnyState, numbers: Numbers) -> Iterator[str]:
    actor = state.actor
    known = state.view(actor) if isinstance(actor, Seat) else state
    number = numbers[actor].setdefault(known, len(numbers[actor]) + 1)
    if actor is None:
        one, two = map(float, won(state))
        yield f't "" {number} "" {{ {one} {two} }}'
    elif isinstance(actor, Seat):
        moves = " ".join(f'"{move}"' for move in state.moves)
        yield f'p "" {actor.value} {number} "" {{ {moves} }} 0'
    else:
        odds = zip(state.moves, exact_odds(state), strict=True)
        falls = " ".join(f'"{move}" {chance}' for move, chance in odds)
        yield f'c "" {number} "" {{ {falls} }} 0'
    for move in state.moves:
        yield from _nodes(state.play(move), numbers)


def in_open_spiel(ours: AnyState, theirs: Any, found: Equilibrium) -> Iterator[tuple[str, Any]]:
    """Our strategies under OpenSpiel's names of information sets, by walking both games."""
    if ours.actor is None:
        assert theirs.is_terminal()
        return
    numbers = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
    assert [*numbers] == [str(move) for move in ours.moves]
    if isinstance(ours.actor, Seat):
        mixture = found.policy(ours.view(ours.actor))
        weights = [(numbers[str(move)], float(weight)) for move, weight in mixture.items()]
        yield theirs.information_state_string(), weights
    for move in ours.moves:
        yield from in_open_spiel(ours.play(move), theirs.child(numbers[str(move)]), found)


@pytest.mark.parametrize("name", ["bluff", "kuhn", "pennies"])
def test_open_spiel_finds_the_same_value_and_nothing_to_exploit(
    name: str, kuhn: Game, matrix_game: MatrixGame
) -> None:
    uneven = matrix_game(((ONE, TWO), (None, ONE)))
    game = {"bluff": Bluff(), "kuhn": kuhn, "pennies": uneven}[name]
    found = solve(game)
    theirs = pyspiel.load_efg_game(efg(game))
    policy = dict(in_open_spiel(game.start(), theirs.new_initial_state(), found))
    assert len(policy) == sum(map(len, found.strategies))
    assert pyspiel.nash_conv(theirs, policy) < 1e-9
    start, tabular = theirs.new_initial_state(), pyspiel.TabularPolicy(policy)
    one, two = pyspiel.expected_returns(start, tabular, -1, True)
    assert one == pytest.approx(float(found.value), abs=1e-9)
    assert one + two == pytest.approx(1)


def test_open_spiel_finds_how_to_exploit_a_weak_strategy() -> None:
    game = Bluff()
    found = solve(game)
    honest = {
        known: {move: Fraction(move in known.secret) for move in known.moves}
        for known in found.strategies[0]
    }
    theirs = pyspiel.load_efg_game(efg(game))
    walk = in_open_spiel(
        game.start(),
        theirs.new_initial_state(),
        Equilibrium(found.value, (honest, found.strategies[1])),
    )
    assert pyspiel.nash_conv(theirs, dict(walk)) == pytest.approx(3 / 7)
