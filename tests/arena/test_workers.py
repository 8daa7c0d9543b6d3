"""Work in threads and processes: nothing that is finished is lost, however the rest ends."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from itertools import count, islice

import pytest

from strongroom.arena.workers import Pool, Threads, Workers, each_done, pool_for
from strongroom.contract import Refusal
from strongroom.players import Stops

Makes = Callable[[], Pool | None]

POOLS = [
    pytest.param(lambda: None, id="here"),
    pytest.param(lambda: Threads(3), id="threads"),
    pytest.param(lambda: Workers(2), id="processes"),
]


def square(number: int) -> int:
    return number**2


def square_until_twenty(number: int) -> int:
    if number == 20:
        raise Stops("The budget is spent.")
    return number**2


def square_unless_twenty(number: int) -> int:
    if number == 20:
        raise Refusal("Twenty cannot be squared.", "Choose another number.")
    return number**2


def die_at_twenty(number: int) -> int:
    if number == 20:
        os.kill(os.getpid(), signal.SIGKILL)
    return number**2


@pytest.mark.parametrize("pool", POOLS)
def test_every_task_is_done_once_when_it_can_be_and_what_is_finished_is_kept(pool: Makes) -> None:
    assert sorted(each_done(square, range(300), pool())) == [square(each) for each in range(300)]
    done = each_done(square, count(), pool(), count=10**9)
    assert len(list(islice(done, 100))) == 100
    found = list[int]()
    with pytest.raises(Stops, match="The budget is spent"):
        found.extend(each_done(square_until_twenty, range(10_000_000), pool()))
    assert len(found) < 5_000_000
    assert {square(each) for each in range(20)} <= set(found)
    with pytest.raises(Refusal, match="cannot be squared") as refused:
        list(each_done(square_unless_twenty, range(100), pool()))
    assert refused.value.accepted == "Choose another number."


def look_slowly(result: int) -> None:
    time.sleep(0.05)


@pytest.mark.parametrize("looked_at", [False, True])
def test_a_worker_that_is_killed_ends_the_work_with_a_refusal(looked_at: bool) -> None:
    """Also if its death is noticed while results are looked at, before the next work is given."""
    results = each_done(die_at_twenty, range(10_000), Workers(2))
    with pytest.raises(Refusal, match="A process ended in the middle of a game"):
        list(map(look_slowly, results) if looked_at else results)


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


def test_players_with_a_concurrency_are_played_in_threads() -> None:
    class Seats:
        concurrency = 5

    assert pool_for([], 10) is None
    assert pool_for([], 1000, workers=1) is None
    processes = pool_for([object()], 1000, workers=3)
    assert isinstance(processes, Workers)
    assert processes.count == 3
    threads = pool_for([object(), Seats()], 1000, workers=3)
    assert isinstance(threads, Threads)
    assert threads.count == 5


def test_an_interruption_that_breaks_a_lock_of_the_pool_is_still_an_interruption() -> None:
    def break_a_lock() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("release unlocked lock")

    with pytest.raises(KeyboardInterrupt), Workers(1):
        break_a_lock()
