"""What a process does beside its requests: tasks, writes that are retried, garbage collections."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Final

from strongroom.server.limits import charge_payer
from strongroom.server.monitoring import log
from strongroom.server.settings import DEFAULTS, Settings
from strongroom.server.store.database import DatabaseTrouble

YOUNG: Final = 1
"""The oldest generation of objects that were made since the last collection."""
Attempt = Callable[[], asyncio.Future[int]]
"""Starts the same write each time it is called."""


async def cancel(tasks: Iterable[asyncio.Task[Any]], again: float = DEFAULTS.cancel_again) -> None:
    """Cancel tasks and wait until all of them have ended, whatever they end with.

    One cancellation is not always enough: code that a task awaits can swallow it, as
    `asyncio.wait_for` before Python 3.12 does when its result arrives at the same moment.
    """
    running = all_tasks = set(tasks)
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=again)
    await asyncio.gather(*all_tasks, return_exceptions=True)  # an exception counts as seen


class Garbage:
    """Cyclic garbage, collected rarely, because a collection stops everything else.

    A full collection visits every game, and caused the longest delays of all. Nothing that is
    played, stored or told leaves cycles. Closed sockets and failed requests may, so new objects are
    collected after many of them; a full collection is rarer, and also runs once an hour.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._sources = 0
        """How many things have ended that may have left garbage."""

    def disable(self) -> None:
        """Disable automatic collections, and exempt the imported modules from all others."""
        gc.freeze()
        gc.disable()

    def may_be_left(self) -> None:
        """Note the end of something that may have left garbage: a socket, a failed request."""
        self._sources += 1
        times, rest = divmod(self._sources, self._settings.garbage_sources)
        if rest == 0 and times % self._settings.full_collection_every:
            gc.collect(YOUNG)
        elif rest == 0:
            self.collect_all()

    def collect_all(self) -> None:
        """Run a full collection now."""
        gc.collect()


class Outage:
    """Whether the database is lost; logged once when it is, and once when it is back."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lost = False
        self._stored = time.monotonic()

    @property
    def has_stored_lately(self) -> bool:
        """Whether the database works, and the last write was stored recently."""
        age = time.monotonic() - self._stored
        return not self._lost and age < self._settings.stored_lately

    def begins(self, trouble: Exception) -> None:
        """Note that the database could not be used."""
        if not self._lost:
            self._lost = True
            log("database", text=str(trouble), level=logging.WARNING)

    def ends(self) -> None:
        """Note that the database has stored something."""
        self._stored = time.monotonic()
        if self._lost:
            self._lost = False
            log("database", text="The database is back.")


class Background:
    """The background tasks of a process, logged if they fail and cancelled when it closes."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.outage = Outage(settings)
        self.closing = False
        """Whether the server is shutting down, so that nothing is retried or started any more."""
        self._tasks: set[asyncio.Task[object]] = set()

    def spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine as a task, charged to the address that the current task works for."""
        task = asyncio.create_task(charge_payer(work))
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

    async def write_until_stored(
        self, write: Attempt, first: asyncio.Future[int] | None = None
    ) -> int:
        """How many rows a write touched, retried until it works; 0 if the server closes first."""
        while True:
            try:
                return await (first or write())
            except DatabaseTrouble:
                if self.closing:
                    return 0
                first = None
                await asyncio.sleep(self._settings.write_retry)

    def queue_write(self, write: Attempt) -> None:
        """Queue a write before all later ones; if it fails, retry until stored or closing."""
        self.spawn(self.write_until_stored(write, write()))

    async def close(self) -> None:
        """Cancel all tasks."""
        self.closing = True
        await cancel(self._tasks, self._settings.cancel_again)
