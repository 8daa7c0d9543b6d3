"""Slow work: done in a thread, shared by all who ask for it, and limited."""

from __future__ import annotations

import asyncio
import threading

import pytest

from strongroom.server.budget import PAYER, Budget
from strongroom.server.worker import MOST_WAITING, SingleFlightCache, TooMany, WorkerThread


async def test_the_event_loop_runs_while_a_worker_is_busy() -> None:
    goes_on = threading.Event()
    working = asyncio.create_task(WorkerThread("test").do(goes_on.wait, 60.0))
    await asyncio.sleep(0)
    goes_on.set()  # on the event loop's thread this line would never be reached
    assert await working


async def test_requests_for_the_same_key_share_the_work_though_one_is_cancelled() -> None:
    latest, begun, go = SingleFlightCache[str](2), 0, asyncio.Event()

    async def find() -> str:
        nonlocal begun
        begun += 1
        await go.wait()
        return "found"

    first, *asking = [asyncio.create_task(latest.of("game", find)) for _ in range(101)]
    await asyncio.sleep(0)
    first.cancel()
    go.set()
    assert await asyncio.gather(*asking) == ["found"] * 100
    assert await latest.of("game", find) == "found"
    assert begun == 1


async def test_an_address_does_not_wait_for_another_address_in_debt() -> None:
    latest, begun = SingleFlightCache[str](2), list[str]()

    async def find() -> str:
        begun.append("game")
        return "found"

    async def ask(budget: Budget) -> str:
        PAYER.set(budget)
        return await latest.of("game", find)

    in_debt, other = Budget(0.5, clock=lambda: 0.0), Budget(0.5)
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

    asking = [asyncio.create_task(latest.of(key, find)) for key in range(MOST_WAITING)]
    await asyncio.sleep(0)
    try:
        with pytest.raises(TooMany):
            await latest.of("one more", find)
    finally:
        never.set()
        await asyncio.gather(*asking)
    assert await latest.of("one more", find) == ""


async def test_a_failed_lookup_is_retried() -> None:
    latest, answers = SingleFlightCache[str](2), iter((ValueError("no"), "found"))

    async def find() -> str:
        answer = next(answers)
        if isinstance(answer, ValueError):
            raise answer
        return str(answer)

    with pytest.raises(ValueError, match="no"):
        await latest.of("game", find)
    assert await latest.of("game", find) == "found"
