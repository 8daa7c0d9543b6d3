"""The guard of the HTTP API: security headers, origins, and limits."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from playing import fresh, play_address
from serving import FIGURES, PATIENCE
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from strongroom.server.settings import Limits
from tests.server.local import Locals, LocalServer
from tests.server.whole.forms import bearer, form, trouble

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


def test_an_unknown_address_is_a_page_for_browsers_and_json_for_programs(
    shared: LocalServer,
) -> None:
    def asked(path: str, headers: dict[str, str]) -> httpx.Response:
        return httpx.get(shared.address + path, headers=headers, timeout=PATIENCE)

    answer = asked("/nowhere", BROWSER)
    assert (answer.status_code, answer.headers["vary"]) == (404, "Accept")
    assert answer.headers["content-type"].startswith("text/html")
    assert "There is no such page" in answer.text
    assert 'href="/"' in answer.text
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", answer.text)
    for accepted in ("application/json", "*/*"):
        answer = asked("/nowhere", {"Accept": accepted})
        assert (trouble(answer), answer.headers["vary"]) == ((404, "http"), "Accept")
    for path in ("/api", "/api/nowhere", f"/api/games/{fresh()}"):
        assert asked(path, BROWSER).json()["error"] in ("http", "unknown-game")


def test_head_answers_have_the_headers_of_get(shared: LocalServer) -> None:
    paths = (
        *("/", "/healthz", "/readyz", "/page/style.css", "/page/nowhere.js", "/nowhere"),
        *("/api/catalog", "/api/games", "/api/openapi.json", "/api/docs", "/api/games/" + "0" * 32),
    )
    with httpx.Client(base_url=shared.address, timeout=PATIENCE) as client:
        for path in paths:
            head, whole = (client.request(each, path) for each in ("HEAD", "GET"))
            assert head.content == b""
            assert whole.content
            assert head.status_code == whole.status_code
            for answer in (head, whole):
                answer.headers.pop("date")
            assert head.headers == whole.headers, path


def test_routes_that_only_take_post_have_no_head(shared: LocalServer, api: httpx.Client) -> None:
    assert api.head(f"/games/{fresh()}/join").status_code == 405
    figures = httpx.head(f"{shared.address}/metrics", headers=FIGURES, timeout=PATIENCE)
    assert figures.status_code == 200


def test_metrics_need_their_token(shared: LocalServer) -> None:
    for given in ("", "Bearer other", "figures", "é"):
        headers = [(b"Authorization", given.encode())] if given else []
        answer, nowhere = (
            httpx.get(f"{shared.address}/{path}", headers=headers, timeout=PATIENCE)
            for path in ("metrics", "nowhere")
        )
        assert (answer.status_code, answer.content) == (404, nowhere.content)


def test_only_our_own_page_and_allowed_origins_are_let_in(local: Locals) -> None:
    friend = "https://friend.example"
    server = local(origins=(friend,))
    own, address = server.address, play_address(server.address)
    for odd in (
        *("https://elsewhere.example", "null", f"{own}.elsewhere.example"),
        *("http://127.0.0.1", "http://[x"),
    ):
        with pytest.raises(InvalidStatus) as refused, connect(address, origin=Origin(odd)):
            pass
        assert refused.value.response.status_code == 403, odd
    for origin in (Origin(own), Origin(friend), None):
        with connect(address, origin=origin) as socket:
            socket.send('{"type":"ping"}')
            assert '"pong"' in str(socket.recv(PATIENCE))


def test_a_body_that_is_too_large_or_of_unknown_length_is_refused(api: httpx.Client) -> None:
    assert trouble(api.post("/games", content=b"x" * 16_385)) == (413, "too-large")
    assert trouble(api.post("/games", content=iter([b"{", b"}"]))) == (413, "too-large")


def test_a_client_that_asks_too_much_is_slowed_down(
    local: Locals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strongroom.server.limits.AT_ONCE", 0.05)  # one at once
    server = local(limits=Limits())
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


def test_games_and_connections_of_one_address_are_limited_even_in_a_burst(
    local: Locals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strongroom.server.limits.AT_ONCE", 1e6)
    server = local(limits=Limits())

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


def test_when_too_many_requests_wait_the_next_is_refused_over_http_and_websocket(
    local: Locals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strongroom.server.budget.MOST_WAITING", 0)
    server = local(limits=Limits())
    answer = httpx.get(f"{server.address}/", timeout=PATIENCE)
    assert trouble(answer) == (429, "slow-down")
    with pytest.raises(InvalidStatus, match="403"):
        connect(play_address(server.address), open_timeout=PATIENCE)
