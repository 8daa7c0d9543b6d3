"""MCP over HTTP: who may call the server, and what one address may hold open."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final
from weakref import WeakValueDictionary

from strongroom.plugins.extras import extra

with extra("mcp", "strongroom.doors.mcp"):
    import h11
    import uvicorn
    from mcp.server.mcpserver import MCPServer
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.datastructures import Headers
    from starlette.responses import PlainTextResponse
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from uvicorn.protocols.http.h11_impl import H11Protocol

    from strongroom.doors.mcp import SESSION
    from strongroom.listening import (
        REQUEST_TIMEOUT,
        Counted,
        EndingServer,
        Sockets,
        address_key,
        allow_sockets,
    )

PATH: Final = "/mcp"
"""The path of the server."""
HERE: Final = ("127.0.0.1", "localhost", "[::1]")
"""What this machine is called by clients on it."""
LARGEST: Final = 64 * 1024
"""The largest request, in bytes."""
SOCKETS: Final = 256
"""The most sockets of one address."""
SESSIONS: Final = 1000
"""The most sessions of all clients."""
IDLE: Final = 1800.0
"""After how many seconds without a request a session ends."""
A_TURN: Final = 0.1
"""How many seconds the next request of an address waits for the one before it at most."""
ENDING: Final = 1.5
"""How many seconds after a signal the process ends at the latest, whatever clients do."""
GRACE: Final = 1
"""How many of these seconds requests in progress may take to finish."""


def serve_http(server: MCPServer[Any], listening: socket.socket, hosts: Sequence[str] = ()) -> None:
    """Serve over HTTP until a signal arrives, for requests to this machine or one of `hosts`.

    A page in a browser can call nothing here, whatever address its name leads to.
    """
    allow_sockets()
    with listening:
        asyncio.run(HttpServer(Gate(server, hosts)).serve([listening]))


class Session:
    """An open session."""

    def __init__(self, address: str) -> None:
        self.address = address
        """Where it was opened."""
        self.requests = 0
        """How many of its requests and streams are in progress."""
        self.used = 0.0
        """When the last of them ended."""


class Sessions:
    """All open sessions, the least recently used first.

    >>> sessions = Sessions(most=2, clock=lambda: 0.0)
    >>> for name, address in ("ada", "10.0.0.1"), ("one", "10.0.0.2"), ("two", "10.0.0.2"):
    ...     sessions.open(name, address)
    >>> sessions.surplus()
    ['one']
    """

    def __init__(
        self, most: int = SESSIONS, idle: float = IDLE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._idle, self._clock = most, idle, clock
        self._open: dict[str, Session] = {}

    def open(self, name: str, address: str) -> None:
        """Note that a session was opened from an address."""
        self._open[name] = session = Session(address)
        session.used = self._clock()

    def close(self, name: str) -> None:
        """Note that a session was closed."""
        self._open.pop(name, None)

    @contextmanager
    def request(self, name: str) -> Iterator[None]:
        """Count a request of a session as long as it is in progress."""
        session = self._open.get(name)
        if session is None:
            yield
            return
        session.requests += 1
        try:
            yield
        finally:
            session.requests -= 1
            session.used = self._clock()
            if self._open.pop(name, None) is not None:
                self._open[name] = session

    def surplus(self) -> list[str]:
        """The sessions to close: those long unused, and as many others as there are too many.

        Of these, the least recently used of the address that has the most comes first, so that many
        sessions from elsewhere cannot push out yours. One with a request or a stream in progress
        stays; how many of them there are is limited by the sockets.
        """
        since = self._clock() - self._idle
        unused = {name: each for name, each in self._open.items() if each.requests == 0}
        surplus = [name for name, each in unused.items() if each.used <= since]
        for name in surplus:
            del unused[name]
        counts = Counter(each.address for each in self._open.values())
        counts.subtract(self._open[name].address for name in surplus)
        while unused and counts.total() > self._most:
            name = max(unused, key=lambda name: counts[unused[name].address])
            counts[unused.pop(name).address] -= 1
            surplus.append(name)
        return surplus


class Turns:
    """Requests of one address begin one after another, so that others wait for only one of them."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, address: str, receive: Receive) -> AsyncIterator[Receive]:
        """What a request is received by: its turn begins with the end of its body.

        The turn ends when the request is answered, or soon: it may think for long.
        """
        lock = self._locks.setdefault(address, asyncio.Lock())
        ends: asyncio.TimerHandle | None = None

        def end() -> None:
            nonlocal ends
            if ends is not None:
                ends.cancel()
                ends = None
                lock.release()

        async def receive_message() -> Message:
            nonlocal ends
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body") and ends is None:
                await lock.acquire()
                ends = asyncio.get_running_loop().call_later(A_TURN, end)
            return message

        try:
            yield receive_message
        finally:
            end()


