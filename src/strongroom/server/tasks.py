"""Tasks of the event loop, and how to cancel them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

AGAIN: Final = 0.5
"""How long a cancelled task may take to end before it is cancelled again, in seconds."""


async def cancel(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until all of them have ended, whatever they end with.

    One cancellation is not always enough: code that a task awaits can swallow it, as
    `asyncio.wait_for` before Python 3.12 does when its result arrives at the same moment.
    """
    running = all_tasks = set(tasks)
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=AGAIN)
    await asyncio.gather(*all_tasks, return_exceptions=True)  # an exception counts as seen
