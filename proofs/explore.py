"""Try the tests with other luck than `make test` has: other examples, and more of them.

Every round has a seed, which decides what properties draw and what fresh randomness is. A failure
is printed with the command that repeats it; give the test what it found as an explicit example.
The last round ends when the time is over, wherever it is.
"""

from __future__ import annotations

import argparse
import re
import secrets
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

CHEAP = "hypothesis or not (proof or whole)"
"""Selects the properties, and every other test that is quick."""
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


def command(seed: int, tests: Sequence[str]) -> list[str]:
    """The run of one round; without names, all tests that luck could decide."""
    profile = ["--hypothesis-profile", "explore", f"--hypothesis-seed={seed}"]
    chosen = tests or ["-n", "auto", "--dist", "worksteal", "-m", CHEAP]
    return [sys.executable, "-m", "pytest", "-q", "--no-header", *profile, *chosen]


def run(seed: int, tests: Sequence[str], seconds: float) -> tuple[int, str]:
    """The exit code and output of one round, which is interrupted after some seconds."""
    with subprocess.Popen(command(seed, tests), stdout=subprocess.PIPE, text=True) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate()
            return 0, output
    return process.returncode, output


def explore(minutes: float, seed: int, tests: Sequence[str]) -> list[str]:
    """Run rounds until the time is over; return the commands that repeat what failed."""
    end = time.monotonic() + 60 * minutes
    failures: dict[str, str] = {}
    rounds = 0
    while (left := end - time.monotonic()) > 0:
        rounds += 1
        print(f"Round {rounds}, seed {seed}, {left / 60:.1f} minutes left", flush=True)
        code, output = run(seed, tests, left)
        names = FAILED.findall(output)
        if code and not names:
            sys.exit(output)
        for name in names:
            failures.setdefault(name, shlex.join(["python", *command(seed, [name])[1:]]))
        print(output if names else output.strip().rpartition("\n")[2], flush=True)
        seed += 1
    print(f"{rounds} rounds, {len(failures)} tests failed.")
    return [*failures.values()]


def main() -> int:
    """Explore; the exit code is 1 if a test failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (10 by default)")
    parser.add_argument("--seed", type=int, help="the first round's seed (drawn by default)")
    parser.add_argument("tests", nargs="*", metavar="TEST", help="only these files or tests")
    chosen = parser.parse_args()
    seed = secrets.randbelow(10**9) if chosen.seed is None else chosen.seed
    repeats = explore(chosen.minutes, seed, chosen.tests)
    if repeats:
        print("\nTo repeat:", *repeats, sep="\n  ")
    return 1 if repeats else 0


if __name__ == "__main__":
    sys.exit(main())
