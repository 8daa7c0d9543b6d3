"""The vaults of days: the same for everybody, computed once beside the event loop, and who pays."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from datetime import UTC, date, datetime, timedelta

import httpx
import pytest

from strongroom.contract import Refusal
from strongroom.puzzles import todays
from strongroom.server import hub as hubs
from strongroom.server import vault as vaults
from strongroom.server.budget import PAYER, Budget
from strongroom.server.files import ALWAYS_ASK
from strongroom.server.hub import Hub
from strongroom.server.settings import Settings
from strongroom.server.store import Store, open_database
from strongroom.server.vault import FIRST, MOST_KEPT, Vaults
from tests.server.waiting import until
from tests.server.whole.forms import trouble

TODAY = date(2027, 3, 1)
MIDNIGHT = datetime(2027, 3, 1, tzinfo=UTC).timestamp()
"""When that day begins, by universal time."""


def at_midnight() -> float:
    """A clock that stands at the beginning of the day."""
    return MIDNIGHT


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[date]:
    """The days whose vaults were computed, each of which is only its date."""
    days: list[date] = []

    def vault(day: date) -> dict[str, str]:
        assert threading.current_thread() is not threading.main_thread()
        days.append(day)
        return {"day": day.isoformat()}

    monkeypatch.setattr(vaults, "vault", vault)
    return days


async def test_a_vault_is_computed_once_for_all_and_only_the_latest_are_kept(
    computed: list[date],
) -> None:
    days, all_days = [TODAY - timedelta(ago) for ago in range(MOST_KEPT + 1)], Vaults(at_midnight)
    found = await asyncio.gather(*(all_days.of(TODAY) for _ in range(50)))
    assert [json.loads(each.plain) for each in found] == [{"day": TODAY.isoformat()}] * 50
    assert computed == [TODAY]
    for day in [*days, *days[1:]]:
        await all_days.of(day)
    assert computed == days
    await all_days.of(days[0])
    assert computed == [*days, days[0]]


async def test_a_server_computes_both_soon_after_its_start_and_opens_before(
    computed: list[date], sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "SETTLED", 0.0)
    hub = Hub(Store(open_database(sqlite)), Settings())
    hub.vaults = Vaults(at_midnight)
    await hub.open()
    assert computed == []
    await until(lambda: len(computed) == 2)
    await hub.close()
    assert computed == [TODAY, TODAY + timedelta(1)]


async def test_todays_and_tomorrows_vaults_are_prepared_and_there_are_none_before_or_after(
    computed: list[date],
) -> None:
    now = MIDNIGHT
    all_days = Vaults(lambda: now)
    for day in (FIRST - timedelta(1), TODAY + timedelta(2)):
        with pytest.raises(Refusal, match="There are vaults from 2026-11-01 to 2027-03-02"):
            await all_days.of(day)
    await all_days.prepare()
    await all_days.of(TODAY)
    now += timedelta(1).total_seconds()
    await all_days.of(TODAY + timedelta(1))
    assert computed == [TODAY, TODAY + timedelta(1)]


@pytest.mark.usefixtures("computed")
async def test_a_day_that_is_today_somewhere_may_be_cached_and_others_cost_who_asks() -> None:
    for ago, hours in ((1, 12), (0, 36), (-1, 60), (2, 0)):
        told = f"public, max-age={hours * 3600}" if hours else ALWAYS_ASK
        assert Vaults(at_midnight).caching(TODAY - timedelta(ago)) == told
        budget = Budget(1.0, clock=lambda: 0.0)
        PAYER.set(budget)
        await Vaults(at_midnight).of(TODAY - timedelta(ago))
        await asyncio.sleep(0.01)
        assert budget.for_threads.is_unused is (hours > 0)


# --- over HTTP ---


def asked(api: httpx.Client, day: object, **headers: str) -> httpx.Response:
    """The answer to the question what the vault of a day is."""
    return api.get("/vault", params={"day": str(day)}, headers=headers)


@pytest.mark.whole
def test_the_vault_of_a_day_is_its_puzzle_with_the_words_for_a_board(api: httpx.Client) -> None:
    day = date(2026, 11, 9)
    told, found = asked(api, day).json(), todays(day)
    puzzle = json.loads(json.dumps(found.to_json()))
    assert {name: told[name] for name in puzzle} == puzzle
    assert told["names"][told["view"]["seat"] - 1] == "You"
    turns = found.game.words.turns(found.view.history)
    assert [row["text"] for row in told["rows"]] == [turn.text for turn in turns]
    assert [each["move"] for each in told["moves"]] == told["view"]["moves"]
    # A browser keeps today's, and asks whether an older one has changed.
    today = datetime.now(UTC).date()
    (kept,) = re.findall(r"max-age=(\d+)", asked(api, today).headers["cache-control"])
    assert 0 < int(kept) <= 36 * 3600
    first = asked(api, FIRST)
    again = asked(api, FIRST, **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["cache-control"] == again.headers["cache-control"] == "no-cache"


@pytest.mark.whole
def test_a_day_without_a_vault_is_refused_in_a_sentence(api: httpx.Client) -> None:
    for day, code, why in (
        ("2026-11-31", "refused", "There is no day 2026-11-31."),
        ("2026-10-31", "refused", "There are vaults from 2026-11-01 to "),
        ("9999-12-31", "refused", "There are vaults from 2026-11-01 to "),
        ("tomorrow", "bad-request", "day has to be a date like 2026-11-16."),
        ("", "bad-request", "day has to be a date like 2026-11-16."),
    ):
        answer = asked(api, day)
        assert answer.headers["cache-control"] == "no-store", day
        assert trouble(answer) == (422, code), day
        assert answer.json()["text"].startswith(why), day
