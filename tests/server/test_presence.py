"""Presence: who is here and who is away, as one process knows it."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from strongroom.contract import Seat
from strongroom.server.presence import Presence
from strongroom.server.store import ALIVE, Kept
from tests.server.stores import begun

PATIENCE = 120.0


def sits_at(process: str) -> Kept:
    """A game whose second player has a connection at a process."""
    game = begun("quantum-duel")
    one, two = game.chairs
    return replace(game, chairs=(one, replace(two, connection="c", process=process)))


def test_who_comes_to_a_process_that_has_just_begun_is_here() -> None:
    presence, now = Presence("ours", shared=True), time.time()
    presence.hear({"ours": now, "gone": now - 1000})
    assert presence.away(sits_at("new"))[1] is None
    assert presence.wait(sits_at("new"), Seat.TWO, PATIENCE) is None


def test_who_sat_at_a_process_that_beats_no_more_is_away_since_its_last_beat() -> None:
    presence, last = Presence("ours", shared=True), round(time.time() - ALIVE - 1, 3)
    presence.hear({"ours": time.time(), "gone": last})
    assert presence.away(sits_at("gone"))[1] == last


def test_who_left_before_the_other_came_is_away_since_the_other_came() -> None:
    presence, now = Presence("ours", shared=False), round(time.time(), 3)
    game = replace(sits_at("ours"), started=now)
    one, two = game.chairs
    for left_at in (None, now - 1000):
        left = replace(game, chairs=(replace(one, left_at=left_at), two))
        assert presence.away(left) == (now, None)


def test_who_sat_at_the_process_before_the_only_one_is_away_since_this_one_began() -> None:
    presence = Presence("ours", shared=False)
    wait = presence.wait(sits_at("before"), Seat.TWO, PATIENCE)
    assert wait is not None
    assert wait == pytest.approx(PATIENCE, abs=60)
