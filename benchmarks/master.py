"""How long bots take for a move: the time to load, the median, the 99th percentile.

`master` plays the five games and its largest variations, the others the game with the most codes.
"""

from __future__ import annotations

import statistics
import time
from random import Random

from strongroom import load
from strongroom.contract import Move, Seat, View
from strongroom.players import Player, player
from strongroom.plugins.registry import GAMES
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.referee.table import Table
from strongroom.theory.shelf import label

ROUNDS = 60
TURN_LIMIT = 60
LARGEST = load("safe-cracker", digits=9, length=6)
TIMED = [
    *(("master", load(name)) for name in GAMES),
    ("master", load("safe-cracker", digits=9)),
    ("master", load("safe-cracker", digits=4, length=4)),
    ("expert", LARGEST),
    ("casual", LARGEST),
]


class Timed:
    """A player whose moves are timed."""

    def __init__(self, inner: Player, times: list[float]) -> None:
        self._inner = inner
        self._times = times

    def choose(self, view: View) -> Move:
        """The inner player's move."""
        begin = time.perf_counter()
        move = self._inner.choose(view)
        self._times.append(time.perf_counter() - begin)
        return move


def main() -> None:
    """Play each bot against `casual` in both seats, and print its times."""
    headings = ("load ms", "first ms", "median ms", "99 % ms", "moves")
    print(f"{'bot and game':42} " + " ".join(f"{heading:>9}" for heading in headings))
    for name, game in TIMED:
        begin = time.perf_counter()
        player(name, game, Random(0))
        loading = time.perf_counter() - begin
        times: list[float] = []
        for number in range(ROUNDS):
            seat = Seat.ONE if number % 2 else Seat.TWO
            timed = Timed(player(name, game, Random(number)), times)
            other = player("casual", game, Random(number))
            match = Match.start(game, turn_limit=TURN_LIMIT, draw=draws(number))
            Table(match, {seat: timed, seat.other: other}).run()
        slow = statistics.quantiles(times, n=100)[98]
        print(
            f"{name + ' ' + label(game):42} {loading * 1e3:9.0f} {times[0] * 1e3:9.1f} "
            f"{statistics.median(times) * 1e3:9.2f} {slow * 1e3:9.1f} {len(times):9}",
            flush=True,
        )


if __name__ == "__main__":
    main()
