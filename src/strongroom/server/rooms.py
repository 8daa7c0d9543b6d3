"""The rooms of one process, in step with the store: what is told has been stored first.

At its tables the server plays for chance, for bots and for expired clocks.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Iterable
from random import SystemRandom
from typing import Final

from strongroom.contract import CHANCE, Json, Move, Outcome, Seat, View
from strongroom.minds.engine import EngineTrouble
from strongroom.plugins.foreign import FAILURES
from strongroom.referee.randomness import fresh_token
from strongroom.referee.table import after_failure, tell_end
from strongroom.referee.wire import NO_GAME, WITHDRAWN
from strongroom.server.background import Background, WorkerThread, in_turn, one_engine
from strongroom.server.catalog import ServerBots
from strongroom.server.clocks import OUT_OF_TIME, Pauses, Span
from strongroom.server.limits import charge_payer
from strongroom.server.messages import WireError
from strongroom.server.monitoring import Metrics, log
from strongroom.server.presence import Presence
from strongroom.server.room import Connection, Room
from strongroom.server.store import DatabaseTrouble, Store, StoredGame, StoredRequest, game_info
from strongroom.server.table import HostedGame, Proposal

FAIR: Final = SystemRandom()
"""Draws how long bots take."""
HIDING: Final = 0.25
"""The part of its pace that a bot takes for what it hides, where nobody sees a move."""
HURRY: Final = 20
"""A bot whose time is limited spends at most this fraction of it on looking slow."""


class Rooms:
    """The rooms of all games that somebody plays or watches here."""

    def __init__(
        self,
        store: Store,
        metrics: Metrics,
        presence: Presence,
        background: Background,
        bots: ServerBots,
    ) -> None:
        self.by_game: dict[str, Room] = {}
        """The open rooms, by the ids of their games."""
        self.pauses = Pauses()
        """When no clock ran at any table."""
        self._store = store
        self._settings = store.settings
        self._metrics = metrics
        self._presence = presence
        self._background = background
        self._opening: dict[str, asyncio.Future[None]] = {}
        self._opener = WorkerThread("opening")
        self._bots = bots
        self._thinking = WorkerThread("bots")
        self._engines = WorkerThread("engines", store.settings.engine_threads)
        metrics.tables.set_function(lambda: len(self.by_game))

    # --- opening and closing ---

    async def room(self, id: str) -> Room:
        """The room of a game, opened once for all callers; a long game has to wait its turn."""
        if id in self.by_game:
            return self.by_game[id]
        is_long = (await self._store.lengths([id])).get(id, 0) > self._settings.short_journal
        async with in_turn() if is_long else contextlib.nullcontext():
            while id not in self.by_game:  # it may have been closed again before we get to it
                opening = self._opening.get(id)
                if opening is None:
                    opening = asyncio.create_task(charge_payer(self._open(id)))
                    self._opening[id] = opening
                    opening.add_done_callback(lambda _: self._opening.pop(id, None))
                await asyncio.shield(opening)
            return self.by_game[id]

    async def _open(self, id: str) -> None:
        journal = await self._store.journal(id)  # first: `stored` may be newer than it, never older
        stored = await self._store.game(id)
        if stored is None:
            raise WireError("unknown-game", "This game does not exist, or is no longer kept.")
        self.by_game[id] = Room(await self._table(stored, journal), self._store.time)

    async def _table(self, stored: StoredGame, journal: list[StoredRequest]) -> HostedGame:
        seat_pauses = {} if stored.paused is None else await self._store.seat_pauses(stored.id)
        if len(journal) <= self._settings.short_journal:
            return HostedGame(stored, journal, self.pauses, seat_pauses)
        # The replay of a long game must not keep anybody else waiting.
        return await self._opener.do(HostedGame, stored, journal, self.pauses, seat_pauses)

    @contextlib.asynccontextmanager
    async def visit(self, id: str) -> AsyncIterator[Room]:
        """Hold the lock of a game's room, which is there only as long as anybody is in it."""
        room = await self.room(id)
        try:
            async with room.lock:
                yield room
        finally:
            self._drop_if_empty(room)

    def leave(self, room: Room, connection: Connection) -> None:
        """Remove a viewer, and drop the room if nobody is left; what matters is stored."""
        room.viewers.discard(connection)
        self._drop_if_empty(room)

    def shut(self, room: Room, code: int, why: str) -> None:
        """Close the room of a game that is gone, so that newcomers ask the store again."""
        room.close(code, why)
        room.viewers.clear()
        self._drop_if_empty(room)

    def _drop_if_empty(self, room: Room) -> None:
        if not room.viewers and self.by_game.get(room.id) is room:
            del self.by_game[room.id]
            if room.timer is not None:
                room.timer.cancel()

    # --- in step with the store ---

    async def refresh(self, games: Iterable[str]) -> None:
        """Bring the tables of some games up to date, and tell their viewers what is new."""
        rooms = [self.by_game[id] for id in games if id in self.by_game]
        if not rooms:
            return
        since = time.monotonic()
        stored = {each.id: each for each in await self._store.games([room.id for room in rooms])}
        lengths = await self._store.lengths(stored)
        for room in rooms:
            if room.id in stored and stored[room.id].is_withdrawn:
                room.table.stored = stored[room.id]
                self.shut(room, WITHDRAWN, "withdrawn")
            elif room.id in stored:
                behind = lengths.get(room.id, 0) > room.table.number
                await self._update(room, stored[room.id], since, behind)
            else:  # another process has deleted it
                self.shut(room, NO_GAME, "expired")

    async def _update(self, room: Room, stored: StoredGame, since: float, behind: bool) -> None:
        """Apply a stored game, whose reading began at `since`, and entries that others stored."""
        async with room.lock:
            changed = began = False
            if since >= room.read_at:
                room.read_at, changed = since, stored != room.table.stored
                if changed and stored.deal.clock is not None and stored.paused is not None:
                    room.table.take_pauses(await self._store.seat_pauses(room.id))
                began = room.table.learn(stored)
                room.close_replaced(since)
            if began:
                if behind:
                    room.table = await self._table(stored, await self._store.journal(room.id))
                room.welcome_all(self.info(room))
            else:
                if behind and room.table.match is not None:  # else it began after the reading
                    await self._follow(room)
                if changed:
                    room.tell_info(self.info(room))
            self.do_servers_part(room)

    async def _follow(self, room: Room) -> None:
        begin = room.table.number
        room.table.follow(await self._store.journal(room.id, begin))
        if room.table.number > begin:
            room.tell()

    async def commit(self, room: Room, proposal: Proposal, by: Connection | None = None) -> bool:
        """Store a proposal, then advance to it and tell everybody; False if somebody was faster."""
        request, begin, now = proposal.request, time.perf_counter(), self._store.time.now()
        if not await self._store.append(room.id, request, proposal.match.outcome, now):
            await self._follow(room)
            self.do_servers_part(room)
            return False
        self._metrics.seconds.observe(time.perf_counter() - begin)
        room.table.advance(proposal)
        room.tell(by, request.id)
        self.do_servers_part(room)
        return True

    def pause_clocks(self, *spans: Span) -> None:
        """Add spans in which no clock ran, and tell everybody with a clock."""
        if spans:
            self.pauses.add(*spans)
            for room in self.by_game.values():
                room.table.reckon_clocks()
                room.tell_clocks_soon()

    # --- the server's part at a table ---

    def do_servers_part(self, room: Room) -> None:
        """Do the server's part at a table, now or when its time comes, unless it is closing."""
        if self._background.closing:
            return
        table, actor = room.table, room.table.actor
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        while actor is None and room.bots:
            seat, bot = room.bots.popitem()
            tell_end(bot, table.playing.view(seat))
        if not room.viewers:
            return
        if actor is CHANCE:
            self._background.spawn(self._settle(room))
        elif isinstance(actor, Seat) and table.stored.seats[actor.index].is_bot:
            if not room.thinking:
                room.thinking = True
                self._background.spawn(self._think(room, actor))
        if table.has_clocks and (left := table.time_left(self._store.time.now())) is not None:
            self._watch_clock(room, left + self._settings.time_out_delay)

    def _watch_clock(self, room: Room, seconds: float) -> None:
        """Check the mover's clock after some seconds."""
        loop = asyncio.get_running_loop()
        room.timer = loop.call_later(seconds, lambda: self._background.spawn(self._run_out(room)))

    @contextlib.asynccontextmanager
    async def _at(self, room: Room) -> AsyncIterator[None]:
        """Hold the room's lock; if the database does not answer, retry a bit later."""
        try:
            async with room.lock:
                yield
        except DatabaseTrouble:
            loop = asyncio.get_running_loop()
            room.timer = loop.call_later(self._settings.write_retry, self.do_servers_part, room)

    async def _settle(self, room: Room) -> None:
        async with self._at(room):
            if room.table.actor is CHANCE:
                match = room.table.playing.settle(room.table.at(self._store.time.now()))
                await self.commit(room, room.table.proposal(match, None))

    async def _run_out(self, room: Room) -> None:
        async with self._at(room):
            left, actor = room.table.time_left(self._store.time.now()), room.table.actor
            if left != 0.0 or not isinstance(actor, Seat):
                self.do_servers_part(room)
            elif self._presence.is_elsewhere(room.table.stored.seats[actor.index]):
                # That process decides, because it alone knows whether it was frozen.
                self._watch_clock(room, self._settings.write_retry)
            else:
                match = room.table.playing.forfeit(actor, OUT_OF_TIME)
                await self.commit(room, room.table.proposal(match, fresh_token()))

    # --- bots ---

    async def _think(self, room: Room, seat: Seat) -> None:
        number = room.table.number
        choice = await self._choice(room, seat)
        room.thinking = False
        async with self._at(room):
            if room.table.number == number and room.table.actor is seat:
                match = room.table.playing
                try:
                    if isinstance(choice, BaseException):
                        raise choice
                    match = match.step(seat, choice, room.table.at(self._store.time.now()))
                except FAILURES as failure:
                    match = after_failure(match, seat, failure)
                await self.commit(room, room.table.proposal(match, fresh_token()))
            else:
                self.do_servers_part(room)

    async def _choice(self, room: Room, seat: Seat) -> Move | BaseException:
        """A bot's choice, or what it raised instead, when it is time to make it.

        It takes a pace, drawn anew for each move, or several of them, so that the thinking time
        reveals nothing.
        """
        begin, view = time.monotonic(), room.table.playing.view(seat)
        choice: Move | BaseException
        try:
            if self._bots.is_engine(room.table.stored.seats[seat.index].player):
                async with one_engine():
                    choice = await self._engines.do(self._choose, room, seat, view)
            else:
                async with in_turn():  # the bot's opponent pays for it
                    choice = await self._thinking.do(self._choose, room, seat, view)
        except EngineTrouble as trouble:
            log("engine", game=room.id, text=str(trouble), level=logging.WARNING)
            choice = EngineTrouble(trouble.what)
        except FAILURES as failure:
            choice = failure
        share = HIDING if view.setting_up else 1.0
        if pace := self._settings.pace * (1 + FAIR.random()) * share:
            tossed = view.history and view.history[-1].actor is CHANCE
            pause = pace - (time.monotonic() - begin) % pace + self._settings.toss * bool(tossed)
            left = room.table.time_left(self._store.time.now())
            await asyncio.sleep(pause if left is None else min(pause, left / HURRY))
        return choice

    def _choose(self, room: Room, seat: Seat, view: View) -> Move:
        """A bot's choice; the first one may have to load a strategy table before it."""
        if seat not in room.bots:
            stored = room.table.stored
            name = stored.seats[seat.index].player
            room.bots[seat] = self._bots.player(name, stored.deal.game)
        return room.bots[seat].choose(view)

    # --- public information ---

    def info(self, room: Room) -> Json:
        """The public information about the game of a room."""
        outcome = None if room.table.match is None else room.table.match.outcome
        return self._describe_game(room.table.stored, outcome, room.watchers)

    def info_of(self, stored: StoredGame) -> Json:
        """The same for any stored game, with or without a room."""
        room = self.by_game.get(stored.id)
        return self._describe_game(stored) if room is None else self.info(room)

    def tell_infos(self) -> None:
        """Send everybody the public information about their game."""
        for room in self.by_game.values():
            room.tell_info(self.info(room))

    def _describe_game(
        self, stored: StoredGame, outcome: Outcome | None = None, watchers: int = 0
    ) -> Json:
        away = self._presence.away(stored)
        info = game_info(stored, outcome, away, watchers)
        return {**info, "claim_after": self._settings.claim_after}
