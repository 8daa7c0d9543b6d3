"""Slow work: done in a thread, shared by all who ask for it, and limited."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from strongroom.server.budget import PAYER, Budget
from strongroom.server.worker import MOST_WAITING, SingleFlightCache, TooMany, WorkerThread


def test_the_event_loop_runs_while_a_worker_is_busy() -> None:
    async def scene() -> bool:
        goes_on = threading.Event()
        working = asyncio.create_task(WorkerThread("test").do(goes_on.wait, 60.0))
        await asyncio.sleep(0)
        goes_on.set()  # on the event loop's thread this line would never be reached
        return await working

    assert asyncio.run(scene())


def test_concurrent_requests_for_the_same_key_share_the_work() -> None:
    async def scene() -> tuple[int, list[str]]:
        latest, begun, go = SingleFlightCache[str](2), 0, asyncio.Event()

        async def find() -> str:
            nonlocal begun
            begun += 1
            await go.wait()
            return "found"

        asking = [asyncio.create_task(latest.of("game", find)) for _ in range(100)]
        await asyncio.sleep(0)
        go.set()
        found = await asyncio.gather(*asking)
        found.append(await latest.of("game", find))
        return begun, found

    assert asyncio.run(scene()) == (1, ["found"] * 101)


def test_a_cancelled_request_leaves_the_work_to_the_others() -> None:
    async def scene() -> str:
        latest, go = SingleFlightCache[str](2), asyncio.Event()

        async def find() -> str:
            await go.wait()
            return "found"

        first, second = (asyncio.create_task(latest.of("game", find)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        go.set()
        return await second

    assert asyncio.run(scene()) == "found"


def test_an_address_does_not_wait_for_another_address_in_debt() -> None:
    async def scene() -> tuple[str, int]:
        latest, begun = SingleFlightCache[str](2), 0

        async def find() -> str:
            nonlocal begun
            begun += 1
            return "found"

        async def ask(budget: Budget) -> str:
            PAYER.set(budget)
            return await latest.of("game", find)

        in_debt, other = Budget(0.5, clock=lambda: 0.0), Budget(0.5)
        in_debt.for_threads.charge(1000.0)
        first = asyncio.create_task(ask(in_debt))
        await asyncio.sleep(0)
        found = await asyncio.create_task(ask(other))
        first.cancel()
        return found, begun

    assert asyncio.run(scene()) == ("found", 1)


async def test_requests_for_too_many_different_keys_are_refused() -> None:
    latest, never = SingleFlightCache[str](2), asyncio.Event()

    async def find() -> str:
        await never.wait()
        return ""

    asking = [asyncio.create_task(latest.of(key, find)) for key in range(MOST_WAITING)]
    await asyncio.sleep(0)
    try:
        with pytest.raises(TooMany):
            await latest.of("one more", find)
    finally:
        never.set()
        await asyncio.gather(*asking)
    assert await latest.of("one more", find) == ""


def test_a_failed_lookup_is_retried() -> None:
    async def scene() -> str:
        latest = SingleFlightCache[str](2)
        answers: Iterator[Exception | str] = iter([ValueError(), "found"])

        async def find() -> str:
            answer = next(answers)
            if isinstance(answer, Exception):
                raise answer
            return answer

        with pytest.raises(ValueError):  # noqa: PT011
            await latest.of("game", find)
        return await latest.of("game", find)

    assert asyncio.run(scene()) == "found"
