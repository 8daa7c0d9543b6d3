"""The vaults of days: computed beside the event loop, once, and at whose expense."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, date, datetime, timedelta

import pytest

from strongroom.contract import Refusal
from strongroom.server import vault as vaults
from strongroom.server.budget import PAYER, Budget
from strongroom.server.vault import FIRST, MOST_KEPT, Vaults

TODAY = date(2027, 3, 1)


class Midnight(datetime):
    """A clock that stands at the beginning of a day."""

    @classmethod
    def now(cls, tz: object = None) -> Midnight:
        return cls(TODAY.year, TODAY.month, TODAY.day, tzinfo=UTC)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[date]:
    """The days whose vaults were computed, each of which is only its date."""
    days: list[date] = []

    def vault(day: date) -> dict[str, str]:
        assert threading.current_thread() is not threading.main_thread()
        days.append(day)
        return {"day": day.isoformat()}

    monkeypatch.setattr(vaults, "vault", vault)
    monkeypatch.setattr(vaults, "datetime", Midnight)
    return days


def test_a_vault_is_computed_once_for_all_who_ask(computed: list[date]) -> None:
    async def scene() -> list[dict[str, str]]:
        all_days = Vaults()
        return await asyncio.gather(*(all_days.of(TODAY) for _ in range(50)))

    assert asyncio.run(scene()) == [{"day": TODAY.isoformat()}] * 50
    assert computed == [TODAY]


@pytest.mark.parametrize("day", [FIRST - timedelta(1), TODAY + timedelta(2)], ids=str)
def test_there_is_no_vault_before_the_first_day_nor_after_tomorrow(
    computed: list[date], day: date
) -> None:
    with pytest.raises(Refusal, match="There are vaults from 2026-11-01 to 2027-03-02"):
        asyncio.run(Vaults().of(day))
    assert computed == []


def test_todays_and_tomorrows_vaults_are_prepared(computed: list[date]) -> None:
    async def scene() -> None:
        all_days = Vaults()
        await all_days.prepare()
        await all_days.of(TODAY)
        await all_days.of(TODAY + timedelta(1))

    asyncio.run(scene())
    assert computed == [TODAY, TODAY + timedelta(1)]


@pytest.mark.usefixtures("computed")
@pytest.mark.parametrize(("ago", "pays"), [(-1, False), (0, False), (1, False), (2, True)])
def test_only_days_that_are_today_nowhere_cost_the_address_that_asks(ago: int, pays: bool) -> None:
    async def scene() -> bool:
        budget = Budget(1.0, clock=lambda: 0.0)
        PAYER.set(budget)
        await Vaults().of(TODAY - timedelta(ago))
        await asyncio.sleep(0.01)
        return not budget.for_threads.is_unused

    assert asyncio.run(scene()) is pays


def test_a_flood_of_days_keeps_only_the_latest(computed: list[date]) -> None:
    days = [TODAY - timedelta(ago) for ago in range(MOST_KEPT + 1)]

    async def scene() -> None:
        all_days = Vaults()
        for day in [*days, *days[1:]]:
            await all_days.of(day)
        assert computed == days
        await all_days.of(days[0])

    asyncio.run(scene())
    assert computed == [*days, days[0]]
