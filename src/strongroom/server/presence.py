"""Presence: which players are connected to any process, and since when the others are away."""

from __future__ import annotations

from collections.abc import Container, Mapping
from math import ceil

from strongroom.contract import Seat
from strongroom.server.clocks import Pauses, Timekeeper, running_time
from strongroom.server.settings import Settings
from strongroom.server.store import StoredGame, StoredSeat


class Presence:
    """Which players are here, as far as one process knows.

    A player is away once that is stored, or once the process that holds the connection is gone: it
    sends no heartbeats and has no connection to the database. A process that is connected but sends
    no heartbeats is frozen or busy, and so is a database that answers nobody. No player can do
    anything about that, so nobody counts as away because of it, unless it lasts as long as
    `connected_process_timeout`.
    """

    def __init__(self, process: str, shared: bool, time: Timekeeper, settings: Settings) -> None:
        self._process = process
        self._shared = shared
        self._time = time
        self._settings = settings
        self._since = self._heard = self._back = time.now()
        """When this process started, last heard the database, and last heard it after a gap."""
        self._gone: dict[str, float] = {}
        """When each process that is gone was first missed."""
        self._unheard = Pauses()
        """The spans in which this process did not run, or did not reach the database."""

    def begin(self) -> None:
        """Note that the process has started; nobody counts as away before that."""
        self._since = self._heard = self._back = self._time.now()

    def hear(self, beats: Mapping[str, float], connected: Container[str]) -> bool:
        """Note heartbeats and who is connected; return whether the gone processes have changed."""
        now, settings = self._time.now(), self._settings
        if now - self._heard > 2 * settings.heartbeat:  # this process or the database stood still
            self._unheard.add((self._heard, now))
            self._back = now  # the others may not have had time for a heartbeat
        longest = settings.process_timeout, settings.connected_process_timeout
        self._heard, before = now, self._gone
        self._gone = {
            id: before.get(id, now)
            for id, beat in beats.items()
            if id != self._process and now - max(beat, self._back) > longest[id in connected]
        }
        return self._gone.keys() != before.keys()

    def away(self, stored: StoredGame) -> tuple[float | None, float | None]:
        """Since when each player has been away; None for a player who is here."""
        one, two = (self._away_since(each, stored) for each in stored.seats)
        return one, two

    def is_elsewhere(self, stored_seat: StoredSeat) -> bool:
        """Whether another process holds a player's connection."""
        return self._shared and stored_seat.process not in (None, self._process, *self._gone)

    def wait(self, stored: StoredGame, seat: Seat, patience: float) -> float | None:
        """Seconds until a player has been away for `patience` seconds; None if the player is here.

        Time in which this process was down, frozen or without its database does not count.
        """
        since = self.away(stored)[seat.index]
        if since is None:
            return None
        return patience - running_time(max(since, self._since), self._time.now(), self._unheard)

    def not_yet(self, stored: StoredGame, seat: Seat, patience: float, what: str) -> str:
        """Why a player has not been away for long enough; empty if the player has."""
        wait = self.wait(stored, seat, patience)
        if wait is None:
            return "The other player is here."
        seconds = max(0, ceil(wait))
        rest = "a second" if seconds == 1 else f"{seconds} seconds"
        return f"The game can be {what} in {rest}, if your opponent stays away." if seconds else ""

    def _away_since(self, stored_seat: StoredSeat, stored: StoredGame) -> float | None:
        if stored_seat.is_bot or stored_seat.process == self._process:
            return None
        if stored_seat.process is None:
            # Nobody was kept waiting before there was an opponent.
            return round(max(stored_seat.left_at or 0.0, stored.started or stored.created), 3)
        if not self._shared:  # the connection was to the previous process
            return round(self._since, 3)
        # An unknown process has started since the heartbeats were read.
        gone = self._gone.get(stored_seat.process)
        return None if gone is None else round(gone, 3)
