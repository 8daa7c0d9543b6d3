"""Several processes on one PostgreSQL, and requests that are repeated or race each other."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from random import Random
from threading import Barrier

import httpx
import psycopg
import pytest
from playing import fresh
from serving import PATIENCE
from talking import Duel, duel, settle

from strongroom.contract import Json
from strongroom.server.settings import Limits
from tests.server.conftest import Serve
from tests.server.local import Locals, LocalServer
from tests.server.whole.forms import bearer, claimed, form, seated, see

SOON = {"strongroom.server.hub:BEAT": 0.2, "strongroom.server.presence:ALIVE": 1.5}
TIMES = 6
"""How many rounds of duplicate requests are made."""


def at(address: str, game: Duel) -> Duel:
    """The same game, at another process."""
    return Duel(address, game.name, game.id, game.tokens)


def test_two_players_at_different_processes_play_a_game(local: Locals, postgres: str) -> None:
    here, there = local.pair(database=postgres)
    body, token = form(game="safe-cracker"), fresh()
    made = httpx.post(f"{here.address}/api/games", json=body, timeout=PATIENCE).json()["game"]
    game = Duel(here.address, "safe-cracker", made["id"], (body["token"], token))
    with game.sit(1) as one:
        assert one.hear("welcome")["view"] is None
        join = {"name": "Bob", "token": token, "invitation": body["invitation"]}
        httpx.post(f"{there.address}/api/games/{game.id}/join", json=join, timeout=PATIENCE)
        while one.hear("game")["game"]["seats"][1] is None:
            pass
        with at(there.address, game).sit(2) as two, at(there.address, game).watch() as watcher:
            for talk in (one, two):
                assert talk.hear("welcome")["view"] is not None
            while watcher.seen.view is None:
                watcher.hear("welcome")
            settle((one, two), Random(1))
            watcher.hear_up_to(one.seen.number)
            assert one.view.outcome is not None
            assert one.view.outcome == two.view.outcome == watcher.view.outcome


def test_a_tab_at_another_process_takes_over_and_repeats_a_request(
    local: Locals, postgres: str
) -> None:
    here, there = local.pair(database=postgres)
    game = here.deal()
    one, two = game.both()
    with one, two:
        asked = one.ask()
        first = one.made(asked.id)
        with at(there.address, game).sit(1) as second:
            assert second.hear("welcome")["number"] == 1
            assert one.hear_close() == 4001
            second.repeat(asked)
            assert second.made(asked.id)["entries"] == first["entries"]
            two.hear_up_to(1)
            made = two.move()["number"]
            second.hear_up_to(made)


def last_beat(database: str) -> float:
    """The latest heartbeat of any process."""
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT max(beat) FROM processes").fetchone()
    assert row is not None
    return float(row[0])


def test_a_player_at_a_killed_process_is_away_and_loses_to_a_claim(
    serve: Serve, postgres: str
) -> None:
    options = ("--fast", "--claim-after", "1")
    here, there = (serve(*options, database=postgres, constants=SOON) for _ in range(2))
    game = duel(here.address, "quantum-duel")
    with game.sit(1) as one:
        one.hear("welcome")
        with at(there.address, game).sit(2) as two:
            two.hear("welcome")
            see(one, 2, here=True)
            there.kill()
            see(one, 2, here=False)
            assert two.hear_close() == 1006
        with game.sit(2) as two:
            two.hear("welcome")
            see(one, 2, here=True)
            heard, since = len(one.seen.frames), last_beat(postgres)
            while last_beat(postgres) < since + 1:  # several heartbeats announce the loss once
                told = one.hear_until_quiet()
                assert {frame["type"] for frame in told} <= {"welcome", "game"}
            frames = [frame for frame in one.seen.frames[heard:] if frame["type"] != "pong"]
            assert len(frames) <= 4
            there.start()
        with at(there.address, game).sit(2) as two:
            two.hear("welcome")
            see(one, 2, here=True)
            there.kill()
            see(one, 2, here=False)
            since = seated(one, 2)["away_since"]
            while (answer := claimed(one))["type"] == "error":
                assert answer["code"] == "not-yet"
            end = answer["entries"][-1]["end"]
            assert (end["winner"], end["reason"]) == (1, "forfeited")
            assert last_beat(postgres) + 0.5 >= since + 1


# --- duplicate requests at the same moment ---


class Crowd:
    """Clients that send the same request at the same moment, to one process or several."""

    def __init__(self, servers: list[LocalServer], stack: ExitStack) -> None:
        self.server = servers[0]
        self.clients = [
            stack.enter_context(httpx.Client(base_url=f"{each.address}/api", timeout=PATIENCE))
            for each in servers * (4 // len(servers))
        ]
        self._threads = stack.enter_context(ThreadPoolExecutor(len(self.clients)))

    def post(self, path: str, body: Json | None, token: str = "") -> list[httpx.Response]:
        """Send a request from every client at once, and return the answers."""
        start = Barrier(len(self.clients))

        def ask(client: httpx.Client) -> httpx.Response:
            start.wait(PATIENCE)
            return client.post(path, json=body, headers=bearer(token))

        return list(self._threads.map(ask, self.clients))

    def agree(
        self, path: str, body: Json | None, token: str = "", status: int = 200
    ) -> tuple[str, int | None]:
        """The game and the seat that all answers agree on."""
        answers = self.post(path, body, token)
        assert {answer.status_code for answer in answers} == {status}, [
            answer.text for answer in answers
        ]
        (agreed,) = {(each.json()["game"]["id"], each.json().get("seat")) for each in answers}
        return agreed


@pytest.fixture(params=["sqlite", "postgres"])
def crowd(request: pytest.FixtureRequest, local: Locals) -> Iterator[Crowd]:
    """A crowd at one process with SQLite, or at two with PostgreSQL."""
    database = request.getfixturevalue(request.param)
    many = 1 if request.param == "sqlite" else 2
    with ExitStack() as stack:
        yield Crowd([local(database=database) for _ in range(many)], stack)


def test_simultaneous_requests_agree(crowd: Crowd) -> None:
    for _ in range(TIMES):
        body, bob = form(), fresh()
        id, seat = crowd.agree("/games", body, status=201)
        joining = {"name": "Bob", "token": bob, "invitation": body["invitation"]}
        assert (seat, crowd.agree(f"/games/{id}/join", joining)) == (1, (id, 2))
        taken_back = form()
        other, _ = crowd.agree("/games", taken_back, status=201)
        withdrawn = crowd.agree(f"/games/{other}/withdraw", None, taken_back["token"])
        assert withdrawn == (other, None)
        one, two = Duel(crowd.server.address, "quantum-duel", id, (body["token"], bob)).both()
        with one, two:
            one.say("resign", id=fresh())
            one.hear("entries")
        again, seat = crowd.agree(f"/games/{id}/rematch", {"token": fresh()}, body["token"])
        assert seat == 2
        assert crowd.agree(f"/games/{id}/rematch", {"token": fresh()}, bob) == (again, 1)


def test_simultaneous_requests_for_the_last_allowed_game_agree(
    local: Locals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strongroom.server.limits.AT_ONCE", 1e6)
    with ExitStack() as stack:
        crowd = Crowd([local(limits=Limits())], stack)
        api = crowd.clients[0]
        for _ in range(Limits().games - 1):
            assert api.post("/games", json=form()).status_code == 201
        for _ in range(TIMES):
            last = form()
            id, _ = crowd.agree("/games", last, status=201)
            more = api.post("/games", json=last | {"token": fresh()})
            assert more.json()["error"] == "too-many-games"
            assert api.post(f"/games/{id}/withdraw", headers=bearer(last["token"])).is_success
