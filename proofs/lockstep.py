"""Play random games in batches and by the rules, in lockstep: both must agree at every move.

    python proofs/lockstep.py
    python proofs/lockstep.py --only quantum-duel --games 1000
    python proofs/lockstep.py --only "safe-cracker length=4" --seed 7 --batch 12 --jobs 1

Compared are the legal actions, who is to move, the number of moves, the referee's answers, the
outcome, and all that each seat is told. The batches play on JAX's default device, a CPU unless
JAX_PLATFORMS says otherwise. The exit code is 1 at the first difference.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from functools import lru_cache
from multiprocessing import get_context
from typing import Any, Final, NamedTuple

import numpy as np
from lockstep_sides import Batches, Case, Difference, Made, Referee, Refereed, Shown
from numpy.typing import NDArray

from strongroom.referee.bout import UNDECIDED

BATCH: Final = 500
"""How many games are played at a time."""
CASES: Final = {
    str(case): case
    for case in (
        Case("safecracker-duel"),
        Case("safe-cracker"),
        Case("safe-code"),
        Case("digit-deductions"),
        Case("quantum-duel"),
        Case("safecracker-duel", options=(("allow_same_digit", True),)),
        Case("safe-cracker", options=(("attempts", 5), ("digits", 4))),
        Case("safe-cracker", options=(("length", 4),)),
        Case("quantum-duel", turn_limit=7),
    )
}
"""What is played, by name."""


class Tally(NamedTuple):
    """What was compared."""

    games: int = 0
    moves: int = 0
    undecided: int = 0

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*map(sum, zip(self, other, strict=True)))


class Lockstep:
    """Batches of one case, compared with the rules."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.batches = Batches(case)
        self.layout: Mapping[str, slice] = self.batches.env.layout
        self.referee = Referee(case, self.layout)

    def play(self, seed: int, batch: int, games: int) -> Tally:
        """Play the games of a batch to their ends, or raise the first difference."""
        refereed = [Refereed(self.referee) for _ in range(games)]
        live, tally, at = list(range(games)), Tally(), 0
        for shown, made in self.batches.play(seed, batch, games):
            rows = []
            try:
                for at in live:
                    refereed[at].settle(int(shown.latest_answer[at]))
                    rows.append(self.referee.shown(refereed[at]))
                if (found := self._first_difference(rows, shown, made, live)) is not None:
                    at, told = found
                    raise Difference(told)
                for at in live:
                    if refereed[at].bout.outcome is None:
                        refereed[at].play(int(made.action[at]))
                        continue
                    undecided = refereed[at].bout.outcome == UNDECIDED
                    tally = tally.plus(Tally(1, refereed[at].by_players, undecided))
            except Difference as difference:
                raise Difference(self._told(difference, refereed[at], seed, batch, at)) from None
            live = [at for at, row in zip(live, rows, strict=True) if row.player >= 0]
            if not live:
                break
        return tally

    def _first_difference(
        self, rows: list[Shown], shown: Shown, made: Made, live: list[int]
    ) -> tuple[int, str] | None:
        """The first game that differs, and how; None if all agree."""
        for name, wanted, found in zip(Shown._fields, zip(*rows, strict=True), shown, strict=True):
            expected, got = np.array(wanted), found[live]
            if not np.array_equal(expected, got):
                wrong = (expected != got).reshape(len(live), -1).any(axis=-1)
                place = int(np.flatnonzero(wrong)[0])
                told = self._values(name, expected[place], got[place])
                return live[place], f"{name.replace('_', ' ')} should be {told}"
        going_on = np.array([row.player >= 0 for row in rows])
        legal = np.take_along_axis(shown.legal, made.tried, axis=1) == made.allowed
        wrong = ~legal[live].all(axis=-1) & going_on
        if wrong.any():
            place = live[int(np.flatnonzero(wrong)[0])]
            action = made.tried[place][~legal[place]][0]
            return place, f"the mask and `step` disagree on whether action {action} is legal"
        return None

    def _values(self, name: str, expected: NDArray[Any], got: NDArray[Any]) -> str:
        if name == "legal":
            return f"otherwise for the actions {np.flatnonzero(expected != got).tolist()}"
        if not name.startswith("known"):
            return f"{expected.tolist()}, and not {got.tolist()}"
        parts = [
            f"{part} {np.flatnonzero(expected[where]).tolist()}, "
            f"and not {np.flatnonzero(got[where]).tolist()}"
            for part, where in self.layout.items()
            if (expected[where] != got[where]).any()
        ]
        return "; ".join(parts) + " (the numbers of the flags that are set)"

    def _told(self, why: Difference, game: Refereed, seed: int, batch: int, at: int) -> str:
        moves = ", ".join(map(str, game.moves)) or "none"
        return (
            f"{self.case}, seed {seed}, batch {batch}, game {at}, "
            f"after {game.by_players} moves of players: {why}\n  moves: {moves}"
        )


