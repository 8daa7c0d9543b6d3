"""Budgets: the processor time that each address may use, and the queue for it.

A message is charged by its cost, not only counted. Messages of one address pass one at a time and
one per iteration of the event loop, so others wait for only one of them in each iteration. An
expensive message is followed by a rest: a move takes many iterations, and must not wait for
something large in each of them. An address that has used more than its share waits.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from itertools import islice
from typing import Any, Final, TypeVar, cast

T = TypeVar("T")

AT_ONCE: Final = 0.5
"""How many seconds of processor time an address may save up."""
IN_A_ROW: Final = 0.002
"""How many of these seconds it may use without a rest."""
A_REST: Final = 0.5
"""How many of these one second of rest restores, whatever was saved up."""
MOST_BUDGETS: Final = 20_000
"""How many addresses are tracked; those that have long been idle are forgotten first."""
A_FEW: Final = 8
"""How many of them are checked for removal when a new one arrives."""
MOST_WAITING: Final = 1024
"""How many messages of one address may wait, including those whose senders are gone."""

Charge = Callable[[float], None]
"""A callback that charges the processor time of something, in seconds."""


class Budget:
    """The processor time of one address.

    >>> budget = Budget(0.25, clock=lambda: 0.0)
    >>> budget.wait
    0.0
    >>> budget.charge(0.75)
    >>> budget.wait
    1.0
    """

    __slots__ = (
        *("_for_threads", "_breath", "_clock", "_is_taken", "_left", "_share", "_then", "_waiting"),
        *("alone", "engine"),
    )

    def __init__(self, share: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._share = share
        self._clock = clock
        self._left = AT_ONCE
        self._breath = IN_A_ROW
        """The processor time left until it has to rest."""
        self._then = clock()
        self.alone = asyncio.Lock()
        """Held during work of which the address may do only one piece at a time."""
        self.engine = asyncio.Lock()
        """Held while an engine thinks for the address."""
        self._for_threads: Budget | None = None
        self._is_taken = False
        """Whether a message has passed in this iteration of the loop, or the share is used up."""
        self._waiting: deque[asyncio.Future[None]] = deque()

    def charge(self, seconds: float) -> None:
        """Charge processor time; nothing is saved up during it.

        A debt is no larger than what may be saved up, so that nobody waits endlessly.
        """
        self._refill(seconds)
        self._left = max(-AT_ONCE, self._left - seconds)
        self._breath = max(-AT_ONCE, self._breath - seconds)

    @property
    def for_threads(self) -> Budget:
        """The budget of the address for other threads: while they work, its sockets are read."""
        if self._for_threads is None:
            self._for_threads = Budget(self._share, self._clock)
        return self._for_threads

    @property
    def wait(self) -> float:
        """How many seconds until there is budget left."""
        self._refill()
        return max(0.0, -self._left / self._share, -self._breath / A_REST)

    @property
    def is_crowded(self) -> bool:
        """Whether the queue is full."""
        return len(self._waiting) >= MOST_WAITING

    @property
    def is_unused(self) -> bool:
        """Whether nothing is waiting and the budget is full again."""
        self._refill()
        waits = self._waiting or self._is_taken or self.alone.locked() or self.engine.locked()
        if waits or self._left < AT_ONCE:
            return False
        return self._for_threads is None or self._for_threads.is_unused

    def _refill(self, busy: float = 0.0) -> None:
        """Save up for the time that has passed, except for the `busy` seconds."""
        now = self._clock()
        rested = max(0.0, now - self._then - busy)
        self._left = min(AT_ONCE, self._left + rested * self._share)
        self._breath = min(IN_A_ROW, self._breath + rested * A_REST)
        self._then = now

    def turn(self) -> asyncio.Future[None]:
        """A future that resolves when it is the caller's turn in the address's queue."""
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        if not self._is_taken and self.wait == 0.0:
            waiter.set_result(None)
            self._is_taken = True
            loop.call_soon(self._pass_on)
            return waiter
        self._waiting.append(waiter)
        if not self._is_taken:
            self._is_taken = True
            self._pass_on()
        return waiter

    def _pass_on(self) -> None:
        """Let the next one pass, now or as soon as there is budget left."""
        loop = asyncio.get_running_loop()
        while self._waiting and self._waiting[0].done():  # its caller is gone
            self._waiting.popleft()
        if not self._waiting:
            self._is_taken = False
        elif (wait := self.wait) > 0.0:
            loop.call_later(wait, self._pass_on)
        else:
            self._waiting.popleft().set_result(None)
            loop.call_soon(self._pass_on)


PAYER: Final[ContextVar[Budget | None]] = ContextVar("payer", default=None)
"""The budget that pays for what other tasks and threads do for the current task."""


class Budgets:
    """A budget for each address, unless its share is a whole core."""

    def __init__(self, share: float) -> None:
        self._share = share
        self._budgets: dict[str, Budget] = {}

    def fresh(self) -> Budget | None:
        """A budget that belongs to no address."""
        return None if self._share >= 1.0 else Budget(self._share)

    def of(self, address: str) -> Budget | None:
        """The budget of an address; None if it has no limit."""
        if self._share >= 1.0:
            return None
        budget = self._budgets.get(address)
        if budget is None:
            budget = Budget(self._share)
            if len(self._budgets) < MOST_BUDGETS or self._forget_some():
                self._budgets[address] = budget
        return budget

    def _forget_some(self) -> bool:
        """Forget a few addresses that are unused; return whether there is room for a new one."""
        oldest = list(islice(self._budgets, A_FEW))
        for address in oldest:
            budget = self._budgets.pop(address)
            if not budget.is_unused:  # checked again after all others
                self._budgets[address] = budget
        return len(self._budgets) < MOST_BUDGETS


class Metered(Coroutine[Any, Any, T]):
    """A coroutine whose steps are charged by their processor time."""

    __slots__ = ("_charge", "_work")

    def __init__(self, work: Coroutine[Any, Any, T], charge: Charge) -> None:
        self._work = work
        self._charge = charge

    def __await__(self) -> Generator[Any, Any, T]:
        # Awaiting needs no more of a generator than what is here.
        return cast("Generator[Any, Any, T]", self)

    def __next__(self) -> Any:
        return self.send(None)

    def send(self, value: Any) -> Any:
        """Run the next step."""
        return self._charged(self._work.send, value)

    def throw(self, *error: Any) -> Any:
        """Run the next step with an error, such as a cancellation."""
        return self._charged(self._work.throw, *error)

    def close(self) -> None:
        """Close the coroutine."""
        self._work.close()

    def _charged(self, step: Callable[..., Any], *given: Any) -> Any:
        begin = time.thread_time()
        try:
            return step(*given)
        finally:
            self._charge(time.thread_time() - begin)


def paid(work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
    """Some work, charged to the address that the current task works for."""
    budget = PAYER.get()
    return work if budget is None else Metered(work, budget.charge)
