"""The advice for Digit Deductions: beliefs, values and reasons."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import copy
from fractions import Fraction

import pytest

from strongroom.contract import Seat
from strongroom.games.digit_deductions.rules import DigitDeductions, DigitDeductionsState
from strongroom.theory.digit_deductions import board
from strongroom.theory.digit_deductions.advice import belief
from strongroom.theory.digit_deductions.knowledge import Knowledge, trials
from strongroom.theory.digit_deductions.proof import DiagonalResponse
from strongroom.theory.digit_deductions.response import guesses
from strongroom.theory.digit_deductions.solution import DigitDeductionsSolution

VALUE = Fraction(140488, 172183)
GAME = DigitDeductions()
RandomGame = Callable[[random.Random, Seat | None], list[DigitDeductionsState]]


def test_the_best_secrets_and_first_guesses_reach_exactly_the_value(
    solution: DigitDeductionsSolution,
) -> None:
    start = GAME.start()
    assert max(solution.values(start.view(Seat.ONE)).values()) == pytest.approx(
        float(VALUE), abs=1e-6
    )
    state = start.play(board.CODES[40])
    assert max(solution.values(state.view(Seat.TWO)).values()) == pytest.approx(
        1 - float(VALUE), abs=1e-6
    )
    first = solution.values(state.play(board.CODES[30]).view(Seat.ONE))
    assert max(first, key=lambda move: first[move]) in [board.CODES[g] for g in board.CORNERS]


def test_values_are_probabilities_and_prefer_winning_at_once(
    solution: DigitDeductionsSolution, random_game: RandomGame
) -> None:
    rng = random.Random(11)
    for _ in range(6):
        for state in random_game(rng, None)[2:]:
            seat = state.actor
            assert isinstance(seat, Seat)
            view = state.view(seat)
            values = solution.values(view)
            assert set(values) == set(view.moves)
            assert all(-1e-9 <= value <= 1 + 1e-9 for value in values.values())
            known = board.candidates(trials(view, seat))
            if len(known) == 1:
                assert values[board.CODES[known[0]]] == pytest.approx(1)


def test_a_belief_adds_up_and_fits_the_answers(
    solution: DigitDeductionsSolution, random_game: RandomGame
) -> None:
    rng = random.Random(2)
    for strict in (Seat.ONE, Seat.TWO, None):
        for state in random_game(rng, strict)[2:]:
            seat = state.actor
            assert isinstance(seat, Seat)
            view = state.view(seat)
            mine, theirs = trials(view, seat), trials(view, seat.other)
            odds = belief(solution.players[seat.other], theirs, mine)
            assert sum(odds.values()) == 1
            assert set(odds) <= set(board.candidates(mine))


def test_the_reason_says_how_a_guess_splits_the_numbers(solution: DigitDeductionsSolution) -> None:
    state = GAME.start()
    assert solution.why(state.view(Seat.ONE), GAME.move("1-1")) == (
        "It is hidden in 0.0% of perfectly played games."
    )
    for text in ("5-5", "4-7", "1-1", "1-1"):
        state = state.play(GAME.move(text))
    view = state.view(Seat.ONE)
    assert solution.why(view, GAME.move("2-9")) == (
        "It may hit, and splits the 8 numbers left one by one."
    )
    assert solution.why(view, GAME.move("5-5")) == "It splits the 8 numbers left evenly."
    assert solution.instead(view, GAME.move("5-5")) == "would have split the 8 numbers left evenly"


def test_advice_says_when_the_opponent_has_left_the_certified_strategy(
    solution: DigitDeductionsSolution,
) -> None:
    state = GAME.start().play(GAME.move("5-5")).play(GAME.move("4-7"))
    by_plan = state.play(GAME.move("1-1"))
    assert solution.assumes(by_plan.view(Seat.TWO)) == "the opponent plays the certified strategy"
    astray = state.play(GAME.move("5-6"))
    assert "left the certified strategy" in solution.assumes(astray.view(Seat.TWO))


def test_the_truth_averages_to_the_value_for_a_number_that_the_strategy_hides(
    solution: DigitDeductionsSolution,
) -> None:
    """Because no number that the strategy hides is worse than another."""
    one, two = solution.players[Seat.ONE], solution.players[Seat.TWO]
    state = GAME.start().play(board.CODES[one.support[5]])
    mean = sum(
        two.secrets[s] * solution.truth(state.play(board.CODES[s])) for s in two.support
    ) / sum(two.secrets)
    assert mean == pytest.approx(float(VALUE), abs=1e-6)


def test_the_truth_is_certain_when_the_mover_knows_the_number(
    solution: DigitDeductionsSolution,
) -> None:
    state = GAME.start()
    for text in ("5-5", "4-7", "1-1", "5-6", "1-8", "9-9"):
        state = state.play(GAME.move(text))
    known = board.candidates(trials(state.view(Seat.ONE), Seat.ONE))
    assert [board.CODES[s] for s in known] == [GAME.move("4-7")]
    assert solution.truth(state) == 1.0


def test_reasons_are_given_only_to_the_seat_to_move(solution: DigitDeductionsSolution) -> None:
    with pytest.raises(ValueError, match="turn"):
        solution.why(GAME.start().view(Seat.TWO), GAME.move("5-5"))


@pytest.mark.parametrize(
    ("own", "theirs"),
    [
        (((57, 2),), ((16, 7),)),  # a number that is never hidden: its digits add up to an odd sum
        (((43, 2),), ((43, 5),)),
        (((1, 2),), ((0, 6),)),  # the same, and a first guess that is made
        (((54, 4),), ((18, 6),)),
        (((27, 4), (39, 6)), ((33, 1), (34, 2))),
        (((40, 8),), ((40, 4),)),
        (((0, 16),), ((40, 4),)),
    ],
)
def test_guesses_at_an_opponent_off_its_plan_are_worth_what_a_full_search_finds(
    solution: DigitDeductionsSolution, own: board.Trials, theirs: board.Trials
) -> None:
    them = copy(solution.players[Seat.TWO])
    odds = belief(them, theirs, own)
    assert them.strays(theirs, odds)
    if not any(them.secrets[s] for s in odds):
        them.support = board.ALL  # so that the search tries guesses at all that may be hidden
    found = guesses(DiagonalResponse(them), odds, theirs, own)
    for secret in {min(found), max(found)}:
        values = solution.adviser.values(Knowledge(Seat.ONE, secret, own, theirs))
        assert [*values.values()] == pytest.approx(found[secret], abs=1e-12)
