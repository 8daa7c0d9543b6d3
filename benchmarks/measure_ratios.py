"""How many times fewer games the measure needs than counting wins, for each bot at each game.

    python benchmarks/measure_ratios.py [--games 600] [--only GAME ...] [--folder FOLDER]

Prints a Markdown table. The ratio is that of the estimated variances, counted to reported, from
games against `master`, half in each seat. A bot whose score is exact needs no games.
"""

from __future__ import annotations

from math import isnan

from measured import Pool, options, pools

from strongroom import load
from strongroom.measuring.estimator import Estimate, adjusted, counted

HEADINGS = ("game", "player", "games", "counted", "by costs", "reported", "ratio", "told", "exact")


def ratio(plain: Estimate, found: Estimate) -> str:
    """How many times the variance of one estimate is that of another."""
    return f"{(plain.error / found.error) ** 2:,.1f}" if found.error > 1e-9 else "–"


def row(pool: Pool) -> tuple[str, ...]:
    """The figures of one bot at one game."""
    plain, costs = counted(pool.seats, pool.results), counted(pool.seats, pool.costs)
    found = adjusted(pool.seats, pool.results, pool.lucks)
    told = adjusted(pool.seats, pool.results, pool.told) if len(pool.told) else None
    return (
        load(pool.game).title,
        f"`{pool.bot}`",
        str(len(pool.results)),
        *(f"{each.mean:.4f} ± {each.error:.4f}" for each in (plain, costs)),
        f"{found.mean:.5f} ± {found.error:.5f}",
        ratio(plain, found),
        "–" if told is None else ratio(plain, told),
        "–" if isnan(pool.exact) else f"{pool.exact:.5f}",
    )


def main() -> None:
    """Play, and print the table."""
    found = pools(options(__doc__).parse_args())
    print(f"| {' | '.join(HEADINGS)} |\n{'|---' * len(HEADINGS)}|")
    for pool in found:
        print(f"| {' | '.join(row(pool))} |")


if __name__ == "__main__":
    main()
