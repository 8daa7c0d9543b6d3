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

from strongroom.contract import Seat
from strongroom.remote import connection as connection_module
from strongroom.remote.connection import BACK, GONE, LOST, RemoteConnection
from strongroom.remote.info import GameInfo
from strongroom.remote.link import Link, LinkKind
from strongroom.terminal.faces import Looks
from strongroom.terminal.table.remote_sitting import RemoteSitting
from tests.network_games import played
from tests.remote.test_seat import Telling, info_of
from tests.server.waiting import wait_until

PATIENCE = 30
HELLO = {"type": "hello"}
WELCOME = {"type": "welcome"}
MOVE = {"type": "move", "id": "a" * 32, "number": 1, "move": "5-5"}

Handler = Callable[[ServerConnection], None]


class Crowd:
    """A server that gives each connection in turn to the next handler of the test."""

    def __init__(self, *handlers: Handler) -> None:
        self.heard: Queue[dict[str, Any]] = Queue()
        self.over = threading.Event()
        """Set at the end of the test."""
        self._handlers = iter(handlers)

    def serve(self, socket: ServerConnection) -> None:
        next(self._handlers)(socket)

    def hears(self, socket: ServerConnection) -> dict[str, Any]:
        """Read the next message of this client, and keep it for the test."""
        message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
        self.heard.put(message)
        return message

    def says(self, *frames: dict[str, Any] | str) -> Handler:
        """A handler that hears the hello, sends frames or texts, and stays connected."""

        def stays(socket: ServerConnection) -> None:
            self.hears(socket)
            for frame in frames:
                socket.send(frame if isinstance(frame, str) else json.dumps(frame))
            self.over.wait(PATIENCE)

        return stays

    def will(self, *handlers: Handler) -> Crowd:
        """Let these handlers, which may refer to the crowd, have the connections."""
        self._handlers = iter(handlers)
        return self


@contextmanager
def running(crowd: Crowd) -> Iterator[str]:
    server: Server
    with serve(crowd.serve, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        host, port = server.socket.getsockname()[:2]
        try:
            yield f"ws://{host}:{port}/ws"
        finally:
            crowd.over.set()
            server.shutdown()
            thread.join()


@contextmanager
def connected(
    address: str, hello: Callable[[], dict[str, Any]] = HELLO.copy
) -> Iterator[RemoteConnection]:
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
    def loses(socket: ServerConnection) -> None:
        crowd.hears(socket)
        socket.send(json.dumps(WELCOME))
        lost.wait(PATIENCE)
        socket.socket.close()  # without a closing handshake

    have, lost, crowd = [0], threading.Event(), Crowd()
    crowd.will(loses, crowd.says(WELCOME))
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

    def hears_the_next(socket: ServerConnection) -> None:
        crowd.hears(socket)
        socket.send(json.dumps(WELCOME))
        crowd.hears(socket)
        quiet.set()

    quiet, later = threading.Event(), {**MOVE, "id": "b" * 32}
    crowd = Crowd(loses_the_answer, answers, hears_the_next)
    with running(crowd) as address, connected(address) as connection:
        connection.ask(MOVE)
        wait_until(lambda: crowd.heard.qsize() == 5)
        connection.ask(later)
        assert quiet.wait(PATIENCE)
    heard = [crowd.heard.get_nowait() for _ in range(crowd.heard.qsize())]
    assert heard == [HELLO, MOVE, HELLO, MOVE, HELLO, later], "answered ones are not repeated"


def test_a_request_that_the_server_slowed_down_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    def slows_down(socket: ServerConnection) -> None:
        crowd.hears(socket)
        socket.send(json.dumps(WELCOME))
        asked = crowd.hears(socket)
        socket.send(json.dumps({"type": "error", "code": "slow-down", "id": asked["id"]}))
        asked = crowd.hears(socket)
        socket.send(json.dumps({"type": "refused", "id": asked["id"]}))
        crowd.over.wait(PATIENCE)

    monkeypatch.setattr(connection_module, "SHORT", 0.01)
    crowd = Crowd(slows_down)
    with running(crowd) as address, connected(address) as connection:
        connection.ask(MOVE)
        assert comes(connection, "refused")["id"] == MOVE["id"]


@pytest.mark.parametrize("code", [4001, 4003, 4004])
def test_a_client_that_is_sent_away_does_not_reconnect(code: int) -> None:
    def sends_away(socket: ServerConnection) -> None:
        crowd.hears(socket)
        socket.close(code)

    crowd = Crowd(sends_away)
    with running(crowd) as address, connected(address) as connection:
        assert comes(connection, GONE) == {"type": GONE, "code": code}
        connection._thread.join(PATIENCE)
        assert not connection._thread.is_alive()
    assert crowd.heard.qsize() == 1


def test_garbage_frames_are_skipped() -> None:
    def babbles(socket: ServerConnection) -> None:
        socket.send(b"\xff\xfe")
        crowd.says(*garbage, WELCOME)(socket)

    garbage = ("", "[", "[]", "1", "[" * 100_000, '{"type": "entries", "made": []}')
    crowd = Crowd(babbles)
    with running(crowd) as address, connected(address) as connection:
        comes(connection, "welcome")


def test_a_server_that_does_not_answer_is_tried_again_until_the_client_leaves() -> None:
    with running(Crowd()) as address:
        pass
    with connected(address) as connection:
        comes(connection, LOST)
        comes(connection, LOST)
    assert not connection._thread.is_alive(), "closing does not wait for a reconnect"


def test_a_move_that_arrives_together_with_the_welcome_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def opens_slowly(connection: RemoteConnection) -> None:
        open_connection(connection)
        wait_until(lambda: any(each["type"] == "entries" for each in list(connection._came)))

    open_connection = RemoteConnection.open
    monkeypatch.setattr(RemoteConnection, "open", opens_slowly)
    record = played("digit-deductions", 1)
    telling, crowd = Telling(record, Seat.TWO), Crowd()
    with running(crowd.will(crowd.says(telling.welcome(), telling.entries(0, 1)))) as address:
        base = address.replace("ws:", "http:").removesuffix("/ws")
        link = Link(base, LinkKind.PLAY, record.id, "cd" * 16)
        info = GameInfo.from_json(info_of(record))
        sitting = RemoteSitting(link, info, None, record.game.words, Looks(plain=True))
        try:
            assert sitting.place.number == 0
            sitting.place.entries(*sitting.connection.take())
            assert sitting.place.number == 1
        finally:
            sitting.connection.close()
