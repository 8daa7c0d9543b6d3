"""The protocol: creating and finding games over HTTP, playing them on a WebSocket, and who may."""

from __future__ import annotations

import json
import time
from random import Random
from typing import Any

import httpx
import pytest
from leak import is_aid
from playing import Asked, fresh
from talking import Duel, Talk, settle

from strongroom.contract import Json, Seat
from strongroom.plugins.registry import GAMES
from strongroom.referee.fairness import check, holds
from strongroom.referee.match import Match
from strongroom.referee.record import Record
from strongroom.referee.wire import WITHDRAWN, fold_words
from tests.server.conftest import Deals
from tests.server.local import Locals, LocalServer
from tests.server.whole.forms import bearer, form, trouble


def test_a_number_to_come_is_stale_and_a_repeated_id_gets_its_first_answer_whatever_else_it_says(
    deal: Deals,
) -> None:
    game, other = deal(), deal()
    (one, two), (elsewhere, another) = game.both(), other.both()
    with one, two, elsewhere, another:
        one.repeat(Asked(fresh(), one.seen.number + 2, str(one.view.moves[0])))
        assert one.hear("error")["code"] == "stale"
        assert one.hear("entries")["entries"] == []
        asked = one.ask()
        first = one.made(asked.id)["entries"]
        for again in (asked, Asked(asked.id, 77, "something else")):
            one.repeat(again)
            assert one.made(asked.id)["entries"] == first
        one.say("resign", id=asked.id)
        assert one.made(asked.id)["entries"] == first
        assert one.view.outcome is None
        assert two.hear("entries")["number"] == 1
        two.move()
        one.repeat(asked)
        assert one.made(asked.id)["entries"][: len(first)] == first
        elsewhere.repeat(asked)  # an id counts for one game only
        assert elsewhere.made(asked.id)["number"] == 1


