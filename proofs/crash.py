"""Kill the server repeatedly while people play: no acknowledged move may be lost or doubled.

The two players of each game, on separate connections, record every acknowledged move. At the end
all these moves must be in the database, once and in order; every journal must replay; and the
views that the players fold from frames must be the referee's.

    python proofs/crash.py --kills 250 --database postgres --processes 3

Three processes share a PostgreSQL, and the two players of a game use different ones. SQLite
serves one process: one of the three gets the file, and the others are refused and retry.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from playing import Api, Asked, Broken, Player
from serving import PATIENCE, NotOpen, Server, postgres

from strongroom.contract import Refusal
from strongroom.plugins.registry import GAMES
from strongroom.referee.match import Match
from strongroom.referee.record import Record, line_of
from strongroom.server.store import Store, open_database
from strongroom.server.store.database import Row
from strongroom.server.table import HostedGame

EARLY: Final = 0.15
"""The share of kills that hit a server during start-up."""
LONGEST_LIFE: Final = 1.5
"""The most seconds, per process, between a server's opening and its kill."""
START: Final = 0.4
"""About how many seconds a server takes to open."""
THINK: Final = 0.06
"""The most seconds a player waits before a move."""


@dataclass
class Played:
    """A game, its players, and the moves acknowledged to them."""

    id: str
    players: list[Player] = field(default_factory=list)
    acknowledged: list[Asked] = field(default_factory=list)


@dataclass
class Tally:
    """What was done, and what went wrong."""

    kills: int = 0
    before_open: int = 0
    """Kills of a server that was not yet open."""
    refused: int = 0
    """Starts of a second process refused because the SQLite file was in use."""
    games: int = 0
    finished: int = 0
    acknowledged: int = 0
    entries: int = 0
    found_again: int = 0
    """Moves that were stored although the kill lost their acknowledgement."""
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        refused = f", {self.refused} second processes refused" if self.refused else ""
        return (
            f"{self.kills} kills ({self.before_open} of them before it was open){refused}; "
            f"{self.games} games, {self.finished} of them to the end; "
            f"{self.acknowledged} moves acknowledged, {self.found_again} of them only when "
            f"asked again; {self.entries} entries stored"
        )


