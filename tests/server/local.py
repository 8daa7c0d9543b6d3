"""Servers in threads of the tests' process, whose time passes when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from threading import Event, Thread
from typing import Any, TypeVar

from starting import PATIENCE
from talking import Duel, duel

from strongroom.server.clocks import Frozen, Timekeeper
from strongroom.server.hub import Hub
from strongroom.server.run import Server, listen
from strongroom.server.settings import DEFAULTS, Limits, Settings
from strongroom.server.store import DatabaseTrouble, Store, open_database

T = TypeVar("T")
USUAL: dict[str, Any] = {"limits": Limits.none(), "pace": 0.0, "metrics_token": "figures"}


class Clock:
    """The time that servers share, which stands still until a test moves it."""

    def __init__(self) -> None:
        self.begin = 1e9
        """What a server that starts takes for the time at which the clock began."""
        self.passed = 0.0


class HandedTime(Timekeeper):
    """Server time that only a test moves, and that does not watch for freezes by itself."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock, self._offset = clock, clock.begin

    def now(self) -> float:
        return self._offset + self._clock.passed

    def watch(self, tell: Frozen) -> None:
        self._tell = tell


class Quiet(Server):
    """A server that leaves the signals to the tests."""

    capture_signals = nullcontext  # type: ignore[assignment]


class LocalServer:
    """A server in a thread of this process."""

    def __init__(self, clock: Clock, settings: Settings) -> None:
        self._settings = settings
        self._clock = clock
        self._open = Event()
        self.is_frozen = False
        self._thread = Thread(target=lambda: asyncio.run(self._serve()))

    def start(self) -> None:
        self._thread.start()
        assert self._open.wait(PATIENCE)

    async def _serve(self) -> None:
        store = Store(open_database(self._settings.database, self._settings))
        store.time = HandedTime(self._clock)
        self.hub, self._loop = Hub(store), asyncio.get_running_loop()
        with listen(self._settings) as listening:
            self.port: int = listening.getsockname()[1]
            self._server = Quiet(self.hub)
            try:
                await self.hub.open()
            except DatabaseTrouble:
                self._open.set()
                raise
            serving = asyncio.create_task(self._server.serve([listening]))
            while not self._server.started and not serving.done():
                await asyncio.sleep(0.001)
            self._open.set()
            await serving

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def deal(self, game: str = "quantum-duel", **terms: Any) -> Duel:
        return duel(self.address, game, **terms)

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    async def notice_the_time(self) -> None:
        """Send a heartbeat and look at all clocks, as it does all the time."""
        try:
            await self.hub._beat()
        except DatabaseTrouble as trouble:
            self.hub.background.outage.begins(trouble)
        for room in list(self.hub.rooms.by_game.values()):
            self.hub.rooms.do_servers_part(room)

    @property
    def now(self) -> float:
        return self.hub.time.now()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Suspend its event loop for the block; then its time says so, as after a stop signal."""
        stands, goes_on = Event(), Event()

        def stand() -> None:
            began = self.hub.time.now()
            stands.set()
            goes_on.wait(PATIENCE)
            tell = self.hub.time._tell
            assert tell is not None
            tell(began, self.hub.time.now())

        self._loop.call_soon_threadsafe(stand)
        self.is_frozen = stands.wait(PATIENCE)
        try:
            yield
        finally:
            self.is_frozen = False
            goes_on.set()

    def stop(self) -> None:
        if self._thread.is_alive():
            self._server.should_exit = True
            self._thread.join(PATIENCE)


class Locals(ExitStack):
    """Starts servers, which end with the block and share a clock."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self._database = database
        self.servers: list[LocalServer] = []
        self.clock = Clock()

    def __call__(self, **settings: Any) -> LocalServer:
        usual = {**USUAL, "port": 0, "database": self._database}
        server = LocalServer(self.clock, Settings(**usual | settings))
        server.start()
        self.callback(server.stop)
        self.servers.append(server)
        return server

    def pair(self, **settings: Any) -> tuple[LocalServer, LocalServer]:
        return self(**settings), self(**settings)

    def pass_time(self, seconds: float) -> None:
        """Let time pass; whoever runs beats his heart as often as ever."""
        while seconds > 0:
            self.clock.passed += min(DEFAULTS.heartbeat, seconds)
            seconds -= DEFAULTS.heartbeat
            for server in self.servers:
                if server._thread.is_alive() and not server.is_frozen:
                    server.do(server.notice_the_time())
