"""Cancelling tasks: they end even if the code they await swallows cancellations."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from strongroom.server.tasks import cancel


async def _sleep_on(swallowed: int) -> None:
    """Sleep for ever, and swallow the first `swallowed` cancellations."""
    for _ in range(swallowed):
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
    await asyncio.Event().wait()


async def test_a_task_that_swallows_cancellations_ends() -> None:
    tasks = [asyncio.create_task(_sleep_on(swallowed)) for swallowed in range(3)]
    await asyncio.sleep(0)  # a task that has not begun cannot swallow anything
    await cancel(tasks)
    assert all(task.cancelled() for task in tasks)


async def test_tasks_that_have_failed_or_ended_can_be_cancelled() -> None:
    async def fail() -> None:
        raise ValueError

    failed, ended = asyncio.create_task(fail()), asyncio.create_task(asyncio.sleep(0))
    await asyncio.wait([failed, ended])
    await cancel([failed, ended])
    await cancel([])
