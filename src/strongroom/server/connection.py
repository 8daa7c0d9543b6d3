"""A connection: whom it plays for, and the frames that wait to be sent on it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

import orjson

from strongroom.contract import Json, Seat
from strongroom.server.messages import WireError
from strongroom.server.viewing import Kind
from strongroom.tokens import fresh
from strongroom.wire import TOO_SLOW


class Connection:
    """One WebSocket, as the hub knows it: nobody ever waits for it."""

    def __init__(self, most_waiting: int, write: Callable[[bytes], bool] | None = None) -> None:
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
        self._frames: deque[bytes] = deque()
        self._most = most_waiting
        self._write = write
        """Sends a frame at once, if that can be done."""
        self._idle = False
        """Whether whoever sends what waits has nothing to send."""
        self._wake = asyncio.Event()

    def takes_place(self, game: str, seat: Seat | None, words: bool) -> None:
        """Play for a seat of a game from now on, or watch it."""
        self.game, self.seat, self.kind = game, seat, (seat, words)

    def tell(self, frame: Json) -> None:
        """Send a frame."""
        self.send(orjson.dumps(frame))

    def send(self, frame: bytes) -> None:
        """Send a frame that is written already, or close if too many wait."""
        if self.held or self.closed:
            return
        if self._idle and self._write is not None and self._write(frame):
            return
        if len(self._frames) >= self._most:
            self.close(TOO_SLOW, "slow")
            return
        self._queue(frame)

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
            self.closed = (code, why)
            self.ending.set()
            self._queue(orjson.dumps({"type": "closing", "why": why}))

    def _queue(self, frame: bytes) -> None:
        self._frames.append(frame)
        self._idle = False
        self._wake.set()

    async def waiting(self) -> list[bytes]:
        """The frames that are to be sent now; none any more: it is to be closed."""
        while not self._frames and self.closed is None:
            self._wake.clear()
            self._idle = True
            await self._wake.wait()
        frames = list(self._frames)
        self._frames.clear()
        return frames
