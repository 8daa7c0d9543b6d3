"""A slow disk: players come, go and take over while a move is being stored, and all hear of it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starting import PATIENCE

from strongroom.server.store.database import Insert, Row, Statement
from strongroom.server.store.sqlite import SqliteDatabase
from tests.server.local import Locals


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


def test_a_player_who_comes_back_while_a_move_is_stored_hears_of_it_though_the_mover_is_gone(
    local: Locals, disk: SlowDisk
) -> None:
    game = local().deal()
    first, other = game.both()
    with first, other:
        disk.hold()
        first.ask()
        assert disk.is_held.wait(PATIENCE)
    with game.sit(2) as back:
        disk.go_on()
        back.hear("welcome")
        back.hear_up_to(1)
        assert back.seen.number == 1
