"""Every game passes the shared checks; another file tests that the checks catch cheats."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Refusal, Seat
from strongroom.plugins.registry import load, names
from strongroom.testing import conformance
from strongroom.testing.conformance import CHECKS, check_game
from strongroom.testing.playouts import playout
from tests.tries import tries

VARIATIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("safe-cracker", {"digits": 4}),
    ("safe-cracker", {"length": 4}),
    ("safe-cracker", {"attempts": 2}),
    ("safe-cracker", {"digits": 4, "length": 4, "attempts": 2}),
    ("safe-cracker", {"digits": 9, "length": 6}),
    ("safecracker-duel", {"allow_same_digit": True}),
)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.proof)])
@pytest.mark.parametrize("name", names("game"))
def test_a_game_passes_every_check(name: str, seed: int) -> None:
    check_game(load(name), seed)


@pytest.mark.proof
@pytest.mark.parametrize(("name", "options"), VARIATIONS, ids=str)
def test_a_variation_passes_every_check(name: str, options: dict[str, Any]) -> None:
    for seed in range(2):
        check_game(load(name, **options), seed)


@pytest.mark.parametrize("name", names("game"))
@tries(0.4)
@given(line=st.text(), seed=st.integers(0, 9))
def test_any_line_is_a_move_or_a_refusal(name: str, line: str, seed: int) -> None:
    game, rng = load(name), Random(seed)
    state = rng.choice(playout(game, rng).states[:-1])
    if isinstance(state.actor, Seat):
        view = state.view(state.actor)
        try:
            assert game.words.parse(line, view) in game.actions
        except Refusal as refusal:
            assert refusal.reason  # noqa: PT017


def test_check_game_runs_every_check() -> None:
    written = {each for name, each in vars(conformance).items() if name.startswith("check_")}
    assert len(written) > 5
    assert set(CHECKS) == written - {check_game}
