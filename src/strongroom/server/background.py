"""What a process does beside its requests: tasks, retried writes, slow work, and garbage."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections import OrderedDict
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Hashable,
    Iterable,
)
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from typing import Any, Final, Generic, TypeVar, TypeVarTuple

from strongroom.server.limits import PAYER, charge_payer
from strongroom.server.monitoring import log
from strongroom.server.settings import DEFAULTS, Settings
from strongroom.server.store.database import DatabaseTrouble

T = TypeVar("T")
Values = TypeVarTuple("Values")
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
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[object]) -> None:
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


# --- slow work, in threads beside the event loop ---


class TooMany(Exception):
    """The queue is full; another caller would wait too long."""


@asynccontextmanager
async def in_turn() -> AsyncIterator[None]:
    """Wait until the caller's address may start a slow job; each address runs one at a time.

    Each caller waits on its own: another one that wants the same and need not wait starts the job.
    """
    budget = PAYER.get()
    if budget is None:
        yield
        return
    async with budget.for_threads.alone:
        await budget.for_threads.turn()
        yield


@asynccontextmanager
async def one_engine() -> AsyncIterator[None]:
    """Wait until no engine thinks for the caller's address; its other work goes on."""
    budget = PAYER.get()
    async with nullcontext() if budget is None else budget.engine:
        yield


class WorkerThread:
    """A dedicated thread, or several, so that their jobs do not block the event loop."""

    def __init__(self, name: str, threads: int = 1) -> None:
        self._thread = ThreadPoolExecutor(threads, name)

    async def do(self, work: Callable[[*Values], T], *values: *Values) -> T:
        """Run a job after those queued before it, and return its result; the caller pays."""
        loop, budget = asyncio.get_running_loop(), PAYER.get()
        if budget is None:
            return await loop.run_in_executor(self._thread, work, *values)

        def charge_call() -> T:
            begin = time.thread_time()
            try:
                return work(*values)
            finally:
                with suppress(RuntimeError):  # the loop has ended in the meantime
                    loop.call_soon_threadsafe(budget.for_threads.charge, time.thread_time() - begin)

        return await loop.run_in_executor(self._thread, charge_call)


class SingleFlightCache(Generic[T]):
    """An LRU cache in which concurrent requests for a key share one computation."""

    def __init__(self, most: int, most_sought: int = DEFAULTS.most_slow_work) -> None:
        self._most = most
        self._most_sought = most_sought
        self._found: OrderedDict[Hashable, T] = OrderedDict()
        self._sought: dict[Hashable, asyncio.Task[T]] = {}

    async def of(self, key: Hashable, find: Callable[[], Awaitable[T]]) -> T:
        """The value of a key, from the cache or else from `find`."""
        if key in self._found or key in self._sought:
            return await self._find_once(key, find)
        async with in_turn():
            return await self._find_once(key, find)

    async def _find_once(self, key: Hashable, find: Callable[[], Awaitable[T]]) -> T:
        if key in self._found:
            self._found.move_to_end(key)
            return self._found[key]
        task = self._sought.get(key)
        if task is None:
            if len(self._sought) >= self._most_sought:
                raise TooMany
            task = self._sought[key] = asyncio.create_task(charge_payer(self._seek(key, find)))
            task.add_done_callback(partial(self._forget, key))
        return await asyncio.shield(task)  # a caller that leaves does not cancel it for others

    async def _seek(self, key: Hashable, find: Callable[[], Awaitable[T]]) -> T:
        self._found[key] = found = await find()
        while len(self._found) > self._most:
            self._found.popitem(last=False)
        return found

    def _forget(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        del self._sought[key]
        if not task.cancelled():
            task.exception()  # callers are told; if none is left, it counts as seen
