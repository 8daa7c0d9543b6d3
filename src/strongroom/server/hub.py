"""The hub: one process of the server, from its start to its end, and its players' requests.

A process sends heartbeats, looks at those of the others, and stores the pauses of the clocks.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial

from strongroom.contract import Json, Seat
from strongroom.minds.engine import POOL, end_all
from strongroom.referee.randomness import BOT_SEED
from strongroom.referee.record import WITHOUT_AIDS
from strongroom.referee.wire import NO_GAME, RESTART
from strongroom.server.background import Background, Garbage, WorkerThread, in_turn
from strongroom.server.catalog import ServerBots
from strongroom.server.limits import Bucket
from strongroom.server.messages import (
    ClaimRequest,
    Hello,
    HintRequest,
    MoveRequest,
    NumberedRequest,
    PhraseRequest,
    PlayerRequest,
    ReadRequest,
    ResignRequest,
    WireError,
)
from strongroom.server.monitoring import Metrics, log
from strongroom.server.presence import Presence
from strongroom.server.room import Connection, Room
from strongroom.server.rooms import Rooms
from strongroom.server.store import DatabaseTrouble, Store, StoredGame
from strongroom.server.table import HostedGame, Proposal
from strongroom.server.vault import Vaults
from strongroom.theory.hints import advise
from strongroom.theory.solution import NoTheory


class Hub:
    """A process of the server: what it does periodically, and what connections ask of it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.settings = settings = store.settings
        self.metrics = Metrics()
        self.garbage = Garbage(settings)
        self.background = Background(settings)
        self.vaults = Vaults(settings)
        self.time = store.time
        self._process = store.database.process
        self._presence = Presence(self._process, store.database.shared, self.time, settings)
        self.bots = ServerBots(settings.bots)
        self.rooms = Rooms(store, self.metrics, self._presence, self.background, self.bots)
        self._heard: set[str] = set()
        """The processes whose heartbeats have been read."""
        self._adviser = WorkerThread("hints")
        self._round = 0

    # --- start and stop ---

    async def open(self) -> None:
        """Start serving."""
        await self.store.database.open()
        await self.store.begin(self._process)
        self._presence.begin()
        await self._hear()
        self.time.watch(self._frozen)
        self.store.database.listen(self.refresh_soon)
        settings, every = self.settings, self.background.every
        every(settings.heartbeat, self._beat)
        every(settings.sweep, self._sweep)
        every(settings.full_collection_interval, self._collect_garbage)
        every(settings.sweep, self.vaults.prepare, first=settings.first_vaults)
        if self.store.database.shared:
            every(settings.poll, self._poll)

    def say_goodbye(self) -> None:
        """Tell everybody that the server is restarting."""
        self.background.closing = True
        for room in self.rooms.by_game.values():
            room.close(RESTART, "restart")

    async def farewell(self) -> None:
        """Wait until everybody has left, but not for long: some clients may not listen."""
        end = time.monotonic() + self.settings.goodbye_timeout
        while any(room.viewers for room in self.rooms.by_game.values()) and time.monotonic() < end:
            await asyncio.sleep(0.01)

    async def close(self) -> None:
        """Shut down, with everything stored that was acknowledged."""
        self.time.stop()
        await self.background.close()
        await asyncio.to_thread(POOL.close)
        await asyncio.to_thread(end_all)  # threads that wait for an engine go on
        with contextlib.suppress(DatabaseTrouble):
            await self.store.beat(self._process)  # from here on clocks stand still
        await self.store.database.close()

    async def _beat(self) -> None:
        """Send a heartbeat, and check who else is alive."""
        await self.store.beat(self._process)
        is_news = await self._hear()
        self.background.outage.ends()
        if is_news:  # players of a process that is gone are away now
            self.rooms.tell_infos()

    async def _sweep(self) -> None:
        gone = await self.store.expire(self.settings.expire_after, self.settings.keep_records)
        if gone:
            log("expired", count=len(gone))
        for room in filter(None, map(self.rooms.by_game.get, gone)):
            self.rooms.shut(room, NO_GAME, "expired")

    async def _collect_garbage(self) -> None:
        self.garbage.collect_all()

    # --- time that no clock should count ---

    async def _hear(self) -> bool:
        """Read the other processes' heartbeats; return whether the gone ones have changed."""
        store = self.store
        beats = await store.beats()
        connected = await store.database.live_processes(beats)
        if not beats.keys() <= self._heard:  # a new process may have stored a pause
            self.rooms.pause_clocks(*await store.pauses())
        self._heard = set(beats)
        before = self.time.now()
        ahead = self.time.move_up(max(beats.values(), default=before))
        if ahead > self.settings.clock_jump:  # the clock jumped, no time has passed
            self._pause(before, before + ahead)
        return self._presence.hear(beats, connected)

    def _frozen(self, began: float, ended: float) -> None:
        """Stop the clocks for the time in which this process was frozen.

        If it is the only process, nobody could play, so all clocks stop. Otherwise, only the clocks
        of players whose connections it holds stop.
        """
        log("frozen", text=f"The process did not run for {ended - began:.1f} seconds.")
        if not self.store.database.shared:
            self._pause(began, ended)
            return
        span = (began, ended)
        for room in self.rooms.by_game.values():
            for seat, host in room.table.sitting_at(self._process):
                room.table.pause(seat, span)
                self.background.queue_write(
                    partial(self.store.pause_seat, room.id, seat, host, self._process, span)
                )
            room.tell_clocks_soon()

    def _pause(self, began: float, ended: float) -> None:
        self.rooms.pause_clocks((began, ended))
        self.background.queue_write(partial(self.store.pause, began, ended))

    # --- changes by other processes or HTTP ---

    def refresh_soon(self, games: list[str]) -> None:
        """Refresh games that another process wrote about; an empty list means all games.

        `GAME:SEAT:PHRASE` is what a player says at another process.
        """
        here = self.rooms.by_game
        for id, *said in (game.split(":") for game in games if ":" in game):
            if id in here:
                here[id].tell_phrase(int(said[0]), int(said[1]), None, "")
        ours = [id for id in games if id in here] if games else list(here)
        if ours and not self.background.closing:
            self.background.spawn(self._refresh_quietly(ours))

    async def _refresh_quietly(self, games: list[str]) -> None:
        with contextlib.suppress(DatabaseTrouble):
            await self.rooms.refresh(games)

    async def _poll(self) -> None:
        """Refresh a share of the games, so that no round keeps anybody waiting."""
        shares = self.settings.poll_shares
        self._round = (self._round + 1) % shares
        games = [id for id in self.rooms.by_game if int(id[:8], 16) % shares == self._round]
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
        connection.game, connection.seat = hello.game, seat
        connection.variant = (seat, bool(hello.words))
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
            self.rooms.do_servers_part(room)

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
            if await self.background.write_until_stored(leave):
                await self._refresh_quietly([room.id])

    # --- requests ---

    async def handle(self, connection: Connection, request: PlayerRequest) -> None:
        """Handle a player's request: check, store, then tell everybody."""
        room = self.rooms.by_game.get(connection.game)
        if room is None or connection not in room.viewers:
            raise WireError("taken", "Another connection has taken over this seat.", request.id)
        seat = connection.seat
        if seat is None:
            raise WireError("watching", "Spectators cannot play.", request.id)
        if isinstance(request, PhraseRequest):
            self._say(room, connection, seat, request)
            return
        if isinstance(request, ClaimRequest):  # the opponent may have just connected elsewhere
            await self.rooms.refresh([room.id])
        hint = None
        if isinstance(request, HintRequest):
            hint = await self._hint(room.table, seat, request)
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

    def _say(self, room: Room, connection: Connection, seat: Seat, request: PhraseRequest) -> None:
        """Tell everybody what a player says, also those at other processes."""
        rest = self.settings.phrase_rest
        bucket = room.phrases.setdefault(seat, Bucket(1 / rest, rest))
        if not bucket.takes():
            raise WireError("too-soon", "Wait a moment before you say more.", request.id)
        number = seat.index + 1
        room.tell_phrase(number, request.phrase, connection, request.id)
        self.store.database.tell(f"{room.id}:{number}:{request.phrase}")

    async def _hint(self, table: HostedGame, seat: Seat, request: HintRequest) -> Json | None:
        """The hint for a player, also when asked again; None if it is not for the current moment.

        It may take long, so it must not be awaited while the table is locked.
        """
        if not table.stored.deal.aids:
            raise WireError("no-hint", WITHOUT_AIDS, request.id)
        first = table.requests.get(request.id)
        is_now = table.number == (request.number - 1 if first is None else first.last)
        if table.actor is not seat or not is_now:
            return None
        try:
            async with in_turn():
                advised = await self._adviser.do(advise, table.playing.view(seat))
        except NoTheory as refusal:
            raise WireError("no-hint", str(refusal), request.id) from None
        words = table.stored.deal.game.words
        return {
            "type": "hint",
            "id": request.id,
            "text": "\n".join(advised.sentences(words)),
            "plain": advised.plain(words),
            "moves": [str(each.move) for each in advised.best],
        }

    async def _proposal(
        self, room: Room, seat: Seat, request: PlayerRequest, hint: Json | None
    ) -> Proposal | None:
        """The proposal for a request; None if there is nothing to store."""
        table = room.table
        if isinstance(request, MoveRequest):
            return table.propose_move(seat, request, self.time.now())
        if isinstance(request, ResignRequest):
            return table.proposal(table.unfinished(request.id).resign(seat), request.id)
        if isinstance(request, HintRequest):
            proposal = table.propose_hint(seat, request.number, request.id)
            if hint is None:  # when it was asked for, the game was not there yet
                raise WireError("stale", f"The next entry is {table.number + 1}.", request.id)
            return proposal
        assert isinstance(request, ClaimRequest)
        if table.match is None:
            raise WireError("waiting", "The other player is not here yet.", request.id)
        if text := await self.not_yet(table.stored, seat.other, "claimed"):
            raise WireError("not-yet", text, request.id)
        match = table.unfinished(request.id).forfeit(seat.other, "it was away for too long.")
        return table.proposal(match, request.id)

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
