"""How fast decisions are judged: processor time to start, then decisions a second, by seat.

    python benchmarks/measure_speed.py [--games 200] [--only GAME ...]

Judges fresh games of bots against `master` in one process, as `strongroom measure` does: nothing
but the shipped tables is known beforehand, and what one game needed is there for the next. Prints a
Markdown table.
"""

from __future__ import annotations

import time

from measured import BOTS, SEED, options

from strongroom import load
from strongroom.contract import Seat
from strongroom.measuring.protocol import Fixture
from strongroom.measuring.result import Baselines


def speed(baselines: Baselines, bot: str, seat: Seat, games: int) -> float:
    """How many decisions a second are judged in a bot's games from one seat."""
    decisions, spent = 0, 0.0
    for number in range(games):
        record = Fixture(baselines.game, number, seat, SEED).play(bot, "master").record
        began = time.process_time()
        decisions += len(baselines.judge(record, seat, None).account.decisions)
        spent += time.process_time() - began
    return decisions / spent


def main() -> None:
    """Play, judge, and print the table."""
    parser = options(__doc__)
    parser.set_defaults(games=200)
    chosen = parser.parse_args()
    heads = [f"`{bot}` {seat.value}" for bot in BOTS for seat in Seat]
    print(f"| game | start | {' | '.join(heads)} |\n{'|---' * (2 + len(heads))}|", flush=True)
    for name in chosen.only:
        began = time.process_time()
        baselines = Baselines(load(name))
        _ = baselines.others
        for seat in Seat:
            baselines.worth.start(seat, 100)
        start = time.process_time() - began
        found = [speed(baselines, bot, seat, chosen.games // 2) for bot in BOTS for seat in Seat]
        cells = [f"{each:,.0f}" for each in found]
        print(f"| {baselines.game.title} | {start:.1f} s | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
