"""Simultaneous duplicate requests all get the answer that one would get."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier

import httpx
import pytest
from playing import fresh
from serving import PATIENCE, Server
from talking import Duel, duel

from strongroom.contract import Json
from strongroom.server.settings import Limits
from tests.server.whole.conftest import Serve

TIMES = 12
"""How many rounds of duplicate requests are made."""


class Crowd:
    """Clients that send the same request at the same moment, to one process or several."""

    def __init__(self, servers: list[Server], stack: ExitStack) -> None:
        addresses = [f"{server.address}/api" for server in servers] * (4 // len(servers))
        self.address = servers[0].address
        self.clients = [
            stack.enter_context(httpx.Client(base_url=address, timeout=PATIENCE))
            for address in addresses
        ]
        self._threads = stack.enter_context(ThreadPoolExecutor(len(self.clients)))

    def post(self, path: str, body: Json | None, token: str = "") -> list[httpx.Response]:
        """Send a request from every client at once, and return the answers."""
        start = Barrier(len(self.clients))
        headers = {"Authorization": f"Bearer {token}"} if token else {}

        def ask(client: httpx.Client) -> httpx.Response:
            start.wait(PATIENCE)
            return client.post(path, json=body, headers=headers)

        return list(self._threads.map(ask, self.clients))


@pytest.fixture(params=["sqlite", "postgres"])
def crowd(request: pytest.FixtureRequest, serve: Serve) -> Iterator[Crowd]:
    """A crowd at one process with SQLite, or at two with PostgreSQL."""
    if request.param == "sqlite":
        servers = [serve("--fast")]
    else:
        database = request.getfixturevalue("postgres")
        servers = [serve("--fast", database=database) for _ in range(2)]
    with ExitStack() as stack:
        yield Crowd(servers, stack)


def agree(answers: list[httpx.Response], status: int) -> tuple[str, int | None]:
    """The game and the seat that all answers agree on."""
    assert [answer.status_code for answer in answers] == [status] * len(answers), [
        answer.text for answer in answers
    ]
    given = {(answer.json()["game"]["id"], answer.json().get("seat")) for answer in answers}
    assert len(given) == 1
    return given.pop()


def resigned(game: Duel) -> None:
    """End a game by resignation."""
    one, two = game.both()
    with one, two:
        one.say("resign", id=fresh())
        one.hear("entries")


def test_simultaneous_requests_for_a_rematch_agree(crowd: Crowd) -> None:
    game = duel(crowd.address, "quantum-duel")
    resigned(game)
    for _ in range(TIMES):
        tokens = (fresh(), fresh())
        path = f"/games/{game.id}/rematch"
        id, seat = agree(crowd.post(path, {"token": tokens[0]}, game.tokens[0]), 200)
        assert seat is not None
        other = agree(crowd.post(path, {"token": tokens[1]}, game.tokens[1]), 200)
        assert other == (id, 3 - seat)
        game = Duel(crowd.address, game.name, id, tokens if seat == 1 else (tokens[1], tokens[0]))
        resigned(game)


def test_simultaneous_requests_to_create_join_and_withdraw_a_game_agree(crowd: Crowd) -> None:
    for _ in range(TIMES):
        ada, bob, invitation = fresh(), fresh(), fresh()
        form = {"game": "quantum-duel", "name": "Ada", "token": ada, "invitation": invitation}
        id, seat = agree(crowd.post("/games", form), 201)
        joining = {"name": "Bob", "token": bob, "invitation": invitation}
        assert seat is not None
        assert agree(crowd.post(f"/games/{id}/join", joining), 200) == (id, 3 - seat)
        form |= {"token": fresh(), "invitation": fresh()}
        id, _ = agree(crowd.post("/games", form), 201)
        assert agree(crowd.post(f"/games/{id}/withdraw", None, form["token"]), 200) == (id, None)


def test_simultaneous_requests_for_the_last_allowed_game_agree(serve: Serve) -> None:
    server = serve(limits=True, constants={"strongroom.server.limits:AT_ONCE": 1e6})
    with ExitStack() as stack:
        crowd = Crowd([server], stack)
        api, form = crowd.clients[0], {"game": "quantum-duel", "name": "Ada"}
        for _ in range(Limits().games - 1):
            secrets = {"token": fresh(), "invitation": fresh()}
            assert api.post("/games", json=form | secrets).status_code == 201
        for _ in range(TIMES):
            token, invitation = fresh(), fresh()
            last = form | {"token": token, "invitation": invitation}
            id, _ = agree(crowd.post("/games", last), 201)
            more = api.post("/games", json=last | {"token": fresh()})
            assert more.json()["error"] == "too-many-games"
            bearer = {"Authorization": f"Bearer {token}"}
            assert api.post(f"/games/{id}/withdraw", headers=bearer).is_success
