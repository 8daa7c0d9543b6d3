"""How many times fewer games the measure needs than counting wins, for each bot at each game.

    python benchmarks/measure_ratios.py [--games 600] [--only GAME ...] [--folder FOLDER]

Prints a Markdown table. The errors are standard errors, and the ratio is that of their squares,
counted to reported, from games against `master`, half in each seat; "saved" is the squared ratio of
the widths of the intervals, as in a report. Draws that a bot tells are taken out, as `strongroom
measure` does; the ratio of a player who tells nothing stands beside it.
"""

from __future__ import annotations

from math import isnan

from measured import Pool, options, pools

from strongroom import load
from strongroom.measuring.estimator import (
    ROUNDING,
    Estimate,
    adjusted_estimate,
    games_saved,
    plain_estimate,
)

HEADINGS = (
    *("game", "player", "games", "counted", "error", "by costs", "error", "reported", "error"),
    *("ratio", "untold", "saved", "exact"),
)


def ratio(plain: Estimate, found: Estimate) -> str:
    """How many times the variance of one estimate is that of another."""
    return f"{(plain.error / found.error) ** 2:,.1f}" if found.error > ROUNDING else "–"


def row(pool: Pool) -> tuple[str, ...]:
    """The figures of one bot at one game."""
    plain, costs = (
        plain_estimate(pool.seats, pool.results),
        plain_estimate(pool.seats, pool.costs),
    )
    found, untold = (
        adjusted_estimate(pool.seats, pool.results, lucks, pool.ceilings)
        for lucks in (pool.lucks, pool.untold)
    )
    return (
        load(pool.game).title,
        f"`{pool.player}`",
        str(len(pool.results)),
        *(f"{each.mean:.4f} | {each.error:.4f}" for each in (plain, costs)),
        f"{found.mean:.5f} | {found.error:.5f}",
        ratio(plain, found),
        ratio(plain, untold),
        "–" if (saved := games_saved(plain, found)) is None else f"{saved:,.1f}",
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
