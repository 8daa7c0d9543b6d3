"""Presence: who is here and who is away, as one process knows it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from strongroom.contract import Seat
from strongroom.server.presence import LOST, Presence
from strongroom.server.store import ALIVE, Kept
from strongroom.server.timekeeper import Timekeeper
from tests.server.stores import begun

PATIENCE, SLACK = 120.0, 4.0


class Time(Timekeeper):
    """Server time that passes when a test says so."""

    at = 1e9

    def now(self) -> float:
        """The time that it is."""
        return self.at


@pytest.fixture
def time() -> Time:
    """The time of the process."""
    return Time()


@pytest.fixture
def presence(time: Time) -> Presence:
    """What a process knows that shares its database."""
    return Presence("ours", shared=True, time=time, slack=SLACK)


def sits_at(process: str) -> Kept:
    """A game whose second player has a connection at a process."""
    game = begun("quantum-duel")
    one, two = game.chairs
    return replace(game, chairs=(one, replace(two, connection="c", process=process)))


def left(time: Time) -> Kept:
    """A game whose second player leaves now."""
    game = sits_at("ours")
    one, two = game.chairs
    two = replace(two, connection=None, process=None, left_at=time.now())
    return replace(game, chairs=(one, two))


def pass_while_beating(time: Time, presence: Presence, seconds: float, **beats: float) -> None:
    """Let time pass in which the database is heard, and nobody else is connected."""
    end = time.at + seconds
    while time.at < end:
        time.at = min(end, time.at + 2)
        presence.hear({"ours": time.at, **beats}, connected=("ours",))


def test_who_comes_to_a_process_that_has_just_begun_is_here(time: Time, presence: Presence) -> None:
    pass_while_beating(time, presence, 1000, gone=time.at)
    assert presence.away(sits_at("new"))[1] is None
    assert presence.wait(sits_at("new"), Seat.TWO, PATIENCE) is None


def test_who_sat_at_a_process_that_is_gone_is_away_since_it_was_missed(
    time: Time, presence: Presence
) -> None:
    last = time.at
    pass_while_beating(time, presence, ALIVE, gone=last)
    assert presence.away(sits_at("gone"))[1] is None
    pass_while_beating(time, presence, 2, gone=last)
    missed = time.at
    assert presence.away(sits_at("gone"))[1] == missed
    pass_while_beating(time, presence, 50, gone=last)
    assert presence.away(sits_at("gone"))[1] == missed
    assert presence.wait(sits_at("gone"), Seat.TWO, PATIENCE) == PATIENCE - 50


def test_a_process_that_is_back_was_not_gone(time: Time, presence: Presence) -> None:
    pass_while_beating(time, presence, 20, other=time.at)
    assert presence.away(sits_at("other"))[1] is not None
    assert presence.hear({"ours": time.at, "other": time.at}, connected=("ours", "other"))
    assert presence.away(sits_at("other"))[1] is None


def test_nobody_is_gone_before_it_could_beat_again_after_the_database_was_away(
    time: Time, presence: Presence
) -> None:
    last = time.at
    presence.hear({"ours": last, "other": last}, connected=("ours", "other"))
    time.at += 1000
    presence.hear({"ours": time.at, "other": last}, connected=("ours",))
    assert presence.away(sits_at("other"))[1] is None


def test_no_time_counts_in_which_the_database_was_not_heard(time: Time, presence: Presence) -> None:
    game = left(time)
    pass_while_beating(time, presence, 10)
    assert presence.wait(game, Seat.TWO, PATIENCE) == PATIENCE - 10
    time.at += 1000
    presence.hear({"ours": time.at}, connected=("ours",))
    assert presence.wait(game, Seat.TWO, PATIENCE) == PATIENCE - 10
    pass_while_beating(time, presence, 10)
    assert presence.wait(game, Seat.TWO, PATIENCE) == PATIENCE - 20


def test_who_left_before_the_other_came_is_away_since_the_other_came(time: Time) -> None:
    presence = Presence("ours", shared=False, time=time, slack=SLACK)
    game = replace(sits_at("ours"), started=time.now())
    one, two = game.chairs
    for left_at in (None, time.now() - 1000):
        gone = replace(game, chairs=(replace(one, left_at=left_at), two))
        assert presence.away(gone) == (time.now(), None)


def test_who_sat_at_the_process_before_the_only_one_is_away_since_this_one_began(
    time: Time,
) -> None:
    presence = Presence("ours", shared=False, time=time, slack=SLACK)
    time.at += 1
    presence.hear({"ours": time.at}, connected=("ours",))
    assert presence.wait(sits_at("before"), Seat.TWO, PATIENCE) == PATIENCE - 1


def test_who_sits_at_a_process_that_is_frozen_is_here_for_ten_minutes(
    time: Time, presence: Presence
) -> None:
    beats = {"frozen": time.at}
    for _ in range(int(LOST)):
        presence.hear({"ours": time.at, **beats}, connected=("ours", "frozen"))
        assert presence.away(sits_at("frozen"))[1] is None
        assert presence.is_elsewhere(sits_at("frozen").chairs[1])
        time.at += 1
    time.at += 1
    presence.hear({"ours": time.at, **beats}, connected=("ours", "frozen"))
    assert presence.wait(sits_at("frozen"), Seat.TWO, PATIENCE) == PATIENCE
