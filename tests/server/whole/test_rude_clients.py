"""Malicious clients: what they cannot learn, spoil or use up."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from logging import WARNING
from random import Random

import httpx
import pytest
from playing import fresh
from serving import PATIENCE, Server
from talking import Duel, settle

from strongroom.contract import Json
from strongroom.listening import Counted
from strongroom.server.logs import LEAST
from strongroom.server.settings import Limits
from tests.server.conftest import Deals, Serve
from tests.server.local import Locals, LocalServer
from tests.server.waiting import wait_until
from tests.server.whole.forms import form, trouble

# --- names ---


def lobby_form(name: str) -> Json:
    """The form for a game in the lobby, by this name."""
    return form(name=name, opponent="lobby", invitation=None)


def test_copying_the_opponents_name_spoils_no_game(api: httpx.Client, shared: LocalServer) -> None:
    for name, other in (
        ("Ada", "Ada (2)"),
        ("Ada of the Long Na me xx", "Ada of the Long Na m (2)"),
        ("Ada of the Long Nam exxx", "Ada of the Long Nam (2)"),
        ("Ada of the Long Name (2)", "Ada of the Long Name (3)"),
    ):
        body, bob = lobby_form(name), fresh()
        id = api.post("/games", json=body).json()["game"]["id"]
        joined = api.post(f"/games/{id}/join", json={"name": name, "token": bob}).json()
        assert [seat["name"] for seat in joined["game"]["seats"]] == [name, other]
        one, two = Duel(shared.address, "quantum-duel", id, (body["token"], bob)).both()
        with one, two:
            one.say("resign", id=fresh())
            one.hear("entries")
        listed = api.get("/games", params={"show": "over"}).json()["games"]
        assert id in [game["id"] for game in listed]


def test_invisible_names_are_refused_and_names_in_any_script_accepted(api: httpx.Client) -> None:
    for name in (
        *("\u3164", "\u2800", "Ada\u3164", "\uffa0\u115f", "\u200b", "\u0301", "a \u0301"),
        "A\ufe0f",
    ):
        assert trouble(api.post("/games", json=lobby_form(name))) == (422, "refused"), ascii(name)
    for name in ("Zoë", "Zoe\u0308", "李雷", "\u2764\ufe0f", "नमस्ते", "Ada 2", "한글"):
        assert api.post("/games", json=lobby_form(name)).status_code == 201, name


# --- hints ---


def test_no_hint_is_given_that_is_not_in_the_journal(deal: Deals) -> None:
    one, two = deal("safe-code", aids=True).both()
    with one, two:
        chosen = one.ask()
        one.made(chosen.id)
        assert one.is_to_move
        one.say("hint", id=chosen.id, number=one.seen.number + 1)
        heard = one.hear_until_quiet()
        assert "hint" not in [frame["type"] for frame in heard]


# --- long games ---


def test_a_very_long_game_has_a_replay_but_no_analysis(deal: Deals, api: httpx.Client) -> None:
    game = deal("digit-deductions")
    one, two = game.both()
    with one, two:
        secret, guess = (str(one.view.moves[at]) for at in (0, -1))
        settle((one, two), Random(5), most=2, move=secret)
        settle((one, two), Random(5), most=210, move=guess)
        one.say("resign", id=fresh())
        one.hear("entries")
    replay = api.get(f"/games/{game.id}/replay").json()
    assert len(replay["frames"]) > 200
    answer = api.get(f"/games/{game.id}/analysis")
    assert (answer.status_code, answer.json()["error"]) == (404, "no-theory")
    assert "200 moves" in answer.json()["text"]


# --- bytes ---

UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
PING = b"\x89\xfd\0\0\0\0" + b"p" * 125
FIRST_PART, NEXT_PART = b"\x01\x81\0\0\0\0{", b"\x00\x80\0\0\0\0"


def plain(server: Server | LocalServer, *sent: bytes) -> socket.socket:
    """Open a plain TCP connection and send something over it."""
    line = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    for data in sent:
        line.sendall(data)
    return line


def is_cut_off(line: socket.socket, data: bytes = b"") -> bool:
    """Whether the server closes a connection while `data`, if any, is sent again and again."""
    with line:
        try:
            for _ in range(20_000 if data else 0):
                line.sendall(data)
            while line.recv(2**16):
                pass
        except TimeoutError:
            return False
        except OSError:
            return True
    return True


def test_an_incomplete_request_is_cut_off(local: Locals, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counted, "patience", 0.2)
    server = local()
    for begun in (
        b"",
        b"GET /api/catalog HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
    ):
        assert is_cut_off(plain(server, begun))


def test_garbage_requests_write_no_log(local: Locals, caplog: pytest.LogCaptureFixture) -> None:
    server = local(limits=Limits())
    for _ in range(50):
        assert is_cut_off(plain(server, b"no request at all\r\n\r\n"))
        assert is_cut_off(plain(server, b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n" * 40))
    assert not [line for line in caplog.records if line.levelno >= max(LEAST[line.name], WARNING)]


def test_endless_headers_are_cut_off(shared: LocalServer) -> None:
    line = plain(shared, b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: ")
    assert is_cut_off(line, b"a" * 4096)


def test_headers_sent_at_once_have_the_same_limit_as_headers_sent_in_parts(
    shared: LocalServer,
) -> None:
    begin, end = b"GET /healthz HTTP/1.1\r\nHost: x\r\n", b"\r\nConnection: close\r\n\r\n"
    for header, status in ((b"A: " + b"a" * 32_000, b"200"), (b"A: " + b"a" * 40_000, b"400")):
        with plain(shared, begin + header + end) as line:
            assert line.recv(4096).startswith(b"HTTP/1.1 " + status)
    many = b"".join(b"A%d: %b\r\n" % (at, b"a" * 90) for at in range(400))
    with plain(shared, begin + many + end) as line:
        assert line.recv(4096).startswith(b"HTTP/1.1 400")
    with plain(shared, b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: x" + end) as line:
        assert line.recv(4096).startswith(b"HTTP/1.1 400")


def test_a_body_that_is_too_large_is_refused_unread(shared: LocalServer) -> None:
    begin = b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000\r\n\r\n"
    line = plain(shared, begin)
    assert b" 413 " in line.recv(4096)
    assert is_cut_off(line, b"x" * 65_536)


def test_only_a_few_requests_may_be_pipelined(shared: LocalServer) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    with plain(shared, request * 10) as line:
        data = b""
        while data.count(b"alive") < 10:
            data += line.recv(2**16)
    assert is_cut_off(plain(shared, request * 100))


def test_pings_pongs_and_fragments_are_limited_too(local: Locals) -> None:
    server = local(limits=Limits())
    for first, then in ((b"", PING), (b"", b"\x8a\x80\0\0\0\0"), (FIRST_PART, NEXT_PART)):
        line = plain(server, UPGRADE)
        assert line.recv(4096).startswith(b"HTTP/1.1 101")
        line.sendall(first)
        assert is_cut_off(line, then * 10)


def ping(text: bytes = b'{"type":"ping"}') -> bytes:
    """A complete message frame from a client."""
    return bytes((0x81, 0x80 + len(text))) + b"\0\0\0\0" + text


def heard(line: socket.socket, many: int) -> bytes:
    """Read until `many` answers have come, or the connection ends."""
    data = b""
    while data.count(b'"pong"') < many and (more := line.recv(4096)):
        data += more
    return data


def test_messages_are_understood_however_their_bytes_arrive(shared: LocalServer) -> None:
    with plain(shared, UPGRADE) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.recv(4096)
        line.sendall(ping() * 3)
        assert heard(line, 3).count(b'"pong"') == 3
        for byte in ping() + ping():
            line.sendall(bytes((byte,)))
        assert heard(line, 2).count(b'"pong"') == 2
        line.sendall(ping(b'{"type":"ping","x":"' + b"x" * 100 + b'"}'))
        assert heard(line, 1).count(b'"pong"') == 1
        line.sendall(b'\x01\x87\0\0\0\0{"type"' + b'\x00\x84\0\0\0\0:"pi' + b'\x80\x84\0\0\0\0ng"}')
        assert heard(line, 1).count(b'"pong"') == 1


def test_no_part_of_a_message_is_taken_for_a_message(shared: LocalServer) -> None:
    with plain(shared, UPGRADE) as line:
        line.recv(4096)
        line.sendall(PING + b"\x81\x95\0\0\0\0")  # followed by the header of a 21-byte text frame
        assert line.recv(4096)[:1] == b"\x8a"  # the pong: everything so far has been read
        line.sendall(ping())
        assert line.recv(4096)[:1] == b"\x88"  # a frame header is not valid text


def test_an_invalid_frame_closes_the_connection_with_the_right_code(shared: LocalServer) -> None:
    for sent, code in (
        (ping(b'{"type":"\xff"}'), 1007),  # not UTF-8
        (FIRST_PART + ping(), 1002),  # a message within another
        (b"\x81\x0f" + b'{"type":"ping"}', 1002),  # clients must mask their frames
        (b"\xc1" + ping()[1:], 1002),  # compressed without negotiation
    ):
        with plain(shared, UPGRADE) as line:
            line.recv(4096)
            line.sendall(sent)
            data = line.recv(4096)
            assert (data[0], int.from_bytes(data[2:4], "big")) == (0x88, code)


def test_failed_handshakes_leave_no_garbage_behind(serve: Serve) -> None:
    constants = {"strongroom.server.garbage:MANY": 100, "strongroom.server.hub:SETTLED": 3600.0}
    server = serve(constants=constants)  # the vault, which takes memory, is not made meanwhile
    weighs = []
    for many in (300, 900):
        for _ in range(many):  # the key is missing
            assert is_cut_off(plain(server, UPGRADE.replace(b"Sec-WebSocket-Key", b"No-Key")))
        weighs.append(server.resident)
    assert weighs[1] - weighs[0] < 6_000_000


def test_sockets_of_one_address_are_limited(local: Locals) -> None:
    server = local(limits=Limits(sockets=20))
    with ExitStack() as lines:
        for _ in range(20):
            lines.enter_context(plain(server))
        assert is_cut_off(plain(server, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"))
    with httpx.Client(base_url=server.address) as again:
        wait_until(lambda: _answers(again))


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False
