"""What takes long, done beside the loop that serves everybody, one thing at a time."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, Generic, TypeVar, TypeVarTuple

from strongroom.server.budget import PAYER, paid

T = TypeVar("T")
Values = TypeVarTuple("Values")

MOST_WAITING: Final = 32
"""So many may wait for what takes long; whoever comes then is asked to come later."""


class TooMany(Exception):
    """So many wait already that one more would wait for too long."""


@asynccontextmanager
async def in_turn() -> AsyncIterator[None]:
    """Wait until the address that asks may have something done that takes long, one at a time.

    Whoever asks waits by itself: who wants the same, and need not wait, begins with it.
    """
    budget = PAYER.get()
    if budget is None:
        yield
        return
    async with budget.beside.alone:
        await budget.beside.turn()
        yield


class Aside:
    """A thread of its own: who has to wait for it keeps nobody else waiting."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, name)

    async def do(self, work: Callable[[*Values], T], *values: *Values) -> T:
        """What some work gives, once all that was asked for before is done; who asks pays."""
        loop, budget = asyncio.get_running_loop(), PAYER.get()
        if budget is None:
            return await loop.run_in_executor(self._thread, work, *values)

        def charged() -> T:
            begin = time.thread_time()
            try:
                return work(*values)
            finally:
                with suppress(RuntimeError):  # the loop has ended meanwhile
                    loop.call_soon_threadsafe(budget.beside.charge, time.thread_time() - begin)

        return await loop.run_in_executor(self._thread, charged)


class Latest(Generic[T]):
    """What was found last, each found once however many ask for it at the same time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, T] = OrderedDict()
        self._sought: dict[Hashable, asyncio.Task[T]] = {}

    async def of(self, key: Hashable, find: Callable[[], Awaitable[T]]) -> T:
        """What there is under a key; if it is not known, it is sought."""
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
            if len(self._sought) >= MOST_WAITING:
                raise TooMany
            task = self._sought[key] = asyncio.create_task(paid(self._seek(key, find)))
            task.add_done_callback(self._forget(key))
        return await asyncio.shield(task)  # who goes away leaves it to the others

    async def _seek(self, key: Hashable, find: Callable[[], Awaitable[T]]) -> T:
        self._found[key] = found = await find()
        while len(self._found) > self._most:
            self._found.popitem(last=False)
        return found

    def _forget(self, key: Hashable) -> Callable[[asyncio.Task[Any]], None]:
        def done(task: asyncio.Task[Any]) -> None:
            del self._sought[key]
            if not task.cancelled():
                task.exception()  # who asked is told; if nobody is left, nobody is

        return done
