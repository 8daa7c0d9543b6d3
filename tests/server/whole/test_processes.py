"""Several processes on one PostgreSQL: players may be connected to any of them."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

import httpx
import psycopg
import pytest
from playing import fresh
from serving import PATIENCE, Server
from talking import Duel, Talk, duel, settle

from tests.server.whole.conftest import Serve

SOON = {"strongroom.server.hub:BEAT": 0.2, "strongroom.server.presence:ALIVE": 1.5}

RACES = 60
"""How many races are run between two processes."""


@pytest.fixture
def pair(serve: Serve, postgres: str) -> tuple[Server, Server]:
    """Two processes that share a database."""
    one, two = (serve("--fast", database=postgres, constants=SOON) for _ in range(2))
    return one, two


def at(server: Server, game: Duel) -> Duel:
    """The same game, at another process."""
    return Duel(server.address, game.name, game.id, game.tokens)


def seated(talk: Talk, seat: int) -> bool:
    """Whether a player was here according to the last frame that a viewer got."""
    infos = [frame["game"] for frame in talk.seen.frames if "game" in frame]
    here: bool = infos[-1]["seats"][seat - 1]["here"]
    return here


def test_two_players_at_different_processes_play_a_game(pair: tuple[Server, Server]) -> None:
    game = duel(pair[0].address, "safe-cracker")
    with game.sit(1) as one, at(pair[1], game).sit(2) as two, at(pair[1], game).watch() as watcher:
        for talk in (one, two):
            while talk.seen.view is None:
                talk.hear("welcome")
        watcher.hear("welcome")
        settle((one, two), Random(1))
        while watcher.seen.number < one.seen.number:
            watcher.hear("entries")
        assert one.seen.view is not None
        assert one.seen.view.outcome is not None


def test_of_a_withdrawal_here_and_a_join_there_at_once_only_one_succeeds(
    pair: tuple[Server, Server],
) -> None:
    here, there = (
        httpx.Client(base_url=f"{server.address}/api", timeout=PATIENCE) for server in pair
    )
    ended = Counter[tuple[int, int]]()
    with here, there, ThreadPoolExecutor(1) as beside:
        for _ in range(RACES):
            token, invitation = fresh(), fresh()
            body = {"game": "quantum-duel", "name": "Ada", "token": token, "invitation": invitation}
            id = here.post("/games", json=body).json()["game"]["id"]
            bob = {"name": "Bob", "token": fresh(), "invitation": invitation}
            joining = beside.submit(there.post, f"/games/{id}/join", json=bob)
            bearer = {"Authorization": f"Bearer {token}"}
            taken_back = here.post(f"/games/{id}/withdraw", headers=bearer)
            joined = joining.result()
            ended[taken_back.status_code, joined.status_code] += 1
            state = there.get(f"/games/{id}").json()["game"]["state"]
            assert state == ("waiting" if taken_back.is_error else "withdrawn")
    assert ended.keys() <= {(200, 410), (409, 200)}, ended


def test_a_second_tab_at_another_process_takes_over(pair: tuple[Server, Server]) -> None:
    game = duel(pair[0].address, "quantum-duel")
    one, two = game.both()
    with one, two, at(pair[1], game).sit(1) as second:
        second.hear("welcome")
        assert one.hear_close() == 4001
        second.move()
        assert two.hear("entries")["number"] == 1


def test_a_request_repeated_at_another_process_gets_its_first_answer(
    pair: tuple[Server, Server],
) -> None:
    game = duel(pair[0].address, "quantum-duel")
    one, two = game.both()
    with one, two:
        asked = one.ask()
        first = one.made(asked.id)
        with at(pair[1], game).sit(1) as second:
            assert second.hear("welcome")["number"] == 1
            second.repeat(asked)
            assert second.made(asked.id)["entries"] == first["entries"]


def last_beat(database: str) -> float:
    """The latest heartbeat of any process."""
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT max(beat) FROM processes").fetchone()
    assert row is not None
    beat: float = row[0]
    return beat


def test_a_player_at_a_process_that_was_killed_is_away(
    pair: tuple[Server, Server], postgres: str
) -> None:
    game = duel(pair[0].address, "quantum-duel")
    with game.sit(1) as one:
        one.hear("welcome")
        with at(pair[1], game).sit(2) as two:
            two.hear("welcome")
            while not seated(one, 2):
                one.hear("game", "welcome")
            pair[1].kill()
            while seated(one, 2):
                one.hear("game")
        with game.sit(2) as two:
            two.hear("welcome")
            while not seated(one, 2):
                one.hear("game")
            heard, since = len(one.seen.frames), last_beat(postgres)
            while (
                last_beat(postgres) < since + 1
            ):  # for several heartbeats: the loss is announced once
                told = one.hear_until_quiet()
                assert {frame["type"] for frame in told} <= {"welcome", "game"}
            frames = [frame for frame in one.seen.frames[heard:] if frame["type"] != "pong"]
            assert len(frames) <= 4


def test_a_player_who_joins_at_another_process_is_welcomed_at_both(
    pair: tuple[Server, Server],
) -> None:
    tokens, invitation = (fresh(), fresh()), fresh()
    with httpx.Client(timeout=PATIENCE) as client:
        body = {"game": "quantum-duel", "name": "Ada", "token": tokens[0], "invitation": invitation}
        made = client.post(f"{pair[0].address}/api/games", json=body).json()["game"]
        game = Duel(pair[0].address, "quantum-duel", made["id"], tokens)
        with game.sit(1) as one:
            assert one.hear("welcome")["view"] is None
            join = {"name": "Bob", "token": tokens[1], "invitation": invitation}
            client.post(f"{pair[1].address}/api/games/{game.id}/join", json=join)
            while one.hear("game")["game"]["seats"][1] is None:
                pass
            with at(pair[1], game).sit(2) as two:
                assert two.hear("welcome")["view"] is not None
                assert one.hear("welcome")["view"] is not None
                one.move()
                assert two.hear("entries")["number"] == 1
