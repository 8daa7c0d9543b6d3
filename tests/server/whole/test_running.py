"""Running, in one process or several: signals, slow and silent clients, requests that race."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Barrier

import httpx
import psycopg
import pytest
from playing import fresh, play_address
from serving import PATIENCE
from talking import Duel, Talk, duel, settle
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from strongroom.contract import Json
from strongroom.server.settings import Limits
from tests.server.conftest import Serve
from tests.server.local import Locals, LocalServer
from tests.server.waiting import wait_until
from tests.server.whole.forms import bearer, claimed, figure, form, seated, see

SOON = {"heartbeat": 0.2, "process_timeout": 1.5}
TIMES = 6
"""How many rounds of duplicate requests are made."""


def test_on_sigterm_all_are_told_and_nothing_is_lost_as_by_a_kill(serve: Serve) -> None:
    server = serve("--fast")
    game = duel(server.address, "quantum-duel")
    with game.seated() as (one, two), game.watch() as watcher, Talk(server.address) as silent:
        asked = one.ask()
        first = one.made(asked.id)
        server.terminate()
        for talk in (one, two, watcher):
            assert talk.hear("closing")["why"] == "restart"
            assert talk.hear_close() == 1012
        assert silent.hear_close() == 1012
        assert server.wait() == 0
    for _ in range(2):
        server.start()
        with game.sit(1) as back:
            assert back.hear("welcome")["number"] == 1
            back.repeat(asked)
            assert back.made(asked.id)["entries"] == first["entries"]
            assert back.seen.number == 1
        server.kill()


def test_a_server_is_ready_while_it_can_store_and_alive_anyway(
    local: Locals, tmp_path: Path
) -> None:
    server, file = local(heartbeat=3600.0), tmp_path / "games.db"  # only the test's time passes

    def says(path: str = "/readyz") -> tuple[int, str]:
        answer = httpx.get(server.address + path, timeout=PATIENCE)
        return answer.status_code, answer.text

    assert says() == (200, "ready\n")
    file.rename(tmp_path / "elsewhere.db")
    assert says() == (503, "no database\n")
    local.pass_time(1)
    assert says() == (503, "cannot store\n")
    assert says("/healthz") == (200, "alive\n")
    (tmp_path / "elsewhere.db").rename(file)
    local.pass_time(1)
    assert says() == (200, "ready\n")


def test_a_slow_reader_is_disconnected(local: Locals) -> None:
    server = local(limits=Limits(), burst=1e6, unread_timeout=1.0)
    game = server.deal("digit-deductions")
    with game.seated() as (one, two), socket.socket() as slow:
        first = one.ask("4-7")
        one.made(first.id)
        two.hear("entries")
        two.move("6-5")
        one.hear("entries")
        settle((one, two), Random(1), 60, "1-2")
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        slow.connect(("127.0.0.1", server.port))
        address = play_address(server.address)
        with connect(address, sock=slow, max_queue=1, compression=None) as never_read:
            hello = {"type": "hello", "game": game.id, "token": game.tokens[0]}
            never_read.send(json.dumps(hello))
            assert one.hear_close() == 4001
            wait_until(lambda: figure(server.address, "strongroom_connections") == 2)
            repeated = {"type": "move", "id": first.id, "number": 1, "move": "4-7"}
            for _ in range(100):
                if figure(server.address, "strongroom_connections") < 2:
                    break
                for _ in range(50):  # each is answered with the whole journal
                    with contextlib.suppress(ConnectionClosed):
                        never_read.send(json.dumps(repeated))
                two.hear_until_quiet()
            wait_until(lambda: figure(server.address, "strongroom_connections") == 1)
        with game.sit(1) as back:
            back.hear("welcome")
            settle((back, two), Random(1), 2, "1-2")
            assert two.seen.number == 64


def test_who_says_no_hello_is_sent_away(local: Locals) -> None:
    server = local(hello_timeout=1.0)
    with Talk(server.address) as silent:
        assert silent.hear()["code"] == "hello-first"
        assert silent.hear_close() == 4000
    with Talk(server.address) as chatty:
        end = time.monotonic() + 60
        with contextlib.suppress(ConnectionClosed):
            while time.monotonic() < end:
                chatty.say("ping")
                chatty.hear()
        assert time.monotonic() < end
        assert chatty.hear_close() == 4000


def test_games_that_nobody_touches_expire_and_connected_players_are_told(local: Locals) -> None:
    server = local(expire_after=100.0, keep_records=50.0)
    kept, left = server.deal(), server.deal()

    def pass_and_sweep(seconds: float) -> None:
        local.pass_time(seconds)
        server.do(server.hub._sweep())

    with kept.seated() as (one, two):
        pass_and_sweep(99)
        assert httpx.get(f"{server.address}/api/games/{left.id}").status_code == 200
        pass_and_sweep(2)
        assert httpx.get(f"{server.address}/api/games/{left.id}").status_code == 404
        one.move()
        one.say("resign", id=fresh())
        two.hear_up_to(2)
        pass_and_sweep(51)
        assert two.hear("closing")["why"] == "expired"
        assert two.hear_close() == 4004
    with Talk(server.address, game=kept.id) as gone:
        assert gone.hear()["code"] == "unknown-game"
        assert gone.hear_close() == 4004


def at(address: str, game: Duel) -> Duel:
    return Duel(address, game.name, game.id, game.tokens)


def test_two_play_at_two_processes_and_one_moves_over(local: Locals, postgres: str) -> None:
    here, there = local.pair(database=postgres)
    body, token = form(game="safe-cracker"), fresh()
    made = httpx.post(f"{here.address}/api/games", json=body, timeout=PATIENCE).json()["game"]
    game = Duel(here.address, "safe-cracker", made["id"], (body["token"], token))
    with game.sit(1) as first:
        assert first.hear("welcome")["view"] is None
        join = {"name": "Bob", "token": token, "invitation": body["invitation"]}
        httpx.post(f"{there.address}/api/games/{game.id}/join", json=join, timeout=PATIENCE)
        while first.hear("game")["game"]["seats"][1] is None:
            pass
        with at(there.address, game).sit(2) as two, game.watch() as watcher:
            for talk in (first, two):
                assert talk.hear("welcome")["view"] is not None
            while watcher.seen.view is None:
                watcher.hear("welcome")
            asked = first.ask()
            entries = first.made(asked.id)["entries"]
            with at(there.address, game).sit(1) as one:
                assert one.hear("welcome")["number"] == 1
                assert first.hear_close() == 4001
                one.repeat(asked)
                assert one.made(asked.id)["entries"] == entries
                two.hear_up_to(1)
                settle((one, two), Random(1))
                watcher.hear_up_to(one.seen.number)
                assert one.view.outcome is not None
                assert one.view.outcome == two.view.outcome == watcher.view.outcome


def last_beat(database: str) -> float:
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT max(beat) FROM processes").fetchone()
    assert row is not None
    return float(row[0])


def test_who_is_at_a_killed_process_is_away_and_loses_a_claim(serve: Serve, postgres: str) -> None:
    options = ("--fast", "--claim-after", "1")
    here, there = (serve(*options, database=postgres, settings=SOON) for _ in range(2))
    game = duel(here.address, "quantum-duel")
    with game.sit(1) as one:
        one.hear("welcome")
        for is_last in (False, True):
            with at(there.address, game).sit(2) as two:
                two.hear("welcome")
                see(one, 2, here=True)
                there.kill()
                see(one, 2, here=False)
                assert two.hear_close() == 1006
            heard, since = len(one.seen.frames), last_beat(postgres)
            if not is_last:
                while last_beat(postgres) < since + 1:  # several beats announce the loss once
                    told = one.hear_until_quiet()
                    assert {frame["type"] for frame in told} <= {"welcome", "game"}
                frames = [frame for frame in one.seen.frames[heard:] if frame["type"] != "pong"]
                assert len(frames) <= 2
                there.start()
        since = seated(one, 2)["away_since"]
        while (answer := claimed(one))["type"] == "error":
            assert answer["code"] == "not-yet"
        end = answer["entries"][-1]["end"]
        assert (end["winner"], end["reason"]) == (1, "forfeited")
        assert last_beat(postgres) + 0.5 >= since + 1


class Crowd:
    """Clients that send the same request at the same moment, to one process or several."""

    def __init__(self, servers: list[LocalServer], stack: ExitStack) -> None:
        self.server = servers[0]
        self.clients = [
            stack.enter_context(httpx.Client(base_url=f"{each.address}/api", timeout=PATIENCE))
            for each in servers * (4 // len(servers))
        ]
        self._threads = stack.enter_context(ThreadPoolExecutor(len(self.clients)))

    def agree(
        self, path: str, body: Json | None, token: str = "", status: int = 200
    ) -> tuple[str, int | None]:
        """The game and the seat that all answers agree on."""
        start = Barrier(len(self.clients))

        def ask(client: httpx.Client) -> httpx.Response:
            start.wait(PATIENCE)
            return client.post(path, json=body, headers=bearer(token))

        answers = list(self._threads.map(ask, self.clients))
        assert {each.status_code for each in answers} == {status}, [each.text for each in answers]
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
        assert crowd.agree(f"/games/{other}/withdraw", None, taken_back["token"]) == (other, None)
        one, two = Duel(crowd.server.address, "quantum-duel", id, (body["token"], bob)).both()
        with one, two:
            one.say("resign", id=fresh())
            one.hear("entries")
        again, seat = crowd.agree(f"/games/{id}/rematch", {"token": fresh()}, body["token"])
        assert seat == 2
        assert crowd.agree(f"/games/{id}/rematch", {"token": fresh()}, bob) == (again, 1)


def test_copies_get_the_last_free_game(local: Locals) -> None:
    with ExitStack() as stack:
        crowd = Crowd([local(limits=Limits(), burst=1e6)], stack)
        api = crowd.clients[0]
        for _ in range(Limits().games - 1):
            assert api.post("/games", json=form()).status_code == 201
        for _ in range(TIMES):
            last = form()
            id, _ = crowd.agree("/games", last, status=201)
            more = api.post("/games", json=last | {"token": fresh()})
            assert more.json()["error"] == "too-many-games"
            assert api.post(f"/games/{id}/withdraw", headers=bearer(last["token"])).is_success