class Crash:
    """One run: servers are killed, and games continue."""

    def __init__(
        self, database: str, servers: list[Server], kills: int, games: int, random: Random
    ) -> None:
        self.tally = Tally()
        self._database = database
        self._servers = servers
        self._kills = kills
        self._tables = games
        self._random = random
        self._played: list[Played] = []
        self._resting = False
        self._shared = database.startswith("postgres")
        self._addresses: list[str] = []
        self._shown = 0

    async def run(self) -> Tally:
        """Play and kill, then check everything."""
        for server in self._servers:
            server.begin()
        self._addresses = [server.address for server in self._servers]
        api, kinds = Api(self._addresses), list(GAMES)
        tables = [
            asyncio.create_task(self._play_on(api, kinds[number % len(kinds)]))
            for number in range(self._tables)
        ]
        killers = [asyncio.create_task(self._kill_on(server)) for server in self._servers]
        shown = asyncio.create_task(self._show_on())
        try:
            await _first_trouble_or_all(killers, tables)
            async with asyncio.timeout(PATIENCE):
                await self._rest(tables)
        except (Broken, TimeoutError) as trouble:
            self.tally.wrong.append(f"while playing: {trouble!r}")
        shown.cancel()
        for task in (*tables, *killers):
            task.cancel()
        await asyncio.gather(*tables, *killers, shown, return_exceptions=True)
        await api.close()
        for server in self._servers:
            server.stop()
        self._check_logs()
        await self._check()
        return self.tally

    def _check_logs(self) -> None:
        for server in self._servers:
            faults = [
                line for line in server.log.splitlines() if '"fault"' in line or "Trace" in line
            ]
            self.tally.wrong += [f"logged: {fault}" for fault in faults[:5]]

    # --- the servers ---

    async def _kill_on(self, server: Server) -> None:
        """Kill one server at random moments, even during start-up, and restart it at once."""
        while True:
            opening = asyncio.create_task(asyncio.to_thread(_opens, server))
            soon = self._random.random() < EARLY
            await asyncio.wait((opening,), timeout=self._random.uniform(0, START) if soon else None)
            if opening.done():
                if not opening.result():
                    self._note_refusal(server)
                earlier = self._acknowledged
                await asyncio.sleep(self._random.uniform(0, LONGEST_LIFE * len(self._servers)))
                if self.tally.kills % 2:  # on a busy machine, it may have done nothing yet
                    await self._more_moves_than(earlier)
            if self.tally.kills >= self._kills:
                return
            if server.runs:
                self.tally.before_open += not opening.done()
                self.tally.kills += 1
                server.kill()
            await opening
            server.begin()

    @property
    def _acknowledged(self) -> int:
        """The number of moves acknowledged to the players."""
        return sum(len(played.acknowledged) for played in self._played)

    async def _more_moves_than(self, earlier: int) -> None:
        """Wait for one more acknowledged move; time out if the server never sends it."""
        async with asyncio.timeout(PATIENCE):
            while self._acknowledged <= earlier:
                await asyncio.sleep(0.01)

    def _note_refusal(self, server: Server) -> None:
        """Record a server that exited on its own; its file must have been in use by another."""
        server.wait()
        last = server.log.splitlines()[-1:]
        if self._shared or "is in use by another server" not in "".join(last):
            self.tally.wrong.append(f"a server ended by itself: {last}")
        self.tally.refused += 1

    # --- the games ---

    async def _play_on(self, api: Api, kind: str) -> None:
        """Play one game after another at a table."""
        while not self._resting:
            id, tokens = await api.by_link(kind)
            played = Played(id)
            for number, token in enumerate(tokens):
                at = number % len(self._addresses)
                played.players.append(
                    Player(
                        [*self._addresses[at:], *self._addresses[:at]],
                        id,
                        token,
                        Random(self._random.random()),
                        played.acknowledged.append,
                        THINK,
                    )
                )
            self._played.append(played)
            if self._resting:
                return
            await asyncio.gather(*(player.play() for player in played.players))

    async def _rest(self, tables: list[asyncio.Task[None]]) -> None:
        """Stop new moves, and let every player receive the outstanding answers."""
        self._resting = True
        for played in self._played:
            for player in played.players:
                player.rests = True
        for table in tables:
            table.cancel()
        await asyncio.gather(*tables, return_exceptions=True)
        players = [player for played in self._played for player in played.players]
        # Twice: the first pass can produce entries for the other player.
        for _ in range(2):
            await asyncio.gather(*(player.catch_up() for player in players if not player.over))

    async def _show_on(self) -> None:
        while True:
            await asyncio.sleep(1)
            games, moves = len(self._played), self._acknowledged
            line = f"{self.tally.kills}/{self._kills} kills, {games} games, {moves} moves"
            if sys.stderr.isatty():
                print(f"\r{line} ", end="", file=sys.stderr, flush=True)
            elif self.tally.kills // 25 > self._shown:
                self._shown = self.tally.kills // 25
                print(line, file=sys.stderr, flush=True)

    # --- the check ---

    async def _check(self) -> None:
        database = open_database(self._database)
        await database.open()
        store = Store(database)
        for played in self._played:
            try:
                await self._check_game(store, played)
            except (Broken, Refusal) as trouble:
                self.tally.wrong.append(f"game {played.id}: {trouble}")
        await database.close()

    async def _check_game(self, store: Store, played: Played) -> None:
        kept = await store.game(played.id)
        if kept is None:
            raise Broken("it is gone")
        rows = await store.database.read(
            "SELECT number, last, request, lines FROM journal WHERE game = :game ORDER BY number",
            game=played.id,
        )
        lines = _lines(rows)
        match = HostedGame(kept, await store.journal(played.id)).match
        if match is None:
            if lines or played.acknowledged:
                raise Broken("it was played before it began")
            return
        _check_replays(match, lines)
        _check_acknowledged(played, rows, lines)
        for player in played.players:
            if player.seen.view not in (None, match.view(player.seat)):
                raise Broken(f"seat {player.seat} put together another view than the referee has")
        self.tally.games += 1
        self.tally.finished += match.outcome is not None
        self.tally.acknowledged += len(played.acknowledged)
        self.tally.entries += len(lines)
        self.tally.found_again += sum(player.found_again for player in played.players)


