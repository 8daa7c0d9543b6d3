"""How long the command takes to start, compared with a bare interpreter in the same run."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 15
PYTHON = sys.executable
STRONGROOM = str(Path(PYTHON).with_name("strongroom"))
COMMANDS = {
    "python -c pass": [PYTHON, "-c", "pass"],
    "strongroom --help": [STRONGROOM, "--help"],
    "strongroom games": [STRONGROOM, "games"],
}


def seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, command in COMMANDS.items():
            times[name].append(seconds(command))
    bare = statistics.median(times["python -c pass"])
    print(f"{'start':20} {'ms':>7} {'x bare':>7}")
    for name, measured in times.items():
        median = statistics.median(measured)
        print(f"{name:20} {median * 1000:7.1f} {median / bare:7.2f}")


if __name__ == "__main__":
    main()
