"""Budgets: what an address pays for, and whose turn it is."""

from __future__ import annotations

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starting import PATIENCE

from strongroom.server.budget import A_REST, AT_ONCE, IN_A_ROW, PAYER, Budget, Budgets, Metered
from strongroom.server.worker import WorkerThread, in_turn
from tests.server.waiting import until

SHARE = 0.25


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def work(seconds: float) -> None:
    """Use processor time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@given(st.lists(st.tuples(st.floats(0, 0.1), st.floats(0, 0.1)), max_size=100))
def test_an_address_never_uses_more_than_its_share(spells: list[tuple[float, float]]) -> None:
    clock = Clock()
    budget, used, longest = Budget(SHARE, clock), 0.0, 0.0
    for cost, idle in spells:
        clock.now += idle + budget.wait
        clock.now += cost  # the event loop is busy meanwhile, so nothing is saved up
        budget.charge(cost)
        used, longest = used + cost, max(longest, cost)
    assert used <= AT_ONCE + SHARE * (clock.now - used) + longest + 1e-9


@given(st.floats(0, 0.1), st.floats(0, 0.1))
def test_an_expensive_request_is_followed_by_a_rest_whatever_has_been_saved_up(
    cost: float, later: float
) -> None:
    clock = Clock()
    budget = Budget(SHARE, clock)
    clock.now += cost
    budget.charge(cost)
    assert budget.wait == pytest.approx(max(0.0, cost - IN_A_ROW) / A_REST)
    clock.now += later
    assert budget.wait == pytest.approx(max(0.0, (cost - IN_A_ROW) / A_REST - later))


def test_nothing_is_saved_up_during_time_that_was_charged() -> None:
    clock = Clock()
    budget = Budget(SHARE, clock)
    for _ in range(15):
        clock.now += 0.05
        budget.charge(0.05)
    assert budget.wait == pytest.approx((15 * 0.05 - AT_ONCE) / SHARE)


def test_however_much_a_request_cost_the_next_one_waits_for_a_limited_time() -> None:
    clock = Clock()
    budget = Budget(SHARE, clock)
    budget.charge(1000.0)
    assert budget.wait == AT_ONCE / SHARE
    clock.now += AT_ONCE / SHARE
    assert budget.wait == 0.0


async def test_one_message_of_an_address_passes_in_each_turn_of_the_event_loop() -> None:
    budget, passed, rounds = Budget(SHARE), list[tuple[int, int]](), 0

    async def send(number: int) -> None:
        await budget.turn()
        passed.append((number, rounds))

    sending = [asyncio.create_task(send(number)) for number in range(5)]
    while not all(task.done() for task in sending):
        await asyncio.sleep(0)
        rounds += 1
    assert [number for number, _ in passed] == [0, 1, 2, 3, 4]
    assert len({at for _, at in passed}) == 5


async def test_a_cancelled_request_does_not_hold_up_those_behind_it() -> None:
    budget = Budget(SHARE)
    first, gone, last = (asyncio.ensure_future(budget.turn()) for _ in range(3))
    gone.cancel()
    await asyncio.wait_for(last, PATIENCE)
    assert first.done()
    await until(lambda: budget.is_unused)


def test_each_address_has_one_budget_and_pays_nothing_without_limits() -> None:
    budgets = Budgets(SHARE)
    assert budgets.of("192.0.2.1") is budgets.of("192.0.2.1")
    assert budgets.of("192.0.2.1") is not budgets.of("192.0.2.2")
    assert Budgets(1.0).of("192.0.2.1") is Budgets(1.0).fresh() is None


def test_idle_addresses_make_room_for_new_ones_and_busy_ones_are_never_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("strongroom.server.budget.MOST_BUDGETS", 10)
    budgets = Budgets(SHARE)
    busy = [budgets.of(f"192.0.2.{number}") for number in range(10)]
    for budget in busy:
        assert budget is not None
        budget.charge(1000.0)
    assert budgets.of("198.51.100.1") is not budgets.of("198.51.100.1")
    assert [budgets.of(f"192.0.2.{number}") for number in range(10)] == busy
    quiet = Budgets(SHARE)
    for number in range(1000):
        quiet.of(f"192.0.2.{number}")
    assert quiet.of("198.51.100.1") is quiet.of("198.51.100.1")


async def test_a_task_is_charged_for_its_steps_and_not_for_its_waiting() -> None:
    paid: list[float] = []

    async def task() -> str:
        work(0.01)
        await asyncio.sleep(0.05)
        work(0.01)
        return "done"

    assert await Metered(task(), paid.append) == "done"
    assert len(paid) == 2
    assert all(cost >= 0.01 for cost in paid)


async def test_failed_and_cancelled_tasks_are_charged_too() -> None:
    paid, begun = list[float](), asyncio.Event()

    async def task() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            work(0.01)

    async def fail() -> None:
        work(0.01)
        raise ValueError("no")

    async def metered() -> None:
        await Metered(task(), paid.append)

    with pytest.raises(ValueError, match="no"):
        await Metered(fail(), paid.append)
    running = asyncio.create_task(metered())
    await begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert sum(paid) >= 0.02


async def test_work_in_another_thread_is_charged_to_the_address_that_asked() -> None:
    budget = Budget(SHARE, Clock())
    PAYER.set(budget)
    await WorkerThread("test").do(work, 0.01)
    assert budget.wait == 0.0, "it is read meanwhile"
    assert budget.for_threads.wait >= (0.01 - IN_A_ROW) / A_REST


async def test_worker_threads_do_one_thing_at_a_time_for_an_address() -> None:
    most = now = 0

    def count() -> None:
        nonlocal most, now
        now += 1
        most = max(most, now)
        time.sleep(0.005)
        now -= 1

    async def ask(at: int) -> None:
        async with in_turn():
            await WorkerThread(f"test {at}").do(count)

    PAYER.set(Budget(SHARE))
    await asyncio.gather(*map(ask, range(4)))
    assert most == 1
