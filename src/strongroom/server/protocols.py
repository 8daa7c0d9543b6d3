"""How bytes come in: requests in time and of a size, and no frame that costs more than it says.

uvicorn waits for ever for the rest of a request, keeps headers of any length, and answers as many
pings as come; so that a single client could use up the memory or the sockets of the server.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from strongroom.server.limits import Bucket, counted_as

PATIENCE: Final = 20.0
"""So many seconds a request may take to come in whole, and an answer to be taken after its end."""
LARGEST_HEAD: Final = 32_768
"""About so many bytes a request may have before its body."""
OWN_FRAMES: Final = 20.0
"""So many pings, pongs and parts of messages may come a second, and some more at once."""
MOST_PARTS: Final = 64
"""So many parts a message may come in."""


class Sockets:
    """How many sockets each address has open, whatever they are used for."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def opens(self, client: tuple[str, int] | None) -> bool:
        """Count one more, and whether it may be there."""
        address = counted_as(client and client[0])
        self._open[address] += 1
        return self._open[address] <= self._most

    def closes(self, client: tuple[str, int] | None) -> None:
        """Count one less."""
        address = counted_as(client and client[0])
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


class Http(HttpToolsProtocol):
    """HTTP: a request has to come in time, and its beginning has to end."""

    sockets: ClassVar[Sockets]
    _late: asyncio.TimerHandle | None = None
    _heading = True
    """Whether the beginning of a request has not come whole."""
    _came = 0
    """How many bytes of it have come."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, but not for ever."""
        super().connection_made(transport)
        self._wait()
        if not self.sockets.opens(self.client):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._wait_no_more()
        self.sockets.closes(self.client)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, unless it is too much."""
        self._wait()
        self._came += len(data)
        super().data_received(data)
        if self._heading and self._came > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("This request begins at too great length.")

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        self._heading = True
        self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Note that only the body may be missing, whose length is limited elsewhere."""
        self._heading, self._came = False, 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that a request has come in whole."""
        self._wait_no_more()
        self._heading, self._came = True, 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Leave the socket to somebody else."""
        self._wait_no_more()
        super().handle_websocket_upgrade()

    def timeout_keep_alive_handler(self) -> None:
        """Close, even if what was sent is not taken."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(PATIENCE, self.transport.abort)

    def _wait(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(PATIENCE, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class Frames(WebSocketsSansIOProtocol):
    """A WebSocket: what no reading of messages slows down is limited here."""

    sockets: ClassVar[Sockets]
    many: ClassVar[float] = OWN_FRAMES

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._bucket = Bucket(self.many)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count one socket less; it was counted when it spoke HTTP."""
        self.sockets.closes(self.client)
        super().connection_lost(exc)

    def handle_ping(self) -> None:
        """Answer, unless there are too many."""
        if self._is_bearable():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Hear an answer."""
        if self._is_bearable():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Take a further part of a message."""
        if self._is_bearable() and len(self.frames) < MOST_PARTS:
            super().handle_cont(event)
        else:
            self.transport.abort()

    def _is_bearable(self) -> bool:
        bears = not self.transport.is_closing() and self._bucket.takes()
        if not bears:
            self.transport.abort()
        return bears


def protocols(sockets: int, frames: float) -> tuple[type[Http], type[Frames]]:
    """The two of one server, of which an address may have so many sockets and frames a second."""
    shared = Sockets(sockets)
    http = type("LimitedHttp", (Http,), {"sockets": shared})
    return http, type("LimitedFrames", (Frames,), {"sockets": shared, "many": frames})
