"""How likely the secrets are that master may hide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from strongroom import load
from strongroom.contract import Game, Move, Seat, View
from strongroom.puzzles.odds import told
from strongroom.theory.shelf import solution_of

if TYPE_CHECKING:
    from tests.puzzles.conftest import Found


def by_bayes(view: View) -> dict[Move, float]:
    """The odds from the certified player's mixtures along the game, by the rules."""
    game = view.game
    assert isinstance(game, Game)
    policy, seat = solution_of(game).policy, view.seat
    assert seat is not None
    weights: dict[Move, float] = {}
    for hidden in game.start().moves:
        secrets = {seat: view.secret[0], seat.other: hidden}
        state, weight = game.start(), 1.0
        for move in (secrets[Seat.ONE], secrets[Seat.TWO], *(event.move for event in view.history)):
            if state.actor is seat.other:
                weight *= float(policy(state.view(seat.other)).get(move, 0))
            state = state.play(move)
            if not weight or state.outcome is not None:
                break
        if weight and state.log == view.history:
            weights[hidden] = weight
    return {move: weight / sum(weights.values()) for move, weight in weights.items()}


@pytest.mark.parametrize("name", ["digit-deductions", "safe-cracker"])
def test_the_odds_follow_from_how_master_hides_and_guesses(found: Found, name: str) -> None:
    for each in found[name][:2]:
        assert each.odds == pytest.approx(by_bayes(each.view), abs=1e-9)


def test_the_only_secret_left_is_not_named() -> None:
    one, *_ = load("safe-cracker").start().moves
    assert told({one: 1.0}) == "Only one is still possible."


def test_small_odds_are_not_told_as_none() -> None:
    one, two = load("digit-deductions").start().moves[:2]
    assert told({one: 0.997, two: 0.003}) == "Still possible: 1-1 (100%), 1-2 (under 1%)."
