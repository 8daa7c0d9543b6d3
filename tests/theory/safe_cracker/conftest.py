"""Games of Safe Cracker in progress, and the candidates left in them."""

from __future__ import annotations

import random
from typing import Protocol

import pytest

from strongroom.contract import Move, Seat
from strongroom.games.codes import Code
from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerState
from strongroom.theory.safe_cracker.solution import SafeCrackerSolution


class Played(Protocol):
    """Plays some turns of a game; with a solution `master` follows it, and often the other too."""

    def __call__(
        self,
        game: SafeCracker,
        rng: random.Random,
        turns: int,
        solution: SafeCrackerSolution | None = None,
        master: Seat = Seat.ONE,
    ) -> SafeCrackerState: ...


class Remaining(Protocol):
    """The codes of the opponent that are left after the guesser's guesses."""

    def __call__(self, state: SafeCrackerState, guesser: Seat) -> list[Code]: ...


@pytest.fixture(scope="session")
def played() -> Played:
    return _played


@pytest.fixture(scope="session")
def remaining() -> Remaining:
    return _remaining


def _played(
    game: SafeCracker,
    rng: random.Random,
    turns: int,
    solution: SafeCrackerSolution | None = None,
    master: Seat = Seat.ONE,
) -> SafeCrackerState:
    while True:
        state = game.start().play(rng.choice(game.actions)).play(rng.choice(game.actions))
        for _ in range(turns):
            move: Move = rng.choice(game.actions)
            if solution is not None and (state.actor is master or rng.random() < 0.6):
                chances = solution.policy(state.view(state.actor))  # type: ignore[arg-type]
                move = rng.choices(list(chances), [float(p) for p in chances.values()])[0]
            state = state.play(move)
            if state.outcome is not None:
                break
        else:
            return state


def _remaining(state: SafeCrackerState, guesser: Seat) -> list[Code]:
    seen = [(event.move, event.answer) for event in state.log if event.actor is guesser]
    codes = state.game.space.codes
    return [
        code
        for code in codes
        if all(isinstance(g, Code) and state.game.answer(g, code) == answer for g, answer in seen)
    ]
