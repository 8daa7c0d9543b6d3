"""What an address may cost: rates, numbers of connections, and processor time.

A message is charged by its cost, not only counted. Messages of one address pass one at a time and
one per iteration of the event loop, so others wait for only one of them in each iteration. An
expensive message is followed by a rest: a move takes many iterations, and must not wait for
something large in each of them. An address that has used more than its share waits.

Incoming data costs processor time before it is a message or a request: single bytes, parts of
frames, pipelined requests. The address pays for that too. While its budget is used up, its sockets
are not read, and what they send stays in the network's buffers.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from itertools import islice
from typing import Any, ClassVar, Final, TypeVar, cast

from strongroom.listening import address_key
from strongroom.server.settings import DEFAULTS, Settings

T = TypeVar("T")
Clock = Callable[[], float]
Charge = Callable[[float], None]
"""A callback that charges the processor time of something."""


class Bucket:
    """A token bucket: a steady rate, with room for a burst.

    >>> bucket = Bucket(0.5, clock=lambda: 0.0)
    >>> [bucket.takes() for _ in range(3)], bucket.wait
    ([True, False, False], 1.0)
    """

    __slots__ = ("_clock", "_left", "_most", "_rate", "_then")

    def __init__(
        self, rate: float, burst: float = DEFAULTS.burst, clock: Clock = time.monotonic
    ) -> None:
        self._rate = rate
        self._clock = clock
        self._left = self._most = rate * burst
        self._then = clock()

    def charge(self, more: float) -> None:
        """Take tokens even if too few are left; later callers wait for the refill."""
        self._left -= more

    def takes(self) -> bool:
        """Take a token; return whether there was one."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    @property
    def wait(self) -> float:
        """How many seconds until one more is allowed."""
        return max(0.0, (1 - self._left) / self._rate)

    @property
    def is_full(self) -> bool:
        """Whether it has had time to fill up completely."""
        return self._left + (self._clock() - self._then) * self._rate >= self._most


