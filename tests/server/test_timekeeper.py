"""Server time, and freezes, which no client can cause."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from strongroom.server import timekeeper
from strongroom.server.timekeeper import Timekeeper
from tests.server.stores import another_process

LONG = 2.0
"""Seconds, far more than the shortest gap that counts as a freeze."""
WATCHED = """
import sys, time
from strongroom.server.timekeeper import Timekeeper

keeper = Timekeeper()
keeper.watch(lambda began, ended: print("frozen", ended - began, flush=True))
print("watches", flush=True)
for line in sys.stdin:
    keeper.now()
    print("asked", flush=True)
"""

Freezes = list[tuple[float, float]]


@pytest.fixture
def freezes(monkeypatch: pytest.MonkeyPatch) -> Freezes:
    """Collects the reported freezes; short gaps count as freezes."""
    monkeypatch.setattr(timekeeper, "TICK", 0.02)
    monkeypatch.setattr(timekeeper, "FROZEN", LONG / 10)
    return []


@pytest.fixture
def keeper(freezes: Freezes) -> Iterator[Timekeeper]:
    """A timekeeper that watches this process."""
    keeper = Timekeeper()
    keeper.watch(lambda began, ended: freezes.append((began, ended)))
    yield keeper
    keeper.stop()


def frozen(freezes: Freezes) -> float:
    """The total in seconds; a busy host may freeze its guest for moments."""
    return sum(ended - began for began, ended in freezes)


def test_a_process_that_was_stopped_hears_of_the_freeze_before_it_reads_the_time() -> None:
    process = another_process(WATCHED)
    assert process.stdin
    assert process.stdout
    with process:
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


def test_holding_the_interpreter_lock_is_not_a_freeze(keeper: Timekeeper, freezes: Freezes) -> None:
    exponent, taken = 100_000, 0.0
    while taken < LONG:  # one call that no other thread can interrupt
        begin = time.monotonic()
        _ = 3**exponent
        taken = time.monotonic() - begin
        exponent *= 2
    keeper.now()
    assert frozen(freezes) < LONG / 2


def test_a_blocked_main_thread_is_not_a_freeze(keeper: Timekeeper, freezes: Freezes) -> None:
    time.sleep(LONG)  # as a slow disk would block it
    keeper.now()
    assert frozen(freezes) < LONG / 2


@pytest.mark.proof
def test_many_busy_threads_are_not_a_freeze(keeper: Timekeeper, freezes: Freezes) -> None:
    ended = Event()

    def spin() -> None:
        while not ended.is_set():
            sum(range(1000))

    threads = [Thread(target=spin) for _ in range(20)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        keeper.now()
    ended.set()
    for thread in threads:
        thread.join()
    assert frozen(freezes) < LONG / 2


def test_server_time_moves_forward_and_never_back() -> None:
    keeper = Timekeeper()
    now = keeper.now()
    assert keeper.move_up(now - 1000) == 0.0
    assert keeper.now() >= now
    assert 999 < keeper.move_up(now + 1000) <= 1000
    assert keeper.now() >= now + 1000


def test_the_wall_clock_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Timekeeper()
    before = keeper.now()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert before <= keeper.now() < before + 3600
