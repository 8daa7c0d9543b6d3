"""The steward: what the server itself does at a table, for chance, for bots and by the clock."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from random import SystemRandom
from time import monotonic
from typing import Any, Final

from strongroom import tokens
from strongroom.contract import CHANCE, Move, Refusal, Seat, View
from strongroom.foreign import FAILURES, told
from strongroom.players import player
from strongroom.server.aside import Aside, in_turn
from strongroom.server.clocks import OUT_OF_TIME
from strongroom.server.deal import Chair
from strongroom.server.messages import WireError
from strongroom.server.room import Room
from strongroom.server.store import DatabaseTrouble
from strongroom.server.table import Proposal
from strongroom.server.timekeeper import Timekeeper

LATE: Final = 0.05
"""So many seconds after a clock has run out it is looked at."""
AGAIN: Final = 1.0
"""So many seconds after the database did not answer it is asked once more."""

Storing = Callable[[Room, Proposal], Awaitable[bool]]
"""Stores what was proposed, goes on to it and tells everybody."""
Spawning = Callable[[Coroutine[Any, Any, None]], None]
"""Lets something happen beside everything else."""


class Steward:
    """Plays the server's part at all tables of a process."""

    def __init__(
        self,
        storing: Storing,
        spawning: Spawning,
        is_elsewhere: Callable[[Chair], bool],
        time: Timekeeper,
        pace: float,
    ) -> None:
        self._store = storing
        self._spawn = spawning
        self._is_elsewhere = is_elsewhere
        self._time = time
        self._pace = pace
        self._thinking = Aside("bots")

    def see_to(self, room: Room) -> None:
        """Do what is the server's to do at a table, now or when its time comes."""
        table, actor = room.table, room.table.actor
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        if not room.viewers:
            return
        if actor is CHANCE:
            self._spawn(self._settle(room))
        elif isinstance(actor, Seat) and table.kept.chairs[actor.index].is_bot:
            if not room.thinking:
                room.thinking = True
                self._spawn(self._think(room, actor))
        if table.has_clocks and (left := table.time_left(self._time.now())) is not None:
            self._ring(room, left + LATE, self._run_out)

    def _ring(
        self, room: Room, seconds: float, then: Callable[[Room], Coroutine[Any, Any, None]]
    ) -> None:
        loop = asyncio.get_running_loop()
        room.timer = loop.call_later(seconds, lambda: self._spawn(then(room)))

    @contextlib.asynccontextmanager
    async def _at(self, room: Room) -> AsyncIterator[None]:
        """At a table with nobody else; if the database does not answer, once more a bit later."""
        try:
            async with room.lock:
                yield
        except DatabaseTrouble:
            self._ring(room, AGAIN, self._once_more)
        except WireError:  # the match is over, or not what it was
            pass

    async def _once_more(self, room: Room) -> None:
        self.see_to(room)

    async def _settle(self, room: Room) -> None:
        async with self._at(room):
            if room.table.actor is CHANCE:
                await self._store(room, room.table.settled(self._time.now()))

    async def _run_out(self, room: Room) -> None:
        async with self._at(room):
            left, actor = room.table.time_left(self._time.now()), room.table.actor
            if left != 0.0 or not isinstance(actor, Seat):
                self.see_to(room)
            elif self._is_elsewhere(room.table.kept.chairs[actor.index]):
                # That process judges, because it alone knows whether it was frozen.
                self._ring(room, AGAIN, self._run_out)
            else:
                await self._store(room, room.table.forfeited(actor, OUT_OF_TIME, tokens.fresh()))

    # --- bots ---

    async def _think(self, room: Room, seat: Seat) -> None:
        number = room.table.number
        choice = await self._choice(room, seat)
        room.thinking = False
        async with self._at(room):
            if room.table.number == number and room.table.actor is seat:
                await self._store(room, self._proposed(room, seat, choice))
            else:
                self.see_to(room)

    async def _choice(self, room: Room, seat: Seat) -> Move | Refusal:
        """What a bot wants to play, after whole paces: how long it thought could tell something."""
        begin, view = monotonic(), room.table.playing.view(seat)
        choice: Move | Refusal
        try:
            async with in_turn():  # who plays against a bot pays for it
                choice = await self._thinking.do(_chosen, room, seat, view)
        except FAILURES as failure:
            choice = Refusal(f"it failed: {told(failure)}")
        if self._pace:
            await asyncio.sleep(self._pace - (monotonic() - begin) % self._pace)
        return choice

    def _proposed(self, room: Room, seat: Seat, choice: Move | Refusal) -> Proposal:
        """What a bot's choice brings: a move, or a forfeit if it is none."""
        try:
            if isinstance(choice, Refusal):
                return room.table.forfeited(seat, choice.reason, tokens.fresh())
            return room.table.made(seat, choice, tokens.fresh(), self._time.now())
        except Refusal as refusal:
            why = f"its move was refused. {refusal.reason}"
            return room.table.forfeited(seat, why, tokens.fresh())


def _chosen(room: Room, seat: Seat, view: View) -> Move:
    """What a bot chooses; the first time it may have to read a table before."""
    if seat not in room.bots:
        chair, game = room.table.kept.chairs[seat.index], room.table.kept.deal.game
        room.bots[seat] = player(chair.player, game, SystemRandom())
    return room.bots[seat].choose(view)
