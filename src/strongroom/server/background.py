"""Background tasks of a process, and writes that are retried until they are stored."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from strongroom.server.budget import paid
from strongroom.server.logs import Outage, log
from strongroom.server.store import DatabaseTrouble
from strongroom.server.tasks import cancel

RETRY: Final = 1.0
"""Seconds before a retry when the database does not answer."""

Attempt = Callable[[], asyncio.Future[int]]
"""Starts the same write each time it is called."""


class Background:
    """The background tasks of a process, logged if they fail and cancelled when it closes."""

    def __init__(self) -> None:
        self.outage = Outage()
        self.closing = False
        """Whether the server is shutting down, so that nothing is retried or started any more."""
        self._tasks: set[asyncio.Task[object]] = set()

    def spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine as a task, charged to the address that the current task works for."""
        task = asyncio.create_task(paid(work))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log("fault", failed=error)

    def every(
        self, seconds: float, work: Callable[[], Awaitable[None]], first: float | None = None
    ) -> None:
        """Repeat some work, even if it fails; the first time after `first` seconds if given."""
        self.spawn(self._repeat(seconds, work, seconds if first is None else first))

    async def _repeat(
        self, seconds: float, work: Callable[[], Awaitable[None]], wait: float
    ) -> None:
        while True:
            await asyncio.sleep(wait)
            wait = seconds
            try:
                await work()
            except DatabaseTrouble as trouble:
                self.outage.begins(trouble)
            except Exception:
                log("fault", failed=True)

    async def written(self, write: Attempt, first: asyncio.Future[int] | None = None) -> int:
        """How many rows a write touched, retried until it works; 0 if the server closes first."""
        while True:
            try:
                return await (first or write())
            except DatabaseTrouble:
                if self.closing:
                    return 0
                first = None
                await asyncio.sleep(RETRY)

    def write(self, write: Attempt) -> None:
        """Queue a write before all later ones; if it fails, retry until stored or closing."""
        self.spawn(self.written(write, write()))

    async def close(self) -> None:
        """Cancel all tasks."""
        self.closing = True
        await cancel(self._tasks)
