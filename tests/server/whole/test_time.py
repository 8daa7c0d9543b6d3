"""Time: the server's clocks, absent players, and claims."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import httpx
from playing import fresh
from serving import PATIENCE, Server
from talking import Talk, duel

from strongroom.contract import Json
from strongroom.referee.wire import WITHDRAWN
from tests.server.whole.conftest import Deals, Serve

CLAIM_AFTER = 1


def clock_of(frame: Json) -> list[float]:
    left: list[float] = frame["clock"]["left"]
    return left


def hear_the_end(talk: Talk) -> Json:
    """Wait until a viewer hears the end of a game, and return it."""
    while talk.seen.view is None or talk.seen.view.outcome is None:
        talk.hear("entries", "welcome")
    view = talk.seen.view
    assert view.outcome is not None
    return view.game.outcome_to_json(view.outcome)


def test_a_player_who_runs_out_of_time_has_lost(deal: Deals) -> None:
    one, two = deal(clock={"minutes": 0.02, "increment": 0}).both()
    with one, two:
        for talk in (one, two):
            end = hear_the_end(talk)
            assert (end["winner"], end["reason"]) == (2, "forfeited")
            assert "time" in end["detail"]
            last = next(frame for frame in reversed(talk.seen.frames) if "clock" in frame)
            assert clock_of(last)[0] == 0


def test_a_move_adds_the_increment_and_stops_the_movers_clock(deal: Deals) -> None:
    game = deal("digit-deductions", clock={"minutes": 10, "increment": 60})
    one, two = game.both()
    with one, two:
        assert one.seen.frames[-1]["clock"]["running"] == 1
        made = one.move("4-7")
        assert 640 < clock_of(made)[0] <= 660
        assert 580 < clock_of(made)[1] <= 600
        assert made["clock"]["running"] == 2
        two.hear("entries")
        again = two.move("6-5")
        assert 620 < clock_of(again)[0] <= clock_of(made)[0], "it runs again from now on"
        assert clock_of(again)[1] > 640


def test_frames_of_a_game_without_a_clock_have_none(deal: Deals) -> None:
    one, two = deal().both()
    with one, two:
        assert "clock" not in one.move()


def test_clocks_stand_while_the_server_is_down(serve: Serve) -> None:
    server = serve("--fast")
    game = duel(server.address, "digit-deductions", clock={"minutes": 0.15, "increment": 0})
    one, two = game.both()
    with one, two:
        one.move("4-7")
    down = time.time()
    server.kill()
    while time.time() < down + 9.5:  # longer than the whole clock
        time.sleep(0.1)
    server.start()
    with game.sit(2) as two:
        left = clock_of(two.hear("welcome"))
        assert left[1] > 0, "time while the server was down is given back"
        two.move("6-5")


def test_a_player_who_comes_back_too_late_has_lost_and_cannot_move(
    server: Server, deal: Deals
) -> None:
    def freezes() -> int:
        return server.log.count('"event": "frozen"')

    before = -1
    while before != freezes():  # time in which the server did not run is given back
        before = freezes()
        game = deal("digit-deductions", clock={"minutes": 0.02, "increment": 0})
        one, two = game.both()
        with one, two:
            pass
        gone = time.time()
        while time.time() < gone + 1.3:
            time.sleep(0.1)
        with game.sit(1) as one:
            one.say("move", id=fresh(), number=1, move="4-7")
            end = hear_the_end(one)
    assert end["winner"] == 2
    assert one.seen.number == 1, "there is only the end"


def presence_of(frame: Json, seat: int) -> Json:
    """What a frame says about a player."""
    seated: Json = frame["game"]["seats"][seat - 1]
    return seated


def presence(talk: Talk, seat: int) -> Json:
    """What the last frame said about a player."""
    return presence_of([frame for frame in talk.seen.frames if "game" in frame][-1], seat)


def test_a_player_who_leaves_is_shown_as_away_and_one_who_returns_as_here(deal: Deals) -> None:
    game = deal()
    one, two = game.both()
    with one:
        before = time.time()
        with two:
            pass
        while presence(one, 2)["here"]:
            one.hear("game")
        assert presence(one, 2)["away_since"] >= before - 0.01
        with game.sit(2) as back:
            back.hear("welcome")
            while not presence(one, 2)["here"]:
                one.hear("game")
            assert presence(one, 2)["away_since"] is None


def claimed(talk: Talk) -> Json:
    talk.say("claim", id=fresh())
    return talk.hear("error", "entries")


def test_a_game_can_be_claimed_once_the_other_was_away_for_long_enough_and_never_before(
    serve: Serve,
) -> None:
    server = serve("--fast", "--claim-after", str(CLAIM_AFTER))
    game = duel(server.address, "digit-deductions")
    one, two = game.both()
    with one:
        with two:
            assert claimed(one)["code"] == "not-yet"
        while presence(one, 2)["here"]:
            one.hear("game")
        since = presence(one, 2)["away_since"]
        while (answer := claimed(one))["type"] == "error":
            assert answer["code"] == "not-yet"
        assert time.time() - since >= CLAIM_AFTER
        end = answer["entries"][-1]["end"]
        assert (end["winner"], end["reason"]) == (1, "forfeited")


def test_a_game_whose_second_player_never_connects_can_be_withdrawn(serve: Serve) -> None:
    server = serve("--fast", "--claim-after", str(CLAIM_AFTER))
    game = duel(server.address, "digit-deductions")
    api = httpx.Client(base_url=f"{server.address}/api", timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {game.tokens[0]}"}
    with api, game.sit(1) as one:
        since = presence_of(one.hear("welcome"), 2)["away_since"]
        while (answer := api.post(f"/games/{game.id}/withdraw", headers=headers)).is_error:
            assert answer.json()["error"] == "not-yet"
        assert time.time() - since >= CLAIM_AFTER
        assert one.hear("closing")["why"] == "withdrawn"
        assert one.hear_close() == WITHDRAWN
        with game.sit(2) as late:
            assert late.hear("error")["code"] == "withdrawn"
            assert late.hear_close() == WITHDRAWN


def test_a_guest_of_an_absent_host_has_to_wait_before_claiming(serve: Serve) -> None:
    server = serve("--fast", "--claim-after", str(CLAIM_AFTER))
    game = duel(server.address, "digit-deductions")
    with game.sit(1) as one:
        one.hear("welcome")
    left = time.time()
    while time.time() < left + CLAIM_AFTER:
        time.sleep(0.02)
    with game.sit(2) as two:
        since = presence_of(two.hear("welcome"), 1)["away_since"]
        while (answer := claimed(two))["type"] == "error":
            assert answer["code"] == "not-yet"
        assert time.time() - since >= CLAIM_AFTER
        assert since >= left + CLAIM_AFTER


def test_time_while_the_server_is_down_does_not_count_as_away(serve: Serve) -> None:
    server = serve("--fast", "--claim-after", "8")
    game = duel(server.address, "digit-deductions")
    one, two = game.both()
    with one, two:
        one.move("4-7")
    server.kill()
    down = time.time()
    while time.time() < down + 8.5:
        time.sleep(0.1)
    up = time.time()
    server.start()
    with game.sit(1) as one:
        one.hear("welcome")
        first = claimed(one)
        assert first.get("code") == "not-yet"
        while (answer := claimed(one))["type"] == "error":
            assert answer["code"] == "not-yet"
        assert time.time() >= up + 8


def test_bots_answer_at_their_pace(serve: Serve) -> None:
    server, token = serve(), fresh()
    body = {"game": "quantum-duel", "name": "Ada", "token": token, "opponent": "random"}
    made = httpx.post(f"{server.address}/api/games", json=body, timeout=PATIENCE)
    with Talk(server.address, game=made.json()["game"]["id"], token=token) as talk:
        talk.hear("welcome")
        begin = time.monotonic()
        talk.move()
        while not talk.is_to_move and talk.seen.number < 2:
            talk.hear("entries")
        assert time.monotonic() - begin >= 0.8


def test_a_player_who_leaves_while_nothing_can_be_stored_is_still_away(
    serve: Serve, tmp_path: Path
) -> None:
    server = serve("--claim-after", "1", constants={"strongroom.server.store.sqlite:BUSY": 0.05})
    one, two = duel(server.address, "quantum-duel").both()
    with one:
        other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
        with closing(other):
            other.execute("BEGIN IMMEDIATE")
            with two:
                pass
            one.say("resign", id=fresh())
            assert (
                one.hear("error")["code"] == "unavailable"
            )  # by now storing the departure was tried too
            other.execute("ROLLBACK")
        while one.hear("game")["game"]["seats"][1]["here"]:
            pass
