"""Digit Deductions as shipped, and games in which some seats leave the strategy."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from strongroom.contract import Seat
from strongroom.games.digit_deductions.rules import DigitDeductions, DigitDeductionsState
from strongroom.theory import shelf
from strongroom.theory.digit_deductions.solution import DigitDeductionsSolution

RandomGame = Callable[[random.Random, Seat | None], list[DigitDeductionsState]]


@pytest.fixture(scope="session")
def solution() -> DigitDeductionsSolution:
    """The solution with the shipped table."""
    game = DigitDeductions()
    return DigitDeductionsSolution(game, shelf.read(game)[0])


@pytest.fixture
def random_game(solution: DigitDeductionsSolution) -> RandomGame:
    """Plays a game in which all but the strict seat move at random, and returns its states."""

    def played(rng: random.Random, strict: Seat | None) -> list[DigitDeductionsState]:
        state = DigitDeductions().start()
        states: list[DigitDeductionsState] = []
        while isinstance(seat := state.actor, Seat) and len(states) < 14:
            states.append(state)
            if seat is strict:
                odds = solution.policy(state.view(seat))
                state = state.play(rng.choices(list(odds), [float(p) for p in odds.values()])[0])
            else:
                state = state.play(rng.choice(state.moves))
        return states

    return played
