"""The hub while a hint is sought, a move is stored or a game expires; the vaults of days."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from starting import PATIENCE

from strongroom.contract import Refusal, Seat
from strongroom.puzzles import todays
from strongroom.referee.randomness import fresh_token as fresh
from strongroom.referee.wire import NO_GAME
from strongroom.server import hub as hubs
from strongroom.server import vault as vaults
from strongroom.server.files import ALWAYS_ASK
from strongroom.server.hub import Hub
from strongroom.server.limits import PAYER, Budget
from strongroom.server.lobby import Lobby
from strongroom.server.messages import Hello, HintRequest, NewGame, ResignRequest, WireError
from strongroom.server.room import Backlog, Connection
from strongroom.server.settings import DEFAULTS, Settings
from strongroom.server.store import Store, open_database
from strongroom.server.store.database import Insert, Row, Statement
from strongroom.server.store.sqlite import SqliteDatabase
from strongroom.server.vault import FIRST, Vaults
from strongroom.theory.hints import advise
from tests.server.local import Locals
from tests.server.test_limits import Stuck
from tests.server.waiting import until
from tests.server.whole.forms import trouble

TODAY = date(2027, 3, 1)
at_midnight = datetime(2027, 3, 1, tzinfo=UTC).timestamp
"""When that day begins, by universal time."""


@asynccontextmanager
async def seated(url: str) -> AsyncIterator[tuple[Hub, dict[Seat, Connection]]]:
    hub = Hub(Store(open_database(url)))
    tokens, invitation = (fresh(), fresh()), fresh()
    await hub.open()
    wanted = {"game": "quantum-duel", "name": "Ada", "token": tokens[0], "invitation": invitation}
    game, _ = await Lobby(hub).create(NewGame.model_validate({**wanted, "aids": True}), "")
    await Lobby(hub).join(game["id"], "Bob", tokens[1], invitation)
    both = {seat: Connection(Stuck(), 10**6, Backlog(10**6)) for seat in Seat}
    for connection, token in zip(both.values(), tokens, strict=True):
        await hub.enter(connection, Hello(game["id"], token, None, False, fresh()))
    yield hub, both
    await hub.close()


async def test_nobody_waits_for_anothers_hint(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on = threading.Event()

    def slow(view: Any) -> Any:
        goes_on.wait(60)
        return advise(view)

    monkeypatch.setattr(hubs, "advise", slow)
    async with seated(sqlite) as (hub, both):
        asking = asyncio.create_task(hub.handle(both[Seat.ONE], HintRequest(fresh(), 1)))
        try:
            async with asyncio.timeout(PATIENCE):
                await hub.handle(both[Seat.TWO], ResignRequest(fresh()))
            assert not asking.done()
        finally:
            goes_on.set()
            with pytest.raises(Exception, match="The game is over"):
                await asking


async def test_a_spectator_who_comes_just_after_a_game_expired_is_told_so(sqlite: str) -> None:
    async with seated(sqlite) as (hub, both):
        one = both[Seat.ONE]
        assert await hub.store.expire(-1, None) == [one.game]
        await hub.rooms.refresh([one.game])
        watcher = Connection(Stuck(), 10**6, Backlog(10**6))
        with pytest.raises(WireError) as refused:  # the players' connections are still closing
            await hub.enter(watcher, Hello(one.game, None, None, False, None))
    assert (refused.value.code, one.closed) == ("unknown-game", (NO_GAME, "expired"))


class SlowDisk(SqliteDatabase):
    """SQLite on a disk that can be stalled: moves are written once it resumes."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.stalls = False
        self.is_held, self.has_come = threading.Event(), threading.Event()
        self._coming: asyncio.Task[object] | None = None

    def hold(self) -> None:
        self.stalls = True
        self.has_come.clear()

    def go_on(self) -> None:
        """Resume as soon as the player who comes has read everything."""
        assert self.has_come.wait(PATIENCE)
        self.stalls = False

    async def read(self, sql: str, **values: Any) -> list[Row]:
        """Read; after its last read, a hello runs without a pause to where it has to wait."""
        rows = await super().read(sql, **values)
        if "max(last)" in sql and asyncio.current_task() is self._coming:
            self.has_come.set()
        return rows

    def write(self, *statements: Statement | Insert, about: str = "") -> asyncio.Future[int]:
        """Write, or wait first if it is a journal's entry; as always, no way back."""
        if "SET connection = :connection" in statements[0].sql:
            self._coming = asyncio.current_task()
        if "INTO journal" not in statements[0].sql:
            return super().write(*statements, about=about)
        return asyncio.shield(asyncio.ensure_future(self._write_later(*statements, about=about)))

    async def _write_later(self, *statements: Statement | Insert, about: str) -> int:
        while self.stalls:
            self.is_held.set()
            await asyncio.sleep(0.001)
        return await super().write(*statements, about=about)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SlowDisk:
    disk = SlowDisk(tmp_path / "games.db")

    def open_database(_: str, settings: Settings) -> SlowDisk:
        disk.settings = settings
        return disk

    monkeypatch.setattr("tests.server.local.open_database", open_database)
    return disk