def test_words_are_read_back_to_their_author_and_make_no_move(deal: Deals) -> None:
    one, two = deal("safe-code").both()

    def reads(text: str, number: int) -> Json:
        one.say("read", id=fresh(), number=number, move=text)
        return one.hear("read", "refused", "error")

    with one, two:
        one.move("18")
        for clue, taken in (
            ("isn't odd", "The number is even."),
            (">15", "It is greater than 15."),
        ):
            told = reads(clue, one.seen.number + 1)
            assert (told["type"], told["move"], told["text"]) == ("read", taken, taken)
        refused = reads("odd", one.seen.number + 1)
        assert (refused["type"], refused["reason"]) == ("refused", "18 is even.")
        assert reads("18", one.seen.number + 1)["kind"] == "Ambiguous"
        assert reads("even", 1)["code"] == "stale"
        assert one.hear("entries")["entries"][0]["step"] == 1
        two.say("read", id=fresh(), number=2, move="7")
        assert two.hear("refused")["reason"] == "It is the other player's turn."
        assert two.seen.number == 1
        kinds = [frame["type"] for frame in two.seen.frames]
        assert [kind for kind in kinds if kind not in ("welcome", "game")] == ["entries", "refused"]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_goes_on_from_a_position_with_what_the_other_hid_drawn_anew(
    deal: Deals, game: str, api: httpx.Client
) -> None:
    played, random = deal(game), Random(game)
    with played.seated() as (one, two):
        settle((one, two), random, 11)
        one.say("resign", id=fresh())
        one.hear_until_quiet()
    record = Record.loads(api.get(f"/games/{played.id}/record").text)
    number = [step.number for step in record.steps if step.actor is Seat.ONE][-1]
    before = [*record.states()][number - 1].view(Seat.ONE)
    token, own = fresh(), bearer(played.tokens[0])
    wanted = {
        **form(game=game, token=token, opponent="master", invitation=None, watch=False),
        "position": {"game": played.id, "step": number},
    }
    for changes, headers, refusal in (
        ({}, {}, (401, "bad-token")),
        ({"opponent": "link"}, own, (422, "bad-position")),
        ({}, bearer(played.tokens[1]), (422, "refused")),
        ({"position": {"game": played.id, "step": 10**6}}, own, (422, "refused")),
    ):
        answer = api.post("/games", json={**wanted, **changes}, headers=headers)
        assert trouble(answer) == refusal
    made = api.post("/games", json=wanted, headers=own).json()
    assert made["seat"] == 1
    assert api.post("/games", json=wanted, headers=own).json() == made
    id = made["game"]["id"]
    with Talk(str(api.base_url).removesuffix("/api/"), game=id, token=token, seed=fresh()) as again:
        while again.seen.view is None:
            again.hear("welcome", "entries")
        assert again.view == before
        again.move(random=random)
        again.say("resign", id=fresh())
        while again.view.outcome is None:
            again.hear("entries")
    text = api.get(f"/games/{id}/record", headers=bearer(token)).text
    checks = check(text)
    assert holds(checks), checks
    if number > 1:
        assert f"The first {number - 1} step" in checks[5].text
    steps = Record.loads(text).steps
    assert [each.answer for each in steps[: number - 1]] == [
        each.answer for each in record.steps[: number - 1]
    ]
    hidden = [
        (new.nonce, old.nonce)
        for new, old in zip(steps[: number - 1], record.steps, strict=False)
        if old.keeper is Seat.TWO
    ]
    assert all(new != old for new, old in hidden)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_seen_as_the_referee_does(
    deal: Deals, game: str, api: httpx.Client
) -> None:
    played, random = deal(game), Random(game)
    with played.seated(words=True) as (one, two), played.watch(words=True) as watcher:
        watcher.hear("welcome")
        for mover in (one, two, one):  # these two have not agreed on aids
            if mover.is_to_move:
                mover.say("hint", id=fresh(), number=mover.seen.number + 1)
                told = mover.hear("error", "hint")
                assert told["code"] == "no-hint"
                assert told["text"] == "This game is played without hints and notebook."
            settle((one, two), random, 3)
        for seat, here in ((1, one), (2, two)):
            for have in {0, 1, here.seen.number - 1, here.seen.number}:
                with played.sit(seat, have=have) as again:  # who returns gets what was missed
                    again.seen.number, again.seen.view = have, here.seen.view
                    assert again.hear()["type"] == "game"
                    rest = again.hear()
                    assert (rest["type"], rest["number"]) == ("entries", have + 1)
                    assert len(rest["entries"]) == here.seen.number - have
    back = played.both(words=True)
    with back[0], back[1], played.watch(words=True) as again:
        again.hear("welcome")
        settle(back, random)
        again.hear_up_to(back[0].seen.number)
        match = Match.resume(Record.loads(api.get(f"/games/{played.id}/record").text))
        for talk, viewer in ((back[0], Seat.ONE), (back[1], Seat.TWO), (again, None)):
            talk.hear_until_quiet()
            assert talk.view == match.view(viewer)
    frames = [json.loads(text) for talk in (one, two, watcher, *back, again) for text in talk.texts]
    assert not any(map(is_aid, frames))
    assert not any((frame.get("game") or {}).get("aids") for frame in frames)


def test_a_second_tab_takes_over_and_the_first_is_told(deal: Deals) -> None:
    game = deal()
    with game.seated() as (first, two):
        with game.sit(1) as second:  # who takes over is never away
            second.hear("welcome")
            second.move()
            two.hear_up_to(1)
            infos = [frame["game"] for frame in two.seen.frames if frame["type"] == "game"]
            assert all(info["seats"][0]["here"] for info in infos)
        for _ in range(20):  # a quick reconnect is never taken for the connection before
            with game.sit(1) as again:
                assert again.hear()["type"] == "welcome"
                again.hear_until_quiet()
        assert first.hear("closing")["why"] == "taken"
        assert first.hear_close() == 4001
        with game.sit(1) as second, game.sit(1, have=999) as third:
            assert second.hear_close() == 4001
            # Whoever claims more entries than there are gets everything.
            assert third.hear("welcome", "entries")["type"] == "welcome"
            third.hear_up_to(two.move()["number"])


