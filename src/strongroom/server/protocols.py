"""Protocols that limit the time and size of requests, and what the frames of a client cost.

This file alone builds on the internals of uvicorn, whose versions are bounded therefore. Each part
is here for what uvicorn lacks:

- `Http`: uvicorn keeps headers of any length, lets requests in a row wait without limit, and for
  ever for a client that does not read. A single client could use up the memory and the sockets of
  the server; `strongroom.listening` says the same of its sockets.
- `Frames`, reading: uvicorn answers any number of pings and keeps any number of empty fragments.
- `Frames`, writing: uvicorn's queue and the frames of `websockets` cost a third of all the
  processor time of a move. Reading past them saved nothing that could be measured.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, ClassVar, Final
from weakref import ref

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import OPEN

from strongroom.listening import Counted, Sockets
from strongroom.server.background import Garbage
from strongroom.server.limits import Addresses, Bucket, Paced
from strongroom.server.settings import Settings

WRITER: Final = "strongroom.writer"
"""The scope extension through which a protocol offers itself as a `room.SocketWriter`."""
NOT_COUNTED: Final = 10**9
"""The limit of sockets behind a proxy, where all of them have the same address."""
TEXT: Final = 0x81
"""The first byte of a frame that is a complete text."""
SHORT, MEDIUM, LONG = 125, 126, 127
"""Lengths up to the first fit in a frame's second byte; the others announce 2 or 8 more bytes."""


def server_frame(text: bytes) -> bytes:
    """A text as one complete frame from a server.

    >>> server_frame(b"ok"), server_frame(b"." * 300)[:4]
    (b'\\x81\\x02ok', b'\\x81~\\x01,')
    """
    length = len(text)
    if length <= SHORT:
        return bytes((TEXT, length)) + text
    if length < 1 << 16:
        return bytes((TEXT, MEDIUM)) + length.to_bytes(2, "big") + text
    return bytes((TEXT, LONG)) + length.to_bytes(8, "big") + text


