"""Server time, and freezes, which no client can cause."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from threading import Thread

import pytest

from strongroom.server import timekeeper
from strongroom.server.timekeeper import Timekeeper
from tests.server.stores import another_process

LONG = 1.0
"""Seconds, far more than the shortest gap that counts as a freeze here."""
WATCHED = f"""
import sys, time
from strongroom.server import timekeeper

timekeeper.TICK, timekeeper.FROZEN = 0.02, {LONG / 5}
keeper = timekeeper.Timekeeper()
keeper.watch(lambda began, ended: print("frozen", ended - began, flush=True))
print("watches", flush=True)
for line in sys.stdin:
    keeper.now()
    print("asked", flush=True)
"""

Watch = tuple[Timekeeper, list[float]]


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """A timekeeper that watches this process, and how long each freeze was."""
    monkeypatch.setattr(timekeeper, "TICK", 0.02)
    monkeypatch.setattr(timekeeper, "FROZEN", LONG / 5)
    keeper, freezes = Timekeeper(), list[float]()
    keeper.watch(lambda began, ended: freezes.append(ended - began))
    yield keeper, freezes
    keeper.stop()


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


def hold_the_interpreter_lock() -> None:
    """Make calls that no other thread can interrupt, until one was long."""
    exponent, taken = 1_000_000, 0.0
    while taken < LONG:
        begin = time.monotonic()
        _ = 3**exponent
        taken = time.monotonic() - begin
        exponent *= 2


def run_many_threads() -> None:
    """Let twenty threads compete."""
    end = time.monotonic() + LONG

    def spin() -> None:
        while time.monotonic() < end:
            sum(range(1000))

    threads = [Thread(target=spin) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def block_the_main_thread() -> None:
    """Wait, as for a slow disk."""
    time.sleep(LONG)


@pytest.mark.parametrize(
    "act", [hold_the_interpreter_lock, run_many_threads, block_the_main_thread]
)
def test_a_busy_or_blocked_process_is_not_frozen(watch: Watch, act: Callable[[], None]) -> None:
    keeper, freezes = watch
    for _ in range(20):  # a busy host may freeze its guest now and then, but not every time
        freezes.clear()
        act()
        keeper.now()
        if sum(freezes) < LONG / 2:
            return
    raise AssertionError(freezes)


def test_server_time_moves_forward_and_never_back_and_reads_the_wall_clock_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keeper = Timekeeper()
    now = keeper.now()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert now <= keeper.now() < now + 900
    assert keeper.move_up(now - 1000) == 0.0
    assert keeper.now() >= now
    assert 99 < keeper.move_up(now + 1000) <= 1000
    assert keeper.now() >= now + 1000
