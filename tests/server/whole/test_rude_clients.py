"""The guard, and rude clients: what they are told, and what they cannot learn, spoil or use up."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from logging import WARNING
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from playing import fresh, play_address
from serving import FIGURES, PATIENCE, Server
from talking import Talk, settle
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from strongroom.server.monitoring import LOWEST_LEVELS
from strongroom.server.settings import DAY, Limits
from tests.server.conftest import Deals, Serve
from tests.server.local import Locals, LocalServer
from tests.server.waiting import wait_until
from tests.server.whole.forms import bearer, form, trouble

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
POLICY = ("default-src 'none'", "script-src 'self';", "style-src 'self';")
"""A page loads scripts and styles from its own server only."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def test_every_answer_has_security_headers_and_head_those_of_get(shared: LocalServer) -> None:
    with httpx.Client(base_url=shared.address, timeout=PATIENCE) as client:
        answers = [
            client.post("/api/games", content="x" * 20_000),
            client.get("/nowhere", headers=BROWSER),
            client.get("/metrics", headers=FIGURES),
        ]
        for path in (
            *("/", "/healthz", "/readyz", "/page/style.css", "/page/nowhere.js", "/nowhere"),
            *("/metrics", "/api/catalog", "/api/games", "/api/openapi.json", "/api/docs"),
            f"/api/games/{fresh()}",
        ):
            head, whole = (client.request(each, path) for each in ("HEAD", "GET"))
            assert head.content == b""
            assert whole.content
            assert head.status_code == whole.status_code
            for answer in (head, whole):
                answer.headers.pop("date")
            assert head.headers == whole.headers, path
            answers.append(whole)
    for answer in answers:
        for name, value in HEADERS.items():
            assert value in answer.headers[name], (answer.url, name)
        policy = answer.headers["content-security-policy"]
        assert all(part in policy for part in POLICY), answer.url
        assert "unsafe" not in policy, answer.url
        assert "set-cookie" not in answer.headers
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers


def test_an_unknown_address_is_a_page_for_browsers_and_json_for_others(shared: LocalServer) -> None:
    def asked(path: str, headers: dict[str, str]) -> httpx.Response:
        return httpx.get(shared.address + path, headers=headers, timeout=PATIENCE)

    answer = asked("/nowhere", BROWSER)
    assert (answer.status_code, answer.headers["vary"]) == (404, "Accept")
    assert answer.headers["content-type"].startswith("text/html")
    assert "There is no such page" in answer.text
    assert 'href="/"' in answer.text
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", answer.text)
    assert asked("/favicon.ico", BROWSER).headers["content-type"] == "image/png"
    rules = asked("/rules/safe-code", BROWSER)  # for a browser without scripts
    assert "<h1>Rules of Safe Code</h1>" in rules.text
    assert asked("/rules/chess", BROWSER).status_code == 404
    for accepted in ("application/json", "*/*"):
        answer = asked("/nowhere", {"Accept": accepted})
        assert (trouble(answer), answer.headers["vary"]) == ((404, "http"), "Accept")
    for path in ("/api", "/api/nowhere", f"/api/games/{fresh()}"):
        assert asked(path, BROWSER).json()["error"] in ("http", "unknown-game")


def test_metrics_need_their_token_and_post_has_no_head(
    local: Locals, shared: LocalServer, api: httpx.Client
) -> None:
    hidden = httpx.get(f"{local(metrics_token=None).address}/metrics", timeout=PATIENCE)
    assert hidden.status_code == 404
    for given in ("", "Bearer other", "figures", "é"):
        headers = [(b"Authorization", given.encode())] if given else []
        answer, nowhere = (
            httpx.get(f"{shared.address}/{path}", headers=headers, timeout=PATIENCE)
            for path in ("metrics", "nowhere")
        )
        assert (answer.status_code, answer.content) == (404, nowhere.content)
    figures = httpx.head(f"{shared.address}/metrics", headers=FIGURES, timeout=PATIENCE)
    assert figures.status_code == 200
    assert api.head(f"/games/{fresh()}/join").status_code == 405


def test_only_our_own_page_and_allowed_origins_are_let_in(local: Locals) -> None:
    friend = "https://friend.example"
    server = local(origins=(friend,))
    own, address = server.address, play_address(server.address)
    elsewhere = ("https://elsewhere.example", f"{own}.elsewhere.example")
    for odd in (*elsewhere, "null", "http://127.0.0.1", "http://[x"):
        with pytest.raises(InvalidStatus) as refused, connect(address, origin=Origin(odd)):
            pass
        assert refused.value.response.status_code == 403, odd
    for origin in (Origin(own), Origin(friend), None):
        with connect(address, origin=origin) as socket:
            socket.send('{"type":"ping"}')
            assert '"pong"' in str(socket.recv(PATIENCE))


