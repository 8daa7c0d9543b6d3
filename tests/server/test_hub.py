"""The hub: what others do while a hint is sought, a move is being stored, or a game expires."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starting import PATIENCE

from strongroom.contract import Seat
from strongroom.referee.tokens import fresh
from strongroom.referee.wire import NO_GAME
from strongroom.server import hints
from strongroom.server.connection import Backlog, Connection
from strongroom.server.forms import NewGame
from strongroom.server.hub import Hub
from strongroom.server.lobby import Lobby
from strongroom.server.messages import Hello, HintRequest, ResignRequest, WireError
from strongroom.server.settings import Settings
from strongroom.server.store import Store, open_database
from strongroom.server.store.database import Insert, Row, Statement
from strongroom.server.store.sqlite import SqliteDatabase
from strongroom.theory.hints import advise
from tests.server.local import Locals


@asynccontextmanager
async def seated(url: str) -> AsyncIterator[tuple[Hub, dict[Seat, Connection]]]:
    """A hub with two players connected to a game of Quantum Duel."""
    hub, tokens, invitation = (
        Hub(Store(open_database(url)), Settings()),
        (fresh(), fresh()),
        fresh(),
    )
    await hub.open()
    wanted = {"game": "quantum-duel", "name": "Ada", "token": tokens[0], "invitation": invitation}
    game, _ = await Lobby(hub).create(NewGame.model_validate({**wanted, "aids": True}), "")
    await Lobby(hub).join(game["id"], "Bob", tokens[1], invitation)
    both = {seat: Connection(10**6, Backlog(10**6)) for seat in Seat}
    for connection, token in zip(both.values(), tokens, strict=True):
        await hub.enter(connection, Hello(game["id"], token, None, False, fresh()))
    yield hub, both
    await hub.close()


async def test_nobody_waits_for_the_hint_of_another(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = Event()

    def slow(view: Any) -> Any:
        goes_on.wait(60)
        return advise(view)

    monkeypatch.setattr(hints, "advise", slow)
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
        watcher = Connection(10**6, Backlog(10**6))
        with pytest.raises(WireError) as refused:  # the players' connections are still closing
            await hub.enter(watcher, Hello(one.game, None, None, False, None))
    assert (refused.value.code, one.closed) == ("unknown-game", (NO_GAME, "expired"))


class SlowDisk(SqliteDatabase):
    """SQLite on a disk that can be stalled: moves are written once it resumes."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.stalls = False
        self.is_held, self.has_come = Event(), Event()
        self._coming: asyncio.Task[object] | None = None

    def hold(self) -> None:
        """Stall the writing of moves from now on."""
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
    """The disk of the next local server."""
    disk = SlowDisk(tmp_path / "games.db")
    monkeypatch.setattr("tests.server.local.open_database", lambda _: disk)
    return disk


@pytest.mark.whole
def test_a_move_is_announced_although_its_player_opens_another_tab_while_it_is_stored(
    local: Locals, disk: SlowDisk
) -> None:
    game = local().deal()
    first, other = game.both()
    with first, other:
        disk.hold()
        first.ask()
        assert disk.is_held.wait(PATIENCE)
        with game.sit(1) as second:
            disk.go_on()  # it would take over now if it were allowed to
            assert other.hear("entries")["number"] == 1
            second.hear("welcome")
            second.hear_until_quiet()
    first, other = game.both()
    with first, other:
        disk.hold()
        other.ask()
        assert disk.is_held.wait(PATIENCE)
    with game.sit(1) as back:  # who comes back hears of it though the mover is gone
        disk.go_on()
        back.hear("welcome")
        back.hear_up_to(2)
        assert back.seen.number == 2
