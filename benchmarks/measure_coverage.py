"""How often intervals contain the true score, over repeated measurements of many players.

    python benchmarks/measure_coverage.py [--games 600] [--repeats 2000] [--only GAME ...]
                                          [--sizes 20 100 1000] [--folder FOLDER]

The games of a player against `master` stand for all that it could play. Luck is made to have the
mean zero among them, seat by seat, so that the mean of their results is the true score.
A measurement draws its games from them, half in each seat, and takes out
luck as `strongroom measure` does. Prints a Markdown table: for each size of a measurement the share
of intervals that contain the true score, half the mean width of the interval in standard deviations
of the score, and the share of intervals by counting.
"""

from __future__ import annotations

import sys

import numpy as np
from measured import BOTS, ODD_PLAYERS, SEED, Pool, options, pools

from strongroom import load
from strongroom.measuring.estimator import (
    ROUNDING,
    Estimate,
    adjusted_estimate,
    plain_estimate,
)


def covers(found: Estimate, true: float) -> bool:
    """Whether an interval contains the true score."""
    low, high = found.interval
    return low - ROUNDING <= true <= high + ROUNDING


def coverage(pool: Pool, size: int, repeats: int) -> tuple[float, float, float]:
    """The share of reported intervals that contain the true score, their width, and by counting."""
    rng = np.random.default_rng(SEED)
    results, lucks = pool.results.copy(), pool.lucks.copy()
    of_seat = [np.flatnonzero(pool.seats == seat) for seat in (0, 1)]
    for rows in of_seat:
        results[rows] -= lucks[rows, 0].mean()
        lucks[rows] -= lucks[rows].mean(axis=0)
    true = float(np.mean([results[rows].mean() for rows in of_seat]))
    hits, means, widths = np.zeros(2), list[float](), list[float]()
    for _ in range(repeats):
        drawn = np.stack([rng.choice(rows, size // 2) for rows in of_seat], axis=1).ravel()
        seats, played = pool.seats[drawn], results[drawn]
        found, plain = (
            adjusted_estimate(seats, played, lucks[drawn], pool.ceilings),
            plain_estimate(seats, played),
        )
        hits += [covers(each, true) for each in (found, plain)]
        means.append(found.mean)
        widths.append(found.interval[1] - found.interval[0])
    spread = float(np.std(means))
    reported, by_counting = hits / repeats
    width = float(np.mean(widths)) / 2 / spread if spread > ROUNDING else float("inf")
    return float(reported), width, float(by_counting)


def cell(reported: float, width: float, by_counting: float) -> str:
    """The figures of one size of a measurement."""
    deviations = "–" if width == float("inf") else f"{width:.1f}"
    return f"{100 * reported:.1f}, {deviations} ({100 * by_counting:.1f})"


def main() -> None:
    """Play, measure again and again, and print the table."""
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=2000, help="measurements (2000)")
    parser.add_argument("--sizes", nargs="+", type=int, default=[20, 100, 1000], metavar="GAMES")
    chosen = parser.parse_args()
    found = pools(chosen, (*BOTS, *ODD_PLAYERS))
    sizes = [f"{size:,} games" for size in chosen.sizes]
    print(f"| game | player | {' | '.join(sizes)} |\n{'|---' * (2 + len(sizes))}|", flush=True)
    for number, pool in enumerate(found, 1):
        cells = [cell(*coverage(pool, size, chosen.repeats)) for size in chosen.sizes]
        name = f"`{pool.player}`" if pool.player in BOTS else pool.player
        print(f"| {load(pool.game).title} | {name} | {' | '.join(cells)} |", flush=True)
        print(f"{number} of {len(found)}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
