"""A slow disk: players come, go and take over while a move is being stored, and all hear of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from playing import Api, fresh, play_address
from starting import PATIENCE
from websockets.asyncio.client import ClientConnection, connect

from strongroom.contract import Json
from strongroom.plugins.registry import load
from strongroom.server.hub import Hub
from strongroom.server.run import Server, listen
from strongroom.server.settings import Settings
from strongroom.server.store import Store
from strongroom.server.store.database import Insert, Row, Statement
from strongroom.server.store.sqlite import SqliteDatabase


class SlowDisk(SqliteDatabase):
    """SQLite on a disk that can be stalled: moves are written once it resumes."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self.is_held = asyncio.Event()
        self.has_come = asyncio.Event()
        """Set as soon as the last player to come has read everything."""
        self._coming: asyncio.Task[object] | None = None

    def hold(self) -> None:
        """Stall the writing of moves from now on."""
        self.goes_on.clear()
        self.has_come.clear()

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
        if not self.goes_on.is_set():
            self.is_held.set()
            await self.goes_on.wait()
        return await super().write(*statements, about=about)


class Table:
    """A game between two people on a server in this process, and its disk."""

    def __init__(self, address: str, disk: SlowDisk, id: str, tokens: tuple[str, str]) -> None:
        self.disk = disk
        self.hold = disk.hold
        self.go_on = disk.goes_on.set
        self._address, self._id, self._tokens = address, id, tokens
        self._sockets = AsyncExitStack()
        self.welcome: Json = {}
        """The welcome of the last player who came."""

    async def sit(self, seat: int) -> ClientConnection:
        """Connect as the player of a seat."""
        socket = await self._sockets.enter_async_context(connect(play_address(self._address)))
        hello = {"type": "hello", "game": self._id, "token": self._tokens[seat - 1]}
        await socket.send(json.dumps(hello))
        self.welcome = await hear(socket, "welcome")
        return socket

    async def close(self) -> None:
        """Close all connections."""
        await self._sockets.aclose()


async def hear(socket: ClientConnection, type: str) -> Json:
    """Return the next frame of a type."""
    while True:
        frame: Json = json.loads(await socket.recv())
        if frame["type"] == type:
            return frame


async def move(socket: ClientConnection) -> None:
    """Send the first move of Quantum Duel."""
    text = str(load("quantum-duel").start().view(None).game.actions[0])
    asked = {"type": "move", "id": fresh(), "number": 1, "move": text}
    await socket.send(json.dumps(asked))


@asynccontextmanager
async def served(file: Path) -> AsyncIterator[Table]:
    """Serve a game from this process, on a disk that can be stalled."""
    disk, settings = SlowDisk(file), Settings(port=0)
    hub = Hub(Store(disk), settings)
    with listen(settings) as listening:
        await hub.open()
        server = Server(settings, hub)
        serving = asyncio.create_task(server.serve([listening]))
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        api = Api([address])
        table = Table(address, disk, *await api.by_link("quantum-duel"))
        try:
            yield table
        finally:
            disk.goes_on.set()
            await table.close()
            await api.close()
            server.should_exit = True
            await serving


def at_a_table(file: Path, work: Callable[[Table], Awaitable[None]]) -> None:
    """Run a coroutine with a table."""

    async def run() -> None:
        async with asyncio.timeout(PATIENCE), served(file) as table:
            await work(table)

    asyncio.run(run())


def test_a_move_is_announced_although_its_player_opens_another_tab_while_it_is_stored(
    tmp_path: Path,
) -> None:
    async def work(table: Table) -> None:
        first, other = await asyncio.gather(table.sit(1), table.sit(2))
        table.hold()
        await move(first)
        await table.disk.is_held.wait()
        arriving = asyncio.create_task(table.sit(1))
        await table.disk.has_come.wait()  # it would take over now if it were allowed to
        table.go_on()
        second = await arriving
        assert (await hear(other, "entries"))["number"] == 1
        await second.send('{"type":"ping"}')
        await hear(second, "pong")

    at_a_table(tmp_path / "games.db", work)


def test_a_player_who_comes_back_while_a_move_is_stored_hears_of_it_though_the_mover_is_gone(
    tmp_path: Path,
) -> None:
    async def work(table: Table) -> None:
        first, other = await asyncio.gather(table.sit(1), table.sit(2))
        table.hold()
        await move(first)
        await table.disk.is_held.wait()
        await other.close()
        await first.close()
        arriving = asyncio.create_task(table.sit(2))
        await table.disk.has_come.wait()
        table.go_on()
        back = await arriving
        if not table.welcome["number"]:
            assert (await hear(back, "entries"))["number"] == 1

    at_a_table(tmp_path / "games.db", work)
