"""The vaults of days: computed beside the event loop, once, and at whose expense."""

from __future__ import annotations

import asyncio
import json
import threading
from datetime import UTC, date, datetime, timedelta

import pytest

from strongroom.contract import Refusal
from strongroom.server import hub as hubs
from strongroom.server import vault as vaults
from strongroom.server.budget import PAYER, Budget
from strongroom.server.files import ALWAYS_ASK
from strongroom.server.hub import Hub
from strongroom.server.settings import Settings
from strongroom.server.store import Store, open_database
from strongroom.server.vault import FIRST, MOST_KEPT, Vaults
from tests.server.waiting import until

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


async def test_a_vault_is_computed_once_for_all_who_ask(computed: list[date]) -> None:
    all_days = Vaults(at_midnight)
    found = await asyncio.gather(*(all_days.of(TODAY) for _ in range(50)))
    assert [json.loads(each.plain) for each in found] == [{"day": TODAY.isoformat()}] * 50
    assert computed == [TODAY]


async def test_there_is_no_vault_before_the_first_day_nor_after_tomorrow(
    computed: list[date],
) -> None:
    for day in (FIRST - timedelta(1), TODAY + timedelta(2)):
        with pytest.raises(Refusal, match="There are vaults from 2026-11-01 to 2027-03-02"):
            await Vaults(at_midnight).of(day)
    assert computed == []


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


async def test_todays_and_tomorrows_vaults_are_prepared_and_there_when_the_day_begins(
    computed: list[date],
) -> None:
    now = MIDNIGHT
    all_days = Vaults(lambda: now)
    await all_days.prepare()
    await all_days.of(TODAY)
    now += timedelta(1).total_seconds()
    await all_days.of(TODAY + timedelta(1))
    assert computed == [TODAY, TODAY + timedelta(1)]


def test_a_vault_may_be_cached_until_its_day_has_ended_everywhere() -> None:
    for ago, hours in ((1, 12), (0, 36), (-1, 60)):
        told = f"public, max-age={hours * 3600}"
        assert Vaults(at_midnight).caching(TODAY - timedelta(ago)) == told
    assert Vaults(at_midnight).caching(TODAY - timedelta(2)) == ALWAYS_ASK


@pytest.mark.usefixtures("computed")
async def test_only_days_that_are_today_nowhere_cost_the_address_that_asks() -> None:
    for ago, pays in ((-1, False), (0, False), (1, False), (2, True)):
        budget = Budget(1.0, clock=lambda: 0.0)
        PAYER.set(budget)
        await Vaults(at_midnight).of(TODAY - timedelta(ago))
        await asyncio.sleep(0.01)
        assert (not budget.for_threads.is_unused) is pays


async def test_a_flood_of_days_keeps_only_the_latest(computed: list[date]) -> None:
    days, all_days = [TODAY - timedelta(ago) for ago in range(MOST_KEPT + 1)], Vaults(at_midnight)
    for day in [*days, *days[1:]]:
        await all_days.of(day)
    assert computed == days
    await all_days.of(days[0])
    assert computed == [*days, days[0]]
