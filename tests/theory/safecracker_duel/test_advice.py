"""Hints in Safecracker Duel."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from strongroom.contract import Seat
from strongroom.games.safecracker_duel.rules import SafecrackerDuel
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution

VALUE = Fraction(8752, 15553)


def test_the_first_hints_are_worth_exactly_the_value(
    game: SafecrackerDuel, solution: SafecrackerDuelSolution
) -> None:
    state = game.start()
    one = solution.values(state.view(Seat.ONE))
    assert max(one.values()) == pytest.approx(float(VALUE))
    assert one[game.move("3-4-5")] < float(VALUE) - 0.09
    two = solution.values(state.play(game.move("1-1-1")).view(Seat.TWO))
    assert list(two.values()) == pytest.approx([1 - float(VALUE)] * 125)


def test_the_truth_averages_to_the_value_over_the_codes_that_are_hidden(
    game: SafecrackerDuel, solution: SafecrackerDuelSolution
) -> None:
    start = game.start()
    mine = next(iter(solution.policy(start.view(Seat.ONE))))
    state = start.play(mine)
    theirs = solution.policy(state.view(Seat.TWO))
    mean = sum(float(p) * solution.truth(state.play(code)) for code, p in theirs.items())
    assert mean == pytest.approx(float(VALUE))


def test_the_truth_of_a_late_turn_is_who_can_win_first(
    game: SafecrackerDuel, solution: SafecrackerDuelSolution
) -> None:
    state = game.start()
    for text in ("3-4-2", "5-5-5", "1 3", "2 2", "3 3"):
        state = state.play(game.move(text))
    assert solution.truth(state) == 0.5  # Seat.TWO changes back, and nobody makes progress
    missed = state.play(game.move("2 4"))
    assert solution.truth(missed) == 1.0  # 3-4-3: Seat.ONE wins at once
    # If Seat.ONE misses that win, Seat.TWO still changes back, and offers it again.
    assert solution.truth(missed.play(game.move("2 5"))) == 1.0


def test_beliefs_do_not_depend_on_earlier_queries(
    game: SafecrackerDuel, solution: SafecrackerDuelSolution
) -> None:
    dice = random.Random(5)
    views = []
    for _ in range(20):
        state = game.start()
        while isinstance(state.actor, Seat) and state.turns < 12:
            views.append(state.view(state.actor))
            state = state.play(dice.choice(state.moves))
    in_order = [solution.values(view) for view in views]
    mixed = dice.sample(range(len(views)), len(views))
    assert {n: solution.values(views[n]) for n in mixed} == dict(enumerate(in_order))


def test_the_certified_player_plays_only_moves_of_the_highest_value(
    game: SafecrackerDuel, solution: SafecrackerDuelSolution
) -> None:
    dice = random.Random(3)
    for _ in range(300):
        state = game.start()
        while isinstance(state.actor, Seat) and state.turns < 6:
            worth = solution.values(state.view(state.actor))
            chances = solution.policy(state.view(state.actor))
            for move in chances:
                assert worth[move] == pytest.approx(max(worth.values()), abs=1e-9)
            state = state.play(dice.choices(list(chances), [float(p) for p in chances.values()])[0])
