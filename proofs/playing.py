"""A client that plays: it creates games over HTTP, plays over WebSockets, and always reconnects.

It trusts nothing: every frame is checked against what came before.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from strongroom.contract import Json, Move, Seat, View
from strongroom.plugins.registry import load
from strongroom.referee import wire

PAUSE: Final = 0.2
"""The most seconds before a client reconnects to a server that is gone."""
GONE: Final = (OSError, WebSocketException, TimeoutError, httpx.TransportError)
"""The errors that a client gets when the server is gone."""


class Broken(Exception):
    """The server broke a promise."""


def fresh() -> str:
    """A new token, invitation, seed or request id."""
    return secrets.token_hex(16)


class Api:
    """The HTTP API of one server, which may run as several processes."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self.addresses = addresses
        self._client = httpx.AsyncClient(timeout=30.0)

    async def ask(
        self, method: str, path: str, body: Json | None = None, token: str | None = None
    ) -> httpx.Response:
        """The answer of the first process that gives one; retries until then."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        while True:
            for address in self.addresses:
                try:
                    answer = await self._client.request(
                        method, f"{address}/api{path}", json=body, headers=headers
                    )
                except GONE:
                    await asyncio.sleep(PAUSE)
                    continue
                if answer.status_code != 503:
                    return answer
            await asyncio.sleep(PAUSE)

    async def create(self, game: str, token: str, **terms: Any) -> Json:
        """Create a game; this token's player gets seat 1 unless the terms say otherwise."""
        body = {"game": game, "name": "Ada", "token": token, **terms}
        return _granted(await self.ask("POST", "/games", body), 201)

    async def join(self, id: str, token: str, invitation: str | None = None) -> Json:
        """Join a game."""
        body = {"name": "Bob", "token": token, "invitation": invitation}
        return _granted(await self.ask("POST", f"/games/{id}/join", body), 200)

    async def by_link(self, game: str, **terms: Any) -> tuple[str, tuple[str, str]]:
        """A game between two people: its id, and the tokens of its two seats."""
        tokens, invitation = (fresh(), fresh()), fresh()
        made = await self.create(game, tokens[0], invitation=invitation, **terms)
        id: str = made["game"]["id"]
        await self.join(id, tokens[1], invitation)
        return id, tokens

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def _granted(answer: httpx.Response, status: int) -> Json:
    if answer.status_code != status:
        raise Broken(f"HTTP {answer.status_code}: {answer.text}")
    found: Json = answer.json()
    return found


def play_address(address: str) -> str:
    """The address of a server's WebSocket."""
    return address.replace("http", "ws", 1) + "/ws"


@dataclass(frozen=True)
class Asked:
    """A move that was sent: its request id, the number its entry will get, and its text."""

    id: str
    number: int
    move: str


@dataclass
class Seen:
    """What a viewer has reconstructed from the frames."""

    number: int = 0
    view: View | None = None
    frames: list[Json] = field(default_factory=list)
    keeps_frames: bool = False

    def take(self, frame: Json) -> None:
        """Process a received frame."""
        if self.keeps_frames:
            self.frames.append(frame)
        if frame["type"] == "welcome":
            if frame["number"] < self.number:
                raise Broken(f"a welcome at {frame['number']} after entry {self.number}")
            self.number, self.view = frame["number"], self._whole(frame["view"])
        elif frame["type"] == "entries":
            self._fold(frame)

    def _whole(self, view: Json | None) -> View | None:
        if view is None:
            return None
        game = load(view["game"], **view["options"]) if self.view is None else self.view.game
        return View.from_json(game, view)

    def _fold(self, frame: Json) -> None:
        if self.view is None:
            raise Broken("entries before a view")
        have, first = self.number, frame["number"]
        if first > have + 1:
            raise Broken(f"entry {first} came after entry {have}")
        last = first + len(frame["entries"]) - 1
        if last < have:
            raise Broken(f"entries up to {last} came after entry {have}")
        new = frame["entries"][have + 1 - first :]
        self.view = wire.fold(self.view, {**frame, "entries": new})
        self.number = last


