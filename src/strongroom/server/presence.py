"""Presence: who is here, who is away and since when, whichever process has their connection."""

from __future__ import annotations

import time
from collections.abc import Mapping
from math import ceil

from strongroom.contract import Seat
from strongroom.server.deal import Chair
from strongroom.server.store import ALIVE, Kept


class Presence:
    """What one process knows of who is here."""

    def __init__(self, process: str, shared: bool) -> None:
        self._process = process
        self._shared = shared
        self._since = time.time()
        self._beats: Mapping[str, float] = {}
        self._alive: set[str] = set()

    def begin(self) -> None:
        """Note that the process is up from now on: nobody was away before."""
        self._since = time.time()

    def hear(self, beats: Mapping[str, float]) -> bool:
        """Note when each process was last alive; whether one that was is not any more."""
        now, before = time.time(), self._alive
        self._beats, self._alive = beats, {id for id in beats if now - beats[id] <= ALIVE}
        return not before <= self._alive

    def away(self, kept: Kept) -> tuple[float | None, float | None]:
        """Since when each player has been away; None: that one is here."""
        one, two = (self._away_since(chair, kept) for chair in kept.chairs)
        return one, two

    def wait(self, kept: Kept, seat: Seat, patience: float) -> float | None:
        """How many seconds more a player must stay away for so long; None: that one is here.

        What passed while this process was down does not count.
        """
        since = self.away(kept)[seat.index]
        return None if since is None else patience - (time.time() - max(since, self._since))

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
        beat = self._beats.get(chair.process, time.time())
        return None if time.time() - beat <= ALIVE else round(beat, 3)
