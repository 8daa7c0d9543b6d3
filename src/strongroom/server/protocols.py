"""How bytes come in: requests in time and of a size, and no frame that costs more than it says.

uvicorn waits for ever for the rest of a request, keeps headers of any length, and answers as many
pings as come; so that a single client could use up the memory or the sockets of the server.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from typing import Any, ClassVar, Final
from weakref import ref

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import OPEN, Protocol

from strongroom.server import garbage
from strongroom.server.budget import Budgets
from strongroom.server.frames import framed, short_text, weight
from strongroom.server.limits import Bucket, counted_as
from strongroom.server.pacing import Paced

PATIENCE: Final = 20.0
"""So many seconds a request may take to come in whole, and an answer to be taken after its end."""
LARGEST_HEAD: Final = 32_768
"""So many bytes a request may have before its body."""
MOST_IN_A_ROW: Final = 16
"""So many requests may come before the first of them is answered."""
OWN_FRAMES: Final = 20.0
"""So many pings, pongs and parts of messages may come a second, and some more at once."""
MOST_PARTS: Final = 64
"""So many parts a message may come in."""
MOST_UNREAD: Final = 8
"""So many messages may wait until they are read; then no more bytes are taken."""

LINE: Final = "strongroom.line"
"""The extension of a connection's scope under which it lends itself, as a `connection.Line`."""


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
        garbage.may_be_left()
        address = counted_as(client and client[0])
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


