"""The hub: one process of the server, from its start to its end, and its players' requests."""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from typing import Final

from strongroom.agents.engine_pool import POOL
from strongroom.agents.engine_process import end_all
from strongroom.contract import Json, Seat
from strongroom.referee.randomness import BOT_SEED
from strongroom.referee.wire import NO_GAME, RESTART
from strongroom.server import garbage, hints
from strongroom.server.background import Background
from strongroom.server.bench import Bench
from strongroom.server.connection import Connection
from strongroom.server.heartbeat import Heartbeat
from strongroom.server.logs import log
from strongroom.server.messages import (
    ClaimRequest,
    Hello,
    HintRequest,
    MoveRequest,
    NumberedRequest,
    PlayerRequest,
    ReadRequest,
    ResignRequest,
    WireError,
)
from strongroom.server.metrics import Metrics
from strongroom.server.presence import Presence
from strongroom.server.room import Room
from strongroom.server.rooms import Rooms
from strongroom.server.settings import Settings
from strongroom.server.store import DatabaseTrouble, Store, StoredGame
from strongroom.server.table import Proposal
from strongroom.server.vault import Vaults

BEAT: Final = 2.0
"""Seconds between heartbeats, and between checks of the other processes' heartbeats."""
POLL, SHARES = 0.2, 10
"""Seconds between polls of a tenth of the games, for changes that notifications missed."""
SWEEP: Final = 600.0
"""Seconds between sweeps of expired games, and until the vault of a new day is prepared."""
SETTLED: Final = 5.0
"""Seconds from the start until the first vaults are prepared, when clients have reconnected."""
TIDY: Final = 3600.0
"""Seconds between garbage collections."""
FARE_WELL: Final = 2.0
"""Seconds that clients get to hear that the server is stopping."""


