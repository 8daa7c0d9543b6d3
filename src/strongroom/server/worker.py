"""Slow work, done in threads beside the event loop, one job at a time."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from typing import Any, Generic, TypeVar, TypeVarTuple

from strongroom.server.limits import PAYER, charge_payer
from strongroom.server.settings import DEFAULTS

T = TypeVar("T")
Values = TypeVarTuple("Values")


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

        def charged() -> T:
            begin = time.thread_time()
            try:
                return work(*values)
            finally:
                with suppress(RuntimeError):  # the loop has ended in the meantime
                    loop.call_soon_threadsafe(budget.for_threads.charge, time.thread_time() - begin)

        return await loop.run_in_executor(self._thread, charged)


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
            return await self._shared(key, find)
        async with in_turn():
            return await self._shared(key, find)

    async def _shared(self, key: Hashable, find: Callable[[], Awaitable[T]]) -> T:
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
