"""The heartbeat: a process reports that it is alive, checks the others, and stores pauses."""

from __future__ import annotations

from functools import partial
from typing import Final

from strongroom.server.background import Background
from strongroom.server.logs import log
from strongroom.server.presence import Presence
from strongroom.server.rooms import Rooms
from strongroom.server.store import Store

JUMP: Final = 1.0
"""How far ahead another process must be to mean that a wall clock jumped, in seconds."""


class Heartbeat:
    """Keeps a process in step with the others, and finds the time that no clock should count."""

    def __init__(
        self, store: Store, presence: Presence, rooms: Rooms, background: Background
    ) -> None:
        self._store = store
        self._presence = presence
        self._rooms = rooms
        self._background = background
        self._process = store.database.process
        self._heard: set[str] = set()
        """The processes whose heartbeats have been read."""

    async def begin(self) -> None:
        """Start the heartbeat, and watch for freezes of this process."""
        await self._store.begin(self._process)
        self._presence.begin()
        await self._hear()
        self._store.time.watch(self._frozen)

    async def beat(self) -> bool:
        """Send a heartbeat and read the others'; return whether the gone processes have changed."""
        await self._store.beat(self._process)
        return await self._hear()

    async def _hear(self) -> bool:
        store = self._store
        beats, connected = await store.beats(), await store.database.connected()
        if not beats.keys() <= self._heard:  # a new process may have stored a pause
            self._rooms.pause_clocks(*await store.pauses())
        self._heard = set(beats)
        before = store.time.now()
        ahead = store.time.move_up(max(beats.values(), default=before))
        if ahead > JUMP:  # the clock jumped, no time has passed
            self._pause(before, before + ahead)
        return self._presence.hear(beats, connected)

    def _frozen(self, began: float, ended: float) -> None:
        """Give the time in which this process was frozen back to those whom it kept from playing.

        If it is the only process, that is everybody; otherwise, those whose connections it holds.
        """
        log("frozen", text=f"The process did not run for {ended - began:.1f} seconds.")
        if not self._store.database.shared:
            self._pause(began, ended)
            return
        span = (began, ended)
        for room in self._rooms.by_game.values():
            for seat, host in room.table.sitting_at(self._process):
                room.table.pause(seat, span)
                self._background.write(
                    partial(self._store.pause_seat, room.id, seat, host, self._process, span)
                )
            room.tell_clocks_soon()

    def _pause(self, began: float, ended: float) -> None:
        self._rooms.pause_clocks((began, ended))
        self._background.write(partial(self._store.pause, began, ended))
