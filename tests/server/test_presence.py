"""Presence: who is here and who is away, as far as one process knows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from strongroom.contract import Seat
from strongroom.server.presence import LOST, Presence
from strongroom.server.store import ALIVE, StoredGame
from strongroom.server.timekeeper import Timekeeper
from tests.server.stores import begun

PATIENCE, SLACK = 120.0, 4.0


class Time(Timekeeper):
    """Server time that the test moves."""

    at = 1e9

    def now(self) -> float:
        """The current time."""
        return self.at


@pytest.fixture
def time() -> Time:
    """The time of the process."""
    return Time()


@pytest.fixture
def presence(time: Time) -> Presence:
    """The presence as known to a process that shares its database."""
    return Presence("ours", shared=True, time=time, slack=SLACK)


def sits_at(process: str) -> StoredGame:
    """A game whose second player has a connection at a process."""
    game = begun("quantum-duel")
    one, two = game.seats
    return replace(game, seats=(one, replace(two, connection="c", process=process)))


def left(time: Time) -> StoredGame:
    """A game whose second player leaves now."""
    game = sits_at("ours")
    one, two = game.seats
    two = replace(two, connection=None, process=None, left_at=time.now())
    return replace(game, seats=(one, two))


def pass_while_beating(time: Time, presence: Presence, seconds: float, **beats: float) -> None:
    """Let time pass while the database answers and only this process is connected to it."""
    end = time.at + seconds
    while time.at < end:
        time.at = min(end, time.at + 2)
        presence.hear({"ours": time.at, **beats}, connected=("ours",))


def test_a_player_at_a_process_that_has_just_started_is_here(
    time: Time, presence: Presence
) -> None:
    pass_while_beating(time, presence, 1000, gone=time.at)
    assert presence.away(sits_at("new"))[1] is None
    assert presence.wait(sits_at("new"), Seat.TWO, PATIENCE) is None


def test_a_player_at_a_process_that_died_is_away_since_its_heartbeat_was_missed(
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


def test_a_player_at_a_process_that_beats_again_is_here(time: Time, presence: Presence) -> None:
    pass_while_beating(time, presence, 20, other=time.at)
    assert presence.away(sits_at("other"))[1] is not None
    assert presence.hear({"ours": time.at, "other": time.at}, connected=("ours", "other"))
    assert presence.away(sits_at("other"))[1] is None


def test_after_a_database_outage_a_process_is_not_missed_before_it_could_beat_again(
    time: Time, presence: Presence
) -> None:
    last = time.at
    presence.hear({"ours": last, "other": last}, connected=("ours", "other"))
    time.at += 1000
    presence.hear({"ours": time.at, "other": last}, connected=("ours",))
    assert presence.away(sits_at("other"))[1] is None


def test_time_during_a_database_outage_does_not_count_as_away(
    time: Time, presence: Presence
) -> None:
    game = left(time)
    pass_while_beating(time, presence, 10)
    assert presence.wait(game, Seat.TWO, PATIENCE) == PATIENCE - 10
    time.at += 1000
    presence.hear({"ours": time.at}, connected=("ours",))
    assert presence.wait(game, Seat.TWO, PATIENCE) == PATIENCE - 10
    pass_while_beating(time, presence, 10)
    assert presence.wait(game, Seat.TWO, PATIENCE) == PATIENCE - 20


def test_a_player_who_left_before_the_game_began_is_away_since_it_began(time: Time) -> None:
    presence = Presence("ours", shared=False, time=time, slack=SLACK)
    game = replace(sits_at("ours"), started=time.now())
    one, two = game.seats
    for left_at in (None, time.now() - 1000):
        gone = replace(game, seats=(replace(one, left_at=left_at), two))
        assert presence.away(gone) == (time.now(), None)


def test_after_a_restart_a_player_who_has_not_come_back_is_away_since_the_restart(
    time: Time,
) -> None:
    presence = Presence("ours", shared=False, time=time, slack=SLACK)
    time.at += 1
    presence.hear({"ours": time.at}, connected=("ours",))
    assert presence.wait(sits_at("before"), Seat.TWO, PATIENCE) == PATIENCE - 1


def test_a_player_at_a_frozen_process_counts_as_here_for_ten_minutes(
    time: Time, presence: Presence
) -> None:
    beats = {"frozen": time.at}
    for _ in range(int(LOST)):
        presence.hear({"ours": time.at, **beats}, connected=("ours", "frozen"))
        assert presence.away(sits_at("frozen"))[1] is None
        assert presence.is_elsewhere(sits_at("frozen").seats[1])
        time.at += 1
    time.at += 1
    presence.hear({"ours": time.at, **beats}, connected=("ours", "frozen"))
    assert presence.wait(sits_at("frozen"), Seat.TWO, PATIENCE) == PATIENCE
