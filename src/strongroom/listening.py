"""What servers over HTTP share: sockets are counted, requests arrive in time, a signal ends them.

uvicorn waits for ever for a request or the rest of one, so a single client could use up the
sockets of a server.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import resource
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import ClassVar, Final

import uvicorn

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
REQUEST_TIMEOUT: Final = 20.0
"""Seconds a request may take to arrive, and an answer to be read once it is complete."""


def address_key(host: str | None) -> str:
    """The key that an address is counted under; for IPv6 its network, which is one customer's.

    >>> address_key("2001:db8:1:2:3:4:5:6"), address_key("192.0.2.7"), address_key(None)
    ('2001:db8:1:2::/64', '192.0.2.7', 'unknown')
    >>> address_key("::ffff:192.0.2.7")  # as a socket for both versions tells it
    '192.0.2.7'
    """
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def allow_sockets() -> None:
    """Raise the limit of open sockets to the maximum; the default is usually low."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Sockets:
    """How many sockets each address has open, whatever they are used for.

    >>> sockets = Sockets(1)
    >>> sockets.opens(("192.0.2.7", 1)), sockets.opens(("192.0.2.7", 2))
    (True, False)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def opens(self, client: tuple[str, int] | None) -> bool:
        """Count one more socket; return whether it is allowed."""
        address = address_key(client and client[0])
        self._open[address] += 1
        return self._open[address] <= self._most

    def closes(self, client: tuple[str, int] | None) -> None:
        """Count one socket fewer."""
        address = address_key(client and client[0])
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


class Counted(asyncio.Protocol):
    """A mixin for HTTP protocols whose sockets are counted and whose requests arrive in time."""

    sockets: ClassVar[Sockets]
    request_timeout: ClassVar[float] = REQUEST_TIMEOUT
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    client: tuple[str, int] | None
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the socket, and wait for a request."""
        super().connection_made(transport)
        self.wait_for_request()
        if not self.sockets.opens(self.client):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting, and count one socket fewer."""
        self.stop_waiting()
        self.sockets.closes(self.client)
        super().connection_lost(exc)

    def wait_for_request(self) -> None:
        """Wait for a complete request, unless it is waited for already; then cut the socket off."""
        if self._late is None:
            self._late = self.loop.call_later(self.request_timeout, self.cut)

    def stop_waiting(self) -> None:
        """Stop waiting, because the request is complete or the client is gone."""
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def cut(self) -> None:
        """Abort the connection, whatever is waiting."""
        self.transport.abort()


class EndingServer(uvicorn.Server):
    """uvicorn, which ends quietly and in time when a signal tells it to."""

    shutdown_timeout: float
    """How many seconds after a signal the process ends at the latest, whatever clients do."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Exit on a signal; uvicorn would raise it once more after everything is closed."""
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield
        for number in SIGNALS:
            loop.remove_signal_handler(number)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Start the shutdown, and a timer that forces the exit."""
        if not self.should_exit:
            last = threading.Timer(self.shutdown_timeout, self.end_at_once)
            last.daemon = True
            last.start()
        super().handle_exit(sig, frame)

    def end_at_once(self) -> None:
        """Force the exit of a process that takes too long."""
        os._exit(0)
