"""A room: a table with the connections around it, which are told what happens there."""

from __future__ import annotations

import asyncio

import orjson

from strongroom.contract import Json, Seat
from strongroom.players import Player
from strongroom.server.connection import Connection
from strongroom.server.messages import WireError
from strongroom.server.table import WITHDRAWN_TEXT, Table
from strongroom.server.timekeeper import Timekeeper
from strongroom.server.viewing import Kind
from strongroom.wire import TAKEN


class Room:
    """A table with the connections around it."""

    def __init__(self, table: Table, time: Timekeeper) -> None:
        self.table = table
        self._time = time
        self.viewers: set[Connection] = set()
        self.lock = asyncio.Lock()
        """Held from a request's check until it is stored, so that requests do not cross."""
        self.read_at = 0.0
        """When the newest reading began of who sits here; what was read before it is old."""
        self.timer: asyncio.TimerHandle | None = None
        """Rings when the mover's time has run out."""
        self.bots: dict[Seat, Player] = {}
        self.thinking = False
        """Whether a bot is at its move."""

    @property
    def id(self) -> str:
        """The id of its game."""
        return self.table.kept.id

    @property
    def watchers(self) -> int:
        """How many look on."""
        return sum(viewer.seat is None for viewer in self.viewers)

    def seat_for(self, token: str | None) -> Seat | None:
        """Where a connection belongs: at the seat that its token opens; without one, it watches."""
        kept = self.table.kept
        if kept.is_withdrawn:
            raise WireError("withdrawn", WITHDRAWN_TEXT)
        if token is None:
            if not kept.watch:
                raise WireError("bad-token", "This game is not open to spectators.")
            return None
        seat = kept.seat_of(token)
        if seat is None:
            raise WireError("bad-token", "This link opens no seat of this game.")
        return seat

    def make_way(self, since: float) -> None:
        """Close the connections whose seat another one had taken over at a moment.

        Who has come later is not meant: what was read does not know of that one yet.
        """
        for viewer in list(self.viewers):
            if viewer.seat is not None and viewer.arrived is not None and viewer.arrived <= since:
                chair = self.table.kept.chairs[viewer.seat.index]
                if chair.connection not in (None, viewer.id):
                    self.viewers.discard(viewer)
                    viewer.close(TAKEN, "taken")

    def close(self, code: int, why: str) -> None:
        """Close all connections."""
        for viewer in list(self.viewers):
            viewer.close(code, why)

    # --- telling ---

    def tell(self, by: Connection | None = None, id: str | None = None) -> None:
        """Tell every viewer of what came last; and who asked for it that it is stored."""
        frames: dict[Kind, bytes] = {}
        now = self._time.now()
        for viewer in self.viewers:
            frame = frames.get(viewer.kind)
            if frame is None:
                frame = frames[viewer.kind] = orjson.dumps(self.table.frame(viewer.kind, now))
            if viewer is by:
                assert id is not None
                frame = b'%b,"made":"%b"}' % (frame[:-1], id.encode())
            viewer.send(frame)

    def tell_again(self, viewer: Connection, begin: int, made: str | None = None) -> None:
        """Tell one viewer of all entries after a number; with `made`, as the answer to that."""
        frame = self.table.missed(begin, viewer.kind, self._time.now())
        viewer.tell(frame if made is None else {**frame, "made": made})

    def tell_clocks_soon(self) -> None:
        """Tell everybody what the clocks say after a pause, once all before it has been told."""
        asyncio.get_running_loop().call_soon(self._tell_clocks)

    def _tell_clocks(self) -> None:
        if self.table.has_clocks:
            for viewer in self.viewers:
                self.tell_again(viewer, self.table.number)

    def greet(self, viewer: Connection, have: int | None, info: Json) -> None:
        """Tell somebody who comes what they have not got: all of it, or the entries that follow."""
        viewer.held = False
        if have is None or self.table.match is None or have > self.table.number:
            viewer.tell(self.table.welcome(viewer.kind, info, self._time.now()))
        else:
            viewer.tell({"type": "game", "game": info})
            self.tell_again(viewer, have)

    def welcome_all(self, info: Json) -> None:
        """Tell everybody of a match that begins."""
        for viewer in self.viewers:
            viewer.tell(self.table.welcome(viewer.kind, info, self._time.now()))

    def tell_info(self, info: Json) -> None:
        """Tell everybody who is here, and what else anybody may know of the game."""
        for viewer in self.viewers:
            viewer.tell({"type": "game", "game": info})
