"""Flood the server: 64 connections of one address must not make the other players wait.

A server with all its limits serves some games, whose moves are timed, while one address sends
whatever costs most. Quiet and attacked spells alternate, so that other load on the machine affects
both. The 99th percentile of a move must stay under ten times its quiet value, the server must not
grow, and a signal must end it in time in the middle of an attack.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

from flooding import CONNECTIONS, NAMES, Seats
from playing import Api, fresh, play_address
from serving import PATIENCE, Server
from websockets.asyncio.client import connect

from strongroom.contract import Game, Json, Seat
from strongroom.plugins import registry
from strongroom.plugins.registry import load
from strongroom.referee.randomness import BOT_SEED, fresh_seed, fresh_token, hash_of
from strongroom.referee.record import PERSON
from strongroom.server.messages import MoveRequest
from strongroom.server.settings import DEFAULTS
from strongroom.server.store import Deal, Store, StoredGame, StoredSeat, open_database
from strongroom.server.table import HostedGame

MOST: Final = 10.0
"""The limit on the 99th percentile of a move, as a multiple of its quiet value."""
GROWTH: Final = 100 * 2**20
"""The most bytes by which the server may grow."""
GAMES: Final = 8
"""How many games the other players play."""
THINKING: Final = 0.05
"""Seconds between two moves of a game."""
FEWEST: Final = 20
"""The fewest moves in a spell, however long it takes."""
LONG: Final = 900
"""The number of moves in a long game."""


@dataclass
class Spell:
    """The times of the moves made during one kind of attack, and in the quiet spells between."""

    attack: str
    quiet: list[float] = field(default_factory=list)
    attacked: list[float] = field(default_factory=list)
    grown: int = 0
    """The most bytes by which the server grew, during an attack or after it."""
    used: list[float] = field(default_factory=list)
    """The share of a core that the server used in each attacked spell."""

    @property
    def ratio(self) -> float:
        """The 99th percentile under attack, as a multiple of the quiet one."""
        return slowest(self.attacked) / slowest(self.quiet)

    @property
    def wrong(self) -> list[str]:
        """The limits that were exceeded."""
        found = []
        if self.ratio >= MOST:
            found.append(f"{self.attack}: moves took {self.ratio:.1f} times as long")
        if self.grown > GROWTH:
            found.append(f"{self.attack}: the server grew by {self.grown / 2**20:.0f} MiB")
        return found

    def __str__(self) -> str:
        return (
            f"{self.attack:12} moves {len(self.quiet):5} and {len(self.attacked):5}, "
            f"median {1000 * median(self.quiet):6.1f} and {1000 * median(self.attacked):7.1f} ms, "
            f"99th {1000 * slowest(self.quiet):6.1f} and {1000 * slowest(self.attacked):7.1f} ms: "
            f"{self.ratio:5.1f} times; {100 * max(self.used, default=0):3.0f} % of a core, "
            f"{self.grown / 2**20:+.0f} MiB"
        )


def slowest(times: Sequence[float]) -> float:
    """The 99th percentile."""
    return quantiles(times, n=100)[-1] if len(times) > 1 else float("inf")


# --- preparation ---


@dataclass
class Prepared:
    """Games for the attackers to join."""

    long: Seats = field(default_factory=list)
    """Seats of games with many moves."""
    wide: Seats = field(default_factory=list)
    """Seats of games with many candidate codes."""
    bots: Seats = field(default_factory=list)
    """Seats of games against a bot that reads a large table."""
    writers: Seats = field(default_factory=list)
    """Seats of games in which the first player writes clues."""
    over: str = ""
    """A long game that is over."""
    next: int = 0
    """The number of the next entry of the long games."""

    def plan(self, server: Server, attack: str) -> Json:
        """The instructions for the attacking process."""
        return {
            "port": server.port,
            "attack": attack,
            "long": self.long,
            "wide": self.wide,
            "bots": self.bots,
            "writers": self.writers,
            "over": self.over,
            "next": self.next,
        }


async def prepare(file: str, long: int = LONG) -> Prepared:
    """Store games as if they had been played."""
    database = open_database(file)
    await database.open()
    store, prepared = Store(database), Prepared()
    for at in range(CONNECTIONS // 2 + 1):
        last = at == CONNECTIONS // 2
        table, seats = await _played(store, "digit-deductions", long, "9-9", "1-1", resign=last)
        if last:
            prepared.over = table.stored.id
            continue
        prepared.long += seats
        prepared.next = table.number + 1
        _, seats = await _played(
            store, "safe-cracker", 2, "9-9-9-9-9-9", "1-2-3-4-5-6", digits=9, length=6
        )
        prepared.wide += seats
        _, seats = await _played(store, "safe-code", -1, "18", "")
        prepared.writers += seats[:1]
    for game in [load(name) for name in registry.GAMES] + [
        load("safe-cracker", digits=digits) for digits in range(4, 10)
    ]:
        for _ in range(CONNECTIONS // 12):
            stored, seats = _new(game, "master")
            await store.create(stored)
            prepared.bots += seats[:1]
    await database.close()
    return prepared


async def _played(
    store: Store,
    game: str,
    many: int,
    secret: str,
    guess: str,
    resign: bool = False,
    **options: int,
) -> tuple[HostedGame, Seats]:
    stored, seats = _new(load(game, **options))
    await store.create(stored)
    table, writes, now = HostedGame(stored), [], time.time()
    for at in range(many + 2):
        assert isinstance(table.actor, Seat)
        asked = MoveRequest(fresh(), table.number + 1, secret if at < 2 else guess)
        proposal = table.propose_move(table.actor, asked, now)
        writes.append(store.append(stored.id, proposal.request, proposal.match.outcome, now))
        table.advance(proposal)
    if resign:
        proposal = table.proposal(table.playing.resign(Seat.ONE), fresh())
        writes.append(store.append(stored.id, proposal.request, proposal.match.outcome, now))
    await asyncio.gather(*writes)
    return table, seats


def _new(game: Game, second: str = PERSON) -> tuple[StoredGame, Seats]:
    """A game that has just begun, and its seats; the first is a person's."""
    secrets, now = (fresh(), fresh()), time.time()
    one, two = (
        StoredSeat(seat, name, player, token=hash_of(secret), seed=BOT_SEED)
        for seat, name, player, secret in zip(
            Seat, ("Eve", "Mallory"), (PERSON, second), secrets, strict=True
        )
    )
    stored = StoredGame(
        id=fresh_token(),
        deal=Deal(game, True, None),
        server_seed=fresh_seed(),
        created=now,
        seats=(one, two),
        started=now,
    )
    return stored, [(stored.id, secret) for secret in secrets]


