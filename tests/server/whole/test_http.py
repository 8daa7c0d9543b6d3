"""The HTTP API: creating and finding games, repeated and wrong requests, and who may ask."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import httpx
import pytest
from playing import fresh
from talking import Duel, Talk, settle

from strongroom.plugins.registry import GAMES
from strongroom.referee.record import Record
from strongroom.referee.wire import WITHDRAWN, fold_words
from tests.server.conftest import Deals
from tests.server.local import LocalServer
from tests.server.whole.forms import bearer, form, trouble


def finished(deal: Deals, **terms: Any) -> Duel:
    """A game that was played to its end."""
    game = deal("safe-cracker", **terms)
    one, two = game.both()
    with one, two:
        settle((one, two), Random(1))
    return game


# --- making and joining ---


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


def test_only_a_lobby_game_that_nobody_has_joined_is_listed_as_waiting(api: httpx.Client) -> None:
    def is_listed(made: dict[str, Any]) -> bool:
        return made["id"] in [game["id"] for game in api.get("/games?show=waiting").json()["games"]]

    made = api.post("/games", json=form(opponent="lobby", invitation=None)).json()["game"]
    assert is_listed(made)
    joined = api.post(f"/games/{made['id']}/join", json={"name": "Bob", "token": fresh()})
    assert joined.status_code == 200
    assert not is_listed(made)
    assert not is_listed(api.post("/games", json=form()).json()["game"])


def test_only_its_host_can_withdraw_a_game_and_is_told_so_on_their_connection(
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


def test_impossible_games_are_refused_with_a_reason(
    api: httpx.Client, subtests: pytest.Subtests
) -> None:
    impossible: tuple[dict[str, Any], ...] = (
        {"game": "chess"},
        {"opponent": "nobody"},
        {"invitation": None},
        {"token": "abc"},
        {"token": "AB" * 16},
        {"seat": "3"},
        {"seat": 1},
        {"name": ""},
        {"name": "x" * 25},
        {"name": "you"},
        {"name": "a\u202eb"},
        {"options": {"no": 1}},
        {"options": {"digits": 10**30}},
        *({"clock": {"minutes": minutes, "increment": 0}} for minutes in (-1, 0, 1e9)),
        {"clock": {"minutes": 1e-9, "increment": 180}},
        {"extra": True},
        {"aids": "yes"},
    )
    for wrong in impossible:
        with subtests.test(wrong=wrong):
            assert trouble(api.post("/games", json=form(**wrong)))[0] == 422


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


# --- finished games ---


def test_before_the_end_there_is_no_record_replay_analysis_withdrawal_or_rematch(
    api: httpx.Client, deal: Deals
) -> None:
    game = deal()
    one, two = game.both()
    with one, two:
        for part in ("record", "replay", "analysis"):
            assert trouble(api.get(f"/games/{game.id}/{part}")) == (409, "not-over")
            answer = api.get(f"/games/{fresh()}/{part}")
            assert trouble(answer) == (404, "unknown-game")
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
    listed = [each["id"] for each in api.get("/games?show=over").json()["games"]]
    assert game.id not in listed
    told = api.get(f"/games/{game.id}").json()["game"]
    assert told["winner"] in (1, 2), "the winner is public, and nothing else of the game"
    assert not {"view", "entries", "number"} & told.keys()


def test_both_players_of_a_rematch_get_one_game_with_seats_swapped(
    api: httpx.Client, deal: Deals
) -> None:
    game, new = finished(deal), (fresh(), fresh())

    def asked(token: str, new: str) -> httpx.Response:
        return api.post(f"/games/{game.id}/rematch", json={"token": new}, headers=bearer(token))

    one, two = game.both()
    with one, two:
        both = (*zip(game.tokens, new, strict=True), (game.tokens[0], new[0]))
        first, second, again = (asked(*each).json() for each in both)
        assert first["game"]["id"] == second["game"]["id"] == again["game"]["id"]
        assert (first["seat"], second["seat"], again["seat"]) == (2, 1, 2)
        while (told := one.hear("game")["game"])["rematch"] is None:
            pass
        assert told["rematch"] == first["game"]["id"]
        assert trouble(asked(game.tokens[0], fresh())) == (409, "taken")
        assert trouble(asked(game.tokens[1], new[0])) == (409, "taken"), "that is the opponent's"
    assert sum(first["game"]["score"]) == 1
    rematch = Duel(game.address, game.name, first["game"]["id"], (new[1], new[0]))
    one, two = rematch.both()
    with one, two:
        settle((one, two), Random(2), 3)


# --- the catalog ---


def test_the_catalog_names_every_game_and_bot(api: httpx.Client) -> None:
    told = api.get("/catalog").json()
    assert {game["name"] for game in told["games"]} >= set(GAMES)
    for game in told["games"]:
        rules = api.get(f"/rules/{game['name']}").json()
        assert rules["title"] == game["title"]
        assert "<script" not in rules["html"]
    for bot in told["bots"]:
        body = form(opponent=bot["name"], invitation=None)
        made = api.post("/games", json=body)
        assert made.status_code == 201, made.text
        assert made.json()["game"]["seats"][1]["name"]
