"""Time and presence: freezes, which no client can cause, and who is here or away."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from strongroom.contract import Seat
from strongroom.server.clocks import Timekeeper
from strongroom.server.presence import Presence
from strongroom.server.settings import DEFAULTS, Settings
from strongroom.server.store import StoredGame
from tests.server.stores import another_process, begun

LONG = 1.0
"""Seconds, far more than the shortest gap that counts as a freeze here."""
WATCHED = f"""
import sys, time
from strongroom.server.clocks import Timekeeper
from strongroom.server.settings import Settings

keeper = Timekeeper(Settings(freeze_tick=0.02, shortest_freeze={LONG / 5}))
keeper.watch(lambda began, ended: print("frozen", ended - began, flush=True))
print("watches", flush=True)
for line in sys.stdin:
    keeper.now()
    print("asked", flush=True)
"""


@pytest.mark.proof
def test_a_process_that_was_stopped_hears_of_the_freeze_before_it_reads_the_time() -> None:
    with another_process(WATCHED) as process:
        assert process.stdout.readline() == "watches\n"
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(LONG)
        process.stdin.write("now\n")
        process.stdin.flush()
        os.kill(process.pid, signal.SIGCONT)
        told, seconds = process.stdout.readline().split()
        assert told == "frozen"
        assert float(seconds) >= LONG
        assert process.stdout.readline() == "asked\n"
        process.stdin.close()
        assert process.stdout.read() == "", "a freeze is reported once"


def hold_the_interpreter_lock() -> None:
    """Make calls that no other thread can interrupt, until one was long."""
    exponent, taken = 1_000_000, 0.0
    while taken < LONG:
        begin = time.monotonic()
        _ = 3**exponent
        taken = time.monotonic() - begin
        exponent *= 2


@pytest.mark.proof
@pytest.mark.parametrize("act", [hold_the_interpreter_lock, lambda: time.sleep(LONG)])
def test_a_busy_or_blocked_process_is_not_frozen(act: Callable[[], None]) -> None:
    keeper = Timekeeper(Settings(freeze_tick=0.02, shortest_freeze=LONG / 5))
    freezes = list[float]()
    keeper.watch(lambda began, ended: freezes.append(ended - began))
    for _ in range(20):  # a busy host may freeze its guest now and then, but not every time
        freezes.clear()
        act()
        keeper.now()
        if sum(freezes) < LONG / 2:
            break
    keeper.stop()
    assert sum(freezes) < LONG / 2


def test_server_time_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Timekeeper()
    now = keeper.now()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert now <= keeper.now() < now + 900
    assert keeper.move_up(now - 1000) == 0.0
    assert keeper.now() >= now
    assert 99 < keeper.move_up(now + 1000) <= 1000
    assert keeper.now() >= now + 1000


PATIENCE = 120.0


class Time(Timekeeper):
    at = 1e9

    def now(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def presence(clock: Time) -> Presence:
    """The presence as known to a process that shares its database."""
    return Presence("ours", shared=True, time=clock, settings=DEFAULTS)


def sits_at(process: str) -> StoredGame:
    """A game whose second player has a connection at a process."""
    game = begun("quantum-duel")
    one, two = game.seats
    return replace(game, seats=(one, replace(two, connection="c", process=process)))


def pass_while_beating(clock: Time, presence: Presence, seconds: float, **beats: float) -> None:
    """Let time pass while the database answers and only this process is connected to it."""
    end = clock.at + seconds
    while clock.at < end:
        clock.at = min(end, clock.at + 2)
        presence.hear({"ours": clock.at, **beats}, connected=("ours",))


def test_a_player_at_a_dead_process_is_away_since_its_end(clock: Time, presence: Presence) -> None:
    last = clock.at
    pass_while_beating(clock, presence, DEFAULTS.process_timeout, gone=last)
    assert presence.away(sits_at("gone"))[1] is None
    pass_while_beating(clock, presence, 2, gone=last)
    missed = clock.at
    assert presence.away(sits_at("gone"))[1] == missed
    pass_while_beating(clock, presence, 50, gone=last)
    assert presence.away(sits_at("gone"))[1] == missed
    assert presence.wait(sits_at("gone"), Seat.TWO, PATIENCE) == PATIENCE - 50
    assert presence.away(sits_at("new"))[1] is None, "it has just started"
    assert presence.wait(sits_at("new"), Seat.TWO, PATIENCE) is None
    assert presence.hear({"ours": clock.at, "gone": clock.at}, connected=("ours", "gone"))
    assert presence.away(sits_at("gone"))[1] is None, "it beats again"


def test_a_database_outage_does_not_count_as_away(clock: Time, presence: Presence) -> None:
    game = sits_at("ours")
    one, two = game.seats
    two = replace(two, connection=None, process=None, left_at=clock.now())
    game = replace(game, seats=(one, two))
    pass_while_beating(clock, presence, 10)
    assert presence.wait(game, Seat.TWO, PATIENCE) == PATIENCE - 10
    last = clock.at
    presence.hear({"ours": last, "other": last}, connected=("ours", "other"))
    clock.at += 1000
    presence.hear({"ours": clock.at, "other": last}, connected=("ours",))
    assert presence.away(sits_at("other"))[1] is None, "it could not beat yet"
    assert presence.wait(game, Seat.TWO, PATIENCE) == PATIENCE - 10
    pass_while_beating(clock, presence, 10)
    assert presence.wait(game, Seat.TWO, PATIENCE) == PATIENCE - 20


def test_who_was_away_before_the_game_began_or_a_restart_is_away_since_then(clock: Time) -> None:
    presence = Presence("ours", shared=False, time=clock, settings=DEFAULTS)
    game = replace(sits_at("ours"), started=clock.now())
    one, two = game.seats
    for left_at in (None, clock.now() - 1000):
        gone = replace(game, seats=(replace(one, left_at=left_at), two))
        assert presence.away(gone) == (clock.now(), None)
    clock.at += 1
    presence.hear({"ours": clock.at}, connected=("ours",))
    assert presence.wait(sits_at("before"), Seat.TWO, PATIENCE) == PATIENCE - 1


def test_a_player_at_a_frozen_process_stays_ten_minutes(clock: Time, presence: Presence) -> None:
    beats = {"frozen": clock.at}
    for _ in range(int(DEFAULTS.connected_process_timeout)):
        presence.hear({"ours": clock.at, **beats}, connected=("ours", "frozen"))
        assert presence.away(sits_at("frozen"))[1] is None
        assert presence.is_elsewhere(sits_at("frozen").seats[1])
        clock.at += 1
    clock.at += 1
    presence.hear({"ours": clock.at, **beats}, connected=("ours", "frozen"))
    assert presence.wait(sits_at("frozen"), Seat.TWO, PATIENCE) == PATIENCE