# --- the players ---


class Players:
    """Two people at a game, each with their own address."""

    def __init__(self, server: Server, number: int) -> None:
        self._server = server
        self._number = number
        self.times: list[float] = []
        """The seconds until each move was acknowledged."""

    async def play(self) -> None:
        """Play one game after another until cancelled."""
        while True:
            api = Api([self._server.address])
            id, seats = await api.by_link("digit-deductions")
            await api.close()
            async with self._sit(id, seats[0], 1) as one, self._sit(id, seats[1], 2) as two:
                await self._one_game(one, two)

    @asynccontextmanager
    async def _sit(self, id: str, token: str, seat: int) -> AsyncIterator[Any]:
        address = play_address(self._server.address)
        source = (f"127.0.{seat}.{self._number + 1}", 0)
        async with connect(
            address, compression=None, local_addr=source, ping_interval=None, open_timeout=PATIENCE
        ) as socket:
            hello = {"type": "hello", "game": id, "token": token, "seed": fresh(), "words": True}
            await socket.send(json.dumps(hello))
            yield socket

    async def _one_game(self, one: Any, two: Any) -> None:
        for socket in (one, two):
            while (await _frame(socket)).get("view") is None:
                pass
        for number in range(1, LONG):
            mover, other = (one, two) if number % 2 else (two, one)
            move, id = "9-9" if number <= 2 else "1-1", fresh()
            begin = time.perf_counter()
            await mover.send(json.dumps({"type": "move", "id": id, "number": number, "move": move}))
            while (told := await _frame(mover)).get("made") != id:
                assert told["type"] in ("entries", "game", "welcome"), told
            self.times.append(time.perf_counter() - begin)
            while (told := await _frame(other)).get("number") != number:
                assert told["type"] in ("entries", "game", "welcome"), told
            await asyncio.sleep(THINKING)
        # The server limits the unfinished games that one address may create.
        id = fresh()
        await one.send(json.dumps({"type": "resign", "id": id}))
        while (await _frame(one)).get("made") != id:
            pass


async def _frame(socket: Any) -> Json:
    async with asyncio.timeout(PATIENCE):
        told: Json = json.loads(await socket.recv())
        return told


# --- the flood ---


