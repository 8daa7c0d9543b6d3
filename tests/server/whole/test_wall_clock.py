"""The wall clock jumps by an hour, forward or back, and no clock, claim or record notices."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from serving import HOUR, Server
from talking import Duel, Talk, duel

from strongroom.contract import Json
from tests.server.waiting import wait_until
from tests.server.whole.conftest import Serve
from tests.server.whole.test_frozen import claimed, clock_left

LIMIT = {"minutes": 5, "increment": 0}


@pytest.fixture(params=["forward", "back"])
def forward(request: pytest.FixtureRequest) -> bool:
    """Whether the wall clock jumps forward."""
    return bool(request.param == "forward")


@pytest.fixture
def server(serve: Serve) -> Server:
    """A server of the test's own."""
    return serve("--fast")


def moved(game: Duel, talks: tuple[Talk, Talk]) -> tuple[Json, Json]:
    """Let both pick their numbers, and return the frames that they get."""
    one, two = talks
    first = one.move("4-7")
    two.hear_up_to(1)
    second = two.move("6-5")
    one.hear_up_to(2)
    return first, second


def step_times(talk: Talk) -> list[float]:
    """The times of all steps that a viewer has seen."""
    entries = [entry for frame in talk.seen.frames for entry in frame.get("entries", ())]
    return [entry["time"] for entry in entries if "time" in entry]


def test_clocks_run_on_through_a_jump(server: Server, forward: bool) -> None:
    game = duel(server.address, "digit-deductions", clock=LIMIT)
    talks = game.both()
    with talks[0] as one, talks[1] as two:
        first, _ = moved(game, talks)
        left = clock_left(first, 1)
        server.jump(forward)
        spent = left - clock_left(one.move("5-5"), 1)
        assert 0 <= spent < 200
        two.hear_up_to(3)
        before = clock_left(two.move("1-1"), 2)
        one.hear_up_to(4)
        while (now := clock_left(game_again(game), 1)) == left - spent:
            pass  # until the clock runs
        assert 0 < now < left
        assert before > 100
        times = step_times(one)
        assert len(times) == 4
        assert times == sorted(times)
        assert times[-1] - times[0] < HOUR / 2


def game_again(game: Duel) -> Json:
    """The welcome that a spectator gets now."""
    with game.watch() as watcher:
        return watcher.hear("welcome")


def wait_for_a_beat(database: Path, after: float) -> None:
    """Wait until a heartbeat after the given time is stored."""
    with closing(sqlite3.connect(database)) as beats:
        query = "SELECT max(beat) FROM processes"
        wait_until(lambda: beats.execute(query).fetchone()[0] > after)


def test_clocks_run_on_through_a_jump_and_a_restart(
    server: Server, forward: bool, tmp_path: Path
) -> None:
    game = duel(server.address, "digit-deductions", clock=LIMIT)
    talks = game.both()
    with talks[0], talks[1]:
        first, _ = moved(game, talks)
        earlier = step_times(talks[0])
    # A restart gives back all time since the last heartbeat, even what moves have used.
    wait_for_a_beat(tmp_path / "games.db", after=earlier[-1])
    server.jump(forward)
    server.kill()
    server.start()
    one, two = game.both()
    with one, two:
        assert clock_left(one.move("5-5"), 1) <= clock_left(first, 1)
        two.hear_up_to(3)
        assert clock_left(two.move("1-1"), 2) > 100
        one.hear_up_to(4)
        assert step_times(one) == sorted(step_times(one))
        assert step_times(one)[0] >= earlier[-1]


def test_a_jump_forward_makes_nobody_away_for_an_hour(server: Server) -> None:
    one, two = duel(server.address, "digit-deductions").both()
    with one:
        with two:
            pass
        while one.hear("game")["game"]["seats"][1]["here"]:
            pass
        server.jump(forward=True)
        assert claimed(one)["code"] == "not-yet"


def test_a_game_can_be_claimed_after_the_wall_clock_jumped_back(serve: Serve) -> None:
    server = serve("--fast", "--claim-after", "1")
    one, two = duel(server.address, "digit-deductions").both()
    with one:
        with two:
            pass
        while one.hear("game")["game"]["seats"][1]["here"]:
            pass
        server.jump(forward=False)
        while (answer := claimed(one))["type"] == "error":
            assert answer["code"] == "not-yet"
        assert answer["entries"][-1]["end"]["winner"] == 1


@pytest.mark.parametrize("jumps", ["forward", "back"])
def test_two_processes_with_different_wall_clocks_agree_on_the_time(
    serve: Serve, postgres: str, jumps: str
) -> None:
    one_server, two_server = (serve("--fast", database=postgres) for _ in range(2))
    game = duel(one_server.address, "digit-deductions", clock=LIMIT)
    there = Duel(two_server.address, game.name, game.id, game.tokens)
    two_server.jump(forward=jumps == "forward")
    two_server.kill()
    two_server.start()  # it starts with a different wall clock than the first
    with game.sit(1) as one, there.sit(2) as two:
        for talk in (one, two):
            while talk.seen.view is None:
                talk.hear("welcome")
        first, second = moved(game, (one, two))
        assert clock_left(first, 1) > 100
        assert clock_left(second, 2) > 100
        third = one.move("5-5")
        assert clock_left(third, 1) > 100
        times = step_times(one)
        assert times == sorted(times)
