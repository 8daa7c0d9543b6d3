"""Every game passes the shared checks; that the checks catch cheats is tested beside this."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strongroom.conformance import (
    CHECKS,
    check_game,
    check_moves,
    check_no_leak,
    check_random_play,
    check_records,
    check_texts,
    check_views,
    playout,
)
from strongroom.contract import (
    Refusal,
    Seat,
)
from strongroom.registry import load, names

TABLES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in names("game")),
    ("safe-cracker", {"digits": 4}),
    ("safe-cracker", {"length": 4}),
    ("safe-cracker", {"attempts": 2}),
    ("safe-cracker", {"digits": 4, "length": 4, "attempts": 2}),
    ("safe-cracker", {"digits": 9, "length": 6}),
    ("safecracker-duel", {"allow_same_digit": True}),
]


@pytest.mark.parametrize(("name", "options"), TABLES, ids=str)
def test_a_game_passes_every_check(name: str, options: dict[str, Any]) -> None:
    for seed in range(2):
        check_game(load(name, **options), seed)


@pytest.mark.parametrize("name", names("game"))
@settings(max_examples=40, deadline=None)
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


def test_every_check_is_run_by_check_game() -> None:
    assert set(CHECKS) == {
        check_random_play,
        check_moves,
        check_texts,
        check_views,
        check_records,
        check_no_leak,
    }
