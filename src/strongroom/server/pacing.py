"""Pacing: sockets of an address that has used up its share are read more slowly.

What a socket brings costs processor time before it is a message or a request: single bytes, parts
of frames, requests in a row. The address pays for that too. While it has nothing left its sockets
are not read, and what they send stays in the buffers of the network.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import ClassVar, Final

from strongroom.server.budget import Budget, Budgets
from strongroom.server.limits import counted_as

UNREAD: Final = 30.0
"""How many seconds a client may leave unread what it was sent, once that is too much to wait."""


class Paced:
    """What a protocol needs to be read at the pace of its address; a part of the protocol."""

    budgets: ClassVar[Budgets]
    by_socket: ClassVar[bool] = False
    """Whether each socket has a budget of its own, because a proxy has all of them."""
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    client: tuple[str, int] | None
    _budget: Budget | None = None
    _rests: bool = False
    """Whether it is not read because the address has nothing left."""
    _cutting: asyncio.TimerHandle | None = None

    def begin_pacing(self) -> None:
        """Find out who pays."""
        address = counted_as(self.client and self.client[0])
        self._budget = self.budgets.fresh() if self.by_socket else self.budgets.of(address)

    def take(self, receive: Callable[[bytes], None], data: bytes) -> None:
        """Let what came be received, at the expense of the address."""
        budget = self._budget
        if budget is None:
            receive(data)
            return
        begin = time.thread_time()
        try:
            receive(data)
        finally:
            budget.charge(time.thread_time() - begin)
        if budget.wait > 0.0 and not self.transport.is_closing():
            self.transport.pause_reading()
            if not self._rests:
                self._rests = True
                budget.turn().add_done_callback(self._read_again)

    def _read_again(self, _: asyncio.Future[None]) -> None:
        self._rests = False
        if not self.transport.is_closing() and not self.is_full():
            self.transport.resume_reading()

    def is_full(self) -> bool:
        """Whether it is not to be read for another reason, and will be when that is over."""
        raise NotImplementedError

    def expect_reading(self) -> None:
        """Cut the socket off if the client does not read what it was sent."""
        if self._cutting is None:
            self._cutting = self.loop.call_later(UNREAD, self.transport.abort)

    def expect_nothing(self) -> None:
        """Wait no more for the client to read."""
        if self._cutting is not None:
            self._cutting.cancel()
            self._cutting = None