def test_who_asks_too_much_is_slowed_down(local: Locals, tmp_path: Path) -> None:
    server = local(limits=Limits(), burst=0.05)  # one at once
    with (
        httpx.Client(base_url=server.address, timeout=PATIENCE) as client,
        ThreadPoolExecutor(8) as side_by_side,
    ):
        answers = list(side_by_side.map(client.get, ["/api/games?show=over"] * 80))
        slowed = [answer for answer in answers if answer.status_code == 429]
        assert slowed
        assert trouble(slowed[0]) == (429, "slow-down")
        assert slowed[0].headers["retry-after"]
        assert {answer.status_code for answer in answers} == {200, 429}
        assert client.get("/healthz").status_code == 200
    other = str(tmp_path / "other.db")
    server = local(limits=Limits(), most_queued=0, database=other)  # too many wait already
    answer = httpx.get(f"{server.address}/", timeout=PATIENCE)
    assert trouble(answer) == (429, "slow-down")
    with pytest.raises(InvalidStatus, match="403"):
        connect(play_address(server.address), open_timeout=PATIENCE)


def test_games_and_connections_are_limited(local: Locals) -> None:
    server = local(limits=Limits(), burst=1e6)

    async def burst(bodies: list[dict[str, Any]]) -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=server.address, timeout=PATIENCE) as client:
            return await asyncio.gather(*(client.post("/api/games", json=body) for body in bodies))

    bodies = [form() for _ in range(60)]
    answers = asyncio.run(burst(bodies))
    assert {answer.status_code for answer in answers} == {201, 429}
    made = [at for at, answer in enumerate(answers) if answer.is_success]
    assert len(made) <= 40
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        rest = [client.post("/api/games", json=form()) for _ in range(len(made), 41)]
        assert [answer.status_code for answer in rest] == [201] * (40 - len(made)) + [429]
        assert trouble(rest[-1]) == (429, "too-many-games")
        token, id = bodies[made[0]]["token"], answers[made[0]].json()["game"]["id"]
        assert client.post(f"/api/games/{id}/withdraw", headers=bearer(token)).status_code == 200
        assert client.post("/api/games", json=form()).status_code == 201
    with ExitStack() as sockets:
        for _ in range(64):
            sockets.enter_context(connect(play_address(server.address)))
        with pytest.raises(InvalidStatus) as refused:
            sockets.enter_context(connect(play_address(server.address)))
        assert refused.value.response.status_code == 403


def test_games_against_bots_that_nobody_is_at_lock_nobody_out_and_are_bounded_and_end(
    local: Locals,
) -> None:
    server = local(limits=replace(Limits.none(), games=2), burst=1e6)
    with httpx.Client(base_url=f"{server.address}/api", timeout=PATIENCE) as client:

        def make(**more: Any) -> httpx.Response:
            return client.post("/games", json=form(opponent="random", invitation=None, **more))

        tokens = [fresh() for _ in range(20)]
        made = [make(token=token) for token in tokens]
        assert {answer.status_code for answer in made} == {201}, "nobody is at them"
        ids = [answer.json()["game"]["id"] for answer in made]
        assert trouble(make()) == (429, "too-many-games")
        for id, token in zip(ids[:2], tokens, strict=False):
            assert client.post(f"/games/{id}/resign").status_code == 401
            for _ in range(2):
                gone = client.post(f"/games/{id}/resign", headers=bearer(token))
                assert gone.json()["game"]["state"] == "withdrawn", "it has not begun"
        with (
            Talk(server.address, game=ids[2], token=tokens[2]) as one,
            Talk(server.address, game=ids[3], token=tokens[3]) as two,
        ):
            for talk in (one, two):
                talk.hear("welcome")
            assert trouble(make()) == (429, "too-many-games"), "somebody is at two"
            for _ in range(2):
                over = client.post(f"/games/{ids[2]}/resign", headers=bearer(tokens[2]))
                assert over.json()["game"]["winner"] == 2
            one.hear("entries")
            assert make().status_code == 201
        local.pass_time(3700)
        gone_now = server.do(server.hub.store.expire(7 * DAY, None))
        assert set(ids[3:]) <= set(gone_now)
        assert not server.hub.rooms.by_game


