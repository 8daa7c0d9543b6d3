"""Pacing: the sockets of an address that has used up its share are read more slowly.

Incoming data costs processor time before it is a message or a request: single bytes, parts of
frames, pipelined requests. The address pays for that too. While its budget is used up, its sockets
are not read, and what they send stays in the network's buffers.
"""

from __future__ import annotations

import asyncio
import time
from typing import ClassVar, Final

from strongroom.listening import counted_as
from strongroom.server.budget import Budget, Budgets

A_PIECE: Final = 2048
"""How many bytes are processed at once, so that nobody waits long for them."""
MOST_UNTAKEN: Final = 2**20
"""How many received bytes may wait for their turn; a socket that sends more is cut off."""
UNREAD: Final = 30.0
"""How many seconds a client may read nothing while too much is waiting to be sent to it."""


class Paced(asyncio.Protocol):
    """A mixin for protocols whose sockets are read at the pace of their address."""

    budgets: ClassVar[Budgets]
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
        address = counted_as(self.client and self.client[0])
        self._budget = self.budgets.fresh() if self.by_socket else self.budgets.of(address)

    def take(self, data: bytes) -> None:
        """Process incoming data, piece by piece and each in its turn if it is much."""
        budget = self._budget
        if budget is None:
            self.receive_piece(data)
            return
        self._rest = self._rest + data if self._rest else data
        if self._turn is None:
            self._receive_next(budget)
        elif len(self._rest) > MOST_UNTAKEN:
            self._rest = b""
            self.cut()
        else:
            self.transport.pause_reading()

    def _receive_next(self, budget: Budget) -> None:
        if budget.wait == 0.0 and not self.is_full():
            piece, self._rest = self._rest[:A_PIECE], self._rest[A_PIECE:]
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
            self._cutting = self.loop.call_later(UNREAD, self.cut)
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