class Budget:
    """The processor time of one address.

    >>> from strongroom.server.settings import Limits
    >>> settings = Settings(limits=Limits(processor_share=0.25))
    >>> budget = Budget(settings, clock=lambda: 0.0)
    >>> budget.wait
    0.0
    >>> budget.charge(0.75)
    >>> budget.wait
    1.0
    """

    __slots__ = (
        *("_breath", "_clock", "_for_threads", "_is_taken", "_left", "_settings", "_then"),
        *("_waiting", "alone", "engine"),
    )

    def __init__(self, settings: Settings, clock: Clock = time.monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._left = settings.saved_processor_time
        self._breath = settings.processor_time_in_a_row
        """The processor time left until it has to rest."""
        self._then = clock()
        self.alone = asyncio.Lock()
        """Held during work that the address may do only one piece of at a time."""
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
        most = self._settings.saved_processor_time
        self._left = max(-most, self._left - seconds)
        self._breath = max(-most, self._breath - seconds)

    @property
    def for_threads(self) -> Budget:
        """The budget of the address for other threads: while they work, its sockets are read."""
        if self._for_threads is None:
            self._for_threads = Budget(self._settings, self._clock)
        return self._for_threads

    @property
    def wait(self) -> float:
        """How many seconds until there is budget left."""
        self._refill()
        settings = self._settings
        share, rest = settings.limits.processor_share, settings.rest_share
        return max(0.0, -self._left / share, -self._breath / rest)

    @property
    def is_crowded(self) -> bool:
        """Whether the queue is full."""
        return len(self._waiting) >= self._settings.most_queued

    @property
    def is_unused(self) -> bool:
        """Whether nothing is waiting and the budget is full again."""
        self._refill()
        waits = self._waiting or self._is_taken or self.alone.locked() or self.engine.locked()
        if waits or self._left < self._settings.saved_processor_time:
            return False
        return self._for_threads is None or self._for_threads.is_unused

    def _refill(self, busy: float = 0.0) -> None:
        """Save up for the time that has passed, except for the `busy` seconds."""
        now, settings = self._clock(), self._settings
        rested = max(0.0, now - self._then - busy)
        saved = self._left + rested * settings.limits.processor_share
        self._left = min(settings.saved_processor_time, saved)
        breath = self._breath + rested * settings.rest_share
        self._breath = min(settings.processor_time_in_a_row, breath)
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


class Address:
    """What one address may still cost: requests, connections and processor time."""

    __slots__ = ("arrivals", "budget", "connected", "key", "requests")

    def __init__(self, key: str, settings: Settings) -> None:
        limits, burst = settings.limits, settings.burst
        self.key = key
        self.requests = Bucket(limits.requests_a_second, burst)
        reconnecting = limits.connections / burst  # all may do so at once
        self.arrivals = Bucket(max(limits.requests_a_second, reconnecting), burst)
        self.connected = 0
        """How many WebSockets it has open."""
        self.budget = Budget(settings) if limits.processor_share < 1.0 else None
        """Its processor time, unless its share is a whole core."""

    @property
    def is_unused(self) -> bool:
        """Whether everything is as if it were new."""
        is_full = self.requests.is_full and self.arrivals.is_full and not self.connected
        return is_full and (self.budget is None or self.budget.is_unused)


class Addresses:
    """All addresses that have cost something lately."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._addresses: dict[str, Address] = {}

    def of(self, host: str | None) -> Address:
        """The address that a host is counted under; nobody's if too many others are in use."""
        key = address_key(host)
        address = self._addresses.get(key)
        if address is None:
            address = Address(key, self._settings)
            if self._has_room() or self._forget_some():
                self._addresses[key] = address
        return address

    def connects(self, address: Address) -> bool:
        """Whether an address may open one more connection, which counts until it disconnects."""
        most = self._settings.limits.connections
        if address.connected >= most or not address.arrivals.takes():
            return False
        address.connected += 1
        self._addresses[address.key] = address  # it counts, however many others are in use
        return True

    def _forget_some(self) -> bool:
        """Forget a few addresses that are unused; return whether there is room for a new one."""
        for key in list(islice(self._addresses, self._settings.addresses_checked)):
            address = self._addresses.pop(key)
            if not address.is_unused:  # checked again after all others
                self._addresses[key] = address
        return self._has_room()

    def _has_room(self) -> bool:
        return len(self._addresses) < self._settings.tracked_addresses


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
        return self._charge_step(self._work.send, value)

    def throw(self, *error: Any) -> Any:
        """Run the next step with an error, such as a cancellation."""
        return self._charge_step(self._work.throw, *error)

    def close(self) -> None:
        """Close the coroutine."""
        self._work.close()

    def _charge_step(self, step: Callable[..., Any], *given: Any) -> Any:
        begin = time.thread_time()
        try:
            return step(*given)
        finally:
            self._charge(time.thread_time() - begin)


def charge_payer(work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
    """Some work, charged to the address that the current task works for."""
    budget = PAYER.get()
    return work if budget is None else Metered(work, budget.charge)


class Paced(asyncio.Protocol):
    """A mixin for protocols whose sockets are read at the pace of their address."""

    settings: ClassVar[Settings]
    addresses: ClassVar[Addresses]
    by_socket: ClassVar[bool] = False
    """Whether each socket has its own budget, because all of them come from a proxy."""
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    client: tuple[str, int] | None
    _budget: Budget | None = None
    _rest: bytes = b""
    """Data that has arrived but is not processed yet."""
    _turn: asyncio.Future[None] | None = None
    """While it waits for its turn, a future that resolves when that comes."""
    _cutting: asyncio.TimerHandle | None = None

    def begin_pacing(self) -> None:
        """Find the budget that pays for this socket."""
        host = self.client and self.client[0]
        own = Address("", self.settings) if self.by_socket else self.addresses.of(host)
        self._budget = own.budget

    def take(self, data: bytes) -> None:
        """Process incoming data, piece by piece and each in its turn if it is much."""
        budget = self._budget
        if budget is None:
            self.receive_piece(data)
            return
        self._rest = self._rest + data if self._rest else data
        if self._turn is None:
            self._receive_next(budget)
        elif len(self._rest) > self.settings.most_unprocessed:
            self._rest = b""
            self.cut()
        else:
            self.transport.pause_reading()

    def _receive_next(self, budget: Budget) -> None:
        if budget.wait == 0.0 and not self.is_full():
            most = self.settings.read_piece
            piece, self._rest = self._rest[:most], self._rest[most:]
            begin = time.thread_time()
            try:
                self.receive_piece(piece)
            finally:
                budget.charge(time.thread_time() - begin)
        if self.is_left() or self.transport.is_closing():
            self._rest = b""
        elif self._rest or budget.wait > 0.0:
            self.transport.pause_reading()
            if not self.is_full():
                self._turn = budget.turn()
                self._turn.add_done_callback(self._go_on)

    def _go_on(self, _: asyncio.Future[None]) -> None:
        self._turn = None
        self.receive_rest()

    def let_go(self) -> None:
        """Drop unprocessed data, because the client is gone."""
        self._rest = b""
        if self._turn is not None:
            self._turn.cancel()
        self.expect_nothing()

    def receive_rest(self) -> None:
        """Go on with waiting data, after a turn or when there is room again."""
        if self.is_left() or self.transport.is_closing():
            return
        if self._turn is not None:
            self.transport.pause_reading()  # uvicorn resumes once it has handed out everything
            return
        if self._rest and self._budget is not None:
            self._receive_next(self._budget)
        if not self._rest and self._turn is None and not self.is_paused():
            self.transport.resume_reading()

    def receive_piece(self, data: bytes) -> None:
        """Process a piece of the incoming data."""
        raise NotImplementedError

    def is_full(self) -> bool:
        """Whether nothing more should be processed until `receive_rest` is called."""
        return False

    def is_paused(self) -> bool:
        """Whether the protocol itself has paused reading, and will resume by itself."""
        raise NotImplementedError

    def is_left(self) -> bool:
        """Whether another protocol has taken over."""
        return False

    def cut(self) -> None:
        """Abort the connection, whatever is waiting."""
        self.transport.abort()

    def pause_writing(self) -> None:
        """Stop writing, and cut the socket off if the client does not read what it was sent."""
        if self._cutting is None:
            self._cutting = self.loop.call_later(self.settings.unread_timeout, self.cut)
        super().pause_writing()

    def resume_writing(self) -> None:
        """Resume writing."""
        self.expect_nothing()
        super().resume_writing()

    def expect_nothing(self) -> None:
        """Stop waiting for the client to read."""
        if self._cutting is not None:
            self._cutting.cancel()
            self._cutting = None
