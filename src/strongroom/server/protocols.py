"""Protocols that limit the time and size of requests, and what the frames of a client cost.

uvicorn keeps headers of any length and answers any number of pings, so a single client could use
up the memory of the server; `strongroom.listening` says the same of its sockets.
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
from websockets.protocol import OPEN, Protocol

from strongroom.listening import Counted, Sockets
from strongroom.server.background import Garbage
from strongroom.server.limits import Bucket, Budgets, Paced
from strongroom.server.settings import Settings

WRITER: Final = "strongroom.writer"
"""The scope extension through which a protocol offers itself as a `room.SocketWriter`."""
NOT_COUNTED: Final = 10**9
"""The limit of sockets behind a proxy, where all of them have the same address."""
TEXT: Final = 0x81
"""The first byte of a frame that is a complete text."""
SHORT, MEDIUM, LONG = 125, 126, 127
"""Lengths up to the first fit in a frame's second byte; the others announce 2 or 8 more bytes."""
MASKED: Final = 0x80
"""The mask bit in the second byte of a client's frame."""


def short_text(data: bytes) -> str | None:
    """The text of a client's data if that is exactly one frame with a short text; else None.

    >>> short_text(bytes.fromhex("818261626364" "0908"))
    'hj'
    >>> short_text(bytes.fromhex("818261626364" "09")) is None
    True
    """
    length = len(data) - 6
    if not 0 < length <= SHORT or data[0] != TEXT or data[1] != MASKED | length:
        return None
    mask = (data[2:6] * (SHORT // 4 + 1))[:length]
    plain = int.from_bytes(data[6:], "big") ^ int.from_bytes(mask, "big")
    try:
        return plain.to_bytes(length, "big").decode()
    except UnicodeDecodeError:
        return None


def client_frame_size(length: int) -> int:
    """The least size of a client's frame with a payload of this size, in bytes."""
    return 6 + length + (0 if length <= SHORT else 2 if length < 1 << 16 else 8)


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
    _head = 0
    """How many bytes of the head have been parsed."""

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
        self._heading, self._head = True, 0
        self.wait_for_request()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a part of the URL."""
        self._measure(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        self._measure(len(name) + len(value) + len(": \r\n"))
        super().on_header(name, value)

    def _measure(self, more: int) -> None:
        self._head += more
        if self._head > self.settings.longest_head:
            raise ValueError("the head of this request is too long")  # answered with 400

    def on_headers_complete(self) -> None:
        """Note that the head is complete; the length of the body is limited elsewhere."""
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

    Short incoming texts and all outgoing texts bypass uvicorn's handling and the frames of
    `websockets`, which cost a sixth of all the work for a move. Anything rare goes their way.
    """

    sockets: ClassVar[Sockets]
    garbage: ClassVar[Garbage]

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._bucket = Bucket(self.settings.limits.messages_a_second, self.settings.burst)
        """Limits pings, pongs and fragments of messages together."""
        self._unfinished = 0
        """How many bytes of an incomplete frame have arrived."""
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
        self._unfinished = 0
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
        """Parse a complete short message directly, and leave anything else to `websockets`."""
        text = short_text(data) if self._is_between_messages() else None
        if text is None:
            self._unfinished += len(data)
            super().data_received(data)
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if not self.read_paused and self.is_full():
            self.read_paused = True  # until all of them have been read
            self.transport.pause_reading()

    def handle_events(self) -> None:
        """Deduct the bytes of complete frames; an upgrade is an event by itself."""
        for event in self.conn.events:
            if isinstance(event, Frame):
                self._unfinished -= client_frame_size(len(event.data))
        super().handle_events()

    def _is_between_messages(self) -> bool:
        conn = self.conn
        return self._unfinished == 0 and conn.state is OPEN and conn.current_size is None

    def write(self, text: bytes) -> bool:
        """Send a text soon, or return False if it has to wait its turn or the client is gone.

        It is written together with what others are sent in this iteration of the event loop: the
        first of many writes wakes the network, and the others find it awake.
        """
        if not self.writable.is_set() or self.conn.state is not OPEN or self.transport.is_closing():
            return False
        if not self._unwritten:
            self.loop.call_soon(self._write_all)
        self._unwritten.append(server_frame(text))
        return True

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


class PlainFrames(WebSocketsSansIOProtocol):
    """uvicorn's own WebSocket, for versions without the internals that `Frames` builds on.

    It is slower, and neither pings nor the fragments of a message are limited.
    """

    sockets: ClassVar[Sockets]
    garbage: ClassVar[Garbage]

    def connection_lost(self, exc: Exception | None) -> None:
        """Count one socket fewer, which was counted when it spoke HTTP."""
        self.garbage.may_be_left()
        self.sockets.closes(self.client)
        super().connection_lost(exc)


FRAME_PARTS: Final = (
    *("handle_connect", "handle_events", "handle_ping", "handle_pong", "handle_cont"),
    *("queue", "frames", "writable", "read_paused", "close_sent", "conn"),
)
MESSAGE_PARTS: Final = ("state", "events", "parser", "current_size")
"""The internals of uvicorn's and `websockets`' protocols that `Frames` builds on."""


def lacks_parts() -> list[str]:
    """The internals that the installed versions of uvicorn and `websockets` lack."""
    owners = ((WebSocketsSansIOProtocol, FRAME_PARTS), (Protocol, MESSAGE_PARTS))
    return [
        name
        for owner, names in owners
        for name in names
        if not hasattr(owner, name) and name not in vars(owner)["__init__"].__code__.co_names
    ]


def protocols(
    settings: Settings, budgets: Budgets, garbage: Garbage
) -> tuple[type[Http], type[Frames] | type[PlainFrames]]:
    """The two protocols of one server, which count the same sockets."""
    most = NOT_COUNTED if settings.behind_proxy else settings.limits.sockets
    shared = {
        "settings": settings,
        "sockets": Sockets(most),
        "request_timeout": settings.request_timeout,
        "budgets": budgets,
        "by_socket": settings.behind_proxy,
        "garbage": garbage,
    }
    http = type("LimitedHttp", (Http,), shared)
    if lacks_parts():
        return http, type("CountedFrames", (PlainFrames,), shared)
    return http, type("LimitedFrames", (Frames,), shared)
