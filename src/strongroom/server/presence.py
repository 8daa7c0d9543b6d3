"""Presence: who is here, who is away and since when, whichever process has their connection."""

from __future__ import annotations

from collections.abc import Container, Mapping
from math import ceil
from typing import Final

from strongroom.contract import Seat
from strongroom.server.clocks import Pauses, running
from strongroom.server.deal import Chair
from strongroom.server.store import ALIVE, Kept
from strongroom.server.timekeeper import Timekeeper

LOST: Final = 600.0
"""After how many seconds without a beat a process is gone although it has a connection."""


class Presence:
    """What one process knows of who is here.

    A player is away once that is stored, or once the process that has the connection is gone: it
    does not beat, and has no connection to the database either. One that does not beat but is
    connected is frozen or busy, and so is a database that answers nobody. No player can do anything
    about that, so nobody is away because of it, unless it takes as long as `LOST`.
    """

    def __init__(self, process: str, shared: bool, time: Timekeeper, slack: float) -> None:
        self._process = process
        self._shared = shared
        self._time = time
        self._slack = slack
        """How long it usually takes until the database is heard again, in seconds."""
        self._since = self._heard = self._back = time.now()
        """Since when this process is up, when it last heard the database, and after which gap."""
        self._gone: dict[str, float] = {}
        """When each process that is gone was first missed."""
        self._unheard = Pauses()
        """When this process did not run, or did not reach the database."""

    def begin(self) -> None:
        """Note that the process is up from now on: nobody was away before."""
        self._since = self._heard = self._back = self._time.now()

    def hear(self, beats: Mapping[str, float], connected: Container[str]) -> bool:
        """Note when each process last beat, and who is connected; whether others are gone now."""
        now = self._time.now()
        if now - self._heard > self._slack:
            self._unheard.add((self._heard, now))
            self._back = now  # the others may not have had the time to beat again
        self._heard, before = now, self._gone
        self._gone = {
            id: before.get(id, now)
            for id, beat in beats.items()
            if id != self._process
            and now - max(beat, self._back) > (LOST if id in connected else ALIVE)
        }
        return self._gone.keys() != before.keys()

    def away(self, kept: Kept) -> tuple[float | None, float | None]:
        """Since when each player has been away; None: that one is here."""
        one, two = (self._away_since(chair, kept) for chair in kept.chairs)
        return one, two

    def is_elsewhere(self, chair: Chair) -> bool:
        """Whether another process has the connection of a player."""
        return self._shared and chair.process not in (None, self._process, *self._gone)

    def wait(self, kept: Kept, seat: Seat, patience: float) -> float | None:
        """How many seconds more a player must stay away for so long; None: that one is here.

        What passed while this process was down, frozen or without its database does not count.
        """
        since = self.away(kept)[seat.index]
        if since is None:
            return None
        return patience - running(max(since, self._since), self._time.now(), self._unheard)

    def not_yet(self, kept: Kept, seat: Seat, patience: float, what: str) -> str:
        """Why a player has not been away for so long; nothing, if that is long enough."""
        wait = self.wait(kept, seat, patience)
        if wait is None:
            return "The other player is here."
        seconds = max(0, ceil(wait))
        rest = "a second" if seconds == 1 else f"{seconds} seconds"
        return f"The game can be {what} in {rest}, if the other stays away." if seconds else ""

    def _away_since(self, chair: Chair, kept: Kept) -> float | None:
        if chair.is_bot or chair.process == self._process:
            return None
        if chair.process is None:
            # Before there was anybody to play with, nobody was kept waiting.
            return round(max(chair.left_at or 0.0, kept.started or kept.created), 3)
        if not self._shared:  # it was the process before this one
            return round(self._since, 3)
        # One that is not known yet has begun since this one last looked.
        gone = self._gone.get(chair.process)
        return None if gone is None else round(gone, 3)
