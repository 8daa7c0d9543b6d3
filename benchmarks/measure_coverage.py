"""How often 95 % intervals contain the true score, over repeated measurements of each bot.

    python benchmarks/measure_coverage.py [--games 600] [--repeats 2000] [--only GAME ...]
                                          [--sizes 20 100 1000] [--folder FOLDER]

The games of a bot against `master` stand for all that it could play: the mean of their results is
the true score, and luck is made to have the mean zero among them, seat by seat. A measurement draws
its games from them, half in each seat. Prints a Markdown table: for each size of a measurement the
share of intervals that contain the true score, and of those by counting.
"""

from __future__ import annotations

import sys

import numpy as np
from measured import SEED, Pool, options, pools

from strongroom import load
from strongroom.measuring.estimator import Estimate, adjusted, counted

ROUNDING = 1e-9


def covers(found: Estimate, true: float) -> bool:
    """Whether an interval contains the true score."""
    low, high = found.interval
    return low - ROUNDING <= true <= high + ROUNDING


def coverage(pool: Pool, size: int, repeats: int) -> tuple[float, float]:
    """The share of reported and of counted intervals that contain the true score."""
    rng = np.random.default_rng(SEED)
    lucks, of_seat = pool.lucks.copy(), [np.flatnonzero(pool.seats == seat) for seat in (0, 1)]
    for rows in of_seat:
        lucks[rows] -= lucks[rows].mean(axis=0)
    true = float(np.mean([pool.results[rows].mean() for rows in of_seat]))
    hits = np.zeros(2)
    for _ in range(repeats):
        drawn = np.stack([rng.choice(rows, size // 2) for rows in of_seat], axis=1).ravel()
        seats, results = pool.seats[drawn], pool.results[drawn]
        found = adjusted(seats, results, lucks[drawn]), counted(seats, results)
        hits += [covers(each, true) for each in found]
    reported, plain = hits / repeats
    return float(reported), float(plain)


def main() -> None:
    """Play, measure again and again, and print the table."""
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=2000, help="measurements (2000)")
    parser.add_argument("--sizes", nargs="+", type=int, default=[20, 100, 1000], metavar="GAMES")
    chosen = parser.parse_args()
    found = pools(chosen)
    sizes = [f"{size:,} games" for size in chosen.sizes]
    print(f"| game | player | {' | '.join(sizes)} |\n{'|---' * (2 + len(sizes))}|", flush=True)
    for number, pool in enumerate(found, 1):
        shares = [coverage(pool, size, chosen.repeats) for size in chosen.sizes]
        cells = [f"{100 * reported:.1f} ({100 * plain:.1f})" for reported, plain in shares]
        title = load(pool.game).title
        print(f"| {title} | `{pool.bot}` | {' | '.join(cells)} |", flush=True)
        print(f"{number} of {len(found)}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