class Http(Paced, HttpToolsProtocol):
    """HTTP: a request has to come in time, and its beginning has to end."""

    sockets: ClassVar[Sockets]
    _late: asyncio.TimerHandle | None = None
    _heading = True
    """Whether the beginning of a request has not come whole."""
    _came = 0
    """How many bytes of it have come since the last one was whole."""
    _head = 0
    """How many bytes of it have been understood."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, but not for ever."""
        super().connection_made(transport)
        self._unanswered: deque[RequestResponseCycle] = deque()
        self.begin_pacing()
        self._wait()
        if not self.sockets.opens(self.client):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._wait_no_more()
        self.let_go()
        self._answer_no_more()
        self.sockets.closes(self.client)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, unless it is too much."""
        self._wait()
        self.take(data)

    def receive_piece(self, data: bytes) -> None:
        """Read a part of a request, unless it is too much."""
        self._came += len(data)
        super().data_received(data)
        if self._heading and self._came > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("This request begins at too great length.")

    def is_paused(self) -> bool:
        """Whether requests wait that came before."""
        return bool(self.flow.read_paused)

    def is_left(self) -> bool:
        """Whether it is a WebSocket now."""
        return self.parser is None

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        if len(self.pipeline) >= MOST_IN_A_ROW:
            raise ValueError("too many requests in a row")  # answered with 400
        self._heading, self._head = True, 0
        self._wait()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        self._measure(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        self._measure(len(name) + len(value) + len(": \r\n"))
        super().on_header(name, value)

    def _measure(self, more: int) -> None:
        self._head += more
        if self._head > LARGEST_HEAD:
            raise ValueError("this request begins at too great length")  # answered with 400

    def on_headers_complete(self) -> None:
        """Note that only the body may be missing, whose length is limited elsewhere."""
        self._heading, self._came = False, 0
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:  # else it is to be a WebSocket
            self._unanswered.append(self.cycle)

    def on_message_complete(self) -> None:
        """Note that a request has come in whole."""
        self._wait_no_more()
        self._heading, self._came = True, 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on with what came after the request that is answered."""
        self._unanswered.popleft()
        super().on_response_complete()
        self.receive_rest()

    def handle_websocket_upgrade(self) -> None:
        """Leave the socket to somebody else."""
        self._wait_no_more()
        self.expect_nothing()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it holds us, and would for ever

    def timeout_keep_alive_handler(self) -> None:
        """Close, even if what was sent is not taken."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(PATIENCE, self.cut)

    def send_400_response(self, msg: str) -> None:
        """Refuse, and close."""
        self._answer_no_more()
        super().send_400_response(msg)

    def cut(self) -> None:
        """Cut the socket off, whatever waits."""
        self._answer_no_more()
        super().cut()

    def _answer_no_more(self) -> None:
        """Let what is answered now end in silence: to write to a closed socket is an error."""
        for cycle in self._unanswered:
            cycle.disconnected = True

    def _wait(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(PATIENCE, self.cut)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class Frames(Paced, WebSocketsSansIOProtocol):
    """A WebSocket: what no reading of messages slows down is limited here.

    Short texts come in and all texts go out past uvicorn's queues and the frames of `websockets`,
    which cost a sixth of all that is done for a move. What is rare goes their way.
    """

    sockets: ClassVar[Sockets]
    many: ClassVar[float] = OWN_FRAMES

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._bucket = Bucket(self.many)
        self._unfinished = 0
        """How many bytes have come of a frame that has not come whole."""
        self._unwritten: list[bytes] = []
        """The frames that are to be written together with those for others."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a socket that spoke HTTP."""
        super().connection_made(transport)
        self.begin_pacing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count one socket less, which was counted when it spoke HTTP, and leave no circles."""
        self.let_go()
        self.sockets.closes(self.client)
        super().connection_lost(exc)
        self.conn.parser.close()

    def handle_connect(self, event: Request) -> None:
        """Begin, and lend the application what it needs of the socket."""
        super().handle_connect(event)
        self._unfinished = 0
        if not self.close_sent:
            self.scope["extensions"][LINE] = {LINE: ref(self)}

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        self.take(data)

    def is_full(self) -> bool:
        """Whether messages wait that came before."""
        return self.queue.qsize() >= MOST_UNREAD

    def is_paused(self) -> bool:
        """Whether it is read again when all messages are handed out."""
        return self.read_paused

    async def receive(self) -> Any:
        """Hand out a message, and go on with what came after it."""
        event = await super().receive()
        if self._budget is not None and not self.is_full():
            self.receive_rest()
        return event

    def receive_piece(self, data: bytes) -> None:
        """Read a whole short message at once, and anything else as `websockets` does."""
        text = short_text(data) if self._is_between_messages() else None
        if text is None:
            self._unfinished += len(data)
            super().data_received(data)
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if not self.read_paused and self.queue.qsize() >= MOST_UNREAD:
            self.read_paused = True  # until all of them have been read
            self.transport.pause_reading()

    def handle_events(self) -> None:
        """Note how many bytes were those of whole frames; an upgrade is one by itself."""
        for event in self.conn.events:
            self._unfinished -= weight(len(event.data)) if isinstance(event, Frame) else 0
        super().handle_events()

    def _is_between_messages(self) -> bool:
        conn = self.conn
        return self._unfinished == 0 and conn.state is OPEN and conn.current_size is None

    def write(self, text: bytes) -> bool:
        """Send a text soon; False: it has to wait its turn, or nobody is there any more.

        It is written together with what others are told in this turn of the loop: the first of
        many writes wakes the network, and the others find it awake.
        """
        if not self.writable.is_set() or self.conn.state is not OPEN or self.transport.is_closing():
            return False
        if not self._unwritten:
            self.loop.call_soon(self._write_all)
        self._unwritten.append(framed(text))
        return True

    def _write_all(self) -> None:
        if self._unwritten and self.conn.state is OPEN and not self.transport.is_closing():
            self.transport.writelines(self._unwritten)
        self._unwritten.clear()

    async def send(self, message: Any) -> None:
        """Send what the application says, after what it said before."""
        self._write_all()
        await super().send(message)

    def unsent(self) -> int:
        """How many bytes it has taken that the network has not."""
        return self.transport.get_write_buffer_size() + sum(map(len, self._unwritten))

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
            self.cut()

    def _is_bearable(self) -> bool:
        bears = not self.transport.is_closing() and self._bucket.takes()
        if not bears:
            self.cut()
        return bears


class PlainFrames(WebSocketsSansIOProtocol):
    """A WebSocket as uvicorn does it, where the inner parts that `Frames` builds on are missing.

    It is slower, and neither pings nor the parts of a message are limited.
    """

    sockets: ClassVar[Sockets]

    def connection_lost(self, exc: Exception | None) -> None:
        """Count one socket less, which was counted when it spoke HTTP."""
        self.sockets.closes(self.client)
        super().connection_lost(exc)


FRAME_PARTS: Final = (
    *("handle_connect", "handle_events", "handle_ping", "handle_pong", "handle_cont"),
    *("queue", "frames", "writable", "read_paused", "close_sent", "conn"),
)
MESSAGE_PARTS: Final = ("state", "events", "parser", "current_size")
"""The inner parts of uvicorn's and of `websockets`' protocol that `Frames` builds on."""


def lacks_parts() -> list[str]:
    """The inner parts that the installed versions of uvicorn and `websockets` do not have."""
    owners = ((WebSocketsSansIOProtocol, FRAME_PARTS), (Protocol, MESSAGE_PARTS))
    return [
        name
        for owner, names in owners
        for name in names
        if not hasattr(owner, name) and name not in vars(owner)["__init__"].__code__.co_names
    ]


def protocols(
    sockets: int, frames: float, budgets: Budgets, by_socket: bool
) -> tuple[type[Http], type[Frames] | type[PlainFrames]]:
    """The two of one server, of which an address may have so many sockets and frames a second."""
    shared = {"sockets": Sockets(sockets), "budgets": budgets, "by_socket": by_socket}
    http = type("LimitedHttp", (Http,), shared)
    if lacks_parts():
        return http, type("CountedFrames", (PlainFrames,), shared)
    return http, type("LimitedFrames", (Frames,), {**shared, "many": frames})
