"""The house players: what the server does at a table, for chance, bots and expired clocks."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from time import monotonic

from strongroom.contract import CHANCE, Move, Refusal, Seat, View
from strongroom.minds.engine_process import EngineTrouble
from strongroom.players import Resigns
from strongroom.plugins.foreign import FAILURES, told
from strongroom.referee.randomness import fresh_token
from strongroom.referee.table import tell_end
from strongroom.server.background import Background
from strongroom.server.catalog import ServerBots
from strongroom.server.clocks import OUT_OF_TIME
from strongroom.server.messages import WireError
from strongroom.server.monitoring import log
from strongroom.server.presence import Presence
from strongroom.server.room import Room
from strongroom.server.store import DatabaseTrouble, Store
from strongroom.server.table import Proposal
from strongroom.server.worker import WorkerThread, in_turn, one_engine

Commit = Callable[[Room, Proposal], Awaitable[bool]]
"""Stores a proposal, advances to it and tells everybody."""


class HousePlayers:
    """Plays the server's part at all tables of a process."""

    def __init__(
        self,
        commit: Commit,
        background: Background,
        presence: Presence,
        store: Store,
        bots: ServerBots,
    ) -> None:
        self._commit = commit
        self._spawn = background.spawn
        self._is_elsewhere = presence.is_elsewhere
        self._time = store.time
        self._settings = store.settings
        self._bots = bots
        self._thinking = WorkerThread("bots")
        self._engines = WorkerThread("engines", store.settings.engine_threads)

    def see_to(self, room: Room) -> None:
        """Do the server's part at a table, now or when its time comes."""
        table, actor = room.table, room.table.actor
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        if actor is None:
            self._tell_the_end(room)
        if not room.viewers:
            return
        if actor is CHANCE:
            self._spawn(self._settle(room))
        elif isinstance(actor, Seat) and table.stored.seats[actor.index].is_bot:
            if not room.thinking:
                room.thinking = True
                self._spawn(self._think(room, actor))
        if table.has_clocks and (left := table.time_left(self._time.now())) is not None:
            self._watch_clock(room, left + self._settings.time_out_delay)

    def _tell_the_end(self, room: Room) -> None:
        """Tell the bots how the match ended."""
        while room.bots:
            seat, bot = room.bots.popitem()
            tell_end(bot, room.table.playing.view(seat))

    def _watch_clock(self, room: Room, seconds: float) -> None:
        """Check the mover's clock after some seconds."""
        loop = asyncio.get_running_loop()
        room.timer = loop.call_later(seconds, lambda: self._spawn(self._run_out(room)))

    @contextlib.asynccontextmanager
    async def _at(self, room: Room) -> AsyncIterator[None]:
        """Hold the room's lock; if the database does not answer, retry a bit later."""
        try:
            async with room.lock:
                yield
        except DatabaseTrouble:
            loop = asyncio.get_running_loop()
            room.timer = loop.call_later(self._settings.write_retry, self.see_to, room)
        except WireError:  # the match is over or has moved on
            pass

    async def _settle(self, room: Room) -> None:
        async with self._at(room):
            if room.table.actor is CHANCE:
                await self._commit(room, room.table.propose_chance(self._time.now()))

    async def _run_out(self, room: Room) -> None:
        async with self._at(room):
            left, actor = room.table.time_left(self._time.now()), room.table.actor
            if left != 0.0 or not isinstance(actor, Seat):
                self.see_to(room)
            elif self._is_elsewhere(room.table.stored.seats[actor.index]):
                # That process decides, because it alone knows whether it was frozen.
                self._watch_clock(room, self._settings.write_retry)
            else:
                proposal = room.table.propose_forfeit(actor, OUT_OF_TIME, fresh_token())
                await self._commit(room, proposal)

    # --- bots ---

    async def _think(self, room: Room, seat: Seat) -> None:
        number = room.table.number
        choice = await self._choice(room, seat)
        room.thinking = False
        async with self._at(room):
            if room.table.number == number and room.table.actor is seat:
                await self._commit(room, self._proposal(room, seat, choice))
            else:
                self.see_to(room)

    async def _choice(self, room: Room, seat: Seat) -> Move | Refusal | None:
        """A bot's choice, or None if it resigns.

        It is delayed to whole paces, so that the thinking time reveals nothing.
        """
        begin, view = monotonic(), room.table.playing.view(seat)
        choice: Move | Refusal | None
        try:
            if self._bots.is_engine(room.table.stored.seats[seat.index].player):
                async with one_engine():
                    choice = await self._engines.do(self._choose, room, seat, view)
            else:
                async with in_turn():  # the bot's opponent pays for it
                    choice = await self._thinking.do(self._choose, room, seat, view)
        except Resigns:
            choice = None
        except EngineTrouble as trouble:
            log("engine", game=room.id, text=str(trouble), level=logging.WARNING)
            choice = Refusal(f"it failed: {trouble.what}")
        except FAILURES as failure:
            choice = Refusal(f"it failed: {told(failure)}")
        if pace := self._settings.pace:
            await asyncio.sleep(pace - (monotonic() - begin) % pace)
        return choice

    def _proposal(self, room: Room, seat: Seat, choice: Move | Refusal | None) -> Proposal:
        """The proposal for a bot's choice: a move, or a forfeit if it failed or is refused."""
        try:
            if choice is None:
                return room.table.propose_resignation(seat, fresh_token())
            if isinstance(choice, Refusal):
                return room.table.propose_forfeit(seat, choice.reason, fresh_token())
            return room.table.propose_step(seat, choice, fresh_token(), self._time.now())
        except Refusal as refusal:
            why = f"its move was refused. {refusal.reason}"
            return room.table.propose_forfeit(seat, why, fresh_token())

    def _choose(self, room: Room, seat: Seat, view: View) -> Move:
        """A bot's choice; the first one may have to load a strategy table before it."""
        if seat not in room.bots:
            stored = room.table.stored
            name = stored.seats[seat.index].player
            room.bots[seat] = self._bots.player(name, stored.deal.game)
        return room.bots[seat].choose(view)