class Player:
    """A player of one seat, who makes random legal moves and retries unacknowledged ones."""

    def __init__(
        self,
        addresses: Sequence[str],
        id: str,
        token: str,
        random: Random,
        acknowledged: Callable[[Asked], None] = lambda asked: None,
        think: float = 0.0,
    ) -> None:
        self.id = id
        self.token = token
        self.seen = Seen()
        self.seat: Seat | None = None
        self.asked: Asked | None = None
        """The move that is not yet acknowledged."""
        self.rejected: set[str] = set()
        """The ids of requests that the server rejected."""
        self.found_again = 0
        """How often a move was stored but its acknowledgement was lost."""
        self.sent: list[str] = []
        """The last ten messages with moves, as sent."""
        self.rests = False
        """Whether it has stopped making moves."""
        self._addresses = addresses
        self._at = 0
        self._seed = fresh()
        self._random = random
        self._acknowledged = acknowledged
        self._think = think
        self._is_told = False
        """Whether it has received what it missed, since the start or the call of `catch_up`."""

    @property
    def over(self) -> bool:
        """Whether the player knows that the game is over."""
        view = self.seen.view
        return view is not None and view.outcome is not None

    async def play(self) -> None:
        """Play until the game is over, however often the connection is lost."""
        await self._be_there(lambda: self.over and self.asked is None)

    async def catch_up(self) -> None:
        """Reconnect once more, for outstanding answers and everything stored so far."""
        self._is_told = False
        await self._be_there(lambda: self._is_told and self.asked is None)

    async def _be_there(self, done: Callable[[], bool]) -> None:
        while not done():
            address = self._addresses[self._at % len(self._addresses)]
            try:
                async with connect(play_address(address), compression=None) as socket:
                    await self._sit(socket, done)
            except GONE:
                self._at += 1
                await asyncio.sleep(self._random.uniform(0, PAUSE))

    async def _sit(self, socket: ClientConnection, done: Callable[[], bool]) -> None:
        await socket.send(json.dumps(self._hello()))
        repeats = self.asked is not None
        while not done():
            frame = json.loads(await socket.recv())
            self._hear(frame)
            if self.asked is not None and repeats and self.seen.view is not None:
                await self._send(socket)
                repeats = False
            elif self._is_to_move():
                if self._think:
                    await asyncio.sleep(self._random.uniform(0, self._think))
                    if self.rests:
                        continue
                move = str(self._random.choice(self._moves()))
                self.asked = Asked(fresh(), self.seen.number + 1, move)
                await self._send(socket)

    def _hello(self) -> Json:
        hello: Json = {"type": "hello", "game": self.id, "token": self.token, "seed": self._seed}
        return hello if self.seen.view is None else hello | {"have": self.seen.number}

    async def _send(self, socket: ClientConnection) -> None:
        assert self.asked is not None
        id, number, move = self.asked.id, self.asked.number, self.asked.move
        text = json.dumps({"type": "move", "id": id, "number": number, "move": move})
        self.sent = [*self.sent[-9:], text]
        await socket.send(text)

    def _is_to_move(self) -> bool:
        view = self.seen.view
        if self.asked is not None or self.rests or view is None or self.seat is None:
            return False
        return view.outcome is None and view.actor is self.seat

    def _moves(self) -> Sequence[Move]:
        moves = () if self.seen.view is None else self.seen.view.moves
        if not moves:
            raise Broken("a player is to move and has no moves")
        return moves

    def _hear(self, frame: Json) -> None:
        had = self.seen.number
        self.seen.take(frame)
        self._is_told = self._is_told or frame["type"] in ("welcome", "entries")
        if frame["type"] == "welcome":
            self.seat = Seat(frame["seat"])
        elif frame["type"] == "entries" and "made" in frame:
            self._check_made(frame, had)
        elif frame["type"] == "refused":
            raise Broken(f"a legal move was refused: {frame}")
        elif frame["type"] == "error":
            self._be_told(frame)

    def _check_made(self, frame: Json, had: int) -> None:
        asked = self.asked
        if asked is None or frame["made"] != asked.id:
            return
        at = asked.number - frame["number"]
        entry = frame["entries"][at] if 0 <= at < len(frame["entries"]) else {}
        assert self.seat is not None
        if (entry.get("seat"), entry.get("move")) != (self.seat.value, asked.move):
            raise Broken(f"{asked} was acknowledged as {entry}")
        self.found_again += had >= asked.number
        self._acknowledged(asked)
        self.asked = None

    def _be_told(self, error: Json) -> None:
        code, id = error["code"], error.get("id")
        if code in ("stale", "over"):
            self.rejected.add(str(id))
            if self.asked is not None and self.asked.id == id:
                self.asked = None
        elif code in ("unavailable", "taken"):
            raise TimeoutError  # reconnect and retry
        else:
            raise Broken(f"an error that nothing called for: {error}")
