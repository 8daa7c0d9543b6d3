"""Games that break a promise of the contract on purpose, and how they are caught."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from strongroom.contract import Game
from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerState

Check = Callable[[Game, Random], None]


def with_state(state_type: type[SafeCrackerState]) -> Game:
    """Safe Cracker with one thing wrong in its states."""

    class Wrong(SafeCracker):
        def start(self) -> SafeCrackerState:
            return state_type.first(self, None)

    return Wrong()


def check_seeds(check: Check, game: Game) -> None:
    """Run a check with several seeds."""
    for seed in range(20):
        check(game, Random(seed))


def caught(check: Check, game: Game, message: str) -> None:
    """Assert that a check catches what is wrong with a game, and says so."""
    with pytest.raises(AssertionError, match=message):
        check_seeds(check, game)
