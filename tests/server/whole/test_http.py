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


def test_the_same_token_creates_one_game(api: httpx.Client) -> None:
    body = form()
    first, second = (api.post("/games", json=body) for _ in range(2))
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()


def test_a_game_waits_for_its_invitation_and_is_joined_once(api: httpx.Client) -> None:
    body = form()
    id = api.post("/games", json=body).json()["game"]["id"]
    bob = {"name": "Bob", "token": fresh()}
    assert trouble(api.post(f"/games/{id}/join", json=bob)) == (403, "bad-invitation")
    wrong = bob | {"invitation": fresh()}
    assert trouble(api.post(f"/games/{id}/join", json=wrong)) == (403, "bad-invitation")
    right = bob | {"invitation": body["invitation"]}
    first, again = (api.post(f"/games/{id}/join", json=right) for _ in range(2))
    assert first.status_code == again.status_code == 200
    assert first.json()["seat"] == again.json()["seat"] == 2
    late = {"name": "Eve", "token": fresh(), "invitation": body["invitation"]}
    assert trouble(api.post(f"/games/{id}/join", json=late)) == (409, "taken")


def test_a_host_who_joins_their_own_game_keeps_their_seat(api: httpx.Client) -> None:
    body = form(seat="2")
    made = api.post("/games", json=body).json()
    join = {"name": "Ada", "token": body["token"], "invitation": body["invitation"]}
    assert api.post(f"/games/{made['game']['id']}/join", json=join).json()["seat"] == 2


def test_only_a_lobby_game_that_nobody_has_joined_is_listed_as_waiting(api: httpx.Client) -> None:
    def is_listed(made: dict[str, Any]) -> bool:
        return made["id"] in [game["id"] for game in api.get("/games?show=waiting").json()["games"]]

    made = api.post("/games", json=form(opponent="lobby", invitation=None)).json()["game"]
    assert is_listed(made)
    joined = api.post(f"/games/{made['id']}/join", json={"name": "Bob", "token": fresh()})
    assert joined.status_code == 200
    by_link = api.post("/games", json=form()).json()["game"]
    assert by_link["open"] is False
    assert not is_listed(made)
    assert not is_listed(by_link)


def test_only_its_host_can_withdraw_a_game(api: httpx.Client) -> None:
    body = form(opponent="lobby", invitation=None)
    id = api.post("/games", json=body).json()["game"]["id"]
    route, mine = f"/games/{id}/withdraw", bearer(body["token"])
    for token in ("", fresh()):
        assert trouble(api.post(route, headers=bearer(token))) == (401, "bad-token")
    assert api.get(f"/games/{id}").json()["game"]["state"] == "waiting"
    first, again = (api.post(route, headers=mine) for _ in range(2))
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert first.json()["game"]["state"] == "withdrawn"
    listed = api.get("/games", params={"show": "waiting"}).json()["games"]
    assert id not in [game["id"] for game in listed]
    late = api.post(f"/games/{id}/join", json={"name": "Bob", "token": fresh()})
    assert trouble(late) == (410, "withdrawn")
    assert late.json()["text"] == "This game was taken back before it began."
    assert trouble(api.get(f"/games/{id}/record")) == (409, "not-over")


def test_a_host_who_withdraws_a_game_is_told_so_on_their_connection(
    api: httpx.Client, shared: LocalServer
) -> None:
    for _ in range(3):
        body = form(opponent="lobby", invitation=None)
        id = api.post("/games", json=body).json()["game"]["id"]
        with Talk(shared.address, game=id, token=body["token"]) as mine:
            mine.hear("welcome")
            answer = api.post(f"/games/{id}/withdraw", headers=bearer(body["token"]))
            assert answer.json()["game"]["state"] == "withdrawn"
            assert mine.hear_close() == WITHDRAWN
        with Talk(shared.address, game=id) as late:
            assert late.hear_close() == WITHDRAWN


def test_a_game_that_the_other_has_joined_cannot_be_withdrawn(
    api: httpx.Client, deal: Deals
) -> None:
    game = deal()
    one, two = game.both()
    with one, two:
        answer = api.post(f"/games/{game.id}/withdraw", headers=bearer(game.tokens[0]))
        assert trouble(answer) == (409, "begun")


def test_a_token_that_already_opens_a_seat_is_not_accepted_for_another(api: httpx.Client) -> None:
    first, second = form(), form()
    api.post("/games", json=first)
    id = api.post("/games", json=second).json()["game"]["id"]
    join = {"name": "Bob", "token": first["token"], "invitation": second["invitation"]}
    assert trouble(api.post(f"/games/{id}/join", json=join)) == (409, "taken")


@pytest.mark.parametrize(
    "wrong",
    [
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
    ],
    ids=str,
)
def test_an_impossible_game_is_refused_with_a_reason(
    api: httpx.Client, wrong: dict[str, Any]
) -> None:
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


def test_record_replay_and_analysis_are_refused_before_the_end(
    api: httpx.Client, deal: Deals
) -> None:
    id = deal().id
    for part in ("record", "replay", "analysis"):
        assert trouble(api.get(f"/games/{id}/{part}")) == (409, "not-over")
    again = api.post(f"/games/{id}/rematch", json={"token": fresh()}, headers=bearer("x"))
    assert trouble(again) == (401, "bad-token")


def test_a_finished_game_has_a_record_a_replay_and_an_analysis(
    api: httpx.Client, deal: Deals
) -> None:
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


def test_both_players_of_a_rematch_get_one_game_with_the_seats_swapped(
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


def test_an_unknown_game_is_not_found(api: httpx.Client) -> None:
    for part in ("", "/record", "/replay", "/analysis"):
        assert trouble(api.get(f"/games/{fresh()}{part}")) == (404, "unknown-game")


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
