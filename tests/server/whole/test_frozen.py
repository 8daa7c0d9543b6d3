"""Frozen processes and database outages cost no player anything."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
import psycopg
import pytest
from playing import fresh
from serving import PATIENCE, Server
from talking import Duel, Talk, duel

from strongroom.contract import Json, Seat
from tests.server.whole.conftest import Serve

pytestmark = pytest.mark.proof
CLAIM_AFTER = 2
LIMIT = {"minutes": 0.1, "increment": 0}
"""A clock of six seconds."""
SOON = {"strongroom.server.hub:BEAT": 0.2, "strongroom.server.presence:ALIVE": 1.0}


def let_pass(seconds: float) -> None:
    """Sleep, even if the sleep is interrupted."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(left)


@contextmanager
def frozen(server: Server) -> Iterator[None]:
    """Freeze a server for the block."""
    server.freeze()
    try:
        yield
    finally:
        server.thaw()


@pytest.fixture
def pair(serve: Serve, postgres: str) -> tuple[Server, Server]:
    """Two processes that share a database."""
    options = ("--fast", "--claim-after", str(CLAIM_AFTER))
    one, two = (serve(*options, database=postgres, constants=SOON) for _ in range(2))
    return one, two


@contextmanager
def both_at(pair: tuple[Server, Server], **terms: object) -> Iterator[tuple[Talk, Talk]]:
    """The two players of a game, each at a process of its own."""
    game = duel(pair[0].address, "digit-deductions", **terms)
    there = Duel(pair[1].address, game.name, game.id, game.tokens)
    with game.sit(1) as one, there.sit(2) as two:
        for talk in (one, two):
            while talk.seen.view is None:
                talk.hear("welcome")
            while not all(is_here(talk, seat) for seat in (1, 2)):
                talk.hear("game", "welcome")
        yield one, two


def is_here(talk: Talk, seat: int) -> bool:
    """Whether a player was here according to the last frame that a viewer got."""
    infos = [frame["game"] for frame in talk.seen.frames if "game" in frame]
    here: bool = infos[-1]["seats"][seat - 1]["here"]
    return here


def clock_left(frame: Json, seat: int) -> float:
    """The seconds that a player has left according to a frame."""
    left: float = frame["clock"]["left"][seat - 1]
    return left


def claimed(talk: Talk) -> Json:
    """Claim the game, and return the answer."""
    talk.say("claim", id=(id := fresh()))
    while True:
        answer = talk.hear("error", "entries")
        if answer.get("id") == id or answer.get("made") == id:
            return answer


def granted(talk: Talk) -> Json:
    """Claim the game until that is granted, and return how it ended."""
    while (answer := claimed(talk))["type"] == "error":
        assert answer["code"] == "not-yet", answer
    end: Json = answer["entries"][-1]["end"]
    return end


def test_a_freeze_costs_no_player_time_even_after_a_restart(serve: Serve) -> None:
    server = serve("--fast")
    game = duel(server.address, "digit-deductions", clock=LIMIT)
    one, two = game.both()
    with one, two:
        with frozen(server):
            let_pass(8)
        left = clock_left(one.move("4-7"), 1)
        assert left > 0
    server.kill()
    server.start()
    with game.sit(2) as two:
        # Nor does the restart: it gives back all time since the last heartbeat.
        assert left <= clock_left(two.hear("welcome"), 1) <= 60 * LIMIT["minutes"]


def test_after_a_freeze_players_are_told_the_corrected_clocks(serve: Serve) -> None:
    server = serve("--fast")
    one, two = duel(server.address, "digit-deductions", clock=LIMIT).both()
    with one, two:
        with frozen(server):
            let_pass(8)
        for talk in (one, two):
            told = talk.hear("entries")
            assert told["entries"] == []
            assert clock_left(told, 1) > 0