class Flood:
    """One run against one server."""

    def __init__(self, server: Server, prepared: Prepared, seconds: float) -> None:
        self._server = server
        self._prepared = prepared
        self._seconds = seconds
        self._players = [Players(server, number) for number in range(GAMES)]

    async def run(self, names: Sequence[str], rounds: int) -> list[Spell]:
        """Make each of these attacks, in `rounds` spells each."""
        await self._prepare_vaults()
        playing = [asyncio.create_task(players.play()) for players in self._players]
        await self._moves(1.0)
        spells = []
        for name in names:
            spell = Spell(name)
            size = self._server.resident
            for _ in range(rounds):
                spell.quiet += await self._moves(self._seconds)
                async with self._attack(name):
                    used, begin = self._server.processor_time, time.monotonic()
                    spell.attacked += await self._moves(self._seconds)
                    used, passed = self._server.processor_time - used, time.monotonic() - begin
                    spell.grown = max(spell.grown, self._server.resident - size)
                spell.used.append(used / passed)
                for task in playing:
                    if task.done():
                        task.result()
            spell.grown = max(spell.grown, self._server.resident - size)
            spells.append(spell)
            print(spell, file=sys.stderr, flush=True)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        return spells

    async def _prepare_vaults(self) -> None:
        """Wait until the server has the vaults that it computes once a day, whoever plays."""
        api, today = Api([self._server.address]), datetime.now(UTC).date()
        for day in (today, today + timedelta(days=1)):
            (await api.ask("GET", f"/vault?day={day}")).raise_for_status()
        await api.close()

    async def _moves(self, seconds: float) -> list[float]:
        """The times of the moves made in the next `seconds`."""
        for players in self._players:
            players.times.clear()
        await asyncio.sleep(seconds)
        async with asyncio.timeout(PATIENCE):
            while sum(len(players.times) for players in self._players) < FEWEST:
                await asyncio.sleep(0.1)
        return [each for players in self._players for each in players.times]

    @asynccontextmanager
    async def _attack(self, name: str) -> AsyncIterator[None]:
        attack = attacking(self._prepared.plan(self._server, name))
        await asyncio.to_thread(attack.__enter__)  # the others keep playing
        try:
            yield
        finally:
            await asyncio.to_thread(attack.__exit__, None, None, None)

    async def end(self, name: str) -> float:
        """How many seconds the server takes to end after a signal, during an attack."""
        async with self._attack(name):
            await asyncio.sleep(self._seconds)
            begin = time.monotonic()
            self._server.terminate()
            await asyncio.to_thread(self._server.wait)
            return time.monotonic() - begin


@contextmanager
def attacking(plan: Json) -> Iterator[None]:
    """Attack from another process for the duration of the block; the attack has begun."""
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("flooding.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(f"{json.dumps(plan)}\n")
        process.stdin.flush()
        assert process.stdout.readline() == "begun\n", "the attack did not begin"
        yield
    finally:
        process.kill()
        process.communicate()


async def flood(
    folder: Path, names: Sequence[str], rounds: int, seconds: float, ending: str = "deaf"
) -> tuple[list[Spell], float]:
    """Attack a new server; return the spells, and how many seconds it took to end."""
    file = str(folder / "games.db")
    prepared = await prepare(file)
    server = Server(file, folder / "log", "--fast", limits=True)
    server.start()
    try:
        run = Flood(server, prepared, seconds)
        spells = await run.run(names, rounds)
        return spells, await run.end(ending)
    finally:
        if server.runs:
            server.kill()
        server.stop()


def main() -> int:
    """Run the proof with the options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("attacks", nargs="*", help=f"some of {', '.join(NAMES)} (all)")
    parser.add_argument(
        "--rounds", type=int, default=3, help="quiet and attacked spells for each attack (3)"
    )
    parser.add_argument("--seconds", type=float, default=8.0, help="duration of a spell (8)")
    chosen = parser.parse_args()
    names = chosen.attacks or NAMES
    with tempfile.TemporaryDirectory() as name:
        spells, ended = asyncio.run(flood(Path(name), names, chosen.rounds, chosen.seconds))
    wrong = [each for spell in spells for each in spell.wrong]
    print(f"a signal ended the server in {ended:.1f} s")
    if ended > DEFAULTS.shutdown_timeout + 1:
        wrong.append(f"the server took {ended:.0f} s to end")
    for trouble in wrong:
        print(f"  wrong: {trouble}")
    print(f"FAILED: {len(wrong)} failures" if wrong else "PASSED: nobody made the others wait")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