def _opens(server: Server) -> bool:
    try:
        server.wait_until_open()
    except NotOpen:
        return False
    return True


def _lines(rows: list[Row]) -> list[str]:
    """The entries of a journal, which must have no gap or overlap."""
    lines: list[str] = []
    for number, last, _, text in rows:
        lines += text.splitlines()
        if number != last - len(text.splitlines()) + 1 or len(lines) != last:
            raise Broken(f"entries {number} to {last} do not follow each other")
    return lines


def _check_replays(match: Match, lines: list[str]) -> None:
    text = "".join([line_of(match.record.header()), *(f"{line}\n" for line in lines)])
    if Record.loads(text) != match.record:
        raise Broken("the journal does not replay to the match")


def _check_acknowledged(played: Played, rows: list[Row], lines: list[str]) -> None:
    """Check that each acknowledged move is stored once, at its number, and no rejected one is."""
    places = {request: number for number, _, request, _ in rows if request is not None}
    if len(set(played.acknowledged)) != len(played.acknowledged):
        raise Broken("a move was acknowledged twice")
    for asked in played.acknowledged:
        if places.get(asked.id) != asked.number:
            raise Broken(f"{asked} was acknowledged and is at {places.get(asked.id)}")
        if json.loads(lines[asked.number - 1])["move"] != asked.move:
            raise Broken(f"{asked} was acknowledged and {lines[asked.number - 1]} is stored")
    for player in played.players:
        if player.rejected & set(places):
            raise Broken("a move was rejected and stored nevertheless")
    sent = {asked.id for asked in played.acknowledged}
    if unknown := set(places) - sent:
        raise Broken(f"{len(unknown)} moves are stored that nobody was told of")


async def _first_trouble_or_all(
    killers: list[asyncio.Task[None]], tables: list[asyncio.Task[None]]
) -> None:
    """Wait until all killers are done; an error at a table is raised at once."""
    work = {*killers, *tables}
    while not all(killer.done() for killer in killers):
        done, work = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()


async def crash(
    database: str, folder: Path, processes: int, kills: int, games: int, seed: int
) -> Tally:
    """Kill processes that share a database, `kills` times in all; return the tally."""
    servers = [Server(database, folder / f"server-{n}.log", "--fast") for n in range(processes)]
    try:
        return await Crash(database, servers, kills, games, Random(seed)).run()
    finally:
        for server in servers:
            if server.runs:
                server.kill()
            server.stop()


@contextmanager
def database_in(folder: Path, kind: str) -> Iterator[str]:
    """The URL of a new database of this kind."""
    if kind == "postgres":
        with postgres(folder / "postgres") as url:
            yield url
    else:
        yield str(folder / "games.db")


def main() -> int:
    """Run the proof with the options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=250, help="number of kills (250)")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--processes", type=int, default=1, help="number of server processes (1)")
    parser.add_argument(
        "--games", type=int, default=20, help="number of games at the same time (20)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the moves and of the moments to kill (1)"
    )
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as name,
        database_in(Path(name), chosen.database) as database,
    ):
        begin = time.monotonic()
        tally = asyncio.run(
            crash(database, Path(name), chosen.processes, chosen.kills, chosen.games, chosen.seed)
        )
        seconds = time.monotonic() - begin
    print(f"{chosen.database}, {chosen.processes} process(es), {seconds:.0f} s: {tally}")
    for trouble in tally.wrong[:20]:
        print(f"  wrong: {trouble}")
    kept = "every acknowledged move is stored once and in order"
    print(f"FAILED: {len(tally.wrong)} failures" if tally.wrong else f"PASSED: {kept}")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
