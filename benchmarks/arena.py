"""What a tournament costs beside the games, and what joblib and Ray would cost in its place.

    python benchmarks/arena.py [--games 40] [--ray]

The playing time is the processor time of the same games in this process, without anything around
them; the whole tournament keeps, counts and writes every game. With a pool of two processes, this
one only dispatches: its own processor time is compared with that of the games. What is loaded once,
such as tables and the library for ratings, is loaded before. Prints the middle of three turns.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from statistics import median
from typing import Any, ParamSpec, Self, TypeVar

from strongroom.arena.standings import Standings
from strongroom.arena.tournament import Played, play_all, play_pairing
from strongroom.contests.schedule import Pairing, Schedule
from strongroom.contests.workers import Cluster, Pool, Workers, each_done
from strongroom.contract.codec import from_json, to_json
from strongroom.plugins import registry
from strongroom.plugins.registry import load
from strongroom.terminal.runs import RunJournal

P = ParamSpec("P")
T = TypeVar("T")

PLAYERS = ("expert", "casual", "random")
GAMES = tuple(registry.GAMES)
TURNS = 3
MOST = 0.05


class Joblib:
    """The processes of joblib, behind the same door."""

    lost = ("A process of joblib ended.", "")

    def __init__(self, count: int) -> None:
        from joblib.externals.loky import ProcessPoolExecutor

        self.count, self.queued = count, 2 * count
        self._pool: Any = ProcessPoolExecutor(count)

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = self._pool.submit(work, *args, **kwargs)
        return future

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._pool.shutdown()


def timed_play(pairing: Pairing) -> float:
    """The processor time of one game."""
    began = time.process_time()
    play_pairing(pairing)
    return time.process_time() - began


def alone(schedule: Schedule) -> float:
    """The time of the games and nothing else."""
    began = time.process_time()
    for pairing in schedule.pairings:
        play_pairing(pairing)
    return time.process_time() - began


def whole(schedule: Schedule) -> float:
    """The time of a tournament in one process, with kept games, standings and results."""
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder

        def read(data: object) -> Played:
            return from_json(Played, data, schedule)

        with RunJournal("tournament", to_json(schedule), to_json, read) as kept:
            standings = Standings(schedule)
            for played in play_all(schedule, workers=1):
                kept.add(played)
                standings.add(played)
            Path(folder, "all.csv").write_text(standings.to_csv())
            Path(folder, "all.json").write_text(json.dumps(standings.to_json()))
    return time.process_time() - began


def in_pool(schedule: Schedule, make: Callable[[], Pool]) -> tuple[float, float]:
    """Seconds until a pool's first game is done, and what dispatching the rest costs."""
    began, playing = time.perf_counter(), 0.0
    done = each_done(timed_play, list(schedule.pairings), make())
    next(done)
    first, busy = time.perf_counter() - began, time.process_time()
    for each in done:
        playing += each
    return first, (time.process_time() - busy) / playing


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40, help="games per pair")
    parser.add_argument("--ray", action="store_true", help="try a local Ray, too")
    chosen = parser.parse_args()
    games = tuple(map(load, GAMES))
    pools: dict[str, Callable[[], Pool]] = {
        "own processes": lambda: Workers(2),
        "joblib (loky)": lambda: Joblib(2),
    }
    if chosen.ray:
        pools["Ray, local"] = lambda: Cluster("local")
    print("| two processes | to the first game | dispatching |\n|---|---|---|")
    for name, make in pools.items():
        schedule = Schedule(games, PLAYERS, chosen.games)
        found = [in_pool(schedule, make) for _ in range(1 if "Ray" in name else TURNS)]
        start, share = (median(each[part] for each in found) for part in (0, 1))
        print(f"| {name} | {start:.1f} s | {share:.1%} |", flush=True)
    print("\n| game | playing, a game | the whole tournament |\n|---|---|---|")
    for load_once in (alone, whole):
        load_once(Schedule(games, PLAYERS, 2))
    for some in (*((game,) for game in games), games):
        schedule = Schedule(some, PLAYERS, chosen.games)
        turns = [(alone(schedule), whole(schedule)) for _ in range(TURNS)]
        each = 1000 * median(play for play, _ in turns) / sum(1 for _ in schedule.pairings)
        over = median(run / play - 1 for play, run in turns)
        title = some[0].title if len(some) == 1 else f"all, at most {MOST:.0%}"
        print(f"| {title} | {each:.2f} ms | {over:+.1%} |", flush=True)


if __name__ == "__main__":
    main()
