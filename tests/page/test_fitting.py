"""Players, board, referee and actions fit every window, and nothing covers anything."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.page.conftest import SitsDown
from tests.page.fitting import FAULTS, SETTLED, SIZES, faults
from tests.page.house import House
from tests.page.plays import PLAYS, Play, chooses, is_a_reply

PHONE, LOW = ViewportSize(width=390, height=844), ViewportSize(width=844, height=390)
TOO_SMALL = """() => [...document.querySelectorAll("strongroom-table :is(button, a, input)")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".nine"))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 44)
    .map(([each, { width, height }]) => `${each.ariaLabel ?? each.textContent}: ${width}×${height}`)"""
"""What a finger cannot hit; 81 numbers side by side are smaller on any phone."""


@pytest.fixture
def motion() -> bool:
    """No motion: things are checked where they are at rest."""
    return False


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_game_fits_every_window_and_stays_where_it_is(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    people = [sits_down().opens(link) for link in house.arranges(play.name)]
    looked_at = {0, 1 if len(play.secrets[0]) > 1 else 0, len(play.moves) - 1}
    for number, (seat, move) in enumerate(play.moves):
        mover = people[seat - 1]
        mover.is_asked()
        if number in looked_at:
            if not is_a_reply(move):
                chooses(mover, play.name, move)
            found = faults(mover.page)
            assert not found, "\n".join([f"move {number + 1}", *found])
        if number + 1 < len(play.moves):
            mover.moves(move)
