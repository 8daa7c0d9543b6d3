"""A room: a table and its viewers' connections, which are told what happens there."""

from __future__ import annotations

import asyncio

import orjson

from strongroom.contract import Json, Seat
from strongroom.players import Player
from strongroom.referee.wire import TAKEN
from strongroom.server.connection import Connection
from strongroom.server.messages import WireError
from strongroom.server.table import WITHDRAWN_TEXT, Table
from strongroom.server.timekeeper import Timekeeper
from strongroom.server.viewing import FrameVariant


class Room:
    """A table and its viewers' connections."""

    def __init__(self, table: Table, time: Timekeeper) -> None:
        self.table = table
        self._time = time
        self.viewers: set[Connection] = set()
        self.lock = asyncio.Lock()
        """Held from a request's check until it is stored, so that requests do not interleave."""
        self.read_at = 0.0
        """When the newest read of the stored game began; earlier reads are outdated."""
        self.timer: asyncio.TimerHandle | None = None
        """Fires when the mover's time has run out."""
        self.bots: dict[Seat, Player] = {}
        self.thinking = False
        """Whether a bot is choosing its move."""

    @property
    def id(self) -> str:
        """The id of its game."""
        return self.table.stored.id

    @property
    def watchers(self) -> int:
        """How many spectators there are."""
        return sum(viewer.seat is None for viewer in self.viewers)

    def seat_for(self, token: str | None) -> Seat | None:
        """The seat that a connection's token opens; None without a token, for a spectator."""
        stored = self.table.stored
        if stored.is_withdrawn:
            raise WireError("withdrawn", WITHDRAWN_TEXT)
        if token is None:
            if not stored.watch:
                raise WireError("bad-token", "This game is not open to spectators.")
            return None
        seat = stored.seat_of(token)
        if seat is None:
            raise WireError("bad-token", "This link does not open a seat in this game.")
        return seat

    def make_way(self, since: float) -> None:
        """Close the connections whose seat another one had taken over by `since`.

        Connections that arrived later are left alone: what was read does not include them yet.
        """
        for viewer in list(self.viewers):
            if viewer.seat is not None and viewer.arrived is not None and viewer.arrived <= since:
                taken = self.table.stored.seats[viewer.seat.index]
                if taken.connection not in (None, viewer.id):
                    self.viewers.discard(viewer)
                    viewer.close(TAKEN, "taken")

    def close(self, code: int, why: str) -> None:
        """Close all connections."""
        for viewer in list(self.viewers):
            viewer.close(code, why)

    # --- telling ---

    def tell(self, by: Connection | None = None, id: str | None = None) -> None:
        """Send every viewer the newest entries, and tell the requester that they are stored."""
        frames: dict[FrameVariant, bytes] = {}
        now = self._time.now()
        for viewer in self.viewers:
            frame = frames.get(viewer.variant)
            if frame is None:
                frame = frames[viewer.variant] = orjson.dumps(self.table.frame(viewer.variant, now))
            if viewer is by:
                assert id is not None
                frame = b'%b,"made":"%b"}' % (frame[:-1], id.encode())
            viewer.send(frame)

    def tell_again(self, viewer: Connection, begin: int, made: str | None = None) -> None:
        """Send a viewer all entries after a number; with `made`, as the answer to that request."""
        frame = self.table.missed(begin, viewer.variant, self._time.now())
        viewer.tell(frame if made is None else {**frame, "made": made})

    def tell_clocks_soon(self) -> None:
        """Send everybody the clocks after a pause, once everything before it has been sent."""
        asyncio.get_running_loop().call_soon(self._tell_clocks)

    def _tell_clocks(self) -> None:
        if self.table.has_clocks:
            for viewer in self.viewers:
                self.tell_again(viewer, self.table.number)

    def greet(self, viewer: Connection, have: int | None, info: Json) -> None:
        """Send a new viewer what is missing: the whole view, or the entries after those it has."""
        viewer.held = False
        if have is None or self.table.match is None or have > self.table.number:
            viewer.tell(self.table.welcome(viewer.variant, info, self._time.now()))
        else:
            viewer.tell({"type": "game", "game": info})
            self.tell_again(viewer, have)

    def welcome_all(self, info: Json) -> None:
        """Send everybody the whole view of a match that begins."""
        for viewer in self.viewers:
            viewer.tell(self.table.welcome(viewer.variant, info, self._time.now()))

    def tell_info(self, info: Json) -> None:
        """Send everybody the public information about the game, including who is here."""
        for viewer in self.viewers:
            viewer.tell({"type": "game", "game": info})
