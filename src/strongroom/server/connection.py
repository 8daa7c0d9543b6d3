"""A connection: the seat that it plays for, and the queue of frames to send on it."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, Protocol

import orjson

from strongroom.contract import Json, Refusal, Seat
from strongroom.referee.randomness import fresh_token
from strongroom.referee.wire import TOO_SLOW
from strongroom.server.messages import WireError
from strongroom.server.metrics import Metrics
from strongroom.server.viewing import FrameVariant

LARGE: Final = 16_384
"""From how many bytes on a frame is checked against the backlog even if it is not queued."""


class SocketWriter(Protocol):
    """The part of a socket that its connection may use directly."""

    def write(self, text: bytes) -> bool:
        """Send a text soon, or return False if it has to wait its turn."""

    def unsent(self) -> int:
        """How many bytes it has accepted but not yet handed to the network."""

    def cut(self) -> None:
        """Abort it, whatever is waiting."""


class Backlog:
    """The unsent data of all connections of one address."""

    def __init__(self, most: int) -> None:
        self.connections: set[Connection] = set()
        self._most = most

    def check(self) -> None:
        """Close the connection with the most unsent data, if the address has too much in total."""
        waits = {each: each.unsent for each in self.connections if each.closed is None}
        if sum(waits.values()) > self._most:
            max(waits, key=waits.__getitem__).close(TOO_SLOW, "slow")


class Connection:
    """One WebSocket as the hub sees it; sending on it never blocks."""

    def __init__(
        self,
        most: int,
        backlog: Backlog,
        writer: SocketWriter | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self.id = fresh_token()
        self.game = ""
        self.seat: Seat | None = None
        self.variant: FrameVariant = (None, False)
        """Which other viewers get the same frames."""
        self.held = False
        """Whether frames are dropped, because the greeting will include them."""
        self.busy = asyncio.Lock()
        """Held while one of its messages is being handled."""
        self.arrived: float | None = None
        """Since when it is stored that this connection plays for its seat."""
        self.closed: tuple[int, str] | None = None
        """The code to close it with, and the reason."""
        self.ending = asyncio.Event()
        """Set once `closed` is known."""
        self.told = 0
        """How many bytes of frames it has been sent, including queued ones."""
        self._frames: deque[bytes] = deque()
        self._queued = 0
        """How many bytes of frames are queued, including those being sent."""
        self._most = most
        """How many bytes may be queued."""
        self._backlog = backlog
        self._writer = writer
        self._metrics = metrics
        self._idle = asyncio.Event()
        """Set while nothing is queued."""
        self._wake = asyncio.Event()
        backlog.connections.add(self)

    @property
    def unsent(self) -> int:
        """How many bytes are unsent, including those that its socket holds."""
        return self._queued + (0 if self._writer is None else self._writer.unsent())

    def tell(self, frame: Json) -> None:
        """Send a frame."""
        self.send(orjson.dumps(frame))

    def send(self, frame: bytes) -> None:
        """Send a serialized frame, or close the connection if too much is queued."""
        if self.held or self.closed:
            return
        size = len(frame)
        self.told += size
        if not (self._idle.is_set() and self._writer is not None and self._writer.write(frame)):
            if self._queued and self._queued + size > self._most:
                self.close(TOO_SLOW, "slow")
                return
            self._queue(frame)
        elif size < LARGE:
            return
        self._backlog.check()

    def error(self, error: WireError) -> None:
        """Send an error, and count it."""
        if self._metrics is not None:
            self._metrics.errors.labels(error.code).inc()
        frame = {"type": "error", "code": error.code, "text": error.text}
        self.tell(frame if error.id is None else frame | {"id": error.id})

    def refused(self, id: str, refusal: Refusal) -> None:
        """Tell the client that the rules or the words do not accept its move."""
        why = {"reason": refusal.reason, "accepted": refusal.accepted}
        self.tell({"type": "refused", "id": id, "kind": type(refusal).__name__, **why})

    def close(self, code: int, why: str) -> None:
        """Say why, and close once the queue is sent; a slow client gets only the reason."""
        if self.closed is None:
            if code == TOO_SLOW:
                self._frames.clear()
                self._queued = 0
            self.closed = (code, why)
            self.ending.set()
            self._queue(orjson.dumps({"type": "closing", "why": why}))

    def _queue(self, frame: bytes) -> None:
        self._frames.append(frame)
        self._queued += len(frame)
        self._idle.clear()
        self._wake.set()

    async def drained(self) -> None:
        """Wait until the queue is empty: a client that does not read is not read either."""
        await self._idle.wait()

    async def waiting(self) -> list[bytes]:
        """The frames to send now; empty if the connection is to be closed."""
        self._queued = sum(map(len, self._frames))  # what was returned before is sent
        while not self._frames and self.closed is None:
            self._wake.clear()
            self._idle.set()
            await self._wake.wait()
        frames = list(self._frames)
        self._frames.clear()
        return frames

    def gone(self) -> None:
        """Drop what is queued and send no more, because the client is gone."""
        self.held = True
        self._backlog.connections.discard(self)
        self._frames.clear()
        self._queued = 0