def test_a_copied_name_is_refused_and_none_is_invisible(api: httpx.Client) -> None:
    body = form(name="Ada", opponent="lobby", invitation=None)
    id = api.post("/games", json=body).json()["game"]["id"]
    for name in ("Ada", " ada "):
        refused = api.post(f"/games/{id}/join", json={"name": name, "token": fresh()})
        assert trouble(refused) == (422, "refused")
        told = "The other player is called 'Ada' too. Choose another name."
        assert refused.json()["text"] == told
    joined = api.post(f"/games/{id}/join", json={"name": "Ada 2", "token": fresh()})
    assert joined.status_code == 200
    blank = ("\u3164", "\u2800", "Ada\u3164", "\uffa0\u115f", "\u200b")
    for name in (*blank, "\u0301", "a \u0301", "A\ufe0f"):
        assert trouble(api.post("/games", json=form(name=name))) == (422, "refused"), ascii(name)
    for name in ("Zoë", "Zoe\u0308", "李雷", "\u2764\ufe0f", "नमस्ते", "Ada 2", "한글"):
        assert api.post("/games", json=form(name=name)).status_code == 201, name


def test_a_very_long_game_has_a_replay_but_no_analysis(deal: Deals, api: httpx.Client) -> None:
    game = deal("digit-deductions")
    with game.seated() as (one, two):
        secret, guess = (str(one.view.moves[at]) for at in (0, -1))
        settle((one, two), Random(5), most=2, move=secret)
        settle((one, two), Random(5), most=210, move=guess)
        one.say("resign", id=fresh())
        one.hear("entries")
    assert len(api.get(f"/games/{game.id}/replay").json()["frames"]) > 200
    answer = api.get(f"/games/{game.id}/analysis")
    assert (answer.status_code, answer.json()["error"]) == (404, "no-theory")
    assert "200 moves" in answer.json()["text"]


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


MOST_DRIPS = 500


def drips(line: socket.socket) -> int:
    """How many bytes a server takes that come one by one."""
    with line:
        for number in range(MOST_DRIPS):
            try:
                line.sendall(b"a")
            except OSError:
                return number
            time.sleep(0.02)
    return MOST_DRIPS


def test_an_incomplete_request_is_cut_off_also_if_it_comes_byte_by_byte(local: Locals) -> None:
    server = local(request_timeout=0.2)
    for begun in (
        b"",
        b"GET /api/catalog HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
    ):
        assert is_cut_off(plain(server, begun))
    assert drips(plain(server, b"GET /api/catalog HTTP/1.1\r\nA: ")) < MOST_DRIPS


def test_garbage_requests_write_no_log(local: Locals, caplog: pytest.LogCaptureFixture) -> None:
    server = local(limits=Limits())
    for _ in range(50):
        assert is_cut_off(plain(server, b"no request at all\r\n\r\n"))
        assert is_cut_off(plain(server, b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n" * 40))
    assert not [
        line for line in caplog.records if line.levelno >= max(LOWEST_LEVELS[line.name], WARNING)
    ]


def test_headers_bodies_and_pipelined_requests_have_limits(
    api: httpx.Client, shared: LocalServer
) -> None:
    begin, end = b"GET /healthz HTTP/1.1\r\nHost: x\r\n", b"\r\nConnection: close\r\n\r\n"
    assert is_cut_off(plain(shared, begin + b"A: "), b"a" * 4096)
    many = b"".join(b"A%d: %b\r\n" % (at, b"a" * 90) for at in range(400))
    for request, status in (
        (begin + b"A: " + b"a" * 32_000, b"200"),
        (begin + b"A: " + b"a" * 40_000, b"400"),
        (begin + many, b"400"),
        (b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: x", b"400"),
    ):
        with plain(shared, request + end) as line:
            assert line.recv(4096).startswith(b"HTTP/1.1 " + status)
    # A body that is too large is refused unread.
    assert trouble(api.post("/games", content=b"x" * 16_385)) == (413, "too-large")
    assert trouble(api.post("/games", content=iter([b"{", b"}"]))) == (413, "too-large")
    begin = b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000\r\n\r\n"
    line = plain(shared, begin)
    assert b" 413 " in line.recv(4096)
    assert is_cut_off(line, b"x" * 65_536)
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
    with plain(shared, UPGRADE) as line:  # no part of a message is taken for a message
        line.recv(4096)
        line.sendall(PING + b"\x81\x95\0\0\0\0")  # followed by the header of a 21-byte text frame
        assert line.recv(4096)[:1] == b"\x8a"  # the pong: everything so far has been read
        line.sendall(ping())
        assert line.recv(4096)[:1] == b"\x88"  # a frame header is not valid text


def test_failed_handshakes_leave_no_garbage_behind(serve: Serve) -> None:
    settings = {"garbage_sources": 100, "first_vaults": 3600.0}
    server = serve(settings=settings)  # the vault, which takes memory, is not made meanwhile
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

    def answers() -> bool:
        with suppress(httpx.TransportError):
            return httpx.get(f"{server.address}/healthz").status_code == 200
        return False

    wait_until(answers)
