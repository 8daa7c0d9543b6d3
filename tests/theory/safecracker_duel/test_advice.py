"""Hints in Safecracker Duel."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from strongroom.contract import Seat
from strongroom.games.safecracker_duel.rules import SafecrackerDuel
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution

VALUE = Fraction(8752, 15553)


def test_the_first_hints_are_the_value_itself(
    game: SafecrackerDuel, solution: SafecrackerDuelSolution
) -> None:
    state = game.start()
    one = solution.values(state.view(Seat.ONE))
    assert max(one.values()) == pytest.approx(float(VALUE))
    assert one[game.move("3-4-5")] < float(VALUE) - 0.09
    two = solution.values(state.play(game.move("1-1-1")).view(Seat.TWO))
    assert list(two.values()) == pytest.approx([1 - float(VALUE)] * 125)


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
