"""Flooding: what 64 connections of one address can send, from a separate process.

`python proofs/flooding.py` is that process: it reads its instructions as a line of JSON from
standard input, says when all connections have begun, and goes on until its input ends. It runs at
a low priority.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import cycle
from typing import Any, Final

from playing import fresh

from strongroom.games.safe_code.language import LONGEST

CONNECTIONS: Final = 64
SOURCE: Final = "127.0.0.9"
"""The address that the connections come from."""
PAUSE: Final = 0.02
"""Seconds before a closed connection reconnects."""
PIECE: Final = 32
"""The number of messages in one write."""
UPGRADE: Final = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

Seat = tuple[str, str]
"""A game, and the token of a seat in it."""
Seats = list[Seat]


def message(type: str, **parts: Any) -> bytes:
    """A message in a client frame."""
    return frame(json.dumps({"type": type, **parts}).encode())


def frame(text: bytes, begin: int = 0x81) -> bytes:
    """Bytes in a client frame, masked with zeros."""
    length = len(text)
    if length <= 125:
        return bytes((begin, 0x80 + length)) + b"\0\0\0\0" + text
    return bytes((begin, 0xFE)) + length.to_bytes(2, "big") + b"\0\0\0\0" + text


def request(path: str, *headers: str, method: str = "GET") -> bytes:
    """The request line and headers of a request."""
    return "\r\n".join((f"{method} {path} HTTP/1.1", "Host: x", *headers, "", "")).encode()


class Attack:
    """What one connection sends: `first` once, then `then` repeatedly."""

    def __init__(
        self,
        first: bytes,
        then: Callable[[], bytes],
        reads: bool = True,
        single: bool = False,
        plays: bool = False,
    ) -> None:
        self.first = first
        self.then = then
        self.reads = reads
        """Whether it reads what it is sent."""
        self.single = single
        """Whether it sends one byte at a time."""
        self.plays = plays
        """Whether it moves if it is its turn, and reconnects to make the next move."""


def seated(seat: Seat) -> bytes:
    """The first messages of a player."""
    return UPGRADE + message("hello", game=seat[0], token=seat[1], seed=fresh(), words=True)


def repeated(make: Callable[[], bytes], many: int = PIECE) -> Callable[[], bytes]:
    """A source that cycles through a few prebuilt batches of one kind of message."""
    made = cycle([b"".join(make() for _ in range(many)) for _ in range(8)])
    return lambda: next(made)


def stale(number: int = 1, move: str = "1-1") -> Callable[[], bytes]:
    """Moves with a number that was taken long ago."""
    return repeated(lambda: message("move", id=fresh(), number=number, move=move))


def clue() -> bytes:
    """A clue to be read, as long as any that is understood, and never the same."""
    move = " or ".join(str(random.randint(1, 30)) for _ in range(LONGEST // 2)) + " or"
    return message("read", id=fresh(), number=2, move=move)


def attacks(name: str, plan: dict[str, Any]) -> Iterator[Attack]:
    """One attack for each connection."""
    long: Seats = [tuple(each) for each in plan["long"]]
    wide: Seats = [tuple(each) for each in plan["wide"]]
    bots: Seats = [tuple(each) for each in plan["bots"]]
    writers: Seats = [tuple(each) for each in plan["writers"]]
    over: str = plan["over"]
    routes = [
        "/",
        "/healthz",
        "/readyz",
        "/metrics",
        "/nowhere",
        "/page/style.css",
        "/api/catalog",
        "/api/rules/safe-code",
        "/api/docs",
        "/api/openapi.json",
        "/api/games?show=waiting",
        "/api/games?show=playing",
        "/api/games?show=over",
        f"/api/games/{over}",
        f"/api/games/{over}/record",
        f"/api/games/{over}/replay",
        f"/api/games/{over}/analysis",
    ]
    for at in range(CONNECTIONS):
        seats = [each[at % len(each)] for each in (long, wide, bots, writers)]
        kinds = _kinds(plan["next"], routes[at % len(routes)], *seats)
        yield list(kinds.values())[at % len(kinds)] if name == "mixture" else kinds[name]


def _kinds(
    number: int, route: str, seat: Seat, other: Seat, bot: Seat, writer: Seat
) -> dict[str, Attack]:
    """Every kind of attack, for one connection."""
    hint = message("hint", id=fresh(), number=number)
    large = request("/api/games", "Content-Length: 900000000", method="POST")
    asking = repeated(lambda: request(route), 4)
    return {
        "stale": Attack(seated(seat), stale()),
        "deaf": Attack(seated(seat), stale(), reads=False),
        "aids": Attack(seated(other), stale(move="1-1-1-1-1-1")),
        "clues": Attack(seated(writer), clue),
        "hints": Attack(seated(seat), repeated(lambda: hint)),
        "bots": Attack(seated(bot), bytes, reads=False, plays=True),
        "hellos": Attack(UPGRADE, repeated(lambda: message("hello", game=seat[0]), 1)),
        "pings": Attack(seated(seat), repeated(lambda: message("ping"))),
        "long pings": Attack(
            seated(seat), repeated(lambda: frame(b'{"type":"ping"' + b" " * 3500 + b"}"))
        ),
        "garbage": Attack(UPGRADE, repeated(lambda: frame(random.randbytes(40)))),
        "controls": Attack(UPGRADE, repeated(lambda: frame(b"p" * 125, 0x89))),
        "bytes": Attack(UPGRADE, lambda: frame(b"x" * 4000)[:-1], single=True),
        "routes": Attack(b"", asking),
        "deaf routes": Attack(b"", asking, reads=False),
        "rows": Attack(b"", repeated(lambda: request("/nowhere"), 400)),
        "bodies": Attack(large, lambda: b"x" * 65_536),
        "headers": Attack(b"GET / HTTP/1.1\r\n", lambda: b"a: b\r\n" * 50, single=True),
    }


NAMES: Final = (*_kinds(0, "/", *[("", "")] * 4), "mixture")
"""The names of all attacks."""


class Flood:
    """All connections of one attack."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self._port: int = plan["port"]
        self._attacks = list(attacks(plan["attack"], plan))
        self._begun = 0

    async def run(self) -> None:
        """Attack until the process ends."""
        await asyncio.gather(*map(self._repeat, self._attacks))

    async def _repeat(self, attack: Attack) -> None:
        begins = True
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", self._port, local_addr=(SOURCE, 0), limit=2**16
                )
                reading: asyncio.Task[None] | None = None
                try:
                    if attack.first.startswith(UPGRADE):
                        writer.write(UPGRADE)
                        await reader.readuntil(b"\r\n\r\n")
                    writer.write(attack.first.removeprefix(UPGRADE))
                    if attack.reads:
                        reading = asyncio.create_task(_discard(reader))
                    if begins:
                        begins = False
                        self._count()
                    if attack.plays:
                        await _play(reader, writer)
                    else:
                        await _send(writer, attack, reading)
                finally:
                    writer.transport.abort()
                    if reading is not None:
                        reading.cancel()
            await asyncio.sleep(PAUSE)

    def _count(self) -> None:
        self._begun += 1
        if self._begun == len(self._attacks):
            print("begun", flush=True)


async def _send(
    writer: asyncio.StreamWriter, attack: Attack, reading: asyncio.Task[None] | None
) -> None:
    while not writer.is_closing() and not (reading and reading.done()):
        data = attack.then()
        for piece in (bytes((byte,)) for byte in data) if attack.single else (data,):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)


async def _play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Make a move if the first view says it is this seat's turn, and wait for the answer."""
    view = None
    while view is None:
        told = await _heard(reader)
        view = told.get("view")
    if view["actor"] == 1:
        length = view["options"].get("length", 3)
        move = (view["moves"] or ["-".join("1" * length)])[0]
        writer.write(message("move", id=fresh(), number=told["number"] + 1, move=move))
        await _heard(reader)


async def _heard(reader: asyncio.StreamReader) -> dict[str, Any]:
    """The next message from the server, whose frames are not masked."""
    kind, length = await reader.readexactly(2)
    if kind != 0x81:
        raise ConnectionError("it closes")
    if length >= 126:
        length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8), "big")
    told: dict[str, Any] = json.loads(await reader.readexactly(length))
    return told


async def _discard(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(2**16):
            pass


if __name__ == "__main__":
    os.nice(5)
    flood = Flood(json.loads(sys.stdin.readline()))
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    asyncio.run(flood.run())