class Gate:
    """The application: it refuses requests that name other hosts, and closes surplus sessions."""

    def __init__(
        self, server: MCPServer[Any], hosts: Sequence[str] = (), sessions: Sessions | None = None
    ) -> None:
        # The library compares beginnings: to it, "localhost:80.evil.example" is this machine.
        unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        self._app: ASGIApp = server.streamable_http_app(
            streamable_http_path=PATH, max_request_body_size=LARGEST, transport_security=unchecked
        )
        self._manager = server.session_manager
        self._sessions = sessions or Sessions()
        self._turns = Turns()
        self._host = _with_any_port([*HERE, *hosts])
        self._origin = _with_any_port([f"http://{host}" for host in HERE])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not self._host.fullmatch(headers.get("host", "")):
            await PlainTextResponse("Invalid Host header", 421)(scope, receive, send)
        elif not all(map(self._origin.fullmatch, headers.getlist("origin"))):
            await PlainTextResponse("Invalid Origin header", 403)(scope, receive, send)
        else:
            address = address_key((scope.get("client") or [None])[0])
            name = headers.get(SESSION)
            if scope["method"] == "POST":
                async with self._turns.turn(address, receive) as received:
                    await self._pass(address, name, scope, received, send)
            else:  # a stream, which begins at once and lasts
                await self._pass(address, name, scope, receive, send)

    async def _pass(
        self, address: str, name: str | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer a request of a session, or one without, which may open one."""
        if name is None:
            await self._open(address, scope, receive, send)
            return
        closed = False

        async def note(message: Message) -> None:
            nonlocal closed
            if message["type"] == "http.response.start" and scope["method"] == "DELETE":
                closed = message["status"] == 200  # any other answer leaves the session open
            await send(message)

        with self._sessions.request(name):
            await self._app(scope, receive, note)
        if closed:
            self._forget(name)

    async def _open(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that may open a session, and close those that are too many then."""
        opened: list[str] = []

        async def note(message: Message) -> None:
            # The answer to a request that the library refuses names a session, too, but opens none.
            if message["type"] == "http.response.start" and message["status"] == 200:
                if name := Headers(raw=message["headers"]).get(SESSION):
                    opened.append(name)
                    self._sessions.open(name, address)
            await send(message)

        await self._app(scope, receive, note)
        for name in self._sessions.surplus() if opened else ():
            await self._close(scope, name)

    async def _close(self, scope: Scope, name: str) -> None:
        """Close a session as its client would."""

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            pass

        self._sessions.close(name)
        asks = {"method": "DELETE", "headers": [(SESSION.encode(), name.encode())]}
        await self._app({**scope, **asks}, receive, send)
        self._forget(name)

    def _forget(self, name: str) -> None:
        self._sessions.close(name)
        # Version 2.0 of the library keeps sessions that were closed.
        getattr(self._manager, "_server_instances", {}).pop(name, None)


def _with_any_port(names: Sequence[str]) -> re.Pattern[str]:
    """A pattern for these names, each with or without a port, and nothing after it."""
    return re.compile(rf"(?:{'|'.join(map(re.escape, names))})(?::[0-9]{{1,5}})?", re.IGNORECASE)


class Http(Counted, H11Protocol):
    """HTTP/1.1 whose requests have to arrive in time."""

    def data_received(self, data: bytes) -> None:
        """Parse incoming data."""
        super().data_received(data)
        self._wait_for_the_rest()

    def on_response_complete(self) -> None:
        """Go on with the next request, of which a part may be here."""
        super().on_response_complete()
        self._wait_for_the_rest()

    def _wait_for_the_rest(self) -> None:
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self.wait_for_request()
        else:
            self.stop_waiting()


class HttpServer(EndingServer):
    """uvicorn, with limits on what an address may hold open."""

    shutdown_timeout = ENDING

    def __init__(
        self, app: ASGIApp, sockets: int = SOCKETS, patience: float = REQUEST_TIMEOUT
    ) -> None:
        limits = {"sockets": Sockets(sockets), "request_timeout": patience}
        super().__init__(
            uvicorn.Config(
                app,
                http=type("LimitedHttp", (Http,), limits),
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=GRACE,
            )
        )
