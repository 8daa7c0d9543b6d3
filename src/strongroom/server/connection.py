"""A connection: whom it plays for, and the frames that wait to be sent on it."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, Protocol

import orjson

from strongroom.contract import Json, Seat
from strongroom.server.messages import WireError
from strongroom.server.viewing import Kind
from strongroom.tokens import fresh
from strongroom.wire import TOO_SLOW

LARGE: Final = 16_384
"""From how many bytes on a frame is looked at as something that may wait."""


class Line(Protocol):
    """The socket under a connection, as far as it is lent."""

    def write(self, text: bytes) -> bool:
        """Send a text soon; False: it has to wait its turn."""

    def unsent(self) -> int:
        """How many bytes it has taken that the network has not."""

    def cut(self) -> None:
        """Cut it, whatever waits."""


class Backlog:
    """What waits for the connections of one address."""

    def __init__(self, most: int) -> None:
        self.connections: set[Connection] = set()
        self._most = most

    def check(self) -> None:
        """Close the connection for which the most waits, if that is too much for one address."""
        waits = {each: each.unsent for each in self.connections if each.closed is None}
        if sum(waits.values()) > self._most:
            max(waits, key=waits.__getitem__).close(TOO_SLOW, "slow")


class Connection:
    """One WebSocket, as the hub knows it: nobody ever waits for it."""

    def __init__(self, most: int, backlog: Backlog, line: Line | None = None) -> None:
        self.id = fresh()
        self.game = ""
        self.seat: Seat | None = None
        self.kind: Kind = (None, False)
        """Which other viewers get the same."""
        self.held = False
        """Whether frames are dropped, because all of it will be told at once."""
        self.busy = asyncio.Lock()
        """Held while something that it said is being done."""
        self.arrived: float | None = None
        """Since when it is stored that this one plays for its seat."""
        self.closed: tuple[int, str] | None = None
        """With which code it is to be closed, and why."""
        self.ending = asyncio.Event()
        """Set when that is known."""
        self.told = 0
        """How many bytes it has been told."""
        self._frames: deque[bytes] = deque()
        self._queued = 0
        """How many bytes of frames wait, those included that are being sent."""
        self._most = most
        """How many may."""
        self._backlog = backlog
        self._line = line
        self._idle = asyncio.Event()
        """Set while nothing waits to be sent."""
        self._wake = asyncio.Event()
        backlog.connections.add(self)

    @property
    def unsent(self) -> int:
        """How many bytes wait for it, those included that its socket holds."""
        return self._queued + (0 if self._line is None else self._line.unsent())

    def takes_place(self, game: str, seat: Seat | None, words: bool) -> None:
        """Play for a seat of a game from now on, or watch it."""
        self.game, self.seat, self.kind = game, seat, (seat, words)

    def tell(self, frame: Json) -> None:
        """Send a frame."""
        self.send(orjson.dumps(frame))

    def send(self, frame: bytes) -> None:
        """Send a frame that is written already, or close if too much waits."""
        if self.held or self.closed:
            return
        size = len(frame)
        self.told += size
        if not (self._idle.is_set() and self._line is not None and self._line.write(frame)):
            if self._queued and self._queued + size > self._most:
                self.close(TOO_SLOW, "slow")
                return
            self._queue(frame)
        elif size < LARGE:
            return
        self._backlog.check()

    def error(self, error: WireError) -> None:
        """Tell of something that the client did wrong."""
        frame = {"type": "error", "code": error.code, "text": error.text}
        self.tell(frame if error.id is None else frame | {"id": error.id})

    def refused(self, id: str, kind: str, reason: str, accepted: str) -> None:
        """Tell of a move that the rules or the words do not accept."""
        self.tell(
            {"type": "refused", "id": id, "kind": kind, "reason": reason, "accepted": accepted}
        )

    def close(self, code: int, why: str) -> None:
        """Say why, and close after what waits was sent; who is too slow gets no more of it."""
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
        """Wait until nothing waits: a client that does not read is not read either."""
        await self._idle.wait()

    async def waiting(self) -> list[bytes]:
        """The frames that are to be sent now; none any more: it is to be closed."""
        self._queued = sum(map(len, self._frames))  # what was given before is sent
        while not self._frames and self.closed is None:
            self._wake.clear()
            self._idle.set()
            await self._wake.wait()
        frames = list(self._frames)
        self._frames.clear()
        return frames

    def gone(self) -> None:
        """Let go of what waits, and tell no more: nobody is there."""
        self.held = True
        self._backlog.connections.discard(self)
        self._frames.clear()
        self._queued = 0
