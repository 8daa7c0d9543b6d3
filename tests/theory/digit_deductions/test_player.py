"""The certified player of Digit Deductions, on real states and views."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from strongroom.contract import Seat
from strongroom.games.digit_deductions.rules import DigitDeductions, DigitDeductionsState
from strongroom.theory.digit_deductions import board
from strongroom.theory.digit_deductions.knowledge import knowledge, number, trials
from strongroom.theory.digit_deductions.solution import DigitDeductionsSolution

RandomGame = Callable[[random.Random, Seat | None], list[DigitDeductionsState]]


def test_secrets_have_the_derived_weights(solution: DigitDeductionsSolution) -> None:
    one, two = (solution.players[seat] for seat in Seat)
    assert sum(one.secrets) == sum(two.secrets) == 172183
    rare, often = 1347, 3711
    assert [one.secrets[orbit[0]] for orbit in board.ORBITS] == [
        *(0, 449, rare, often, rare),
        *(rare, often, rare, often, rare),
        *(often, rare, rare, often, rare),
    ]
    assert all(sum(board.CODES[s].digits) % 2 == 0 for s in two.support)


@pytest.mark.parametrize("strict", [Seat.ONE, Seat.TWO, None])
def test_every_view_has_a_policy_that_is_legal_adds_up_and_takes_wins(
    strict: Seat | None, solution: DigitDeductionsSolution, random_game: RandomGame
) -> None:
    rng = random.Random(7)
    for _ in range(60):
        for state in random_game(rng, strict):
            seat = state.actor
            assert isinstance(seat, Seat)
            view = state.view(seat)
            odds = solution.policy(view)
            assert sum(odds.values()) == 1
            assert all(isinstance(p, Fraction) and p > 0 for p in odds.values())
            assert set(odds) <= set(view.moves)
            known = board.candidates(trials(view, seat))
            if not view.setting_up and len(known) == 1:
                assert odds == {board.CODES[known[0]]: 1}
            elif not view.setting_up:
                assert all(len(board.split(known, number(move))) > 1 for move in odds)


@pytest.mark.parametrize("strict", [Seat.ONE, Seat.TWO, None])
def test_there_is_no_policy_and_no_values_out_of_turn(
    strict: Seat | None, solution: DigitDeductionsSolution, random_game: RandomGame
) -> None:
    for state in random_game(random.Random(3), strict):
        assert isinstance(state.actor, Seat)
        for view in (state.view(state.actor.other), state.view(None)):
            assert knowledge(view) is None
            assert solution.policy(view) == {}
            assert solution.values(view) == {}


def test_there_is_no_policy_after_the_game_is_won(solution: DigitDeductionsSolution) -> None:
    state = DigitDeductions().start()
    for text in ("5-5", "4-7", "4-7"):
        state = state.play(state.game.move(text))
    assert state.outcome is not None
    for seat in Seat:
        assert solution.policy(state.view(seat)) == {}
        assert solution.values(state.view(seat)) == {}


def test_a_seat_knows_its_number_and_both_sides_guesses() -> None:
    state = DigitDeductions().start()
    for text in ("5-5", "4-7", "1-1", "9-1"):
        state = state.play(state.game.move(text))
    here = knowledge(state.view(Seat.ONE))
    assert here is not None
    assert (here.seat, here.secret) == (Seat.ONE, number(state.game.move("5-5")))
    assert here.own == ((number(state.game.move("1-1")), 9),)
    assert here.theirs == ((number(state.game.move("9-1")), 8),)


def test_positions_that_look_alike_to_the_player_are_played_alike(
    solution: DigitDeductionsSolution,
) -> None:
    rng = random.Random(5)
    for seat in Seat:
        player = solution.players[seat]
        seen: dict[object, dict[int, int]] = {}
        met = 0
        for _ in range(6_000):
            # Mostly the strategy's own first guesses and secrets, and some that it never chooses.
            mine = rng.choice(board.CORNERS) if rng.random() < 0.9 else rng.choice(board.ALL)
            secret = rng.choice(player.support if rng.random() < 0.9 else board.ALL)
            target = rng.choice(board.ALL)
            first, second = rng.choice((0, 1, 9, 11, 40)), rng.choice((0, 4, 8, 40, 76))
            theirs = [(g, board.FAR[secret][g]) for g in (first, second)]
            own = ((mine, board.FAR[target][mine]),)
            known = board.candidates(own)
            told = tuple(theirs[:1] if player.first else theirs)
            if len(known) == 1 or mine == target or 0 in (f for _, f in told):
                continue
            alike = (known, secret, player.looks(own, told, player.cases(told, (secret,))))
            weights = player.weights(own, told, secret)
            met += alike in seen
            assert seen.setdefault(alike, weights) == weights
        assert met > 100
