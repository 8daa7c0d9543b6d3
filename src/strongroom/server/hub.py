"""The hub: the games of one process with the people at them. It stores first, then tells."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import partial
from typing import Any, Final

from strongroom.coins import BOT_SEED
from strongroom.contract import Json, Outcome, Seat
from strongroom.server import garbage, hints
from strongroom.server.aside import Aside, in_turn
from strongroom.server.budget import paid
from strongroom.server.connection import Connection
from strongroom.server.heartbeat import Heartbeat, Write
from strongroom.server.info import game_info
from strongroom.server.logs import Outage, log
from strongroom.server.messages import (
    Asked,
    Claims,
    GivesUp,
    Hello,
    Moves,
    Reads,
    WantsHint,
    WireError,
)
from strongroom.server.metrics import Metrics
from strongroom.server.presence import Presence
from strongroom.server.room import Room
from strongroom.server.settings import Settings
from strongroom.server.steward import AGAIN, Steward
from strongroom.server.store import DatabaseTrouble, Kept, Request, Store
from strongroom.server.table import Proposal, Table
from strongroom.server.tasks import cancel
from strongroom.wire import NO_GAME, RESTART, WITHDRAWN

BEAT: Final = 2.0
"""Every so many seconds a process says that it is alive, and looks who else is."""
POLL, SHARES = 0.2, 10
"""Every so many seconds it looks in a tenth of its games for what a hint did not tell."""
SWEEP: Final = 600.0
"""Every so many seconds it forgets what nobody needs any more."""
TIDY: Final = 3600.0
"""Every so many seconds it looks for garbage."""
FARE_WELL: Final = 2.0
"""So many seconds it waits until everybody has heard that it goes."""
SHORT: Final = 50
"""How many requests of a journal are replayed at once; longer journals replay in a thread."""


class Hub:
    """All games of a process at which somebody sits."""

    def __init__(self, store: Store, settings: Settings, metrics: Metrics | None = None) -> None:
        self.store = store
        self.settings = settings
        self.metrics = metrics or Metrics()
        self.time = store.time
        self.process = store.database.process
        self.rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Future[None]] = {}
        self._tasks: set[asyncio.Task[object]] = set()
        self._aside = Aside("opening")
        self._presence = Presence(self.process, store.database.shared, self.time, 2 * BEAT)
        self._steward = Steward(
            self._store, self._spawn, self._presence.is_elsewhere, self.time, settings.pace
        )
        self._heartbeat = Heartbeat(store, self._presence, self.rooms, self._store_surely)
        self._round = 0
        self.closing = False
        self.outage = Outage()
        self.metrics.tables.set_function(lambda: len(self.rooms))

    # --- beginning and ending ---

    async def open(self) -> None:
        """Begin to serve."""
        await self.store.database.open()
        await self._heartbeat.begin()
        self.store.database.listen(self.heard)
        self._spawn(self._forever(BEAT, self._beat))
        self._spawn(self._forever(SWEEP, self._sweep))
        self._spawn(self._forever(TIDY, self._tidy))
        if self.store.database.shared:
            self._spawn(self._forever(POLL, self._poll))

    def say_goodbye(self) -> None:
        """Tell everybody that the server goes, and will be back."""
        self.closing = True
        for room in self.rooms.values():
            room.close(RESTART, "restart")

    async def farewell(self) -> None:
        """Wait until everybody has heard it; not for long, there may be some who do not listen."""
        end = time.monotonic() + FARE_WELL
        while any(room.viewers for room in self.rooms.values()) and time.monotonic() < end:
            await asyncio.sleep(0.01)

    async def close(self) -> None:
        """End, with everything stored that was acknowledged."""
        self.closing = True
        self.time.stop()
        await cancel(self._tasks)
        with contextlib.suppress(DatabaseTrouble):
            await self.store.beat(self.process)  # from here on clocks stand
        await self.store.database.close()

    def _spawn(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.create_task(paid(work))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log("fault", failed=error)

    async def _forever(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except DatabaseTrouble as trouble:
                self.outage.begins(trouble)
            except Exception:
                log("fault", failed=True)

    async def _beat(self) -> None:
        """Say that this process is alive, and hear who else is."""
        is_news = await self._heartbeat.beat()
        self.outage.ends()
        if is_news:
            for room in self.rooms.values():  # who sat at a process that is gone is away now
                room.tell_info(self.info(room))

    async def _written(self, write: Write, first: asyncio.Future[int] | None = None) -> int:
        """What a write touched, however long it takes; 0: the server closes before."""
        while True:
            try:
                return await (first or write())
            except DatabaseTrouble:
                if self.closing:
                    return 0
                first = None
                await asyncio.sleep(AGAIN)

    def _store_surely(self, write: Write) -> None:
        """Write something before all that is written later."""
        self._spawn(self._written(write, write()))

    async def _sweep(self) -> None:
        gone = await self.store.expire(self.settings.expire_after, self.settings.keep_records)
        if gone:
            log("expired", count=len(gone))
        for room in filter(None, map(self.rooms.get, gone)):
            room.close(NO_GAME, "expired")

    async def _tidy(self) -> None:
        garbage.clear_away()

    # --- what other processes, or HTTP, did ---

    def heard(self, games: list[str]) -> None:
        """Look again at games that somebody else wrote about; none named: at all."""
        ours = [id for id in games if id in self.rooms] if games else list(self.rooms)
        if ours and not self.closing:
            self._spawn(self._refreshed(ours))

    async def _refreshed(self, games: list[str]) -> None:
        with contextlib.suppress(DatabaseTrouble):
            await self.refresh(games)

    async def _poll(self) -> None:
        """Look again at a share of the games, so that no round keeps anybody waiting."""
        self._round = (self._round + 1) % SHARES
        await self.refresh([id for id in self.rooms if int(id[:8], 16) % SHARES == self._round])

    async def refresh(self, games: Iterable[str]) -> None:
        """Bring the tables of some games up to date, and tell what is new there."""
        rooms = [self.rooms[id] for id in games if id in self.rooms]
        if not rooms:
            return
        since = time.monotonic()
        kept = {each.id: each for each in await self.store.games([room.id for room in rooms])}
        lengths = await self.store.lengths(kept)
        for room in rooms:
            if room.id in kept and kept[room.id].is_withdrawn:
                room.table.kept = kept[room.id]
                room.close(WITHDRAWN, "withdrawn")
            elif room.id in kept:
                behind = lengths.get(room.id, 0) > room.table.number
                await self._update(room, kept[room.id], since, behind)
            else:  # another process has forgotten it
                room.close(NO_GAME, "expired")

    async def _update(self, room: Room, kept: Kept, since: float, behind: bool) -> None:
        """Take over who sits here, as it was read since a moment, and what others stored."""
        async with room.lock:
            changed = began = False
            if since >= room.read_at:
                room.read_at, changed = since, kept != room.table.kept
                if changed and kept.deal.clock is not None and kept.paused is not None:
                    room.table.take_pauses(await self.store.seat_pauses(room.id))
                began = room.table.learn(kept)
                room.make_way(since)
            if began:
                if behind:
                    room.table = await self._table(kept, await self.store.journal(room.id))
                room.welcome_all(self.info(room))
            else:
                if behind and room.table.match is not None:  # else it began after that was read
                    await self._follow(room)
                if changed:
                    room.tell_info(self.info(room))
            self._see_to(room)

    def _see_to(self, room: Room) -> None:
        if not self.closing:
            self._steward.see_to(room)

    async def _follow(self, room: Room) -> None:
        begin = room.table.number
        room.table.follow(await self.store.journal(room.id, begin))
        if room.table.number > begin:
            room.tell()

    # --- coming and going ---

    async def enter(self, connection: Connection, hello: Hello) -> None:
        """Let a connection sit down or watch, and tell it what it has not got."""
        room = await self._room(hello.game)
        try:
            seat = room.seat_for(hello.token)
        except WireError:
            self._put_out(room)
            raise
        connection.takes_place(hello.game, seat, hello.words)
        connection.held = True  # until it is greeted
        room.viewers.add(connection)  # from here on it is told everything
        try:
            if seat is not None:
                await self._arrive(room, connection, seat, hello)
            if seat is not None or self.store.database.shared:
                await self.refresh([room.id])
        except Exception:  # it may say hello again
            connection.game, connection.held = "", False
            room.viewers.discard(connection)
            self._put_out(room)
            raise
        room.greet(connection, hello.have, self.info(room))
        async with room.lock:
            self._see_to(room)

    async def _arrive(self, room: Room, connection: Connection, seat: Seat, hello: Hello) -> None:
        writes = [self.store.arrive(room.id, seat, connection.id, self.process)]
        if room.table.kept.chairs[seat.index].seed is None:
            writes.append(self.store.give_seed(room.id, seat, hello.seed or BOT_SEED))
        await asyncio.gather(*writes)
        connection.arrived = time.monotonic()

    async def leave(self, connection: Connection) -> None:
        """Let a connection go; its seat stays."""
        room = self.rooms.get(connection.game)
        if room is None:
            return
        room.viewers.discard(connection)
        self._put_out(room)
        if connection.seat is not None:
            # However long it takes to store: else nobody could ever claim.
            seat, now = connection.seat, self.time.now()
            if await self._written(partial(self.store.leave, room.id, seat, connection.id, now)):
                await self._refreshed([room.id])

    async def _room(self, id: str) -> Room:
        """The room of a game, opened once however many want it; a long game's in turn."""
        if id in self.rooms:
            return self.rooms[id]
        is_long = (await self.store.lengths([id])).get(id, 0) > SHORT
        async with in_turn() if is_long else contextlib.nullcontext():
            while id not in self.rooms:  # it may have been put out again before we get to it
                opening = self._opening.get(id)
                if opening is None:
                    opening = asyncio.create_task(paid(self._open_room(id)))
                    self._opening[id] = opening
                    opening.add_done_callback(lambda _: self._opening.pop(id, None))
                await asyncio.shield(opening)
            return self.rooms[id]

    async def _open_room(self, id: str) -> None:
        journal = await self.store.journal(id)  # first: whose game it is may be newer, never older
        kept = await self.store.game(id)
        if kept is None:
            raise WireError("unknown-game", "There is no such game, or not any more.")
        self.rooms[id] = Room(await self._table(kept, journal), self.time)

    async def _table(self, kept: Kept, journal: list[Request]) -> Table:
        own = {} if kept.paused is None else await self.store.seat_pauses(kept.id)
        if len(journal) <= SHORT:
            return Table(kept, journal, self._heartbeat.pauses, own)
        # Nobody else is to wait until a long game has been played again.
        return await self._aside.do(Table, kept, journal, self._heartbeat.pauses, own)

    def _put_out(self, room: Room) -> None:
        """Forget a room that nobody is in; what matters of it is stored."""
        if not room.viewers and self.rooms.get(room.id) is room:
            del self.rooms[room.id]
            if room.timer is not None:
                room.timer.cancel()

    # --- requests ---

    async def handle(self, connection: Connection, asked: Asked) -> None:
        """Do what a player asks for: check, store, then tell everybody."""
        room = self.rooms.get(connection.game)
        if room is None or connection not in room.viewers:
            raise WireError("taken", "Another connection plays for this seat now.", asked.id)
        seat = connection.seat
        if seat is None:
            raise WireError("watching", "Spectators cannot play.", asked.id)
        if isinstance(asked, Claims):  # the other may have come to another process just now
            await self.refresh([room.id])
        hint = await hints.hint(room.table, seat, asked) if isinstance(asked, WantsHint) else None
        async with room.lock:
            if (first := room.table.asked.get(asked.id)) is not None:
                room.tell_again(connection, first.number - 1, made=asked.id)
                if hint is not None and room.table.was_hinted(seat, first):
                    connection.tell(hint)
                return
            try:
                if isinstance(asked, Reads):
                    connection.tell(room.table.read(seat, asked))
                    return
                proposal = await self._proposal(room, seat, asked, hint)
            except WireError as error:
                if error.code == "stale" and isinstance(asked, Moves | Reads | WantsHint):
                    connection.error(error)
                    room.tell_again(connection, min(asked.number - 1, room.table.number))
                    return
                raise
            if proposal and not await self._store(room, proposal, connection):
                self._lost_the_race(room, connection, asked)
                return
        if hint is not None:
            connection.tell(hint)

    async def _proposal(
        self, room: Room, seat: Seat, asked: Asked, hint: Json | None
    ) -> Proposal | None:
        """What a request would bring; None: nothing that is to be stored."""
        table = room.table
        if isinstance(asked, Moves):
            return table.moved(seat, asked, self.time.now())
        if isinstance(asked, GivesUp):
            return table.resigned(seat, asked.id)
        if isinstance(asked, WantsHint):
            proposal = table.hinted(seat, asked.number, asked.id)
            if hint is None:  # when it was asked for, the game was not there yet
                raise WireError("stale", f"The next entry is {table.number + 1}.", asked.id)
            return proposal
        assert isinstance(asked, Claims)
        if table.match is None:
            raise WireError("waiting", "The other player is not here yet.", asked.id)
        if text := await self.not_yet(table.kept, seat.other, "claimed"):
            raise WireError("not-yet", text, asked.id)
        return table.forfeited(seat.other, "it was away for too long.", asked.id)

    async def not_yet(self, kept: Kept, away: Seat, what: str) -> str:
        """Why a player has not been away for long enough; nothing, if that is long enough."""
        why = partial(self._presence.not_yet, kept, away, self.settings.claim_after, what)
        if text := why():
            return text
        await self._beat()  # what this process knows may be old: it or the database stood still
        return why()

    def _lost_the_race(self, room: Room, connection: Connection, asked: Asked) -> None:
        """Another process was faster; what it stored has been told already."""
        first = room.table.asked.get(asked.id)
        if first is None:
            raise WireError("stale", f"The next entry is {room.table.number + 1}.", asked.id)
        room.tell_again(connection, first.number - 1, made=asked.id)

    async def _store(self, room: Room, proposal: Proposal, by: Connection | None = None) -> bool:
        """Store what was proposed, then go on to it and tell; False: somebody was faster."""
        request, begin = proposal.request, time.perf_counter()
        if not await self.store.append(room.id, request, proposal.match.outcome, self.time.now()):
            await self._follow(room)
            self._see_to(room)
            return False
        self.metrics.seconds.observe(time.perf_counter() - begin)
        room.table.advance(proposal)
        room.tell(by, request.id)
        self._see_to(room)
        return True

    # --- what anybody may know ---

    def info(self, room: Room) -> Json:
        """What anybody may know of a game at which somebody sits."""
        outcome = None if room.table.match is None else room.table.match.outcome
        return self._described(room.table.kept, outcome, room.watchers)

    def info_of(self, kept: Kept) -> Json:
        """The same of a game at which nobody needs to sit."""
        room = self.rooms.get(kept.id)
        return self._described(kept) if room is None else self.info(room)

    def _described(self, kept: Kept, outcome: Outcome | None = None, watchers: int = 0) -> Json:
        away, claim_after = self._presence.away(kept), self.settings.claim_after
        return {**game_info(kept, outcome, away, watchers), "claim_after": claim_after}
