"""What an address may cost: budgets, paced sockets, unsent bytes, and slow work in threads."""

from __future__ import annotations

import asyncio
import gc
import time
from contextlib import suppress
from dataclasses import replace
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starting import PATIENCE

from strongroom.referee.wire import TOO_SLOW
from strongroom.server.background import SingleFlightCache, TooMany, WorkerThread, cancel, in_turn
from strongroom.server.limits import PAYER, Addresses, Budget, Metered, Paced
from strongroom.server.room import Backlog, Connection
from strongroom.server.settings import DEFAULTS, Limits, Settings
from tests.server.waiting import until

SHARE = 0.25
SHARED, HALF = (Settings(limits=Limits(processor_share=share)) for share in (SHARE, 0.5))
SAVED = DEFAULTS.saved_processor_time
LARGE = DEFAULTS.large_frame
PIECE = DEFAULTS.read_piece
MOST = 1000


def rest_after(cost: float) -> float:
    """How long an address rests after something expensive, whatever it has saved up."""
    return max(0.0, cost - DEFAULTS.processor_time_in_a_row) / DEFAULTS.rest_share


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def work(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@given(st.lists(st.tuples(st.floats(0, 0.1), st.floats(0, 0.1)), max_size=100))
def test_an_address_never_uses_more_than_its_share(spells: list[tuple[float, float]]) -> None:
    clock = Clock()
    budget, used, longest = Budget(SHARED, clock), 0.0, 0.0
    for cost, idle in spells:
        clock.now += idle + budget.wait
        clock.now += cost  # the event loop is busy meanwhile, so nothing is saved up
        budget.charge(cost)
        used, longest = used + cost, max(longest, cost)
    assert used <= SAVED + SHARE * (clock.now - used) + longest + 1e-9


@given(st.floats(0, 0.1), st.floats(0, 0.1))
def test_an_expensive_request_is_followed_by_a_rest_in_any_case(cost: float, later: float) -> None:
    clock = Clock()
    budget = Budget(SHARED, clock)
    clock.now += cost
    budget.charge(cost)
    assert budget.wait == pytest.approx(rest_after(cost))
    clock.now += later
    assert budget.wait == pytest.approx(max(0.0, rest_after(cost) - later))


def test_nothing_is_saved_up_in_time_that_was_charged_and_no_wait_is_longer_than_a_limit() -> None:
    clock = Clock()
    budget = Budget(SHARED, clock)
    for _ in range(15):
        clock.now += 0.05
        budget.charge(0.05)
    assert budget.wait == pytest.approx((15 * 0.05 - SAVED) / SHARE)
    budget.charge(1000.0)
    assert budget.wait == SAVED / SHARE
    clock.now += SAVED / SHARE
    assert budget.wait == 0.0


async def test_one_message_of_an_address_passes_in_each_turn_of_the_event_loop() -> None:
    budget, passed, rounds = Budget(SHARED), list[tuple[int, int]](), 0

    async def send(number: int) -> None:
        await budget.turn()
        passed.append((number, rounds))

    sending = [asyncio.create_task(send(number)) for number in range(5)]
    while not all(task.done() for task in sending):
        await asyncio.sleep(0)
        rounds += 1
    assert [number for number, _ in passed] == [0, 1, 2, 3, 4]
    assert len({at for _, at in passed}) == 5
    first, gone, last = (asyncio.ensure_future(budget.turn()) for _ in range(3))
    gone.cancel()
    await asyncio.wait_for(last, PATIENCE)
    assert first.done()
    await until(lambda: budget.is_unused)


def test_each_address_has_a_budget_and_only_idle_ones_are_forgotten() -> None:
    few, free = replace(SHARED, tracked_addresses=10), Settings(limits=Limits.none())
    addresses = Addresses(few)
    assert addresses.of("192.0.2.1") is addresses.of("192.0.2.1")
    assert addresses.of("192.0.2.1") is not addresses.of("192.0.2.2")
    assert Addresses(free).of("192.0.2.1").budget is None, "without limits"
    busy = [addresses.of(f"192.0.2.{number}") for number in range(10)]
    for address in busy:
        assert address.budget is not None
        address.budget.charge(1000.0)
    late = addresses.of("198.51.100.1")
    assert late is not addresses.of("198.51.100.1")
    assert addresses.connects(late)
    assert late is addresses.of("198.51.100.1"), "it is connected"
    assert [addresses.of(f"192.0.2.{number}") for number in range(10)] == busy
    quiet = Addresses(few)
    for number in range(1000):
        quiet.of(f"192.0.2.{number}")
    assert quiet.of("198.51.100.1") is quiet.of("198.51.100.1")


async def test_a_task_is_charged_for_its_steps_even_if_it_fails_or_is_cancelled() -> None:
    paid = list[float]()

    async def metered(seconds: float, fails: bool = False) -> str:
        async def works() -> str:
            work(0.01)
            try:
                await asyncio.sleep(seconds)
            finally:
                work(0.01)
            if fails:
                raise ValueError("no")
            return "done"

        return await Metered(works(), paid.append)

    assert await metered(0.05) == "done"
    assert len(paid) == 2, "it pays nothing for its waiting"
    assert all(cost >= 0.01 for cost in paid)
    paid.clear()
    with pytest.raises(ValueError, match="no"):
        await metered(0.0, fails=True)
    assert sum(paid) >= 0.02
    paid.clear()
    running = asyncio.create_task(metered(60.0))
    await until(lambda: bool(paid))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert sum(paid) >= 0.02


@pytest.mark.proof
async def test_cancelled_tasks_end_even_if_they_swallow_cancellations() -> None:
    async def sleep_on(swallowed: int) -> None:
        for _ in range(swallowed):
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
        await asyncio.Event().wait()

    async def fail() -> None:
        raise ValueError

    tasks = [asyncio.create_task(sleep_on(swallowed)) for swallowed in range(3)]
    await asyncio.sleep(0)  # a task that has not begun cannot swallow anything
    await cancel(tasks)
    assert all(task.cancelled() for task in tasks)
    failed, ended = asyncio.create_task(fail()), asyncio.create_task(asyncio.sleep(0))
    await asyncio.wait([failed, ended])
    await cancel([failed, ended])
    await cancel([])


class Socket(asyncio.Transport):
    """A transport that records whether it is being read and whether it was aborted."""

    is_read, is_cut = True, False

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True

    def is_closing(self) -> bool:
        return self.is_cut

    def abort(self) -> None:
        self.is_cut = True


class Reader(Paced):
    settings = DEFAULTS
    received = b""

    def __init__(self, budget: Budget) -> None:
        self.transport: Socket = Socket()
        self._budget = budget

    def receive_piece(self, data: bytes) -> None:
        self.received += data

    def is_paused(self) -> bool:
        return False


async def test_a_socket_in_debt_is_not_read_and_aborted_if_it_sends_too_much() -> None:
    budget = Budget(HALF, clock=lambda: 0.0)
    reader = Reader(budget)
    reader.take(b"x" * 2 * PIECE)
    budget.charge(1.0)
    reader.transport.resume_reading()  # as uvicorn does when it has handed out all messages
    reader.receive_rest()
    assert not reader.transport.is_read
    assert len(reader.received) == PIECE
    other = Reader(budget)
    while not other.transport.is_cut:
        other.take(b"x" * 2**16)
        assert len(other._rest) <= DEFAULTS.most_unprocessed
    assert other.received == b""
    patient, sent = Reader(Budget(HALF)), bytes(range(256)) * 64
    patient.take(sent)
    while not patient.transport.is_read:
        await asyncio.sleep(0)
    assert patient.received == sent, "everything in the end"


async def test_data_from_a_closed_socket_is_released() -> None:
    budget = Budget(HALF)
    reader = Reader(budget)
    reader.take(b"x" * 2 * PIECE)
    budget.charge(1000.0)
    reader.take(b"x" * PIECE)
    reader.let_go()
    reader.transport.abort()
    await asyncio.sleep(0)
    assert len(reader.received) == PIECE
    gone = ref(reader)
    del reader
    gc.collect()
    assert gone() is None, "the budget is still in debt"


class Stuck:
    """A socket that accepts data that nobody reads."""

    def __init__(self) -> None:
        self.writable = asyncio.Event()
        self.held = 0

    def write(self, text: bytes) -> None:
        self.held += len(text)

    def unsent(self) -> int:
        return self.held

    def cut(self) -> None:
        pass


def closed_with(connection: Connection) -> int | None:
    return connection.closed and connection.closed[0]


async def test_one_frame_of_any_length_may_wait_but_several_only_up_to_a_limit() -> None:
    connection = Connection(Stuck(), MOST, Backlog(10**9))
    connection.send(b"x" * 10 * MOST)
    assert closed_with(connection) is None
    connection.send(b"x")
    assert closed_with(connection) == TOO_SLOW
    other = Connection(Stuck(), MOST, Backlog(10**9))
    for _ in range(2):
        other.socket.writable.set()  # it has read everything
        other.send(b"x" * MOST)
        other.socket.writable.clear()
        for _ in range(MOST // 10):
            other.send(b"x" * 10)
        assert closed_with(other) is None
    other.send(b"x")
    assert closed_with(other) == TOO_SLOW


async def test_the_slowest_connection_is_closed_when_its_address_exceeds_the_limit() -> None:
    backlog = Backlog(MOST)
    light, heavy = (Connection(Stuck(), 10**9, backlog) for _ in range(2))
    light.send(b"x" * 300)
    heavy.send(b"x" * 600)
    assert (closed_with(light), closed_with(heavy)) == (None, None)
    light.send(b"x" * 200)
    assert (closed_with(light), closed_with(heavy)) == (None, TOO_SLOW)
    backlog = Backlog(3 * LARGE)
    connections = [Connection(Stuck(), 10**9, backlog) for _ in range(4)]
    for connection in connections:  # a large frame counts at once
        connection.socket.writable.set()
        connection.send(b"x" * LARGE)
    assert sum(closed_with(each) == TOO_SLOW for each in connections) == 1


async def test_work_in_threads_is_charged_to_the_address_that_asked_and_done_in_turn() -> None:
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

    budget = Budget(SHARED, Clock())
    PAYER.set(budget)
    await WorkerThread("test").do(work, 0.01)
    assert budget.wait == 0.0, "it is read meanwhile"
    assert budget.for_threads.wait >= rest_after(0.01)
    PAYER.set(Budget(SHARED))
    await asyncio.gather(*map(ask, range(4)))
    assert most == 1


async def test_requests_for_a_key_share_the_work_and_one_that_failed_is_retried() -> None:
    latest, begun, go = SingleFlightCache[str](2), 0, asyncio.Event()

    async def find() -> str:
        nonlocal begun
        begun += 1
        await go.wait()
        return "found"

    async def fail() -> str:
        raise ValueError("no")

    first, *asking = [asyncio.create_task(latest.of("game", find)) for _ in range(101)]
    await asyncio.sleep(0)
    first.cancel()
    go.set()
    assert await asyncio.gather(*asking) == ["found"] * 100
    assert await latest.of("game", find) == "found"
    assert begun == 1
    with pytest.raises(ValueError, match="no"):
        await latest.of("other", fail)
    assert await latest.of("other", find) == "found"


async def test_an_address_does_not_wait_for_another_address_in_debt() -> None:
    latest, begun = SingleFlightCache[str](2), list[str]()

    async def find() -> str:
        begun.append("game")
        return "found"

    async def ask(budget: Budget) -> str:
        PAYER.set(budget)
        return await latest.of("game", find)

    in_debt, other = Budget(HALF, clock=lambda: 0.0), Budget(HALF)
    in_debt.for_threads.charge(1000.0)
    first = asyncio.create_task(ask(in_debt))
    await asyncio.sleep(0)
    assert await asyncio.create_task(ask(other)) == "found"
    assert begun == ["game"]
    first.cancel()


async def test_requests_for_too_many_different_keys_are_refused() -> None:
    latest, never = SingleFlightCache[str](2), asyncio.Event()

    async def find() -> str:
        await never.wait()
        return ""

    asking = [asyncio.create_task(latest.of(key, find)) for key in range(DEFAULTS.most_slow_work)]
    await asyncio.sleep(0)
    try:
        with pytest.raises(TooMany):
            await latest.of("one more", find)
    finally:
        never.set()
        await asyncio.gather(*asking)
    assert await latest.of("one more", find) == ""
