"""Malicious servers: what they may send, and what the client does with it."""

from __future__ import annotations

import contextlib
import io
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection
from websockets.utils import accept_key

from strongroom.contract import Json, Refusal
from strongroom.remote import api
from strongroom.remote import connection as connection_module
from strongroom.remote.channel import MOST_PARTS
from strongroom.remote.clock import RemoteClock
from strongroom.remote.connection import BACK, GONE, LOST, MOST_WAITING, SILENT, RemoteConnection
from strongroom.remote.info import GameInfo
from strongroom.remote.link import Link, LinkKind, websocket
from strongroom.terminal import waiting
from strongroom.terminal.exits import USAGE
from strongroom.terminal.main import main
from strongroom.terminal.table import remote_sitting
from tests.remote.test_connection import (
    PATIENCE,
    WELCOME,
    Crowd,
    Handler,
    comes,
    connected,
    running,
)
from tests.server.waiting import wait_until

ID, TOKEN = "ab" * 16, "cd" * 16
TOLD: Json = {
    "id": ID,
    "game": "safe-code",
    "options": {},
    "state": "over",
    "claim_after": 120,
    "seats": [None, None],
    "coins": {"hash": "0" * 64, "seeds": [None, None]},
    "score": [0, 0],
}


# --- frames ---------------------------------------------------------------------------------------


def test_a_server_cannot_fake_a_lost_or_closed_connection() -> None:
    crowd, end = Crowd(), {"type": "end"}
    lies = [{"type": kind, "lie": True} for kind in (LOST, BACK, GONE)]
    crowd.will(crowd.says(WELCOME, *lies, end))
    with running(crowd) as address, connected(address) as connection:
        came: list[dict[str, Any]] = []
        while end not in came:
            came += connection.take()
    assert "lie" not in "".join(map(str, came))


@pytest.mark.parametrize(
    ("frames", "text", "most"), [(3 * MOST_WAITING, "1", MOST_WAITING), (50, "x" * 400, 3)]
)
def test_frames_that_are_not_taken_do_not_pile_up(
    monkeypatch: pytest.MonkeyPatch, frames: int, text: str, most: int
) -> None:
    if most == 3:
        monkeypatch.setattr(connection_module, "MOST_TEXT", 1000)
    crowd, pong = Crowd(), {"type": "pong", "time": text}
    with (
        running(crowd.will(crowd.says(*[pong] * frames))) as address,
        connected(address) as connection,
    ):
        pieces: list[int] = []
        while sum(pieces) < frames:
            wanted = min(most, frames - sum(pieces))
            wait_until(lambda: len(connection._came) >= wanted)  # noqa: B023
            pieces.append(len(connection.take()))
    assert max(pieces) <= most + 1


def test_a_hello_does_not_follow_a_redirect() -> None:
    other = Crowd()
    with (
        running(other.will(other.says())) as there,
        answering(type("There", (Elsewhere,), {"where": there})) as base,
        connected(websocket(base), lambda: {"type": "hello", "token": TOKEN}) as connection,
    ):
        gone = comes(connection, GONE)
        connection._thread.join(PATIENCE)
        assert not connection._thread.is_alive()
    assert gone["code"] is None
    assert gone["why"].startswith(f"The server redirects to '{there}'.")
    assert other.heard.empty()


