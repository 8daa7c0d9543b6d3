"""The WebSocket: numbers, ids, missed entries, and who may say what."""

from __future__ import annotations

import json
from random import Random

import httpx
import pytest
from leak import is_aid
from playing import Asked, fresh
from talking import Talk, settle

from strongroom.contract import Json, Seat
from strongroom.plugins.registry import GAMES
from strongroom.referee.match import Match
from strongroom.referee.record import Record
from tests.server.conftest import Deals
from tests.server.local import LocalServer
from tests.server.whole.forms import form


def test_a_stale_number_gets_an_error_and_the_missed_entries(deal: Deals) -> None:
    one, two = deal().both()
    with one, two:
        early = Asked(fresh(), one.seen.number + 2, str(one.view.moves[0]))
        one.repeat(early)
        assert one.hear("error")["code"] == "stale"
        assert one.hear("entries")["entries"] == []
        assert one.move()["number"] == 1
        stale = Asked(fresh(), 1, "1")
        one.repeat(stale)
        error = one.hear("error")
        assert (error["code"], error["id"]) == ("stale", stale.id)
        missed = one.hear("entries")
        assert (missed["number"], len(missed["entries"])) == (1, one.seen.number)
        assert "made" not in missed


def test_a_repeated_id_gets_its_first_answer_again_whatever_else_it_says(deal: Deals) -> None:
    game, other = deal(), deal()
    (one, two), (elsewhere, another) = game.both(), other.both()
    with one, two, elsewhere, another:
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
def test_a_whole_game_is_seen_as_the_referee_does_with_nothing_missed_and_no_aids(
    deal: Deals, game: str, api: httpx.Client
) -> None:
    played, random = deal(game), Random(game)
    one, two = played.both(words=True)
    with one, two, played.watch(words=True) as watcher:
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
    first, two = game.both()
    with first, two:
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
    one, two = game.both()
    with one, two, game.watch(words=True) as watcher:
        welcome = watcher.hear("welcome")
        assert welcome["seat"] is None
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


def test_who_may_not_come_gets_an_error_and_is_disconnected(
    shared: LocalServer, deal: Deals
) -> None:
    for hello, code, closing in (
        ({"game": deal(watch=False).id}, "bad-token", 4003),  # a private game
        ({"game": deal().id, "token": fresh()}, "bad-token", 4003),
        ({"game": fresh()}, "unknown-game", 4004),
    ):
        with Talk(shared.address, **hello) as talk:
            assert talk.hear("error")["code"] == code
            assert talk.hear_close() == closing


def test_nothing_is_done_before_hello_and_garbage_is_a_bad_frame_that_disconnects(
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
    one, two = game.both()
    with one, two:
        one.say("hello", game=game.id, token=game.tokens[1])
        assert one.hear("error")["code"] == "bad-frame"
        one.move()
        one.say("move", id=fresh(), number=2, move="x" * 5000)
        assert one.hear_close() == 1009


def test_only_the_mover_hears_of_a_refusal_and_it_changes_nothing(deal: Deals) -> None:
    one, two = deal("digit-deductions").both()
    with one, two:
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
    one, two = deal().both()
    with one, two:
        one.say("resign", id=fresh())
        end = two.hear("entries")
        assert end["entries"][-1]["end"]["winner"] == 2
        one.hear("entries")
        for type, parts in (("move", {"number": 2, "move": "1"}), ("resign", {}), ("claim", {})):
            two.say(type, id=fresh(), **parts)
            assert two.hear("error")["code"] in ("over", "not-yet"), type


def test_a_waiting_player_is_told_so_and_both_are_welcomed_in_the_end(deal: Deals) -> None:
    game = deal()
    with game.sit(1) as one:
        assert one.hear("welcome")["view"] is None
        for type, parts in (("move", {"number": 1, "move": "1"}), ("resign", {})):
            one.say(type, id=fresh(), **parts)
            assert one.hear("error")["code"] == "waiting"
        with game.sit(2) as two:
            for talk in (one, two):
                assert talk.hear("welcome")["view"] is not None
            one.move()


def test_aids_are_on_by_default_only_against_a_bot(api: httpx.Client) -> None:
    for opponent, aids in (("link", False), ("lobby", False), ("random", True)):
        for wanted in (None, True, False):
            body = form(opponent=opponent, **({} if wanted is None else {"aids": wanted}))
            made = api.post("/games", json=body).json()["game"]
            assert made["aids"] is (aids if wanted is None else wanted)


def test_that_a_hint_was_taken_is_public_and_its_text_is_not(deal: Deals) -> None:
    one, two = deal("safe-cracker", aids=True).both()
    with one, two:
        chosen = one.move("1-2-3")
        two.hear("entries")
        two.move("3-2-1")
        while not one.is_to_move:
            one.hear("entries")
        id, number = fresh(), one.seen.number + 1
        one.say("hint", id=chosen["made"], number=number)  # in the journal it is a move
        assert "hint" not in [frame["type"] for frame in one.hear_until_quiet()]
        one.say("hint", id=id, number=number)
        assert one.made(id)["entries"] == [{"hint": 1}]
        text = one.hear("hint")["text"]
        assert text
        assert two.hear_until_quiet()[-1]["entries"] == [{"hint": 1}]
        one.say("hint", id=id, number=number)
        assert one.made(id)["entries"] == [{"hint": 1}]
        assert one.hear("hint")["text"]
        assert one.seen.number == number
        two.say("hint", id=fresh(), number=number + 1)
        assert two.hear("error", "hint")["code"] == "no-hint"