def test_spectators_watch_and_cannot_play(deal: Deals) -> None:
    game = deal("safe-cracker")
    with game.seated() as (one, two), game.watch(words=True) as watcher:
        assert watcher.hear("welcome")["seat"] is None
        for talk in (one, two):
            if talk.is_to_move:
                talk.move()
        assert watcher.hear("entries")["entries"][0]["move"] is None
        for type, parts in (
            ("move", {"number": 2, "move": "1-2-3"}),
            ("resign", {}),
            ("claim", {}),
            ("hint", {"number": 2}),
        ):
            id = fresh()
            watcher.say(type, id=id, **parts)
            error = watcher.hear("error")
            assert (error["code"], error["id"]) == ("watching", id)


def test_players_say_fixed_phrases_to_everybody_now_and_then_also_after_the_end(
    local: Locals,
) -> None:
    game = local(phrase_rest=0.2).deal("quantum-duel")

    def says(talk: Talk, phrase: Any) -> Json:
        talk.say("phrase", id=fresh(), phrase=phrase)
        return talk.hear("phrase", "error")

    with game.seated() as (one, two), game.watch() as watcher:
        said = says(one, 2)
        assert said.pop("made")
        assert said == {"type": "phrase", "seat": 1, "phrase": 2, "text": "Again?"}
        assert two.hear("phrase") == watcher.hear("phrase") == said
        assert says(one, 0)["code"] == "too-soon"
        assert says(two, 1)["text"] == "Well played"
        for phrase in (6, -1, 1.0, True, "Good one", None):
            assert says(two, phrase)["code"] == "bad-frame"
        assert says(watcher, 0)["seat"] in (1, 2)  # what the second player said
        assert watcher.hear("error")["code"] == "watching"
        one.say("resign", id=fresh())
        one.hear("entries")
        time.sleep(0.3)
        assert says(one, 5)["text"] == "I have to go"


def test_who_may_not_come_is_told_and_disconnected(shared: LocalServer, deal: Deals) -> None:
    for hello, code, closing in (
        ({"game": deal(watch=False).id}, "bad-token", 4003),  # a private game
        ({"game": deal().id, "token": fresh()}, "bad-token", 4003),
        ({"game": fresh()}, "unknown-game", 4004),
    ):
        with Talk(shared.address, **hello) as talk:
            assert talk.hear("error")["code"] == code
            assert talk.hear_close() == closing


def test_nothing_is_done_before_hello_and_garbage_disconnects(
    shared: LocalServer, deal: Deals
) -> None:
    with Talk(shared.address) as talk:
        talk.say("move", id=fresh(), number=1, move="5")
        assert talk.hear()["code"] == "hello-first"
        for _ in range(20):
            talk.socket.send("rubbish")
        codes = [talk.hear()["code"] for _ in range(20)]
        assert set(codes) == {"bad-frame"}
        assert talk.hear()["type"] == "closing"
        assert talk.hear_close() == 4000
    game = deal()
    with game.seated() as (one, _):
        one.say("hello", game=game.id, token=game.tokens[1])
        assert one.hear("error")["code"] == "bad-frame"
        one.move()
        one.say("move", id=fresh(), number=2, move="x" * 5000)
        assert one.hear_close() == 1009


def test_only_the_mover_hears_of_a_refusal_and_it_changes_nothing(deal: Deals) -> None:
    with deal("digit-deductions").seated() as (one, two):
        for mover, text in (
            *((one, text) for text in (" ", "nonsense", "9-9-9-9", "\x00", "💥" * 200)),
            (two, str(one.view.moves[0])),  # a player cannot move for the other
        ):
            asked = mover.ask(text)
            refused = mover.hear("refused", "entries", "error")
            assert (refused["type"], refused["id"]) == ("refused", asked.id)
            assert refused["kind"] in ("NotLegal", "NotUnderstood", "Ambiguous")
            assert refused["reason"]
        for talk in (one, two):
            assert {frame["type"] for frame in talk.hear_until_quiet()} <= {"game"}
        assert one.move()["number"] == 1


