"""Rate limits: token buckets."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Final

AT_ONCE: Final = 3.0
"""The largest burst, in seconds' worth of the rate."""
MOST_BUCKETS: Final = 20_000
"""How many addresses are tracked; full buckets are dropped first."""


class Bucket:
    """A token bucket: a steady rate, with room for a burst.

    >>> bucket = Bucket(0.5, clock=lambda: 0.0)
    >>> [bucket.takes() for _ in range(3)], bucket.wait
    ([True, False, False], 1.0)
    """

    __slots__ = ("_clock", "_left", "_rate", "_then")

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left = rate * AT_ONCE
        self._then = clock()

    def charge(self, more: float) -> None:
        """Take tokens even if too few are left; later callers wait for the refill."""
        self._left -= more

    def takes(self) -> bool:
        """Take a token; return whether there was one."""
        now = self._clock()
        self._left = min(self._rate * AT_ONCE, self._left + (now - self._then) * self._rate)
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
        return self._left + (self._clock() - self._then) * self._rate >= self._rate * AT_ONCE


class Buckets:
    """A bucket for each address."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._buckets: dict[str, Bucket] = {}

    def takes(self, address: str) -> bool:
        """Take a token for an address; return whether there was one."""
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= MOST_BUCKETS:
                self._buckets = {k: v for k, v in self._buckets.items() if not v.is_full}
            bucket = self._buckets[address] = Bucket(self._rate)
        return bucket.takes()


class Addresses:
    """Limits for each address: the rate of requests, and the rate and number of connections."""

    def __init__(self, rate: float, connections: int) -> None:
        self._most = connections
        self._requests = Buckets(rate)
        self._arrivals = Buckets(max(rate, connections / AT_ONCE))  # all may reconnect at once
        self._connected: Counter[str] = Counter()

    def asks(self, address: str) -> bool:
        """Whether an address may make one more request now."""
        return self._requests.takes(address)

    def connects(self, address: str) -> bool:
        """Whether an address may open one more connection, which counts until it disconnects."""
        if self._connected[address] >= self._most or not self._arrivals.takes(address):
            return False
        self._connected[address] += 1
        return True

    def disconnects(self, address: str) -> None:
        """Count one connection fewer."""
        self._connected[address] -= 1
        if self._connected[address] <= 0:
            del self._connected[address]
