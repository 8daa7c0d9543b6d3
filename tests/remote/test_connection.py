"""A reconnecting connection, against a server that drops, delays and sends garbage."""

from __future__ import annotations

import json
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Queue
from typing import Any

import pytest
from websockets.sync.server import Server, ServerConnection, serve

from strongroom.remote.connection import BACK, GONE, LOST, RemoteConnection

PATIENCE = 30
WELCOME = {"type": "welcome"}
MOVE = {"type": "move", "id": "a" * 32, "number": 1, "move": "5-5"}

Handler = Callable[[ServerConnection], None]


class Crowd:
    """A server that gives each connection in turn to the next handler of the test."""

    def __init__(self, *handlers: Handler) -> None:
        self.heard: Queue[dict[str, Any]] = Queue()
        self._handlers = iter(handlers)

    def serve(self, socket: ServerConnection) -> None:
        next(self._handlers)(socket)

    def hears(self, socket: ServerConnection) -> dict[str, Any]:
        """Read the next message of this client, and keep it for the test."""
        message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
        self.heard.put(message)
        return message


@contextmanager
def running(crowd: Crowd) -> Iterator[str]:
    server: Server
    with serve(crowd.serve, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        host, port = server.socket.getsockname()[:2]
        yield f"ws://{host}:{port}/ws"
        server.shutdown()
        thread.join()


@contextmanager
def connected(address: str, hello: Callable[[], dict[str, Any]]) -> Iterator[RemoteConnection]:
    connection = RemoteConnection(address, hello)
    connection.open()
    try:
        yield connection
    finally:
        connection.close()


def comes(connection: RemoteConnection, kind: str) -> dict[str, Any]:
    """Wait for a frame of a kind; those before it are passed over."""
    while True:
        while connection._came:
            if (frame := connection._came.popleft())["type"] == kind:
                return frame
        assert select.select([connection], [], [], PATIENCE)[0], f"{kind} never came"
        connection._came.extendleft(reversed(connection.take()))


def test_after_a_reconnect_the_hello_says_what_has_been_received_by_then() -> None:
    have = [0]

    def loses(socket: ServerConnection) -> None:
        crowd.hears(socket)
        socket.send(json.dumps(WELCOME))
        lost.wait(PATIENCE)
        socket.socket.close()  # without a closing handshake

    def stays(socket: ServerConnection) -> None:
        crowd.hears(socket)
        socket.send(json.dumps(WELCOME))
        ended.wait(PATIENCE)

    lost, ended = threading.Event(), threading.Event()
    crowd = Crowd(loses, stays)
    with (
        running(crowd) as address,
        connected(address, lambda: {"type": "hello", "have": have[0]}) as connection,
    ):
        assert crowd.heard.get(timeout=PATIENCE) == {"type": "hello", "have": 0}
        comes(connection, "welcome")
        have[0] = 7
        lost.set()
        comes(connection, LOST)
        assert crowd.heard.get(timeout=PATIENCE) == {"type": "hello", "have": 7}
        comes(connection, BACK)
        ended.set()


def test_a_request_is_repeated_with_its_id_until_it_is_answered() -> None:
    def loses_the_answer(socket: ServerConnection) -> None:
        crowd.hears(socket)
        socket.send(json.dumps(WELCOME))
        crowd.hears(socket)
        socket.socket.close()

    def answers(socket: ServerConnection) -> None:
        crowd.hears(socket)
        socket.send(json.dumps({"type": "entries"}))
        asked = crowd.hears(socket)
        socket.send(json.dumps({"type": "entries", "made": asked["id"]}))
        socket.close(1012)

    def has_nothing_to_hear(socket: ServerConnection) -> None:
        crowd.hears(socket)
        socket.send(json.dumps(WELCOME))
        with pytest.raises(TimeoutError):
            socket.recv(timeout=0.5)
        quiet.set()

    quiet = threading.Event()
    crowd = Crowd(loses_the_answer, answers, has_nothing_to_hear)
    with running(crowd) as address, connected(address, lambda: {"type": "hello"}) as connection:
        connection.ask(MOVE)
        assert quiet.wait(PATIENCE), "an answered request is not repeated"
    heard = [crowd.heard.get_nowait() for _ in range(crowd.heard.qsize())]
    assert heard == [{"type": "hello"}, MOVE, {"type": "hello"}, MOVE, {"type": "hello"}]


def test_a_request_that_the_server_slowed_down_is_repeated() -> None:
    def slows_down(socket: ServerConnection) -> None:
        crowd.hears(socket)
        socket.send(json.dumps(WELCOME))
        asked = crowd.hears(socket)
        socket.send(json.dumps({"type": "error", "code": "slow-down", "id": asked["id"]}))
        asked = crowd.hears(socket)
        socket.send(json.dumps({"type": "refused", "id": asked["id"]}))
        ended.wait(PATIENCE)

    ended = threading.Event()
    crowd = Crowd(slows_down)
    with running(crowd) as address, connected(address, lambda: {"type": "hello"}) as connection:
        connection.ask(MOVE)
        assert comes(connection, "refused")["id"] == MOVE["id"]
        ended.set()


@pytest.mark.parametrize("code", [4001, 4003, 4004])
def test_a_client_that_is_sent_away_does_not_reconnect(code: int) -> None:
    def sends_away(socket: ServerConnection) -> None:
        crowd.hears(socket)
        socket.close(code)

    crowd = Crowd(sends_away)
    with running(crowd) as address, connected(address, lambda: {"type": "hello"}) as connection:
        assert comes(connection, GONE) == {"type": GONE, "code": code}
        connection._thread.join(PATIENCE)
        assert not connection._thread.is_alive()
    assert crowd.heard.qsize() == 1


def test_garbage_frames_are_skipped() -> None:
    def babbles(socket: ServerConnection) -> None:
        crowd.hears(socket)
        for text in ("", "[", "[]", "1", "[" * 100_000, '{"type": "entries", "made": []}'):
            socket.send(text)
        socket.send(b"\xff\xfe")
        socket.send(json.dumps(WELCOME))
        ended.wait(PATIENCE)

    ended = threading.Event()
    crowd = Crowd(babbles)
    with running(crowd) as address, connected(address, lambda: {"type": "hello"}) as connection:
        comes(connection, "welcome")
        ended.set()


def test_a_server_that_does_not_answer_is_tried_again() -> None:
    with running(Crowd()) as address:
        pass
    with connected(address, lambda: {"type": "hello"}) as connection:
        comes(connection, LOST)
        comes(connection, LOST)


def test_closing_does_not_wait_for_a_reconnect() -> None:
    with running(Crowd()) as address:
        pass
    connection = RemoteConnection(address, lambda: {"type": "hello"})
    connection.open()
    comes(connection, LOST)
    connection.close()
    assert not connection._thread.is_alive()
