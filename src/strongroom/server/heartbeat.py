"""The heartbeat: a process says that it is alive, hears who else is, and keeps the pauses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from strongroom.server.clocks import Pauses, Span
from strongroom.server.logs import log
from strongroom.server.presence import Presence
from strongroom.server.room import Room
from strongroom.server.store import Store

JUMP: Final = 1.0
"""How far another process must be ahead for the wall clock to have jumped, in seconds."""

Write = Callable[[], asyncio.Future[int]]
"""Writes something to the database, each time it is called."""


class Heartbeat:
    """Keeps a process in step with the others, and finds out what time counts for nobody."""

    def __init__(
        self,
        store: Store,
        presence: Presence,
        rooms: Mapping[str, Room],
        store_surely: Callable[[Write], None],
    ) -> None:
        self._store = store
        self._presence = presence
        self._rooms = rooms
        self._store_surely = store_surely
        """Stores something before all that is stored later, unless the database fails meanwhile."""
        self._process = store.database.process
        self._heard: set[str] = set()
        """The processes whose beats have been heard."""
        self.pauses = Pauses()
        """When no clock ran, at any table."""

    async def begin(self) -> None:
        """Begin to beat, and to watch whether this process is frozen."""
        await self._store.begin(self._process)
        self._presence.begin()
        await self._hear()
        self._store.time.watch(self._frozen)

    async def beat(self) -> bool:
        """Say that this process is alive, and hear the others; whether it is others than before."""
        await self._store.beat(self._process)
        return await self._hear()

    async def _hear(self) -> bool:
        store = self._store
        beats, connected = await store.beats(), await store.database.connected()
        if not beats.keys() <= self._heard:  # whoever begins may have found a pause
            self._add(*await store.pauses())
        self._heard = set(beats)
        before = store.time.now()
        ahead = store.time.move_up(max(beats.values(), default=before))
        if ahead > JUMP:  # no time has passed
            self._pause(before, before + ahead)
        return self._presence.hear(beats, connected)

    def _frozen(self, began: float, ended: float) -> None:
        """Give the time in which this process was frozen back to those whom it kept from playing.

        If it is the only one, that is everybody; else those whose connection it has.
        """
        log("frozen", text=f"The process did not run for {ended - began:.1f} seconds.")
        if not self._store.database.shared:
            self._pause(began, ended)
            return
        span = (began, ended)
        for room in self._rooms.values():
            for seat, host in room.table.sitting_at(self._process):
                room.table.pause(seat, span)
                self._store_surely(
                    partial(self._store.pause_seat, room.id, seat, host, self._process, span)
                )
            room.tell_clocks_soon()

    def _pause(self, began: float, ended: float) -> None:
        self._add((began, ended))
        self._store_surely(partial(self._store.pause, began, ended))

    def _add(self, *spans: Span) -> None:
        if not spans:
            return
        self.pauses.add(*spans)
        for room in self._rooms.values():
            room.table.reckon_clocks()
            room.tell_clocks_soon()