@pytest.mark.parametrize("frames", [0, 3])
def test_a_connection_whose_hello_is_not_answered_is_given_up(
    frames: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(connection_module, "ANSWERING", 0.2)
    crowd = Crowd()
    idles = crowd.says(*[{"type": "pong", "time": 1}] * frames)
    with running(crowd.will(idles, idles)) as address, connected(address) as connection:
        assert comes(connection, LOST)["why"] == SILENT
    assert capfd.readouterr() == ("", "")


def _texts(socket: ServerConnection) -> None:
    socket.send("")


def _parts(socket: ServerConnection) -> None:
    socket.send(" " for _ in range(2 * MOST_PARTS))


@pytest.mark.parametrize("send", [_texts, _parts])
def test_a_server_that_floods_with_garbage_is_given_up_without_a_traceback(
    send: Handler, capfd: pytest.CaptureFixture[str]
) -> None:
    def floods(socket: ServerConnection) -> None:
        crowd.hears(socket)
        with contextlib.suppress(ConnectionClosed):
            while True:
                send(socket)

    crowd = Crowd(floods, lambda socket: None)
    with running(crowd) as address, connected(address) as connection:
        assert comes(connection, LOST)["why"]
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("left", [float("inf"), float("nan"), -1.0, 1e300, 10**400, "5", True])
def test_a_clock_that_cannot_be_shown_is_refused(left: object) -> None:
    with pytest.raises(Refusal):
        RemoteClock.from_json({"left": [left, 5.0], "running": 1})


@pytest.mark.parametrize("part", ["id", "rematch"])
@pytest.mark.parametrize("value", ["\x1b[31m", "../../elsewhere", "", 5, ["a"]])
def test_a_game_whose_id_is_none_is_not_understood(part: str, value: object) -> None:
    assert GameInfo.from_json(TOLD).id == ID
    with pytest.raises(Refusal):
        GameInfo.from_json({**TOLD, part: value})


# --- answers over HTTP ----------------------------------------------------------------------------


class Answering(BaseHTTPRequestHandler):
    """Answers GET requests, without a log."""

    protocol_version = "HTTP/1.1"

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 101:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def answering(handler: type[Answering]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.block_on_close = False
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class Elsewhere(Answering):
    """Redirects every request, and notes the token that arrives at the target."""

    told: ClassVar[str | None] = None
    where: ClassVar[str | None] = None

    def do_GET(self) -> None:
        if self.path == "/there":
            Elsewhere.told = self.headers.get("Authorization")
        self.answer(302, Location=self.where or f"http://{self.headers['Host']}/there")


class Dripping(Answering):
    """Sends an answer that never ends, byte by byte, each in time."""

    status: ClassVar[int]
    protocol_version = "HTTP/1.0"

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.end_headers()
        with contextlib.suppress(OSError):
            while True:  # until the client disconnects
                self.wfile.write(b" ")
                threading.Event().wait(0.02)


class Silent(Answering):
    """Describes a game over HTTP, opens a WebSocket, and then says nothing."""

    def do_GET(self) -> None:
        if self.path != "/ws":
            self.answer(200, json.dumps({"game": TOLD}).encode())
            return
        accepted = {"Sec_WebSocket_Accept": accept_key(self.headers["Sec-WebSocket-Key"])}
        self.answer(101, Upgrade="websocket", Connection="Upgrade", **accepted)
        self.rfile.read()  # until the client disconnects


class Pinging(Silent):
    """Opens a WebSocket, sends pings until its buffers are full, and never reads."""

    is_stuck: ClassVar[threading.Event]
    may_end: ClassVar[threading.Event]

    def do_GET(self) -> None:
        self.rfile = io.BytesIO()  # so that nothing is read
        super().do_GET()
        self.connection.settimeout(0.3)
        with contextlib.suppress(TimeoutError):
            while True:
                self.connection.sendall((b"\x89\x7d" + b"p" * 125) * 1000)
        self.is_stuck.set()
        self.may_end.wait(PATIENCE)
        self.close_connection = True


def test_a_token_does_not_follow_a_redirect() -> None:
    unreachable = pytest.raises(api.Unreachable, match="The server redirects to")
    with answering(Elsewhere) as base, unreachable:
        api.record(Link(base, LinkKind.PLAY, ID, TOKEN))
    assert Elsewhere.told is None


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_that_never_ends_is_given_up(
    monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(api, "PATIENCE", 0.3)
    handler = type("Drips", (Dripping,), {"status": status})
    with answering(handler) as base, pytest.raises(api.Unreachable, match="timed out"):
        api.info(Link(base, LinkKind.WATCH, ID))


def test_joining_a_silent_server_says_what_it_waits_for_and_then_gives_up(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(waiting, "SOON", 0.01)
    monkeypatch.setattr(remote_sitting, "PATIENCE", 1.0)
    with answering(Silent) as base:
        assert main(["join", str(Link(base, LinkKind.PLAY, ID, TOKEN)), "--plain"]) == USAGE
    told = capfd.readouterr().err
    assert f"Waiting for {base} to send the state of the game …" in told
    assert f"{base} did not send the state of the game" in told
    assert "Your seat is kept: strongroom join" in told
    assert "Traceback" not in told


def test_leaving_a_server_that_never_reads_does_not_hang() -> None:
    events = {"is_stuck": threading.Event(), "may_end": threading.Event()}
    with answering(type("Stuck", (Pinging,), events)) as base:
        connection = RemoteConnection(websocket(base), dict)
        connection.open()
        assert events["is_stuck"].wait(PATIENCE)
        leaving = threading.Thread(target=connection.close, daemon=True)
        leaving.start()
        leaving.join(PATIENCE)
        events["may_end"].set()
        assert not leaving.is_alive()
