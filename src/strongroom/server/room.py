"""A room: a table and the connections of its viewers, which are told what happens there."""

from __future__ import annotations

import asyncio
from typing import Protocol

import orjson

from strongroom.contract import Json, Refusal, Seat
from strongroom.players import Player
from strongroom.referee.randomness import fresh_token
from strongroom.referee.wire import TAKEN, TOO_SLOW
from strongroom.server.clocks import Timekeeper
from strongroom.server.limits import Bucket
from strongroom.server.messages import PHRASES, WireError
from strongroom.server.monitoring import Metrics
from strongroom.server.settings import DEFAULTS
from strongroom.server.table import WITHDRAWN_TEXT, FrameVariant, HostedGame


class SocketWriter(Protocol):
    """The part of a socket that its connection uses directly."""

    writable: asyncio.Event
    """Set unless the client does not read what waits to be sent to it."""

    def write(self, text: bytes) -> None:
        """Send a text soon."""

    def unsent(self) -> int:
        """How many bytes it has accepted but not yet handed to the network."""

    def cut(self) -> None:
        """Abort it, whatever is waiting."""


class Backlog:
    """The unsent data of all connections of one address."""

    def __init__(self, most: int, large_frame: int = DEFAULTS.large_frame) -> None:
        self.connections: set[Connection] = set()
        self.large_frame = large_frame
        """From this size on, a frame is checked even if the client reads."""
        self._most = most

    def check(self) -> None:
        """Close the connection with the most unsent data, if the address has too much in total."""
        waits = {each: each.socket.unsent() for each in self.connections if not each.closed}
        if sum(waits.values()) > self._most:
            max(waits, key=waits.__getitem__).close(TOO_SLOW, "slow")


class Connection:
    """One WebSocket as the hub sees it; sending on it never blocks."""

    def __init__(
        self, socket: SocketWriter, most: int, backlog: Backlog, metrics: Metrics | None = None
    ) -> None:
        self.socket = socket
        self.id = fresh_token()
        self.game = ""
        self.seat: Seat | None = None
        self.variant: FrameVariant = (None, False)
        """Which other viewers get the same frames."""
        self.held = False
        """Whether frames are dropped, because the greeting will include them."""
        self.busy = asyncio.Lock()
        """Held while one of its messages is being handled."""
        self.arrived: float | None = None
        """Since when it is stored that this connection plays for its seat."""
        self.closed: tuple[int, str] | None = None
        """The code to close it with, and the reason."""
        self.ending = asyncio.Event()
        """Set once `closed` is known."""
        self.sent = 0
        """How many bytes of frames it has been sent."""
        self._late = 0
        """How many of them wait behind those that the client does not read."""
        self._most = most
        """How many bytes may wait like that."""
        self._backlog = backlog
        self._metrics = metrics
        backlog.connections.add(self)

    def tell(self, frame: Json) -> None:
        """Send a frame."""
        self.send(orjson.dumps(frame))

    def send(self, frame: bytes) -> None:
        """Send a serialized frame, or close the connection if too much waits already."""
        if self.held or self.closed:
            return
        size = len(frame)
        self.sent += size
        if self.socket.writable.is_set():
            self._late = 0
        elif self._late and self._late + size > self._most:
            self.close(TOO_SLOW, "slow")
            return
        else:
            self._late += size
        self.socket.write(frame)
        if self._late or size >= self._backlog.large_frame:
            self._backlog.check()

    def error(self, error: WireError) -> None:
        """Send an error, and count it."""
        if self._metrics is not None:
            self._metrics.errors.labels(error.code).inc()
        frame = {"type": "error", "code": error.code, "text": error.text}
        self.tell(frame if error.id is None else frame | {"id": error.id})

    def refuse(self, id: str, refusal: Refusal) -> None:
        """Tell the client that the rules or the words do not accept its move."""
        why = {"reason": refusal.reason, "accepted": refusal.accepted}
        self.tell({"type": "refused", "id": id, "kind": type(refusal).__name__, **why})

    def close(self, code: int, why: str) -> None:
        """Say why, and close once everything is sent."""
        if self.closed is None:
            self.closed = (code, why)
            self.ending.set()
            self.socket.write(orjson.dumps({"type": "closing", "why": why}))

    def drop(self) -> None:
        """Send no more, because the client is gone."""
        self.held = True
        self._backlog.connections.discard(self)


class Room:
    """A table and its viewers' connections."""

    def __init__(self, table: HostedGame, time: Timekeeper) -> None:
        self.table = table
        self._time = time
        self.viewers: set[Connection] = set()
        self.lock = asyncio.Lock()
        """Held from a request's check until it is stored, so that requests do not interleave."""
        self.read_at = 0.0
        """When the newest read of the stored game began; earlier reads are outdated."""
        self.timer: asyncio.TimerHandle | None = None
        """Fires when the mover's time has run out."""
        self.phrases: dict[Seat, Bucket] = {}
        """How often each player may say something."""
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

    def close_replaced(self, since: float) -> None:
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
        frame = self.table.since(begin, viewer.variant, self._time.now())
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

    def tell_phrase(self, seat: int, phrase: int, by: Connection | None, id: str) -> None:
        """Send everybody what a player says, and tell the one who asked that it is said."""
        frame: Json = {"type": "phrase", "seat": seat, "phrase": phrase, "text": PHRASES[phrase]}
        for viewer in self.viewers:
            viewer.tell(frame | {"made": id} if viewer is by else frame)

    def tell_info(self, info: Json) -> None:
        """Send everybody the public information about the game, including who is here."""
        for viewer in self.viewers:
            viewer.tell({"type": "game", "game": info})
