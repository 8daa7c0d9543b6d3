"""The vault of a day over HTTP: the same for everybody, with all that judging an answer needs."""

from __future__ import annotations

import json
from datetime import date

import httpx
import pytest

from strongroom.puzzles import todays
from tests.server.whole.forms import trouble

DAY = date(2026, 11, 9)


def test_the_vault_of_a_day_is_its_puzzle_with_the_words_for_a_board(api: httpx.Client) -> None:
    told = api.get("/vault", params={"day": str(DAY)}).json()
    found = todays(DAY)
    puzzle = json.loads(json.dumps(found.to_json()))
    assert {name: told[name] for name in puzzle} == puzzle
    assert told["names"][told["view"]["seat"] - 1] == "You"
    turns = found.game.words.turns(found.view.history)
    assert [row["text"] for row in told["rows"]] == [turn.text for turn in turns]
    assert [each["move"] for each in told["moves"]] == told["view"]["moves"]


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
    answer = api.get("/vault", params={"day": day})
    assert trouble(answer) == (422, code)
    assert answer.json()["text"].startswith(why)
