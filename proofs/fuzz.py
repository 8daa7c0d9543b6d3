"""Send the server rubbish of all kinds: no game may change.

    python proofs/fuzz.py --frames 100000

Every frame is answered with a typed error, a refusal or a close code; no fault is logged; no
journal changes; the server keeps working and does not grow.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from playing import Api, Player, fresh, play_address
from rubbish import Rubbish, Victims, framed
from serving import PATIENCE, Server, served
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from strongroom.contract import Json
from strongroom.plugins.registry import GAMES

ERRORS: Final = {
    "stale",
    "bad-frame",
    "hello-first",
    "unknown-game",
    "bad-token",
    "watching",
    "waiting",
    "over",
    "not-yet",
    "slow-down",
    "no-hint",
    "taken",
}
"""The error codes allowed in answers to rubbish; `unavailable` is not among them."""
CLOSES: Final = {1000, 1002, 1003, 1005, 1006, 1007, 1009, 4000, 4001, 4003, 4004, 4008}
"""The close codes allowed on a connection that sends rubbish; 1005: we closed it without a code;
1006: we aborted it."""
GROWTH: Final = 150 * 2**20
"""The most bytes by which the server may grow, however much rubbish it gets."""
WORKERS: Final = 8


@dataclass
class Tally:
    """What was sent, how it was answered, and what went wrong."""

    frames: int = 0
    connections: int = 0
    half_open: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    closes: Counter[int] = field(default_factory=Counter)
    grown: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        answers = ", ".join(f"{code} {count}" for code, count in self.answers.most_common())
        closes = ", ".join(f"{code} {count}" for code, count in self.closes.most_common())
        return (
            f"{self.frames} frames on {self.connections} connections, {self.half_open} more "
            f"left half open; answers: {answers}; closed with: {closes}; "
            f"the server grew by {self.grown / 2**20:.1f} MiB"
        )


class Fuzz:
    """One run: rubbish from many connections at once."""

    def __init__(self, server: Server, database: Path, frames: int, random: Random) -> None:
        self.tally = Tally()
        self._server = server
        self._database = database
        self._frames = frames
        self._random = random
        self._victims = Victims()
        self._left_open: list[asyncio.StreamWriter] = []

    async def run(self) -> Tally:
        """Play some games, send them rubbish, and check that it had no effect."""
        api = Api([self._server.address])
        await self._prepare(api)
        stored, size = self._stored(), self._server.resident
        rubbish = Rubbish(self._victims, self._random)
        await asyncio.gather(*(self._throw(rubbish) for _ in range(WORKERS)))
        for writer in self._left_open:
            writer.close()
        if self._stored() != stored:
            self.tally.wrong.append("a game was changed")
        await self._check_well(api)
        self.tally.grown = self._server.resident - size
        if self.tally.grown > GROWTH:
            self.tally.wrong.append(f"the server grew by {self.tally.grown} bytes")
        await api.close()
        return self.tally

    async def _prepare(self, api: Api) -> None:
        """Set up games in progress, waiting games and a finished one; all are then left alone."""
        victims = self._victims
        for game in GAMES:
            id, tokens = await api.by_link(game)
            players = [self._player(id, token) for token in tokens]
            await self._play(players, 5)
            victims.ids.append(id)
            victims.frames += [text for player in players for text in player.sent]
            _, others = await api.by_link(game)
            victims.tokens += others
            waiting = fresh()
            made = await api.create(game, waiting, opponent="lobby")
            victims.own.append((made["game"]["id"], waiting))
        id, tokens = await api.by_link("safe-cracker")
        await self._play([self._player(id, token) for token in tokens])
        victims.own += [(id, token) for token in tokens]

    def _player(self, id: str, token: str) -> Player:
        return Player([self._server.address], id, token, Random(self._random.random()))

    async def _play(self, players: list[Player], number: int | None = None) -> None:
        """Play a game to its end, or up to entry `number`."""
        tasks = [asyncio.create_task(player.play()) for player in players]
        async with asyncio.timeout(PATIENCE):
            while number is not None and any(player.seen.number < number for player in players):
                await asyncio.sleep(0.01)
            for player in players:
                player.rests = number is not None
            while any(player.asked is not None for player in players):
                await asyncio.sleep(0.01)
            if number is None:
                await asyncio.gather(*tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _stored(self) -> list[tuple[Any, ...]]:
        """Everything in the server's journal."""
        with closing(sqlite3.connect(f"file:{self._database}?mode=ro", uri=True)) as database:
            return database.execute("SELECT * FROM journal ORDER BY game, number").fetchall()

    async def _throw(self, rubbish: Rubbish) -> None:
        while self.tally.frames < self._frames:
            if self._random.random() < 0.03:
                await self._leave_half_open()
            self.tally.connections += 1
            address = play_address(self._server.address)
            async with connect(address, compression=None, close_timeout=2) as socket:
                answers: asyncio.Queue[bool] = asyncio.Queue()
                listening = asyncio.create_task(self._listen(socket, answers))
                await self._introduce(socket, answers)
                for _ in range(self._random.randrange(1, 60)):
                    await self._send(socket, rubbish.frame(), answers)
                if self._random.random() < 0.3:
                    await self._send(socket, rubbish.last_frame(), answers, b'{"type":"ping"}')
                if self._random.random() < 0.1:
                    socket.transport.abort()
            await listening

    async def _send(
        self,
        socket: ClientConnection,
        frame: Frame,
        answers: asyncio.Queue[bool],
        then: bytes | None = None,
    ) -> None:
        """Send a frame, and wait until it is answered or the connection is closed."""
        if socket.state is not State.OPEN or socket.transport.is_closing():
            return
        data = frame.serialize(mask=True)
        if then is not None:
            data += Frame(Opcode.TEXT, then).serialize(mask=True)
        socket.transport.write(data)
        self.tally.frames += 1
        self._show()
        try:
            async with asyncio.timeout(PATIENCE):
                await answers.get()
        except TimeoutError:
            self.tally.wrong.append(f"never answered: {frame}")

    async def _introduce(self, socket: ClientConnection, answers: asyncio.Queue[bool]) -> None:
        """Say hello as a spectator, a player with no legal move or a cheat, or not at all."""
        victims, kind = self._victims, self._random.randrange(4)
        hello: Json = {"type": "hello", "game": self._random.choice(victims.ids)}
        if kind == 1:
            hello["game"], hello["token"] = self._random.choice(victims.own)
        if kind == 2 and self._random.random() < 0.2:
            hello["token"] = self._random.choice((fresh(), *victims.tokens))
        if kind:
            await self._send(socket, framed(json.dumps(hello)), answers)

    async def _listen(self, socket: ClientConnection, answers: asyncio.Queue[bool]) -> None:
        """Receive every answer, and check that the protocol allows it."""
        with suppress(ConnectionClosed):
            async for text in socket:
                frame = json.loads(text)
                kind, code = frame["type"], frame.get("code", "")
                if kind == "error" and code not in ERRORS:
                    self.tally.wrong.append(f"answered with {text!r}")
                self.tally.answers[f"{kind} {code}".strip()] += 1
                if kind not in ("game", "closing"):
                    answers.put_nowait(True)
        code = socket.close_code
        self.tally.closes[code or 0] += 1
        if code not in CLOSES:
            self.tally.wrong.append(f"closed with {code}")
        for _ in range(100):  # release pending senders: no more answers will come
            answers.put_nowait(False)

    async def _leave_half_open(self) -> None:
        """Begin a connection or an upgrade, and send nothing more."""
        self.tally.half_open += 1
        _, writer = await asyncio.open_connection("127.0.0.1", self._server.port)
        writer.write(
            self._random.choice((b"", b"GET /ws HTTP/1.1\r\nHost: x\r\n", b"\x16\x03\x01"))
        )
        self._left_open.append(writer)
        if len(self._left_open) > 40:
            self._left_open.pop(0).close()

    async def _check_well(self, api: Api) -> None:
        """Check that the server responds, and that a whole game can be played."""
        answer = await api.ask("GET", "/catalog")
        if answer.status_code != 200:
            self.tally.wrong.append(f"the server is not well: {answer.status_code}")
        id, tokens = await api.by_link("safe-cracker")
        await self._play([self._player(id, token) for token in tokens])

    def _show(self) -> None:
        if self.tally.frames % 10_000 == 0:
            print(f"{self.tally.frames}/{self._frames} frames", file=sys.stderr, flush=True)


async def fuzz(folder: Path, frames: int, seed: int) -> Tally:
    """Send `frames` frames of rubbish to a new server; return the tally."""
    database = folder / "games.db"
    with served(str(database), folder / "log", "--fast") as server:
        tally = await Fuzz(server, database, frames, Random(seed)).run()
    faults = [line for line in server.log.splitlines() if '"fault"' in line or "Trace" in line]
    tally.wrong += [f"logged: {fault}" for fault in faults[:5]]
    return tally


def main() -> int:
    """Run the proof with the options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=int, default=100_000, help="number of frames (100000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the rubbish (1)")
    chosen = parser.parse_args()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        tally = asyncio.run(fuzz(Path(name), chosen.frames, chosen.seed))
    print(f"{time.monotonic() - begin:.0f} s: {tally}")
    for trouble in tally.wrong[:20]:
        print(f"  wrong: {trouble}")
    kept = "every frame was answered or closed, and no game was changed"
    print(f"FAILED: {len(tally.wrong)} failures" if tally.wrong else f"PASSED: {kept}")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
