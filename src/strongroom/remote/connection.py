"""A connection to a game that reconnects by itself and retries requests until they are answered.

It runs in a thread of its own. Callers wait for `fileno` to become readable, alongside a keyboard
perhaps, and then take the frames.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from importlib import import_module
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from strongroom.contract import Json, harmless
from strongroom.plugins.extras import extra
from strongroom.referee.wire import BAD_TOKEN, NO_GAME, TAKEN, WITHDRAWN
from strongroom.remote.api import SentElsewhere

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

HELLO_TIMEOUT: Final = 15.0
"""How long a server may take to answer a hello, in seconds."""
LONGEST_PAUSE: Final = 15.0
"""The longest pause before a reconnect, in seconds."""
CLOSE_TIMEOUT: Final = 1.5
"""How long to wait for a connection to close, in seconds."""
RETRY_PAUSE: Final = 1.0
"""How long a request that came too soon for the server waits for its retry, in seconds."""
MOST_WAITING: Final = 1000
"""The most frames waiting to be taken; beyond it, the socket is not read."""
MOST_TEXT: Final = 2**24
"""The most characters waiting to be taken; beyond it, the socket is not read."""
MOST_RUBBISH: Final = 1000
"""How many messages that are not frames are ignored before the connection is dropped."""
LAST_CODES: Final = {TAKEN, BAD_TOKEN, NO_GAME, WITHDRAWN}
"""The close codes without a reconnect: taken over, no such seat, no such game, withdrawn."""
RETRIED: Final = ("slow-down", "unavailable")
"""Errors after which a request is retried."""

SILENT: Final = "it sent nothing"
"""The reason for giving up a connection on which nothing arrived."""
LOST, BACK, GONE = "lost", "back", "gone"
"""Types of frames that report on the connection itself; `why` is in words."""


def check_installed(who: str = "A network game", module: str = "websockets.sync.client") -> None:
    """Raise MissingExtra if a module of the extra `network` is not installed."""
    with extra("network", who):
        import_module(module)


class RemoteConnection:
    """A connection to a server that reconnects whenever it is lost, until it is closed."""

    def __init__(self, address: str, hello: Callable[[], Json]) -> None:
        check_installed()
        self._address = address
        self._hello = hello
        """Makes the first message of every connection, which says what this client has by then."""
        self._came: deque[Json] = deque()
        """Frames that arrived and were not taken yet."""
        self._length = 0
        """How many characters of text they had."""
        self._rubbish = 0
        """How many messages of this connection were not frames."""
        self._readable, self._wake = os.pipe()
        os.set_blocking(self._readable, False)
        os.set_blocking(self._wake, False)
        self._lock = threading.Lock()
        self._asked: dict[str, Json] = {}
        """Requests that were not answered yet, by id."""
        self._socket: ClientConnection | None = None
        self._heard = False
        """Whether the server has answered the hello of this connection."""
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="connection", daemon=True)

    def open(self) -> None:
        """Start connecting; from now on frames arrive."""
        self._thread.start()

    def close(self) -> None:
        """Disconnect for good."""
        self._closed.set()
        self.again()
        if self._thread.is_alive():
            self._thread.join(timeout=CLOSE_TIMEOUT)
        if self._thread.is_alive():  # it waits for a server, and would write to a closed pipe
            return
        for handle in (self._readable, self._wake):
            with contextlib.suppress(OSError):
                os.close(handle)

    def again(self) -> None:
        """Drop the connection, in order to reconnect and be told what was missed."""
        if (channel := self._socket) is not None:
            # A server that keeps sending and never reads would block the closing handshake.
            late = threading.Timer(RETRY_PAUSE, _cut, (channel,))
            late.start()
            with contextlib.suppress(Exception):  # it may already be lost, in any of many ways
                channel.close()
            late.cancel()

    # --- incoming frames ---

    def fileno(self) -> int:
        """The file descriptor that becomes readable once something arrives."""
        return self._readable

    def take(self) -> list[Json]:
        """Take all frames that arrived since the last call."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._readable, 4096)
        with self._lock:
            taken = [*self._came]
            self._came.clear()
            self._length = 0
        return taken

    def take_first(self) -> Json | None:
        """Take the first frame that arrived, if any; the others stay for the next call."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._readable, 1)
        with self._lock:
            first = self._came.popleft() if self._came else None
            if not self._came:
                self._length = 0
        return first

    def wake(self) -> None:
        """Make `fileno` readable, even if nothing arrived."""
        with contextlib.suppress(OSError):  # full, or closed
            os.write(self._wake, b".")

    def _put(self, frame: Json, length: int = 0) -> None:
        with self._lock:
            self._came.append(frame)
            self._length += length
        self.wake()

    def _is_full(self) -> bool:
        return len(self._came) >= MOST_WAITING or self._length >= MOST_TEXT

    # --- requests ---

    def ask(self, request: Json) -> None:
        """Send a request, again after every reconnect, until it is answered."""
        with self._lock:
            self._asked[request["id"]] = request
            if self._heard:
                self._send(request)

    def forget(self, id: str) -> None:
        """Stop retrying a request."""
        with self._lock:
            self._asked.pop(id, None)

    def _send(self, message: Json) -> None:
        with contextlib.suppress(Exception):  # disconnected meanwhile: it is sent again
            assert self._socket is not None
            self._socket.send(json.dumps(message))

    # --- the thread ---

    def _keep(self) -> None:
        tries = 0
        while not self._closed.is_set():
            try:
                code, why = self._stay()
            except SentElsewhere as elsewhere:
                self._put({"type": GONE, "code": None, "why": str(elsewhere)})
                return
            if self._closed.is_set():
                return
            if code in LAST_CODES:
                self._put({"type": GONE, "code": code})
                return
            tries = 0 if self._heard else tries + 1
            self._heard = False
            self._put({"type": LOST, "why": why})
            pause = min(LONGEST_PAUSE, 0.25 * 2 ** min(tries, 10))
            apart = SystemRandom().uniform(0.5, 1.0)  # else all reconnect at once
            self._closed.wait(pause * apart)

    def _stay(self) -> tuple[int | None, str]:
        """Stay connected for as long as it lasts; return the close code and the reason."""
        from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

        from strongroom.remote.channel import open_channel

        try:
            with open_channel(self._address) as self._socket:
                if self._closed.is_set():
                    return None, ""
                self._rubbish = 0
                self._socket.send(json.dumps(self._hello()))
                until = time.monotonic() + HELLO_TIMEOUT
                while self._rubbish <= MOST_RUBBISH:
                    left = None if self._heard else max(0.0, until - time.monotonic())
                    if left == 0:
                        return None, SILENT
                    self._receive(self._socket.recv(left))
                return None, "it sent something unintelligible"
        except ConnectionClosed as closed:
            return (closed.rcvd.code if closed.rcvd else None), "the connection was closed"
        except InvalidStatus as refused:
            return None, f"status {refused.response.status_code}"
        except TimeoutError:
            return None, SILENT
        except (OSError, WebSocketException) as error:
            return None, harmless(str(getattr(error, "strerror", None) or error), 80)
        finally:
            self._socket = None

    def _receive(self, text: str | bytes) -> None:
        try:
            frame = json.loads(text)
        except (ValueError, RecursionError):
            frame = None
        if not isinstance(frame, dict):
            self._rubbish += 1
            return
        if frame.get("type") in (LOST, BACK, GONE):
            return  # only this client reports on the connection itself
        if not self._heard and frame.get("type") in ("welcome", "entries"):
            self._put({"type": BACK})
            with self._lock:
                self._heard = True
                for request in self._asked.values():
                    self._send(request)
        self._settle(frame)
        while self._is_full() and not self._closed.wait(RETRY_PAUSE / 10):
            pass  # the server has to wait too, and no backlog builds up here
        self._put(frame, len(text))

    def _settle(self, frame: dict[str, Any]) -> None:
        """Retry or forget the request that a frame answers."""
        id = frame.get("made", frame.get("id"))
        asked = self._asked.get(id) if isinstance(id, str) else None
        if asked is None:
            return
        if frame.get("type") == "error" and frame.get("code") in RETRIED:
            self._closed.wait(RETRY_PAUSE)
            with self._lock:
                if asked["id"] in self._asked:  # it was not forgotten meanwhile
                    self._send(asked)
        elif asked["type"] != "hint" or frame.get("type") != "entries":
            self.forget(asked["id"])  # an entry about a hint is not the hint yet


def _cut(channel: ClientConnection) -> None:
    with contextlib.suppress(OSError):
        channel.socket.shutdown(socket.SHUT_RDWR)
