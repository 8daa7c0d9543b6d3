"""What the table of `tabular.py` gives away a game along its training, with either reward.

    python examples/reinforcement/learning_curve.py docs/charts/learning.svg
    python examples/reinforcement/learning_curve.py --rates

The figures are exact: what the likeliest moves win against master is computed without a game.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from statistics import fmean

from features import GAME
from tabular import REWARDS, Table, train

import strongroom
from strongroom.contract import Move, Seat, View
from strongroom.referee.bout import TURN_LIMIT
from strongroom.report.charts import Axis, Bars, profile
from strongroom.report.page import picture
from strongroom.theory.shelf import solution_of

STAGES = (0, 10, 20, 30, 50, 100, 200)
"""After how many games the table is looked at."""
SEEDS = 5
"""Over how many trainings the mean is taken."""
RATES = {"result": (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0), "cost": (10.0, 30.0, 100.0)}
"""The rates of learning that are compared for each reward."""
TRIED = 3
"""Over how many trainings with each of these rates the mean is taken."""
POINTS = 100
"""How many points a won game has."""


def cost(table: Table) -> float:
    """How much of a win the table gives away a game, in the mean over both seats."""
    game = strongroom.load(GAME)
    worth, player = solution_of(game).worth, table(game, Random())

    def policy(view: View) -> dict[Move, float]:
        return {player.choose(view): 1.0}

    followed = worth.following(policy)
    assert followed is not None
    return fmean(worth.start(seat, TURN_LIMIT) - followed.start(seat, TURN_LIMIT) for seat in Seat)


def curve(reward: str, seeds: int = SEEDS, rate: float | None = None) -> dict[int, float]:
    """What is given away after each number of games, in the mean over trainings."""
    found: dict[int, list[float]] = {stage: [] for stage in STAGES}
    found[0].append(cost(Table(strongroom.load(GAME))))

    def look(number: int, table: Table) -> None:
        if number in found:
            found[number].append(cost(table))

    for seed in range(1, seeds + 1):
        train(reward, max(STAGES), seed, look, rate)
    return {stage: fmean(costs) for stage, costs in found.items()}


def drawn(curves: dict[str, dict[int, float]]) -> str:
    """A bar for each stage and reward."""
    rows = [
        Bars(
            f"after {stage:,} games" if stage else "before the first game",
            [POINTS * each[stage] for each in curves.values()],
            [f"reward {name}: {each[stage]:.3f} after {stage}" for name, each in curves.items()],
        )
        for stage in STAGES
    ]
    scale = Axis.of([value or 0.0 for row in rows for value in row.values])
    return picture(profile("Points given away a game, reward result and reward cost", rows, scale))


def main() -> None:
    """Train with both rewards, print the figures, and draw them; or try several rates."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", type=Path, nargs="?", help="where the picture is written")
    what.add_argument("--rates", action="store_true", help="compare rates of learning instead")
    chosen = parser.parse_args()
    if chosen.rates:
        for reward, rates in RATES.items():
            for rate in rates:
                found = curve(reward, TRIED, rate)
                print(reward, rate, *(f"{lost:.3f}" for lost in found.values()), flush=True)
        return
    curves = {reward: curve(reward) for reward in sorted(REWARDS, reverse=True)}
    for stage in STAGES:
        print(f"| {stage:,} | {' | '.join(f'{each[stage]:.3f}' for each in curves.values())} |")
    chosen.file.write_text(drawn(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
