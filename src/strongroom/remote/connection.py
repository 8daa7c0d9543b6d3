"""A connection to a game that comes back by itself: what is asked is asked again until answered.

A thread of its own keeps it. Whoever waits for frames waits for `fileno` to become readable, beside
a keyboard perhaps, and takes them.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from strongroom.contract import Json, Refusal, harmless
from strongroom.remote.api import SentElsewhere
from strongroom.wire import BAD_TOKEN, NO_GAME, TAKEN, WITHDRAWN

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

ANSWERING: Final = 15.0
"""How many seconds a server may take to answer a hello."""
LONGEST_PAUSE: Final = 15.0
"""How many seconds at most are waited before the next try."""
LEAVING: Final = 1.5
"""How many seconds are waited at most until a connection is closed."""
SHORT: Final = 1.0
"""How many seconds a request waits that came too soon for the server."""
MOST_WAITING: Final = 1000
"""So many frames wait until they are taken; then no more of them are read."""
MOST_TEXT: Final = 2**24
"""So many characters of frames wait until they are taken; then no more of them are read."""
MOST_RUBBISH: Final = 1000
"""So many messages that are no frames are passed over; then the connection is dropped."""
LAST_CODES: Final = {TAKEN, BAD_TOKEN, NO_GAME, WITHDRAWN}
"""After these close codes nobody comes back: taken over, no such seat, no such game, no more."""
LATER: Final = ("slow-down", "unavailable")
"""Errors after which the same is asked again."""

SILENT: Final = "it says nothing"
"""Why a connection was given up that opened or stayed open, and brought nothing."""
LOST, BACK, GONE = "lost", "back", "gone"
"""What happens to the connection itself, told as frames of these types; `why` is in words."""


class MissingExtra(Refusal):
    """A package that network games need is not there."""


def check_installed() -> None:
    """Refuse to go on where the package for connections is missing."""
    try:
        import websockets.sync.client  # noqa: F401
    except ImportError:
        raise MissingExtra(
            "A network game needs websockets.", "Install it: pip install 'strongroom[network]'"
        ) from None


class Connection:
    """A connection to a server that is opened again whenever it is lost, until it is closed."""

    def __init__(self, address: str, hello: Callable[[], Json]) -> None:
        check_installed()
        self._address = address
        self._hello = hello
        """What is said first, every time: it says what this client has by then."""
        self._came: deque[Json] = deque()
        """What came and was not taken yet."""
        self._length = 0
        """How many characters of text that was."""
        self._rubbish = 0
        """How many messages of this connection were no frames."""
        self._readable, self._wake = os.pipe()
        os.set_blocking(self._readable, False)
        os.set_blocking(self._wake, False)
        self._lock = threading.Lock()
        self._asked: dict[str, Json] = {}
        """What was asked for and not answered yet, by its id."""
        self._socket: ClientConnection | None = None
        self._heard = False
        """Whether the server has answered the hello of this connection."""
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="connection", daemon=True)

    def open(self) -> None:
        """Begin; from now on frames come."""
        self._thread.start()

    def close(self) -> None:
        """Leave for good."""
        self._closed.set()
        self.again()
        if self._thread.is_alive():
            self._thread.join(timeout=LEAVING)
        if self._thread.is_alive():  # it waits for a server, and would write to what is closed
            return
        for handle in (self._readable, self._wake):
            with contextlib.suppress(OSError):
                os.close(handle)

    def again(self) -> None:
        """Drop the connection, to say hello again and be told what was missed."""
        if (channel := self._socket) is not None:
            # A server that sends on and on and never reads would let nobody say good-bye.
            late = threading.Timer(SHORT, _cut, (channel,))
            late.start()
            with contextlib.suppress(Exception):  # it may be lost already, in any of many ways
                channel.close()
            late.cancel()

    # --- what comes ---

    def fileno(self) -> int:
        """What can be read from once something came."""
        return self._readable

    def take(self) -> list[Json]:
        """All that came since."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._readable, 4096)
        with self._lock:
            taken = [*self._came]
            self._came.clear()
            self._length = 0
        return taken

    def wake(self) -> None:
        """Let `fileno` become readable, though nothing came."""
        with contextlib.suppress(OSError):  # full, or closed
            os.write(self._wake, b".")

    def _put(self, frame: Json, length: int = 0) -> None:
        with self._lock:
            self._came.append(frame)
            self._length += length
        self.wake()

    def _is_full(self) -> bool:
        return len(self._came) >= MOST_WAITING or self._length >= MOST_TEXT

    # --- what is asked ---

    def ask(self, request: Json) -> None:
        """Ask for something, again after every loss, until it is answered."""
        with self._lock:
            self._asked[request["id"]] = request
            if self._heard:
                self._send(request)

    def forget(self, id: str) -> None:
        """Ask for something no more."""
        with self._lock:
            self._asked.pop(id, None)

    def _send(self, message: Json) -> None:
        with contextlib.suppress(Exception):  # lost meanwhile: it is sent again
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
            self._closed.wait(pause * random.uniform(0.5, 1.0))  # else all come back at once

    def _stay(self) -> tuple[int | None, str]:
        """Be connected for as long as it lasts; the code and the reason with which it ended."""
        from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

        from strongroom.remote.channel import opened

        try:
            with opened(self._address) as self._socket:
                if self._closed.is_set():
                    return None, ""
                self._rubbish = 0
                self._socket.send(json.dumps(self._hello()))
                until = time.monotonic() + ANSWERING
                while self._rubbish <= MOST_RUBBISH:
                    left = None if self._heard else max(0.0, until - time.monotonic())
                    if left == 0:
                        return None, SILENT
                    self._receive(self._socket.recv(left))
                return None, "it sends what is not understood here"
        except ConnectionClosed as closed:
            return (closed.rcvd.code if closed.rcvd else None), "it was closed"
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
            return  # what happens to the connection is not the server's to tell
        if not self._heard and frame.get("type") in ("welcome", "entries"):
            self._put({"type": BACK})
            with self._lock:
                self._heard = True
                for request in self._asked.values():
                    self._send(request)
        self._settle(frame)
        while self._is_full() and not self._closed.wait(SHORT / 10):
            pass  # the server has to wait too, and nothing piles up here
        self._put(frame, len(text))

    def _settle(self, frame: dict[str, Any]) -> None:
        """Keep or forget what a frame answers."""
        id = frame.get("made", frame.get("id"))
        asked = self._asked.get(id) if isinstance(id, str) else None
        if asked is None:
            return
        if frame.get("type") == "error" and frame.get("code") in LATER:
            self._closed.wait(SHORT)
            with self._lock:
                if asked["id"] in self._asked:  # nobody has given it up meanwhile
                    self._send(asked)
        elif asked["type"] != "hint" or frame.get("type") != "entries":
            self.forget(asked["id"])  # that a hint was taken is no hint yet


def _cut(channel: ClientConnection) -> None:
    with contextlib.suppress(OSError):
        channel.socket.shutdown(socket.SHUT_RDWR)
