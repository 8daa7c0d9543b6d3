"""Threads and processes: nothing that is finished is lost, however the rest ends."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from functools import partial
from itertools import count, islice

import pytest

from strongroom.arena import tournament
from strongroom.arena.tournament import play_all
from strongroom.contests.schedule import Schedule
from strongroom.contests.workers import Pool, Threads, Workers, each_done, pool_for
from strongroom.contract import Refusal
from strongroom.players import Stops
from strongroom.plugins.registry import load


def square(number: int, at_twenty: BaseException | None = None) -> int:
    if number == 20 and at_twenty is not None:
        raise at_twenty
    return number**2


def die_at_twenty(number: int) -> int:
    if number == 20:
        os.kill(os.getpid(), signal.SIGKILL)
    return number**2


@pytest.mark.proof
@pytest.mark.parametrize(
    "pool",
    [lambda: None, lambda: Threads(3), lambda: Workers(2)],
    ids=["here", "threads", "processes"],
)
def test_every_task_is_done_once_when_it_can_be_and_what_is_finished_is_kept(
    pool: Callable[[], Pool | None],
) -> None:
    assert sorted(each_done(square, range(300), pool())) == [square(each) for each in range(300)]
    done = each_done(square, count(), pool(), count=10**9)
    assert len(list(islice(done, 100))) == 100
    found = list[int]()
    until_twenty = partial(square, at_twenty=Stops("The budget is spent."))
    with pytest.raises(Stops, match="The budget is spent"):
        found.extend(each_done(until_twenty, range(10_000_000), pool()))
    assert len(found) < 5_000_000
    assert {square(each) for each in range(20)} <= set(found)
    unless_twenty = partial(square, at_twenty=Refusal("It cannot be squared.", "Choose another."))
    with pytest.raises(Refusal, match="cannot be squared") as refused:
        list(each_done(unless_twenty, range(100), pool()))
    assert refused.value.accepted == "Choose another."


@pytest.mark.proof
@pytest.mark.parametrize("looked_at", [False, True])
def test_a_worker_that_is_killed_ends_the_work_with_a_refusal(looked_at: bool) -> None:
    """Also if its death is noticed while results are looked at, before the next work is given."""
    results = each_done(die_at_twenty, range(10_000), Workers(2))
    slowly = (threading.Event().wait(0.05) for _ in results)
    with pytest.raises(Refusal, match="A process ended in the middle of a game"):
        list(slowly if looked_at else results)


def test_threads_do_as_many_tasks_at_once_as_they_are_told_and_begin_none_once_left() -> None:
    together = threading.Barrier(4)
    assert len(list(each_done(lambda _: together.wait(60), range(8), Threads(4)))) == 8
    begun, go_on = list[int](), threading.Event()

    def wait(number: int) -> None:
        begun.append(number)
        if number:
            go_on.wait(60)

    for _ in each_done(wait, range(1000), Threads(2)):
        break
    go_on.set()
    assert len(begun) < 10


def test_players_with_a_concurrency_are_played_in_threads_and_not_sent_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Seats:
        concurrency = 5

    class BusySeats:
        concurrency = 2

    assert pool_for([], 10) is None
    assert pool_for([], 1000, workers=1) is None
    processes = pool_for([object()], 1000, workers=3)
    assert isinstance(processes, Workers)
    assert processes.count == 3
    threads = pool_for([object(), Seats()], 1000, workers=3)
    assert isinstance(threads, Threads)
    assert threads.count == 5
    strictest = pool_for([BusySeats(), Seats()], 1000)
    assert isinstance(strictest, Threads)
    assert strictest.count == 2
    monkeypatch.setattr(tournament, "find_entry", lambda kind, name: Seats())
    schedule = Schedule((load("quantum-duel"),), ("model:x", "random"), 2)
    with pytest.raises(Refusal, match="plays from this machine alone"):
        next(play_all(schedule, pool=Threads(1)))


def test_an_interruption_that_breaks_a_lock_of_the_pool_is_still_an_interruption() -> None:
    def break_a_lock() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("release unlocked lock")

    with pytest.raises(KeyboardInterrupt), Workers(1):
        break_a_lock()