@lru_cache(maxsize=4)
def lockstep(case: Case) -> Lockstep:
    """The comparison of one case, compiled once a process."""
    return Lockstep(case)


class Task(NamedTuple):
    """A batch to be compared."""

    case: Case
    seed: int
    batch: int
    games: int


def done(task: Task) -> Tally | str:
    """What was compared in a batch, or the difference."""
    try:
        return lockstep(task.case).play(task.seed, task.batch, task.games)
    except Difference as difference:
        return str(difference)


def tasks(case: Case, seed: int, games: int) -> list[Task]:
    """The batches that make so many games."""
    return [
        Task(case, seed, batch, min(BATCH, games - first))
        for batch, first in enumerate(range(0, games, BATCH))
    ]


def prove(case: Case, work: list[Task], pool: Any) -> bool:
    """Compare all batches of a case, and say how it goes; False at the first difference."""
    begin, tally, total = time.monotonic(), Tally(), sum(task.games for task in work)
    for outcome in pool.imap_unordered(done, work):
        if isinstance(outcome, str):
            print(f"\nDIFFERENT: {outcome}", flush=True)
            return False
        tally = tally.plus(outcome)
        show_progress(case, tally, total, outcome.games)
    seconds = time.monotonic() - begin
    print(
        f"{case}: {tally.games:,} games with {tally.moves:,} moves agree, {tally.undecided:,} of "
        f"them undecided (seed {work[0].seed}, {seconds:.0f} s)",
        flush=True,
    )
    return True


def show_progress(case: Case, tally: Tally, total: int, new: int) -> None:
    """How many games are done: a line that is written over, or in a log, a line a tenth."""
    told = f"{case}: {tally.games:,} of {total:,} games"
    if sys.stderr.isatty():
        end = "\r" if tally.games < total else "\r\033[K"
        print(told, end=end, file=sys.stderr, flush=True)
    elif tally.games * 10 // total > (tally.games - new) * 10 // total:
        print(told, file=sys.stderr, flush=True)


def main() -> int:
    """Run the proof with the options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    cases = ", ".join(CASES)
    parser.add_argument("--games", type=int, default=100_000, help="games a case (100000)")
    parser.add_argument("--only", action="append", choices=CASES, metavar="CASE", help=cases)
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (1)")
    parser.add_argument("--batch", type=int, help=f"only this batch of {BATCH} games, from 0")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes (one for each core)"
    )
    chosen = parser.parse_args()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    begin = time.monotonic()
    with get_context("spawn").Pool(chosen.jobs) as pool:
        for name in chosen.only or CASES:
            work = tasks(CASES[name], chosen.seed, chosen.games)
            work = work if chosen.batch is None else work[chosen.batch :][:1]
            if not work:
                parser.error(f"There is no batch {chosen.batch} among {chosen.games:,} games.")
            if not prove(CASES[name], work, pool):
                print("FAILED: the batches and the rules disagree")
                return 1
    print(f"PASSED: the batches and the rules agree ({time.monotonic() - begin:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
