"""Moves a second, compared with Gymnasium-style environments of the same games in the same run.

    python benchmarks/environments.py safe-code=path/to/env.py safecracker-duel=path/to/other.py

Each file defines an environment class whose name ends in `Env`, with `reset()`, `step(action)` and
`valid_moves()`, as in public collections of generated games; none comes with this project.
Both sides do the same work: list the legal moves, choose one and play it, until the game ends, or
no move is legal, as where gg-bench's Quantum Duel is stuck.
"""

from __future__ import annotations

import runpy
import sys
from random import Random
from statistics import median
from typing import Any

from playouts import Playout, moves_a_second, ours

from strongroom import load

ROUNDS = 9
LONGEST = 2000


def theirs(path: str) -> Playout:
    """A playout function for the environment in a file."""
    found = [each for name, each in runpy.run_path(path).items() if name.endswith("Env")]
    environment: Any = found[-1]()

    def playout(rng: Random) -> int:
        environment.reset()
        moves, done = 0, False
        while not done and moves < LONGEST and (legal := environment.valid_moves()):
            _, _, ended, cut, _ = environment.step(rng.choice(legal))
            moves, done = moves + 1, ended or cut
        return moves

    return playout


def main() -> None:
    if not sys.argv[1:] or not all("=" in each for each in sys.argv[1:]):
        sys.exit(__doc__)
    print(f"{'game':<18}{'moves/s':>12}{'environment':>12}{'ratio':>8}")
    for argument in sys.argv[1:]:
        name, _, path = argument.partition("=")
        mine, other, rng = ours(load(name)), theirs(path), Random(0)
        for playout in (mine, other):
            moves_a_second(playout, rng)  # fill the caches before anything is timed
        rounds = [(moves_a_second(mine, rng), moves_a_second(other, rng)) for _ in range(ROUNDS)]
        one, two = (median(side) for side in zip(*rounds, strict=True))
        print(f"{name:<18}{one:>12,.0f}{two:>12,.0f}{median(a / b for a, b in rounds):>8.2f}")


if __name__ == "__main__":
    main()
