"""A client's links, and its connection to servers that drop, delay, lie and send garbage."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import select
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starting import PATIENCE, Port
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve
from websockets.utils import accept_key

from strongroom.contract import Json, Refusal, Seat
from strongroom.contract.codec import from_json
from strongroom.remote import api
from strongroom.remote import connection as connection_module
from strongroom.remote.channel import MOST_FRAGMENTS
from strongroom.remote.connection import BACK, GONE, LOST, MOST_WAITING, SILENT, RemoteConnection
from strongroom.remote.link import Link, LinkKind, address, websocket
from strongroom.remote.seat import GameInfo, RemoteClock
from strongroom.terminal import printing
from strongroom.terminal.exits import USAGE
from strongroom.terminal.faces import make_face
from strongroom.terminal.faces.face import Looks
from strongroom.terminal.main import main
from strongroom.terminal.table import remote
from strongroom.terminal.table.remote import RemoteTable
from tests.network_games import played
from tests.remote.test_seat import Telling, info_of
from tests.server.waiting import wait_until

HELLO = {"type": "hello"}
WELCOME = {"type": "welcome"}
MOVE = {"type": "move", "id": "a" * 32, "number": 1, "move": "5-5"}
HEAR, LOSE = None, 0
"""Steps of a server: to hear a message, and to lose the connection."""

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

Answer = Callable[[ServerConnection, Request], Response | None]
Step = Json | str | bytes | int | Callable[[ServerConnection], None] | None


@contextmanager
def acting(
    *scripts: Sequence[Step], answer: Answer | None = None
) -> Iterator[tuple[str, Queue[dict[str, Any]]]]:
    """The address of a server, which follows the next script for each client, and what it hears.

    A step hears a message (HEAR), sends a frame or raw data, closes with a code, loses the
    connection without a closing handshake (LOSE), or is called. After the last step the server
    stays connected if it still is. `answer` answers requests that do not open a WebSocket.
    """
    heard, over, remaining = Queue[dict[str, Any]](), threading.Event(), iter(scripts)

    def act(socket: ServerConnection) -> None:
        for step in next(remaining):
            match step:
                case None:
                    heard.put(json.loads(socket.recv(timeout=PATIENCE)))
                case int() if step == LOSE:
                    socket.socket.close()
                case int():
                    socket.close(step)
                case str() | bytes():
                    socket.send(step)
                case dict():
                    socket.send(json.dumps(step))
                case _:
                    step(socket)
        over.wait(PATIENCE)

    with serve(act, "127.0.0.1", 0, process_request=answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.socket.getsockname()[1]}", heard
        finally:
            over.set()
            server.shutdown()
            thread.join()


Hello = Callable[[], dict[str, Any]]


@contextmanager
def connecting(address: str, hello: Hello = HELLO.copy) -> Iterator[RemoteConnection]:
    with closing(RemoteConnection(websocket(address), hello)) as connection:
        connection.open()
        yield connection


@contextmanager
def connected(
    *scripts: Sequence[Step], hello: Hello = HELLO.copy
) -> Iterator[tuple[RemoteConnection, Queue[dict[str, Any]]]]:
    """A client of a server that follows these scripts, and what the server hears."""
    with acting(*scripts) as (address, heard), connecting(address, hello) as connection:
        yield connection, heard


def comes(connection: RemoteConnection, kind: str) -> dict[str, Any]:
    """Wait for a frame of a kind; those before it are passed over."""
    while True:
        while connection._came:
            if (frame := connection._came.popleft())["type"] == kind:
                return frame
        assert select.select([connection], [], [], PATIENCE)[0], f"{kind} never came"
        connection._came.extendleft(reversed(connection.take()))


def test_a_new_hello_and_every_request_without_an_answer_are_sent_after_a_reconnect() -> None:
    later, made = {**MOVE, "id": "b" * 32}, {"type": "entries", "made": MOVE["id"]}
    has = itertools.count()
    with connected(
        (HEAR, WELCOME, HEAR, LOSE),
        (HEAR, {"type": "entries"}, HEAR, made, 1012),
        (HEAR, WELCOME, HEAR),
        hello=lambda: {"type": "hello", "have": next(has)},
    ) as (connection, heard):
        connection.ask(MOVE)
        for kind in (LOST, BACK):
            comes(connection, kind)
        wait_until(lambda: heard.qsize() == 5)
        connection.ask(later)
        wait_until(lambda: heard.qsize() == 6)
    hellos = [{"type": "hello", "have": number} for number in range(3)]
    due = [hellos[0], MOVE, hellos[1], MOVE, hellos[2], later]
    assert [*heard.queue] == due, "no answered ones"


def test_a_request_of_which_no_connection_heard_is_sent_once_it_is_back() -> None:
    asked = threading.Event()

    def until_asked(_: ServerConnection) -> None:
        asked.wait(PATIENCE)

    scripts = (HEAR, WELCOME, LOSE), (HEAR, until_asked, WELCOME, HEAR)
    with connected(*scripts) as (connection, heard):
        comes(connection, LOST)
        connection.ask(MOVE)
        asked.set()
        wait_until(lambda: heard.qsize() == 3)
    assert [*heard.queue] == [HELLO, HELLO, MOVE]


@pytest.mark.parametrize("code", ["slow-down", "unavailable"])
def test_a_request_that_has_to_wait_is_repeated(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(connection_module, "RETRY_PAUSE", 0.01)
    slow, refused = {"type": "error", "code": code, "id": MOVE["id"]}, {"type": "refused"}
    script = (HEAR, WELCOME, HEAR, slow, HEAR, {**refused, "id": MOVE["id"]})
    with connected(script) as (connection, heard):
        connection.ask(MOVE)
        assert comes(connection, "refused")["id"] == MOVE["id"]
    assert [*heard.queue] == [HELLO, MOVE, MOVE]


def test_a_client_that_is_sent_away_does_not_reconnect() -> None:
    for code in (4001, 4003, 4004, 4005):
        with connected((HEAR, code)) as (client, heard):
            assert comes(client, GONE) == {"type": GONE, "code": code}
            client._thread.join(PATIENCE)
            assert not client._thread.is_alive()
        assert heard.qsize() == 1


def test_garbage_frames_are_skipped_and_no_lost_or_closed_connection_can_be_faked() -> None:
    garbage = ("", "[", "[]", "1", "[" * 100_000, '{"type": "entries", "made": []}')
    lies = [{"type": kind, "lie": True} for kind in (LOST, BACK, GONE)]
    came: list[dict[str, Any]] = []
    with connected((b"\xff\xfe", HEAR, *garbage, *lies, WELCOME)) as (connection, _):
        while WELCOME not in came:
            came += connection.take()
    assert "lie" not in "".join(map(str, came))


def test_a_server_that_does_not_answer_is_tried_again_until_the_client_leaves() -> None:
    nobody = Port()
    with connecting(nobody.address) as connection:
        comes(connection, LOST)
        comes(connection, LOST)
    assert not connection._thread.is_alive(), "closing does not wait for a reconnect"


def test_a_move_that_arrives_with_the_welcome_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def opens_slowly(connection: RemoteConnection) -> None:
        open_connection(connection)
        wait_until(lambda: any(each["type"] == "entries" for each in list(connection._came)))

    open_connection = RemoteConnection.open
    monkeypatch.setattr(RemoteConnection, "open", opens_slowly)
    record = played("digit-deductions", 1)
    telling = Telling(record, Seat.TWO)
    with acting((HEAR, telling.welcome(), telling.entries(0, 1))) as (base, _):
        link = Link(base, LinkKind.PLAY, record.id, "cd" * 16)
        info = GameInfo.from_json(info_of(record))
        table = RemoteTable(make_face(record.game.words, Looks(plain=True)), link, info, None)
        try:
            table.open()
            assert table.place.number == 0
            table.inbox.take()
            assert table.place.number == 1
        finally:
            table.stand_up()


@pytest.mark.proof
@pytest.mark.parametrize(
    ("frames", "text", "most"), [(3 * MOST_WAITING, "1", MOST_WAITING), (50, "x" * 400, 3)]
)
def test_frames_that_are_not_taken_do_not_pile_up(
    monkeypatch: pytest.MonkeyPatch, frames: int, text: str, most: int
) -> None:
    if most == 3:
        monkeypatch.setattr(connection_module, "MOST_TEXT", 1000)
    pong = {"type": "pong", "time": text}
    with connected((HEAR, *[pong] * frames)) as (connection, _):
        pieces: list[int] = []
        while sum(pieces) < frames:
            wanted = min(most, frames - sum(pieces))
            wait_until(lambda: len(connection._came) >= wanted)  # noqa: B023
            pieces.append(len(connection.take()))
    assert max(pieces) <= most + 1


def test_neither_a_hello_nor_a_token_follows_a_redirect() -> None:
    arrived = list[Request]()
    with acting(answer=lambda _, request: arrived.append(request)) as (there, _):

        def redirects(socket: ServerConnection, request: Request) -> Response:
            response = socket.respond(302, "")
            response.headers["Location"] = websocket(there) if request.path == "/ws" else there
            return response

        with (
            acting(answer=redirects) as (base, _),
            connecting(base, lambda: {"type": "hello", "token": TOKEN}) as connection,
        ):
            gone = comes(connection, GONE)
            connection._thread.join(PATIENCE)
            assert not connection._thread.is_alive()
            with pytest.raises(api.Unreachable, match="The server redirects to"):
                api.record(Link(base, LinkKind.PLAY, ID, TOKEN))
    assert gone["code"] is None
    assert gone["why"].startswith(f"The server redirects to '{websocket(there)}'.")
    assert arrived == []


@pytest.mark.parametrize("frames", [0, 3])
def test_a_connection_whose_hello_is_not_answered_is_given_up(
    frames: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(connection_module, "HELLO_TIMEOUT", 0.2)
    idles = (HEAR, *[{"type": "pong", "time": 1}] * frames)
    with connected(idles, idles) as (connection, _):
        assert comes(connection, LOST)["why"] == SILENT
    assert capfd.readouterr() == ("", "")


@pytest.mark.proof
@pytest.mark.parametrize(
    "send",
    [
        lambda socket: socket.send(""),
        lambda socket: socket.send(" " for _ in range(2 * MOST_FRAGMENTS)),
    ],
    ids=["texts", "parts"],
)
def test_a_flood_of_garbage_is_given_up(
    send: Callable[[ServerConnection], None], capfd: pytest.CaptureFixture[str]
) -> None:
    def floods(socket: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                send(socket)

    with connected((HEAR, floods), ()) as (connection, _):
        assert comes(connection, LOST)["why"]
    assert "Traceback" not in capfd.readouterr().err


def test_a_clock_or_id_that_cannot_be_shown_is_refused() -> None:
    for left in (float("inf"), float("nan"), -1.0, 1e300, 10**400, "5", True):
        with pytest.raises(Refusal):
            from_json(RemoteClock, {"left": [left, 5.0], "running": 1})
    assert GameInfo.from_json(TOLD).id == ID
    for part in ("id", "rematch"):
        for value in ("\x1b[31m", "../../elsewhere", "", 5, ["a"]):
            with pytest.raises(Refusal):
                GameInfo.from_json({**TOLD, part: value})


def test_an_impossible_host_name_is_unreachable() -> None:
    for host in ("a..b", f"{'a' * 70}.example"):
        with pytest.raises(api.Unreachable, match="No server answers"):
            api.info(Link(f"http://{host}", LinkKind.WATCH, ID))


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    """It comes byte by byte, each in time."""

    def drips(socket: ServerConnection, _: Request) -> None:
        socket.socket.sendall(b"HTTP/1.0 %d Told\r\n\r\n" % status)
        while not is_given_up.wait(0.02):
            socket.socket.sendall(b" ")

    is_given_up = threading.Event()
    monkeypatch.setattr(api, "ANSWER_TIMEOUT", 0.3)
    with acting(answer=drips) as (base, _):
        with pytest.raises(api.Unreachable, match="timed out"):
            api.info(Link(base, LinkKind.WATCH, ID))
        is_given_up.set()


@pytest.mark.proof
def test_joining_a_silent_server_says_what_it_waits_for_and_then_gives_up(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(printing, "SLOW_SERVER", 0.01)
    monkeypatch.setattr(remote, "WELCOME_TIMEOUT", 1.0)

    def describes(socket: ServerConnection, request: Request) -> Response | None:
        told = json.dumps({"game": TOLD})
        return None if request.path == "/ws" else socket.respond(200, told)

    with acting((), answer=describes) as (base, _):
        assert main(["join", str(Link(base, LinkKind.PLAY, ID, TOKEN)), "--plain"]) == USAGE
    told = capfd.readouterr().err
    assert f"Waiting for {base} to send the state of the game …" in told
    assert f"{base} did not send the state of the game" in told
    assert "Your seat is kept: strongroom join" in told
    assert "Traceback" not in told


@pytest.mark.proof
def test_leaving_a_server_that_never_reads_does_not_hang() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        connection = RemoteConnection(f"ws://127.0.0.1:{server.getsockname()[1]}/ws", dict)
        connection.open()
        with server.accept()[0] as line:
            (key,) = re.findall(r"Sec-WebSocket-Key: (\S+)", line.recv(2**16).decode())
            upgraded = "HTTP/1.1 101 Hello\r\nUpgrade: websocket\r\nConnection: Upgrade"
            accepted = f"{upgraded}\r\nSec-WebSocket-Accept: {accept_key(key)}\r\n\r\n"
            line.sendall(accepted.encode())
            line.settimeout(0.3)
            with contextlib.suppress(TimeoutError):  # once its buffers are full
                while True:
                    line.sendall((b"\x89\x7d" + b"p" * 125) * 1000)
            leaving = threading.Thread(target=connection.close, daemon=True)
            leaving.start()
            leaving.join(PATIENCE)
            assert not leaving.is_alive()


def test_a_link_is_written_as_it_was_read() -> None:
    for server, path, parts in (
        ("https://duels.example", f"join/{ID}/{TOKEN}", (LinkKind.JOIN, ID, TOKEN)),
        ("http://127.0.0.1:8000", f"play/{ID}/{TOKEN}", (LinkKind.PLAY, ID, TOKEN)),
        ("http://[::1]:8000/a/b", f"watch/{ID}", (LinkKind.WATCH, ID)),
    ):
        text, link = f"{server}/#{path}", Link(server, *parts)
        assert Link.parse(text) == Link.parse(f"  {text}/\n") == link
        assert str(link) == text
    assert websocket(address("http://127.0.0.1:8000/")) == "ws://127.0.0.1:8000/ws"
    assert websocket(address("https://duels.example/games")) == "wss://duels.example/games/ws"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not a link to a game. For example: 'https://duels.example/#join/"),
        ("ftp://duels.example/#watch/" + ID, "is not the address of a server"),
        ("https://duels.example/", "nothing follows a #"),
        (f"https://duels.example/#look/{ID}", "is not a kind of link"),
        (f"https://duels.example/#join/{ID}", "The link is"),
        (f"https://duels.example/#watch/{ID}/{TOKEN}", "The link is"),
        (f"https://duels.example/#join/{ID}/{TOKEN[:-1]}", "The link is"),
        (f"https://duels.example/#join/{ID}/{TOKEN.upper()}", "The link is"),
        (f"https://ada:secret@duels.example/#watch/{ID}", "no password"),
        (f"https://duels.example/?a=b#watch/{ID}", "no password"),
        (f"https://exa mple.org/#watch/{ID}", "no blanks"),
        (f"https://[::1/#watch/{ID}", "is not an address"),
        (f"https://duels.example:99999/#watch/{ID}", "is not an address"),
    ],
)
def test_an_invalid_link_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        Link.parse(text)


@given(st.text())
def test_any_text_is_a_link_or_is_refused(text: str) -> None:
    for candidate in (text, f"https://duels.example/#{text}", f"http://{text}/#watch/{ID}"):
        try:
            link = Link.parse(candidate)
        except Refusal:
            continue
        assert Link.parse(str(link)) == link
