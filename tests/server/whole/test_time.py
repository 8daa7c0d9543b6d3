"""Time: clocks, absent players and claims, through restarts, freezes, outages and clock changes."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from playing import fresh
from serving import PATIENCE
from talking import Duel, Talk

from strongroom.referee.wire import WITHDRAWN
from strongroom.server.settings import DEFAULTS
from tests.server.local import Locals, LocalServer
from tests.server.stores import database_away
from tests.server.whole.forms import bearer, claimed, end_of, figure, left, seated, see

GAME = "digit-deductions"
MINUTE = {"minutes": 1, "increment": 0}
HOUR = 3600.0


def step_times(talk: Talk) -> list[float]:
    entries = [entry for frame in talk.seen.frames for entry in frame.get("entries", ())]
    return [entry["time"] for entry in entries if "time" in entry]


@contextmanager
def both_at(pair: tuple[LocalServer, LocalServer], **terms: object) -> Iterator[tuple[Talk, Talk]]:
    game = pair[0].deal(GAME, **terms)
    there = Duel(pair[1].address, game.name, game.id, game.tokens)
    with game.sit(1) as one, there.sit(2) as two:
        for talk in (one, two):
            while talk.seen.view is None:
                talk.hear("welcome")
            for seat in (1, 2):
                see(talk, seat, here=True)
        yield one, two


def test_a_player_who_runs_out_of_time_has_lost_here_or_away(local: Locals) -> None:
    server = local()
    game, left_alone = (server.deal(GAME, clock=MINUTE) for _ in range(2))
    for talk in left_alone.both():
        with talk:
            pass
    with game.seated() as (one, two):
        local.pass_time(59.9)
        with game.watch() as watcher:
            assert left(watcher.hear("welcome")) == [0.1, 60.0]
        local.pass_time(0.1)
        for talk in (one, two):
            end = end_of(talk)
            assert (end["winner"], end["reason"]) == (2, "forfeited")
            assert "time" in end["detail"]
            assert left([frame for frame in talk.seen.frames if "clock" in frame][-1]) == [0, 60]
    with left_alone.sit(1) as late:
        late.say("move", id=fresh(), number=1, move="4-7")
        assert end_of(late)["winner"] == 2
        assert late.seen.number == 1, "there is only the end"


def test_a_move_adds_the_increment_and_stops_the_movers_clock(local: Locals) -> None:
    server = local()
    with server.deal(GAME, clock={"minutes": 10, "increment": 60}).seated() as (one, two):
        assert one.seen.frames[-1]["clock"]["running"] == 1
        local.pass_time(20)
        made = one.move("4-7")
        assert (left(made), made["clock"]["running"]) == ([640, 600], 2)
        two.hear_up_to(1)
        local.pass_time(30)
        assert left(two.move("6-5")) == [640, 630], "the first runs again from now on"
        one.hear_up_to(2)
        local.pass_time(5)
        assert left(one.move("5-5")) == [695, 630]
        two.say("resign", id=fresh())
        end_of(two)
        assert left([frame for frame in two.seen.frames if "clock" in frame][-1]) == [695, 630]
    with server.deal().seated() as (one, two):
        assert "clock" not in one.move(), "it has no clock"


@pytest.mark.parametrize(
    ("jump", "down"), [(0.0, 2), (HOUR, 1000), (-HOUR, 1000)], ids=["", "forward", "back"]
)
def test_clocks_and_absences_stand_while_the_server_is_down(
    local: Locals, jump: float, down: float
) -> None:
    server = local(claim_after=10.0)
    game = server.deal(GAME, clock=MINUTE)
    with game.seated() as (one, two):
        local.pass_time(20)
        assert left(one.move("4-7")) == [40, 60]
        two.hear_up_to(1)
        local.pass_time(10)
    server.stop()
    local.clock.passed += down
    local.clock.begin += jump  # as its wall clock says
    local(claim_after=10.0)
    again = Duel(local.servers[-1].address, game.name, game.id, game.tokens)
    with again.sit(1) as one:
        assert left(one.hear("welcome")) == [40, 50]
        local.pass_time(9)
        assert claimed(one)["text"].startswith("The game can be claimed in a second")
        with again.sit(2) as two:
            assert left(two.hear("welcome")) == [40, 41]
            two.move("6-5")
            one.hear_up_to(2)
            assert step_times(one) == sorted(step_times(one))
        see(one, 2, here=False)
        local.pass_time(10)
        assert claimed(one)["entries"][-1]["end"]["winner"] == 1


def test_a_game_can_be_claimed_once_the_other_was_away_for_long_enough(local: Locals) -> None:
    server = local(claim_after=10.0)
    game = server.deal(GAME)
    one, two = game.both()
    with one:
        local.pass_time(5)
        with two:
            assert claimed(one)["text"] == "The other player is here."
        see(one, 2, here=False)
        assert seated(one, 2)["away_since"] == server.now
        with game.sit(2) as back:
            back.hear("welcome")
            see(one, 2, here=True)
            assert seated(one, 2)["away_since"] is None
        see(one, 2, here=False)
        for passed, rest in ((0, "10 seconds"), (8.5, "2 seconds"), (0.5, "a second")):
            local.pass_time(passed)
            answer = claimed(one)
            assert answer["code"] == "not-yet"
            assert answer["text"].startswith(f"The game can be claimed in {rest},")
        local.pass_time(1)
        end = claimed(one)["entries"][-1]["end"]
        assert (end["winner"], end["reason"]) == (1, "forfeited")
        assert end["detail"] == "it was away for too long."


def test_who_never_connects_loses_the_game_after_a_while_host_or_guest(local: Locals) -> None:
    server = local(claim_after=10.0)
    game = server.deal(GAME)
    api = httpx.Client(base_url=f"{server.address}/api", timeout=PATIENCE)
    with api, game.sit(1) as one:
        assert one.hear("welcome")["game"]["seats"][1]["away_since"] == server.now
        local.pass_time(9)
        early = api.post(f"/games/{game.id}/withdraw", headers=bearer(game.tokens[0]))
        assert early.json()["error"] == "not-yet"
        local.pass_time(1)
        assert api.post(f"/games/{game.id}/withdraw", headers=bearer(game.tokens[0])).is_success
        assert one.hear("closing")["why"] == "withdrawn"
        assert one.hear_close() == WITHDRAWN
        with game.sit(2) as late:
            assert late.hear("error")["code"] == "withdrawn"
            assert late.hear_close() == WITHDRAWN
    game = server.deal(GAME)
    with game.sit(1) as one:
        one.hear("welcome")
    local.pass_time(100)
    with game.sit(2) as two:  # a guest of an absent host has to wait before claiming
        two.hear("welcome")
        assert seated(two, 1)["away_since"] == server.now
        local.pass_time(9)
        assert claimed(two)["code"] == "not-yet"
        local.pass_time(1)
        assert claimed(two)["type"] == "entries"


def test_who_leaves_while_nothing_can_be_stored_is_still_away_and_errors_are_counted(
    local: Locals, tmp_path: Path
) -> None:
    server = local(sqlite_lock_timeout=0.05, write_retry=0.05)
    one, two = server.deal().both()
    with one:
        with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with two:
                pass
            for type, code in (("resign", "unavailable"), ("nonsense", "bad-frame")):
                one.say(type, id=fresh())
                assert one.hear("error")["code"] == code
                # By now storing the departure was tried too.
                assert figure(server.address, f'strongroom_errors_total{{code="{code}"}}') == 1
            other.execute("ROLLBACK")
        see(one, 2, here=False)


def test_a_freeze_costs_no_player_time(local: Locals, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    server = local()
    game = server.deal(GAME, clock=MINUTE)
    with game.seated() as (one, two):
        local.pass_time(10)
        with server.frozen():
            local.pass_time(80)
        for talk in (one, two):
            told = talk.hear("entries")
            assert (told["entries"], left(told)) == ([], [50, 60])
        assert "frozen" in [line.message for line in caplog.records]
        local.pass_time(5)
        assert left(one.move("4-7")) == [45, 60]
    server.stop()
    server = local()
    with Duel(server.address, game.name, game.id, game.tokens).sit(2) as two:
        assert left(two.hear("welcome")) == [45, 60]


def test_time_lost_to_a_frozen_process_is_no_players_loss(local: Locals, postgres: str) -> None:
    pair = local.pair(database=postgres, claim_after=10.0)
    kept_out = pair[0].deal()
    with both_at(pair, clock=MINUTE) as (one, two):
        with pair[0].frozen():
            local.pass_time(80)
            assert claimed(two)["code"] == "not-yet"
            told = [frame["type"] for frame in two.hear_until_quiet()]
            assert "entries" not in told, "the other process does not judge it"
        assert claimed(one)["code"] == claimed(two)["code"] == "not-yet"
        route = f"{pair[0].address}/api/games/{kept_out.id}/withdraw"
        answer = httpx.post(route, headers=bearer(kept_out.tokens[0]), timeout=PATIENCE)
        assert answer.json()["error"] == "not-yet"
        assert left(one.move("4-7")) == [60, 60]
        while two.seen.number < 1:
            told_two = two.hear("entries")
        assert left(told_two) == [60, 60]
        with pair[0].frozen():
            local.pass_time(80)
        for talk in (one, two):  # whose own process was running
            assert end_of(talk)["winner"] == 1


def test_an_outage_of_the_database_is_told_and_nobody_counts_as_away_because_of_it(
    local: Locals, postgres: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server = local(database=postgres, claim_after=10.0, postgres_timeout=1.0)
    with both_at((server, server)) as (one, two):
        with database_away(postgres):
            local.pass_time(15)
            asked = f"{server.address}/api/games?show=over"
            assert httpx.get(asked, timeout=PATIENCE).status_code == 503
        while (answer := claimed(one))["code"] == "unavailable":
            pass
        assert answer["text"] == "The other player is here."
        assert claimed(two)["code"] == "not-yet"
        one.move("4-7")
        two.hear_up_to(1)  # both are still connected
        local.pass_time(1)
    told = [line.__dict__.get("parts", {}).get("text") for line in caplog.records]
    assert told.count("The database is back.") == 1


@pytest.mark.parametrize("jump", [HOUR, -HOUR], ids=["forward", "back"])
def test_processes_agree_on_the_time(local: Locals, postgres: str, jump: float) -> None:
    first = local(database=postgres)
    local.clock.begin += jump
    second = local(database=postgres)
    local.pass_time(4)  # by now both have heard of each other
    with both_at((first, second), clock=MINUTE) as (one, two):
        for mover, other, move, spent in ((one, two, "4-7", (30, 0)), (two, one, "6-5", (30, 20))):
            local.pass_time(spent[mover is two])
            made = mover.move(move)
            other.hear_up_to(made["number"])
            for seconds, gone in zip(left(made), spent, strict=True):
                # The times of the two processes may differ by as much.
                assert abs(60 - gone - seconds) <= DEFAULTS.heartbeat
        assert step_times(one) == sorted(step_times(one))
