"""The guard of the HTTP API: security headers, origins, and limits."""

from __future__ import annotations

import asyncio
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest
from playing import fresh
from serving import FIGURES, PATIENCE, Server
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.server.conftest import Serve
from tests.server.whole.forms import form, trouble

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
HEADERS = {
    "content-security-policy": "default-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def test_every_answer_has_the_security_headers_and_no_cookie(
    shared: LocalServer, api: httpx.Client
) -> None:
    answers = [
        api.get("/catalog"),
        api.get(f"/games/{fresh()}"),
        api.post("/games", content="x" * 20_000),
        httpx.get(f"{shared.address}/", timeout=PATIENCE),
        httpx.get(f"{shared.address}/nowhere", timeout=PATIENCE),
        httpx.get(f"{shared.address}/nowhere", headers=BROWSER, timeout=PATIENCE),
        httpx.get(f"{shared.address}/page/nowhere.js", timeout=PATIENCE),
        httpx.get(f"{shared.address}/metrics", timeout=PATIENCE),
        httpx.get(f"{shared.address}/metrics", headers=FIGURES, timeout=PATIENCE),
    ]
    for answer in answers:
        for name, value in HEADERS.items():
            assert value in answer.headers[name], (answer.url, name)
        assert "set-cookie" not in answer.headers
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers


def test_an_unknown_address_is_a_page_for_browsers_and_json_for_programs(shared: LocalServer) -> None:
    def asked(path: str, headers: dict[str, str]) -> httpx.Response:
        return httpx.get(shared.address + path, headers=headers, timeout=PATIENCE)

    answer = asked("/nowhere", BROWSER)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["vary"] == "Accept"
    assert "There is no such page" in answer.text
    assert 'href="/"' in answer.text
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", answer.text)
    programs: list[dict[str, str]] = [{}, {"Accept": "application/json"}, {"Accept": "*/*"}]
    for headers in programs:
        answer = asked("/nowhere", headers)
        assert trouble(answer) == (404, "http")
        assert answer.headers["vary"] == "Accept"
    for path in ("/api", "/api/nowhere", f"/api/games/{fresh()}"):
        assert asked(path, BROWSER).json()["error"] in ("http", "unknown-game")


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/healthz", "/readyz", "/page/style.css", "/page/nowhere.js", "/nowhere"),
        *("/api/catalog", "/api/games", "/api/openapi.json", "/api/docs", "/api/games/" + "0" * 32),
    ],
)
def test_head_answers_have_the_headers_of_get(shared: LocalServer, path: str) -> None:
    head, whole = (
        httpx.request(method, shared.address + path, timeout=PATIENCE) for method in ("HEAD", "GET")
    )
    assert head.content == b""
    assert whole.content
    assert head.status_code == whole.status_code
    for answer in (head, whole):
        answer.headers.pop("date")
    assert head.headers == whole.headers


def test_routes_that_only_take_post_have_no_head(shared: LocalServer, api: httpx.Client) -> None:
    assert api.head(f"/games/{fresh()}/join").status_code == 405
    figures = httpx.head(f"{shared.address}/metrics", headers=FIGURES, timeout=PATIENCE)
    assert figures.status_code == 200


@pytest.mark.parametrize("given", ["", "Bearer other", "figures", "é"])
def test_metrics_need_their_token(shared: LocalServer, given: str) -> None:
    headers = [(b"Authorization", given.encode())] if given else []
    answer = httpx.get(f"{shared.address}/metrics", headers=headers, timeout=PATIENCE)
    nowhere = httpx.get(f"{shared.address}/nowhere", headers=headers, timeout=PATIENCE)
    assert (answer.status_code, answer.content) == (404, nowhere.content)


def test_a_foreign_origin_is_not_let_in(shared: LocalServer) -> None:
    address = shared.address.replace("http", "ws") + "/ws"
    own, other = shared.address, "https://elsewhere.example"
    with pytest.raises(InvalidStatus) as refused, connect(address, origin=Origin(other)):
        pass
    assert refused.value.response.status_code == 403
    for odd in ("null", f"{own}.elsewhere.example", "http://127.0.0.1", "http://[x"):
        with pytest.raises(InvalidStatus) as refused, connect(address, origin=Origin(odd)):
            pass
        assert refused.value.response.status_code == 403, odd
    with connect(address, origin=Origin(own)) as socket:
        socket.send('{"type":"ping"}')
        assert '"pong"' in str(socket.recv(PATIENCE))