def test_a_player_who_resigns_has_lost_and_nothing_can_follow(deal: Deals) -> None:
    with deal().seated() as (one, two):
        one.say("resign", id=fresh())
        assert two.hear("entries")["entries"][-1]["end"]["winner"] == 2
        one.hear("entries")
        for type, parts in (("move", {"number": 2, "move": "1"}), ("resign", {}), ("claim", {})):
            two.say(type, id=fresh(), **parts)
            assert two.hear("error")["code"] in ("over", "not-yet"), type


def test_aids_are_on_by_default_only_against_a_bot(api: httpx.Client) -> None:
    for opponent, aids in (("link", False), ("lobby", False), ("random", True)):
        for wanted in (None, True, False):
            body = form(opponent=opponent, **({} if wanted is None else {"aids": wanted}))
            made = api.post("/games", json=body).json()["game"]
            assert made["aids"] is (aids if wanted is None else wanted)


def test_that_a_hint_was_taken_is_public_and_its_text_is_not(deal: Deals) -> None:
    with deal("safe-cracker", aids=True).seated() as (one, two):
        one.move("1-2-3")
        two.hear("entries")
        two.move("3-2-1")
        while not one.is_to_move:
            one.hear("entries")
        id, number = fresh(), one.seen.number + 1
        one.say("hint", id=id, number=number)
        assert one.made(id)["entries"] == [{"hint": 1}]
        assert one.hear("hint")["text"]
        assert two.hear_until_quiet()[-1]["entries"] == [{"hint": 1}]
        one.say("hint", id=id, number=number)
        assert one.made(id)["entries"] == [{"hint": 1}]
        assert one.hear("hint")["text"]
        assert one.seen.number == number
        two.say("hint", id=fresh(), number=number + 1)
        assert two.hear("error", "hint")["code"] == "no-hint"
    with deal("safe-code", aids=True).seated() as (one, two):
        chosen = one.move("18")
        one.say("hint", id=chosen["made"], number=one.seen.number + 1)  # a move in the journal
        assert "hint" not in [frame["type"] for frame in one.hear_until_quiet()]
        one.say("hint", id=fresh(), number=one.seen.number + 1)
        assert one.hear("hint")["text"]


def finished(deal: Deals, **terms: Any) -> Duel:
    game = deal("safe-cracker", **terms)
    with game.seated() as (one, two):
        settle((one, two), Random(1))
    return game


def test_how_a_game_stands_is_told_to_its_seat_and_to_spectators_if_there_may_be_any(
    api: httpx.Client, deal: Deals
) -> None:
    """What a welcome tells, without taking over from a connection that plays."""
    body = form(watch=False)
    made = api.post("/games", json=body).json()["game"]
    route, mine = f"/games/{made['id']}/position", bearer(body["token"])
    assert api.get(route, headers=mine).json()["view"] is None
    for token in ("", fresh()):
        assert trouble(api.get(route, headers=bearer(token))) == (401, "bad-token")
    game = deal("safe-cracker")
    with game.seated() as (one, _):
        one.move("1-2-3")
        route = f"/games/{game.id}/position"
        told = api.get(route, headers=bearer(game.tokens[0])).json()
        assert (told["seat"], told["view"]["secret"]) == (1, ["1-2-3"])
        assert told["words"]["said"]
        told = api.get(route).json()
        assert (told["seat"], told["view"]["secret"]) == (None, [])
        assert one.hear_until_quiet() is not None  # it is still connected


