"""How steady this machine is while nothing else runs on it.

    python benchmarks/machine.py [--seconds 10] [--folder FOLDER]

Two pieces of work are repeated: a walk through objects scattered over memory, and appending 4 kB to
a file and syncing it. On a dedicated machine the slowest of a hundred take little longer than the
others. If they take two or three times as long, others share the memory or the disk, and no server
there has a better 99th percentile than that.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

OBJECTS, A_PIECE = 300_000, 4_000


def walks() -> Callable[[], None]:
    """A piece of work that reads and writes objects in random order."""
    objects: list[dict[str, Any]] = [{"number": n, "text": str(n)} for n in range(OBJECTS)]
    random.shuffle(objects)
    pieces = cycle([objects[at : at + A_PIECE] for at in range(0, OBJECTS, A_PIECE)])

    def walk() -> None:
        for each in next(pieces):
            each["number"] = len(each["text"])

    return walk


def sync(file: int) -> None:
    """Append 4 kB to a file, and wait until it is on disk."""
    os.write(file, b"x" * 4096)
    os.fsync(file)


def report(what: str, work: Callable[[], None], seconds: float) -> None:
    """Repeat the work for `seconds`, and print its median time and 99th percentile."""
    times, end = list[float](), time.perf_counter() + seconds
    while (began := time.perf_counter()) < end:
        work()
        times.append(time.perf_counter() - began)
    times.sort()
    usual, late = median(times), times[int(len(times) * 0.99)]
    print(f"{what:8} {usual * 1000:9.2f} {late * 1000:9.2f} {late / usual:9.1f}", flush=True)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--folder", help="where to write (a temporary folder)")
    chosen = parser.parse_args()
    print("work        median      99th   99th / median")
    report("memory", walks(), chosen.seconds)
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        file = os.open(Path(folder) / "synced", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        report("disk", partial(sync, file), chosen.seconds)
        os.close(file)


if __name__ == "__main__":
    main()