def test_an_allowed_origin_is_let_in(serve: Serve) -> None:
    friend = "https://friend.example"
    server = serve("--origin", friend)
    address = shared.address.replace("http", "ws") + "/ws"
    with connect(address, origin=Origin(friend)) as socket:
        socket.send('{"type":"ping"}')
        assert '"pong"' in str(socket.recv(PATIENCE))


def test_a_body_that_is_too_large_or_of_unknown_length_is_refused(
    shared: LocalServer, api: httpx.Client
) -> None:
    assert trouble(api.post("/games", content=b"x" * 16_385)) == (413, "too-large")
    chunks = api.post("/games", content=iter([b"{", b"}"]))
    assert trouble(chunks) == (413, "too-large")
    with socket.create_connection(("127.0.0.1", shared.port), PATIENCE) as raw:
        raw.sendall(b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
        assert b" 413 " in raw.recv(100)


def test_a_client_that_asks_too_much_is_slowed_down(serve: Serve) -> None:
    one_at_once = {"strongroom.server.limits:AT_ONCE": 0.05}
    server = serve(limits=True, constants=one_at_once)
    with (
        httpx.Client(base_url=shared.address, timeout=PATIENCE) as client,
        ThreadPoolExecutor(8) as side_by_side,
    ):
        answers = list(side_by_side.map(client.get, ["/api/games?show=over"] * 80))
        slowed = [answer for answer in answers if answer.status_code == 429]
        assert slowed
        assert trouble(slowed[0]) == (429, "slow-down")
        assert slowed[0].headers["retry-after"]
        assert {answer.status_code for answer in answers} == {200, 429}
        assert client.get("/healthz").status_code == 200


def test_games_and_connections_of_one_address_are_limited(serve: Serve) -> None:
    constants = {"strongroom.server.limits:AT_ONCE": 1e6}
    server = serve(limits=True, constants=constants)
    with httpx.Client(base_url=shared.address, timeout=PATIENCE) as client:
        bodies = [form() for _ in range(41)]
        answers = [client.post("/api/games", json=body) for body in bodies]
        assert [answer.status_code for answer in answers] == [201] * 40 + [429]
        assert trouble(answers[-1]) == (429, "too-many-games")
        token, id = bodies[0]["token"], answers[0].json()["game"]["id"]
        headers = {"Authorization": f"Bearer {token}"}
        assert client.post(f"/api/games/{id}/withdraw", headers=headers).status_code == 200
        assert client.post("/api/games", json=form()).status_code == 201
    address = shared.address.replace("http", "ws") + "/ws"
    with ExitStack() as sockets:
        for _ in range(64):
            sockets.enter_context(connect(address))
        with pytest.raises(InvalidStatus) as refused:
            sockets.enter_context(connect(address))
        assert refused.value.response.status_code == 403


def test_a_burst_of_requests_cannot_exceed_the_limit_on_games(serve: Serve) -> None:
    server = serve(limits=True, constants={"strongroom.server.limits:AT_ONCE": 1e6})

    async def burst() -> list[int]:
        async with httpx.AsyncClient(base_url=shared.address, timeout=PATIENCE) as client:
            asked = (client.post("/api/games", json=form()) for _ in range(60))
            return [answer.status_code for answer in await asyncio.gather(*asked)]

    codes = asyncio.run(burst())
    assert set(codes) == {201, 429}
    assert codes.count(201) <= 40


def test_when_too_many_requests_wait_the_next_is_refused_over_http_and_websocket(
    serve: Serve,
) -> None:
    server = serve(limits=True, constants={"strongroom.server.budget:MOST_WAITING": 0})
    answer = httpx.get(f"{shared.address}/", timeout=PATIENCE)
    assert trouble(answer) == (429, "slow-down")
    with pytest.raises(InvalidStatus, match="403"):
        connect(shared.address.replace("http", "ws") + "/ws", open_timeout=PATIENCE)