@pytest.mark.whole
def test_a_move_is_announced_though_its_player_changes_tabs(local: Locals, disk: SlowDisk) -> None:
    game = local().deal()
    with game.seated() as (first, other):
        disk.hold()
        first.ask()
        assert disk.is_held.wait(PATIENCE)
        with game.sit(1) as second:
            disk.go_on()  # it would take over now if it were allowed to
            assert other.hear("entries")["number"] == 1
            second.hear("welcome")
            second.hear_until_quiet()
    with game.seated() as (first, other):
        disk.hold()
        other.ask()
        assert disk.is_held.wait(PATIENCE)
    with game.sit(1) as back:  # who comes back hears of it though the mover is gone
        disk.go_on()
        back.hear("welcome")
        back.hear_up_to(2)
        assert back.seen.number == 2


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


async def test_a_vault_is_computed_once_and_only_the_latest_are_kept(computed: list[date]) -> None:
    days = [TODAY - timedelta(ago) for ago in range(DEFAULTS.cached_vaults + 1)]
    all_days = Vaults(DEFAULTS, at_midnight)
    found = await asyncio.gather(*(all_days.of(TODAY) for _ in range(50)))
    assert [json.loads(each.plain) for each in found] == [{"day": TODAY.isoformat()}] * 50
    assert computed == [TODAY]
    for day in [*days, *days[1:]]:
        await all_days.of(day)
    assert computed == days
    await all_days.of(days[0])
    assert computed == [*days, days[0]]
    for day in (FIRST - timedelta(1), TODAY + timedelta(2)):
        with pytest.raises(Refusal, match="There are vaults from 2026-11-01 to 2027-03-02"):
            await all_days.of(day)


async def test_a_server_computes_both_soon_after_its_start_and_opens_before(
    computed: list[date], sqlite: str
) -> None:
    hub = Hub(Store(open_database(sqlite, Settings(first_vaults=0.0))))
    hub.vaults = Vaults(DEFAULTS, at_midnight)
    await hub.open()
    assert computed == []
    await until(lambda: len(computed) == 2)
    for ahead in range(2):
        await hub.vaults.of(TODAY + timedelta(ahead))
    await hub.close()
    assert computed == [TODAY, TODAY + timedelta(1)]


@pytest.mark.usefixtures("computed")
async def test_a_day_that_is_today_somewhere_may_be_cached_and_others_cost_who_asks() -> None:
    for ago, hours in ((1, 12), (0, 36), (-1, 60), (2, 0)):
        told = f"public, max-age={hours * 3600}" if hours else ALWAYS_ASK
        assert Vaults(DEFAULTS, at_midnight).caching(TODAY - timedelta(ago)) == told
        budget = Budget(DEFAULTS, clock=lambda: 0.0)
        PAYER.set(budget)
        await Vaults(DEFAULTS, at_midnight).of(TODAY - timedelta(ago))
        await asyncio.sleep(0.01)
        assert budget.for_threads.is_unused is (hours > 0)


def asked(api: httpx.Client, day: object, **headers: str) -> httpx.Response:
    return api.get("/vault", params={"day": str(day)}, headers=headers)


@pytest.mark.whole
def test_the_vault_of_a_day_is_its_puzzle_with_the_words_for_a_board(api: httpx.Client) -> None:
    day = date(2026, 11, 13)
    told, found = asked(api, day).json(), todays(day)
    puzzle = json.loads(json.dumps(found.to_json()))
    for each in told["moves"]:
        each.setdefault("said", each["move"])
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