def test_a_game_waits_for_its_invitation_and_is_joined_once(api: httpx.Client) -> None:
    body, other = form(seat="2"), form()
    first, again = (api.post("/games", json=body) for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    id = first.json()["game"]["id"]
    assert first.json()["game"]["open"] is False
    bob = {"name": "Bob", "token": fresh()}
    assert trouble(api.post(f"/games/{id}/join", json=bob)) == (403, "bad-invitation")
    wrong = bob | {"invitation": fresh()}
    assert trouble(api.post(f"/games/{id}/join", json=wrong)) == (403, "bad-invitation")
    api.post("/games", json=other)
    right = bob | {"invitation": body["invitation"]}
    foreign = api.post(f"/games/{id}/join", json=right | {"token": other["token"]})
    assert trouble(foreign) == (409, "taken"), "it opens another seat"
    for token, seat in ((body["token"], 2), (bob["token"], 1)):  # a host keeps their seat
        for _ in range(2):
            joined = api.post(f"/games/{id}/join", json=right | {"token": token})
            assert (joined.status_code, joined.json()["seat"]) == (200, seat)
    late = {"name": "Eve", "token": fresh(), "invitation": body["invitation"]}
    assert trouble(api.post(f"/games/{id}/join", json=late)) == (409, "taken")


def test_a_host_cannot_play_alone_and_nobody_else_can_withdraw_a_game(
    api: httpx.Client, shared: LocalServer
) -> None:
    body = form(opponent="lobby", invitation=None)
    id = api.post("/games", json=body).json()["game"]["id"]
    route, mine = f"/games/{id}/withdraw", bearer(body["token"])
    for token in ("", fresh()):
        assert trouble(api.post(route, headers=bearer(token))) == (401, "bad-token")
    assert api.get(f"/games/{id}").json()["game"]["state"] == "waiting"
    with Talk(shared.address, game=id, token=body["token"]) as host:
        host.hear("welcome")
        for type, parts in (("move", {"number": 1, "move": "1"}), ("resign", {})):
            host.say(type, id=fresh(), **parts)
            assert host.hear("error")["code"] == "waiting"
        first, again = (api.post(route, headers=mine) for _ in range(2))
        assert first.status_code == again.status_code == 200
        assert first.json() == again.json()
        assert first.json()["game"]["state"] == "withdrawn"
        assert host.hear_close() == WITHDRAWN
    with Talk(shared.address, game=id) as late:
        assert late.hear_close() == WITHDRAWN
    listed = api.get("/games", params={"show": "waiting"}).json()["games"]
    assert id not in [game["id"] for game in listed]
    refused = api.post(f"/games/{id}/join", json={"name": "Bob", "token": fresh()})
    assert trouble(refused) == (410, "withdrawn")
    assert refused.json()["text"] == "This game was taken back before it began."
    assert trouble(api.get(f"/games/{id}/record")) == (409, "not-over")


def test_impossible_games_are_refused(api: httpx.Client, subtests: pytest.Subtests) -> None:
    impossible: dict[str, tuple[Any, ...]] = {
        "game": ("chess",),
        "opponent": ("nobody",),
        "invitation": (None,),
        "token": ("abc", "AB" * 16),
        "seat": ("3", 1),
        "name": ("", "x" * 25, "you", "a\u202eb"),
        "options": ({"no": 1}, {"digits": 10**30}),
        "clock": (
            *({"minutes": minutes, "increment": 0} for minutes in (-1, 0, 1e9)),
            {"minutes": 1e-9, "increment": 180},
        ),
        "aids": ("yes",),
        "extra": (True,),
    }
    for part, values in impossible.items():
        for value in values:
            with subtests.test(part=part, value=value):
                assert trouble(api.post("/games", json=form(**{part: value})))[0] == 422


def test_malformed_requests_are_refused_with_what_they_have_to_be(api: httpx.Client) -> None:
    kind = {"Content-Type": "application/json"}
    no_number = json.dumps(form()).replace('"quantum-duel"', "NaN")
    told = [
        api.post("/games", json=form(token="ab")),
        api.get("/games/ab"),
        api.post("/games", content="{", headers=kind),
        api.post("/games", content=no_number, headers=kind),
    ]
    assert [trouble(answer) for answer in told] == [(422, "bad-request")] * 4
    assert [answer.json()["text"] for answer in told[:3]] == [
        "token has to be 32 hexadecimal digits.",
        "id has to be 32 hexadecimal digits.",
        "The body is not JSON.",
    ]


def test_nothing_that_follows_a_game_comes_before_its_end(api: httpx.Client, deal: Deals) -> None:
    game = deal()
    with game.seated():
        for part in ("record", "replay", "analysis"):
            assert trouble(api.get(f"/games/{game.id}/{part}")) == (409, "not-over")
            assert trouble(api.get(f"/games/{fresh()}/{part}")) == (404, "unknown-game")
        assert trouble(api.get(f"/games/{fresh()}")) == (404, "unknown-game")
        again = api.post(f"/games/{game.id}/rematch", json={"token": fresh()}, headers=bearer("x"))
        assert trouble(again) == (401, "bad-token")
        answer = api.post(f"/games/{game.id}/withdraw", headers=bearer(game.tokens[0]))
        assert trouble(answer) == (409, "begun")


def test_a_finished_game_has_record_replay_and_analysis(api: httpx.Client, deal: Deals) -> None:
    game = finished(deal)
    record = Record.loads(api.get(f"/games/{game.id}/record").text)
    assert record.outcome is not None
    for seat in ("", "?seat=1", "?seat=2"):
        replay = api.get(f"/games/{game.id}/replay{seat}").json()
        assert len(replay["frames"]) == len(record.entries)
        words = replay["welcome"]["words"]
        for frame in replay["frames"]:
            words = fold_words(words, frame["words"])
        assert words["ending"]
        assert len(words["turns"]["rows"]) == max(record.turns().values(), default=0)
    assert api.get(f"/games/{game.id}/analysis").status_code == 200
    assert api.get(f"/games/{game.id}").json()["game"]["state"] == "over"


def test_only_its_players_may_see_a_finished_private_game(api: httpx.Client, deal: Deals) -> None:
    game = finished(deal, watch=False)
    for part in ("record", "replay", "analysis"):
        assert trouble(api.get(f"/games/{game.id}/{part}")) == (401, "bad-token")
        for token in (fresh(), "x", "x" * 5000):
            answer = api.get(f"/games/{game.id}/{part}", headers=bearer(token))
            assert trouble(answer) == (401, "bad-token")
        answer = api.get(f"/games/{game.id}/{part}", headers=bearer(game.tokens[1]))
        assert answer.status_code == 200
    assert game.id not in [each["id"] for each in api.get("/games?show=over").json()["games"]]
    told = api.get(f"/games/{game.id}").json()["game"]
    assert told["winner"] in (1, 2), "the winner is public, and nothing else of the game"
    assert not {"view", "entries", "number"} & told.keys()


def test_both_players_get_one_rematch_with_seats_swapped(api: httpx.Client, deal: Deals) -> None:
    game, new = finished(deal, aids=True, watch=False), (fresh(), fresh())

    def asked(token: str, new: str) -> httpx.Response:
        return api.post(f"/games/{game.id}/rematch", json={"token": new}, headers=bearer(token))

    with game.seated() as (one, two):
        both = (*zip(game.tokens, new, strict=True), (game.tokens[0], new[0]))
        first, second, again = (asked(*each).json() for each in both)
        assert first["game"]["id"] == second["game"]["id"] == again["game"]["id"]
        assert (first["seat"], second["seat"], again["seat"]) == (2, 1, 2)
        assert (first["game"]["aids"], first["game"]["watch"]) == (True, False)
        assert one.view.outcome is not None
        assert one.view.outcome.winner is not None
        loser = one.view.outcome.winner.other  # who has the winner's seat now
        assert first["game"]["score"][loser.index] == 1
        while (told := one.hear("game")["game"])["rematch"] is None:
            pass
        assert told["rematch"] == first["game"]["id"]
        assert trouble(asked(game.tokens[0], fresh())) == (409, "taken")
        assert trouble(asked(game.tokens[1], new[0])) == (409, "taken"), "that is the opponent's"
    assert sum(first["game"]["score"]) == 1
    rematch = Duel(game.address, game.name, first["game"]["id"], (new[1], new[0]))
    with rematch.seated() as (one, two):
        settle((one, two), Random(2), 3)