class Hub:
    """A process of the server: what it does periodically, and what connections ask of it."""

    def __init__(self, store: Store, settings: Settings, metrics: Metrics | None = None) -> None:
        self.store = store
        self.settings = settings
        self.metrics = metrics or Metrics()
        self.background = Background()
        self.vaults = Vaults()
        self.time = store.time
        self._process = store.database.process
        self._presence = Presence(self._process, store.database.shared, self.time, 2 * BEAT)
        self.bench = Bench(settings.bots)
        self.rooms = Rooms(
            store, settings, self.metrics, self._presence, self.background, self.bench
        )
        self._heartbeat = Heartbeat(store, self._presence, self.rooms, self.background)
        self._round = 0

    # --- start and stop ---

    async def open(self) -> None:
        """Start serving."""
        await self.store.database.open()
        await self._heartbeat.begin()
        self.store.database.listen(self.heard)
        self.background.every(BEAT, self._beat)
        self.background.every(SWEEP, self._sweep)
        self.background.every(TIDY, self._tidy)
        self.background.every(SWEEP, self.vaults.prepare, first=SETTLED)
        if self.store.database.shared:
            self.background.every(POLL, self._poll)

    def say_goodbye(self) -> None:
        """Tell everybody that the server is restarting."""
        self.background.closing = True
        for room in self.rooms.by_game.values():
            room.close(RESTART, "restart")

    async def farewell(self) -> None:
        """Wait until everybody has left, but not for long: some clients may not listen."""
        end = time.monotonic() + FARE_WELL
        while any(room.viewers for room in self.rooms.by_game.values()) and time.monotonic() < end:
            await asyncio.sleep(0.01)

    async def close(self) -> None:
        """Shut down, with everything stored that was acknowledged."""
        self.time.stop()
        await self.background.close()
        await asyncio.to_thread(POOL.close)
        await asyncio.to_thread(end_all)  # whoever still waits for an engine goes on
        with contextlib.suppress(DatabaseTrouble):
            await self.store.beat(self._process)  # from here on clocks stand still
        await self.store.database.close()

    async def _beat(self) -> None:
        """Send a heartbeat, and check who else is alive."""
        is_news = await self._heartbeat.beat()
        self.background.outage.ends()
        if is_news:  # players of a process that is gone are away now
            self.rooms.tell_infos()

    async def _sweep(self) -> None:
        gone = await self.store.expire(self.settings.expire_after, self.settings.keep_records)
        if gone:
            log("expired", count=len(gone))
        for room in filter(None, map(self.rooms.by_game.get, gone)):
            self.rooms.shut(room, NO_GAME, "expired")

    async def _tidy(self) -> None:
        garbage.clear_away()

    # --- changes by other processes or HTTP ---

    def heard(self, games: list[str]) -> None:
        """Refresh games that another process wrote about; an empty list means all games."""
        here = self.rooms.by_game
        ours = [id for id in games if id in here] if games else list(here)
        if ours and not self.background.closing:
            self.background.spawn(self._refreshed(ours))

    async def _refreshed(self, games: list[str]) -> None:
        with contextlib.suppress(DatabaseTrouble):
            await self.rooms.refresh(games)

    async def _poll(self) -> None:
        """Refresh a share of the games, so that no round keeps anybody waiting."""
        self._round = (self._round + 1) % SHARES
        games = [id for id in self.rooms.by_game if int(id[:8], 16) % SHARES == self._round]
        await self.rooms.refresh(games)

    # --- connections ---

    async def enter(self, connection: Connection, hello: Hello) -> None:
        """Let a connection sit down or watch, and send it what it does not have yet."""
        room = await self.rooms.room(hello.game)
        try:
            seat = room.seat_for(hello.token)
        except WireError:
            self.rooms.leave(room, connection)
            raise
        connection.game, connection.seat, connection.variant = hello.game, seat, (seat, hello.words)
        connection.held = True  # until it is greeted
        room.viewers.add(connection)  # from here on it is told everything
        try:
            if seat is not None:
                await self._arrive(room, connection, seat, hello)
            if seat is not None or self.store.database.shared:
                await self.rooms.refresh([room.id])
        except Exception:  # it may say hello again
            connection.game, connection.held = "", False
            self.rooms.leave(room, connection)
            raise
        room.greet(connection, hello.have, self.rooms.info(room))
        async with room.lock:
            self.rooms.see_to(room)

    async def _arrive(self, room: Room, connection: Connection, seat: Seat, hello: Hello) -> None:
        writes = [self.store.arrive(room.id, seat, connection.id, self._process)]
        if room.table.stored.seats[seat.index].seed is None:
            writes.append(self.store.give_seed(room.id, seat, hello.seed or BOT_SEED))
        await asyncio.gather(*writes)
        connection.arrived = time.monotonic()

    async def leave(self, connection: Connection) -> None:
        """Handle a disconnect; the player keeps the seat."""
        room = self.rooms.by_game.get(connection.game)
        if room is None:
            return
        self.rooms.leave(room, connection)
        if connection.seat is not None:
            # Retried until it is stored, or else nobody could ever claim the game.
            seat, now = connection.seat, self.time.now()
            leave = partial(self.store.leave, room.id, seat, connection.id, now)
            if await self.background.written(leave):
                await self._refreshed([room.id])

    # --- requests ---

    async def handle(self, connection: Connection, request: PlayerRequest) -> None:
        """Handle a player's request: check, store, then tell everybody."""
        room = self.rooms.by_game.get(connection.game)
        if room is None or connection not in room.viewers:
            raise WireError("taken", "Another connection has taken over this seat.", request.id)
        seat = connection.seat
        if seat is None:
            raise WireError("watching", "Spectators cannot play.", request.id)
        if isinstance(request, ClaimRequest):  # the opponent may have just connected elsewhere
            await self.rooms.refresh([room.id])
        hint = None
        if isinstance(request, HintRequest):
            hint = await hints.hint(room.table, seat, request)
        async with room.lock:
            if (first := room.table.requests.get(request.id)) is not None:
                room.tell_again(connection, first.number - 1, made=request.id)
                if hint is not None and room.table.was_hinted(seat, first):
                    connection.tell(hint)
                return
            try:
                if isinstance(request, ReadRequest):
                    connection.tell(room.table.read(seat, request))
                    return
                proposal = await self._proposal(room, seat, request, hint)
            except WireError as error:
                if error.code == "stale" and isinstance(request, NumberedRequest):
                    connection.error(error)
                    room.tell_again(connection, min(request.number - 1, room.table.number))
                    return
                raise
            if proposal and not await self.rooms.commit(room, proposal, connection):
                self._lost_the_race(room, connection, request)
                return
        if hint is not None:
            connection.tell(hint)

    async def _proposal(
        self, room: Room, seat: Seat, request: PlayerRequest, hint: Json | None
    ) -> Proposal | None:
        """The proposal for a request; None if there is nothing to store."""
        table = room.table
        if isinstance(request, MoveRequest):
            return table.moved(seat, request, self.time.now())
        if isinstance(request, ResignRequest):
            return table.resigned(seat, request.id)
        if isinstance(request, HintRequest):
            proposal = table.hinted(seat, request.number, request.id)
            if hint is None:  # when it was asked for, the game was not there yet
                raise WireError("stale", f"The next entry is {table.number + 1}.", request.id)
            return proposal
        assert isinstance(request, ClaimRequest)
        if table.match is None:
            raise WireError("waiting", "The other player is not here yet.", request.id)
        if text := await self.not_yet(table.stored, seat.other, "claimed"):
            raise WireError("not-yet", text, request.id)
        return table.forfeited(seat.other, "it was away for too long.", request.id)

    async def not_yet(self, stored: StoredGame, away: Seat, what: str) -> str:
        """Why a player has not been away for long enough; empty if the player has."""
        why = partial(self._presence.not_yet, stored, away, self.settings.claim_after, what)
        if text := why():
            return text
        await self._beat()  # this process may be out of date: it or the database was frozen
        return why()

    def _lost_the_race(self, room: Room, connection: Connection, request: PlayerRequest) -> None:
        """Answer after another process stored first; its entries have been told already."""
        first = room.table.requests.get(request.id)
        if first is None:
            raise WireError("stale", f"The next entry is {room.table.number + 1}.", request.id)
        room.tell_again(connection, first.number - 1, made=request.id)