class Http(Paced, Counted, HttpToolsProtocol):
    """HTTP with limits: a request has to arrive in time, and its head must not be too long."""

    garbage: ClassVar[Garbage]
    _heading = True
    """Whether the head of a request is incomplete."""
    _came = 0
    """How many bytes have arrived since the last head or request was complete."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, with a timeout."""
        super().connection_made(transport)
        self._unanswered: deque[RequestResponseCycle] = deque()
        self.begin_pacing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop what is waiting."""
        self.let_go()
        self._answer_no_more()
        self.garbage.may_be_left()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process incoming data, unless it is too much."""
        self.wait_for_request()
        self.take(data)

    def receive_piece(self, data: bytes) -> None:
        """Parse a piece of a request, unless it is too much."""
        self._came += len(data)
        super().data_received(data)
        too_long = self._heading and self._came > self.settings.longest_head
        if too_long and not self.transport.is_closing():
            self.send_400_response("The head of this request is too long.")

    def is_paused(self) -> bool:
        """Whether earlier requests are still waiting."""
        return bool(self.flow.read_paused)

    def is_left(self) -> bool:
        """Whether the socket is a WebSocket now."""
        return self.parser is None

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        if len(self.pipeline) >= self.settings.most_pipelined:
            raise ValueError("too many requests in a row")  # answered with 400
        self._heading = True
        self.wait_for_request()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Note that the head is complete; the length of the body is limited elsewhere."""
        head = sum(len(name) + len(value) + len(": \r\n") for name, value in self.headers)
        if len(self.url) + head > self.settings.longest_head:
            raise ValueError("the head of this request is too long")  # answered with 400
        self._heading, self._came = False, 0
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:  # else it becomes a WebSocket
            self._unanswered.append(self.cycle)

    def on_message_complete(self) -> None:
        """Note that a request is complete."""
        self.stop_waiting()
        self._heading, self._came = True, 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on with the data after the request that is answered."""
        self._unanswered.popleft()
        super().on_response_complete()
        self.receive_rest()

    def handle_websocket_upgrade(self) -> None:
        """Hand the socket over to the WebSocket protocol."""
        self.stop_waiting()
        self.expect_nothing()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it would refer to us for ever

    def timeout_keep_alive_handler(self) -> None:
        """Close, even if the client does not read what was sent."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(self.request_timeout, self.cut)

    def send_400_response(self, msg: str) -> None:
        """Refuse, and close."""
        self._answer_no_more()
        super().send_400_response(msg)

    def cut(self) -> None:
        """Abort the connection, whatever is waiting."""
        self._answer_no_more()
        super().cut()

    def _answer_no_more(self) -> None:
        """Silence the responses in progress: writing to a closed socket is an error."""
        for cycle in self._unanswered:
            cycle.disconnected = True


class Frames(Paced, WebSocketsSansIOProtocol):
    """A WebSocket with limits on what slower reading of messages does not slow down.

    Its connection writes texts to it directly, past uvicorn's queue and the frames of `websockets`.
    """

    sockets: ClassVar[Sockets]
    garbage: ClassVar[Garbage]

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._bucket = Bucket(self.settings.limits.messages_a_second, self.settings.burst)
        """Limits pings, pongs and fragments of messages together."""
        self._unwritten: list[bytes] = []
        """The frames to be written at the end of this iteration of the event loop."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a socket that spoke HTTP."""
        super().connection_made(transport)
        self.begin_pacing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count one socket fewer, which was counted when it spoke HTTP, and leave no cycles."""
        self.let_go()
        self.garbage.may_be_left()
        self.sockets.closes(self.client)
        super().connection_lost(exc)
        self.conn.parser.close()

    def handle_connect(self, event: Request) -> None:
        """Handle the handshake, and offer the application direct use of the socket."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][WRITER] = {WRITER: ref(self)}

    def data_received(self, data: bytes) -> None:
        """Process incoming data."""
        self.take(data)

    def is_full(self) -> bool:
        """Whether too many earlier messages are unread."""
        return self.queue.qsize() >= self.settings.most_unread

    def is_paused(self) -> bool:
        """Whether reading resumes when all messages have been handed out."""
        return self.read_paused

    async def receive(self) -> Any:
        """Hand out a message, and go on with the data after it."""
        event = await super().receive()
        if self._budget is not None and not self.is_full():
            self.receive_rest()
        return event

    def receive_piece(self, data: bytes) -> None:
        """Parse a piece of the frames."""
        super().data_received(data)

    def write(self, text: bytes) -> None:
        """Send a text soon, unless the client is gone.

        It is written together with what others are sent in this iteration of the event loop: the
        first of many writes wakes the network, and the others find it awake.
        """
        if not self._unwritten:
            self.loop.call_soon(self._write_all)
        self._unwritten.append(server_frame(text))

    def _write_all(self) -> None:
        if self._unwritten and self.conn.state is OPEN and not self.transport.is_closing():
            self.transport.writelines(self._unwritten)
        self._unwritten.clear()

    async def send(self, message: Any) -> None:
        """Send a message of the application, after its earlier ones."""
        self._write_all()
        await super().send(message)

    def unsent(self) -> int:
        """How many bytes it has accepted but not yet handed to the network."""
        return self.transport.get_write_buffer_size() + sum(map(len, self._unwritten))

    def handle_ping(self) -> None:
        """Answer a ping, unless there are too many."""
        if self._is_bearable():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Take a pong, unless there are too many."""
        if self._is_bearable():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Take a further fragment of a message, unless there are too many."""
        if self._is_bearable() and len(self.frames) < self.settings.most_fragments:
            super().handle_cont(event)
        else:
            self.cut()

    def _is_bearable(self) -> bool:
        bears = not self.transport.is_closing() and self._bucket.takes()
        if not bears:
            self.cut()
        return bears


def protocols(
    settings: Settings, addresses: Addresses, garbage: Garbage
) -> tuple[type[Http], type[Frames]]:
    """The two protocols of one server, which count the same sockets."""
    most = NOT_COUNTED if settings.behind_proxy else settings.limits.sockets
    shared = {
        "settings": settings,
        "sockets": Sockets(most),
        "request_timeout": settings.request_timeout,
        "addresses": addresses,
        "by_socket": settings.behind_proxy,
        "garbage": garbage,
    }
    return type("LimitedHttp", (Http,), shared), type("LimitedFrames", (Frames,), shared)