def test_time_lost_to_a_frozen_process_is_given_back_only_to_its_own_player(
    pair: tuple[Server, Server],
) -> None:
    with both_at(pair, clock=LIMIT) as (one, two):
        with frozen(pair[0]):
            let_pass(8)
            told = [frame["type"] for frame in two.hear_until_quiet()]
            assert "entries" not in told, "the other process does not judge it"
        left = clock_left(one.move("4-7"), 1)
        assert left > 0
        while two.seen.number < 1:
            told_two = two.hear("entries")
        assert clock_left(told_two, 1) == left
        with frozen(pair[0]):
            let_pass(8)
        for talk in (one, two):  # whose own process was running
            while talk.view.outcome is None:
                talk.hear("entries")
            assert talk.view.outcome.winner is Seat.ONE


@pytest.mark.parametrize("claims", [1, 2])
def test_a_game_cannot_be_claimed_because_of_a_frozen_process(
    pair: tuple[Server, Server], claims: int
) -> None:
    with both_at(pair) as talks:
        with frozen(pair[0]):
            let_pass(CLAIM_AFTER + 3)
            if claims == 2:
                assert claimed(talks[1])["code"] == "not-yet"
        assert claimed(talks[claims - 1])["code"] == "not-yet"
        assert claimed(talks[2 - claims])["code"] == "not-yet"


def test_a_flood_does_not_count_as_a_freeze(serve: Serve) -> None:
    server = serve("--fast")
    one, two = duel(server.address, "digit-deductions", clock=LIMIT).both()
    flooded = duel(server.address, "safe-cracker", options={"digits": 9, "length": 6})
    rude = [flooded.watch(words=True) for _ in range(8)]
    rude += flooded.both(words=True)
    with one, two, ExitStack() as stack:
        for talk in rude:
            stack.enter_context(talk)
        while two.view.outcome is None:
            for talk in rude:
                for _ in range(20):
                    talk.say("move", id=fresh(), number=1000, move="1-1-1-1-1-1")
            two.hear_until_quiet()
        assert two.view.outcome.winner is Seat.TWO
    assert "frozen" not in server.log


@contextmanager
def database_away(url: str) -> Iterator[None]:
    """Cut all connections to a database and refuse new ones for the block."""
    name = url.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(url.replace(f"/{name}?", "/postgres?"), autocommit=True) as server:
        server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
        )
        try:
            yield
        finally:
            server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())


def test_a_game_cannot_be_claimed_because_of_a_database_outage(
    pair: tuple[Server, Server], postgres: str
) -> None:
    with both_at(pair) as (one, two):
        with database_away(postgres):
            let_pass(CLAIM_AFTER + 3)
        while (answer := claimed(one))["code"] == "unavailable":
            pass
        assert answer["code"] == "not-yet"
        while (answer := claimed(two))["code"] == "unavailable":
            pass
        assert answer["code"] == "not-yet"
        while two.seen.number < 1:  # both are still connected
            one.move("4-7") if one.seen.number < 1 else two.hear("entries")


def test_a_game_can_be_claimed_from_a_player_whose_process_was_killed(
    pair: tuple[Server, Server],
) -> None:
    with both_at(pair) as (one, two):
        pair[1].kill()
        while is_here(one, 2):
            one.hear("game")
        missed = time.monotonic()
        end = granted(one)
        assert (
            time.monotonic() - missed >= CLAIM_AFTER - 0.5
        )  # the loss is noticed before it is announced
        assert (end["winner"], end["reason"]) == (1, "forfeited")
        assert two.hear_close() == 1006


def test_a_game_cannot_be_withdrawn_from_a_player_whom_a_freeze_kept_out(
    serve: Serve, postgres: str
) -> None:
    server = serve("--claim-after", "4", database=postgres, constants=SOON)
    game = duel(server.address, "quantum-duel")
    with httpx.Client(base_url=f"{server.address}/api", timeout=PATIENCE) as api:
        with frozen(server):
            let_pass(6)
        bearer = {"Authorization": f"Bearer {game.tokens[0]}"}
        answer = api.post(f"/games/{game.id}/withdraw", headers=bearer)
        assert answer.json()["error"] == "not-yet"
