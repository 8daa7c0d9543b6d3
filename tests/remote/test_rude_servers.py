"""Servers that mean harm: what they may send, and what becomes of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

import pytest
from websockets.sync.server import ServerConnection

from strongroom.contract import Refusal
from strongroom.remote import api
from strongroom.remote.clock import Clock
from strongroom.remote.connection import BACK, GONE, LOST, MOST_WAITING
from strongroom.remote.info import Info
from strongroom.remote.link import Kind, Link
from tests.remote.test_connection import PATIENCE, WELCOME, Crowd, connected, running

ID, TOKEN = "ab" * 16, "cd" * 16


@pytest.mark.parametrize("kind", [LOST, BACK, GONE])
def test_a_server_cannot_say_that_the_connection_is_lost_or_gone(kind: str) -> None:
    def lies(socket: ServerConnection) -> None:
        crowd.hears(socket)
        for frame in (WELCOME, {"type": kind, "lie": True}, {"type": "end"}):
            socket.send(json.dumps(frame))
        ended.wait(PATIENCE)

    ended, crowd = threading.Event(), Crowd(lies)
    with running(crowd) as address, connected(address, dict) as connection:
        came: list[dict[str, Any]] = []
        while {"type": "end"} not in came:
            came += connection.take()
        ended.set()
    assert "lie" not in "".join(map(str, came))


def test_what_nobody_takes_does_not_pile_up() -> None:
    def floods(socket: ServerConnection) -> None:
        crowd.hears(socket)
        for number in range(3 * MOST_WAITING):
            socket.send(json.dumps({"type": "pong", "time": number}))
        sent.set()
        ended.wait(PATIENCE)

    sent, ended, crowd = threading.Event(), threading.Event(), Crowd(floods)
    with running(crowd) as address, connected(address, dict) as connection:
        sent.wait(PATIENCE)
        pieces: list[int] = []
        while sum(pieces) < 3 * MOST_WAITING:
            while len(connection._came) < min(MOST_WAITING, 3 * MOST_WAITING - sum(pieces)):
                threading.Event().wait(0.001)
            pieces.append(len(connection.take()))
        ended.set()
    assert max(pieces) <= MOST_WAITING + 1


@pytest.mark.parametrize("left", [float("inf"), float("nan"), -1.0, 1e300, 10**400, "5", True])
def test_a_clock_that_cannot_be_shown_is_refused(left: object) -> None:
    with pytest.raises(Refusal):
        Clock.from_json({"left": [left, 5.0], "running": 1})


@pytest.mark.parametrize("part", ["id", "rematch"])
@pytest.mark.parametrize("value", ["\x1b[31m", "../../elsewhere", "", 5, ["a"]])
def test_a_game_whose_id_is_none_is_not_understood(part: str, value: object) -> None:
    told = {
        "id": ID,
        "game": "safe-code",
        "options": {},
        "state": "over",
        "claim_after": 120,
        "seats": [None, None],
        "coins": {"hash": "0" * 64, "seeds": [None, None]},
        "score": [0, 0],
    }
    assert Info.from_json(told).id == ID
    with pytest.raises(Refusal):
        Info.from_json({**told, part: value})


class Elsewhere(BaseHTTPRequestHandler):
    """Sends everybody to another address, and notes who came there."""

    told: ClassVar[str | None] = None

    def do_GET(self) -> None:
        if self.path == "/there":
            type(self).told = self.headers.get("Authorization")
        self.send_response(302)
        self.send_header("Location", f"http://{self.headers['Host']}/there")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def elsewhere() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_token_is_taken_to_no_other_address() -> None:
    with elsewhere() as base, pytest.raises(api.Unreachable, match="The server sends to"):
        api.record(Link(base, Kind.PLAY, ID, TOKEN))
    assert Elsewhere.told is None


@pytest.mark.parametrize("base", ["http://a..b", f"http://{'a' * 70}.example"])
def test_a_name_that_no_host_can_have_is_no_server(base: str) -> None:
    with pytest.raises(api.Unreachable):
        api.info(Link(base, Kind.WATCH, ID))
