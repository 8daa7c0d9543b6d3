"""The vault of a day over HTTP: the same for everybody, with all that judging an answer needs."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime

import httpx
import pytest

from strongroom.puzzles import todays
from strongroom.server.vault import FIRST
from tests.server.whole.forms import trouble

DAY = date(2026, 11, 9)


def asked(api: httpx.Client, day: object, **headers: str) -> httpx.Response:
    """The answer to the question what the vault of a day is."""
    return api.get("/vault", params={"day": str(day)}, headers=headers)


def test_the_vault_of_a_day_is_its_puzzle_with_the_words_for_a_board(api: httpx.Client) -> None:
    told = asked(api, DAY).json()
    found = todays(DAY)
    puzzle = json.loads(json.dumps(found.to_json()))
    assert {name: told[name] for name in puzzle} == puzzle
    assert told["names"][told["view"]["seat"] - 1] == "You"
    turns = found.game.words.turns(found.view.history)
    assert [row["text"] for row in told["rows"]] == [turn.text for turn in turns]
    assert [each["move"] for each in told["moves"]] == told["view"]["moves"]


def test_a_browser_keeps_todays_vault_and_asks_whether_an_older_one_has_changed(
    api: httpx.Client,
) -> None:
    today = datetime.now(UTC).date()
    (kept,) = re.findall(r"max-age=(\d+)", asked(api, today).headers["cache-control"])
    assert 0 < int(kept) <= 36 * 3600
    first = asked(api, FIRST)
    again = asked(api, FIRST, **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["cache-control"] == again.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("day", "code", "why"),
    [
        ("2026-11-31", "refused", "There is no day 2026-11-31."),
        ("2026-10-31", "refused", "There are vaults from 2026-11-01 to "),
        ("9999-12-31", "refused", "There are vaults from 2026-11-01 to "),
        ("tomorrow", "bad-request", "day has to be a date like 2026-11-16."),
        ("", "bad-request", "day has to be a date like 2026-11-16."),
    ],
)
def test_a_day_without_a_vault_is_refused_in_a_sentence(
    api: httpx.Client, day: str, code: str, why: str
) -> None:
    answer = asked(api, day)
    assert answer.headers["cache-control"] == "no-store"
    assert trouble(answer) == (422, code)
    assert answer.json()["text"].startswith(why)
