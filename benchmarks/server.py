"""How many moves a second the server stores, and how long a player waits for one.

    python benchmarks/server.py                       SQLite, all sizes
    python benchmarks/server.py --database URL        a PostgreSQL
    python benchmarks/server.py --games 100 --seconds 20
    python benchmarks/server.py --words               as browsers play

Every game has two real WebSocket clients in this process; the server is a subprocess. In a closed
loop a game's next move follows as soon as the last one was acknowledged. At a fixed rate the moves
come evenly, whatever the server does. In both games a wrong guess can be repeated, so that moves
are measured and not the creation of games. "A core" is the number of moves for each second of the
server's processor time: on a busy machine that says more than the moves a second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

SETTINGS = {"safe-cracker": ("1-2-3", "3-3-3"), "digit-deductions": ("4-7", "9-1")}
GUESSES = {"safe-cracker": "1-2-1", "digit-deductions": "1-1"}
SIZES = (20, 100, 500, 1000)
WARM_UP = 0.5
A_GAME = 0.15
"""The most seconds of measuring per game, so that none reaches the turn limit."""


class Server:
    """A server in its own process."""

    def __init__(self, database: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "strongroom", "serve", "--fast", "--no-limits"]
        self._process = subprocess.Popen(
            [*command, "--port", str(port), "--database", database],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        self.address = line.split()[-1]

    @property
    def memory(self) -> int:
        """Its resident memory, in bytes."""
        status = Path(f"/proc/{self._process.pid}/statm").read_text().split()
        return int(status[1]) * os.sysconf("SC_PAGE_SIZE")

    @property
    def seconds(self) -> float:
        """The processor time it has used, in seconds."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """End it."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()


class Load:
    """The measurements of all clients together."""

    def __init__(self, words: bool) -> None:
        self.words = words
        self.latencies: list[float] = []
        self.counting = False
        self.playing = False
        self.clients: list[Client] = []
        self.errors: list[Any] = []

    def made(self, seconds: float) -> None:
        """Count an acknowledged move."""
        if self.counting:
            self.latencies.append(seconds)


class Client(WSListener):
    """A player who repeats one wrong guess for ever."""

    def __init__(self, load: Load, game: str, id: str, token: str, pause: float | None) -> None:
        self._load = load
        self._game = game
        self._hello: dict[str, Any] = {"type": "hello", "game": id, "token": token, "seed": token}
        self._hello |= {"words": load.words}
        self._pause = pause
        self._seat = 0
        self._number = 0
        self._view: dict[str, Any] = {}
        self._sent = 0.0
        self._transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Say hello."""
        self._transport = transport
        transport.send(WSMsgType.TEXT, orjson.dumps(self._hello))

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Process a frame, and move as soon as it is this seat's turn."""
        if frame.msg_type != WSMsgType.TEXT:
            return
        data = orjson.loads(frame.get_payload_as_memoryview())
        if data["type"] == "entries":
            self._number = data["number"] + len(data["entries"]) - 1
            self._view.update(data["view"])
            if "made" in data:
                self._load.made(time.perf_counter() - self._sent)
        elif data["type"] == "welcome":
            self._number, self._seat = data["number"], data["seat"]
            self._view = data["view"] or {}
        elif data["type"] == "game":
            return
        else:
            self._load.errors.append(data)
            return
        self.go_on()

    def go_on(self) -> None:
        """Move, at once or after a pause, if it is this seat's turn."""
        if self._view.get("actor") == self._seat and self._load.playing:
            if self._pause is None or self._view["setting_up"]:
                self._move()
            else:
                pause = self._pause * random.uniform(0.5, 1.5)
                asyncio.get_running_loop().call_later(pause, self._move)

    def _move(self) -> None:
        assert self._transport is not None
        setting_up = self._view["setting_up"]
        text = SETTINGS[self._game][self._seat - 1] if setting_up else GUESSES[self._game]
        move = {"type": "move", "id": secrets.token_hex(16), "number": self._number + 1}
        self._sent = time.perf_counter()
        self._transport.send(WSMsgType.TEXT, orjson.dumps(move | {"move": text}))


def ask(address: str, path: str, **body: Any) -> Any:
    """The answer to a POST."""
    data = json.dumps(body).encode()
    request = urllib.request.Request(
        address + path, data, {"Content-Type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


async def seat_players(load: Load, address: str, games: int, pause: float | None) -> None:
    """Create games and connect two players to each."""
    url = address.replace("http", "ws") + "ws"
    for number in range(games):
        game = list(SETTINGS)[number % len(SETTINGS)]
        one, two, invitation = (secrets.token_hex(16) for _ in range(3))
        terms = {"game": game, "aids": True, "name": "Ada", "token": one, "invitation": invitation}
        made = ask(address, "api/games", **terms)
        id = made["game"]["id"]
        ask(address, f"api/games/{id}/join", name="Bob", token=two, invitation=invitation)
        for token in (one, two):
            client = Client(load, game, id, token, pause)
            load.clients.append(client)
            await ws_connect(lambda client=client: client, url)


async def measure(
    database: str, games: int, seconds: float, rate: float | None, words: bool
) -> str:
    """A row of the table: one size, as fast as possible or at a fixed rate."""
    load = Load(words)
    server = Server(database)
    idle = server.memory
    try:
        pause = None if rate is None else games / rate
        await seat_players(load, server.address, games, pause)
        await asyncio.sleep(1)
        held = (server.memory - idle) / games
        load.playing = True
        for client in load.clients:
            client.go_on()
        await asyncio.sleep(WARM_UP if rate is None else 4 * WARM_UP)
        load.counting, begin, used = True, time.perf_counter(), server.seconds
        own = time.process_time()
        await asyncio.sleep(seconds)
        load.counting = False
        spent = time.perf_counter() - begin
        busy, ours = (server.seconds - used) / spent, (time.process_time() - own) / spent
    finally:
        server.stop()
    assert not load.errors, load.errors[:3]
    return row(load.latencies, games, rate, spent, busy, ours, held)


def row(
    latencies: Sequence[float],
    games: int,
    rate: float | None,
    spent: float,
    busy: float,
    ours: float,
    held: float,
) -> str:
    """One row of the table."""
    times = sorted(latencies)
    median, late = statistics.median(times) * 1000, times[int(len(times) * 0.99)] * 1000
    loop = "closed" if rate is None else f"{rate:g}/s"
    return (
        f"{games:6} {loop:>9} {len(times) / spent:10.0f} {median:9.1f} {late:9.1f}"
        f" {busy:7.0%} {ours:7.0%} {len(times) / spent / busy:8.0f} {held / 1024:9.0f}"
    )


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--database", help="URL of the database (a temporary SQLite file)")
    parser.add_argument("--games", type=int, nargs="*", default=SIZES)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument(
        "--rate", type=float, default=2000.0, help="moves a second at a fixed rate (2000)"
    )
    parser.add_argument("--words", action="store_true", help="let the players ask for words")
    chosen = parser.parse_args()
    print(" games      loop    moves/s    median      99th  server clients   a core  KiB/game")
    for games in chosen.games:
        for rate in (None, chosen.rate):
            with tempfile.TemporaryDirectory() as folder:
                database = chosen.database or f"{folder}/games.db"
                seconds = min(chosen.seconds, A_GAME * games)
                line = uvloop.run(measure(database, games, seconds, rate, chosen.words))
            print(line, flush=True)


if __name__ == "__main__":
    main()
