"""The processor time of the first hint of a process, which reads the table.

    python benchmarks/hints.py

Every position is asked about in a process of its own: those of games between `casual` and
`random`, in both seats, and at Digit Deductions the one with the longest search of all. What the
process imports first, numpy above all, is timed apart: it takes long where no bytecode is cached.
"""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
import time
from random import Random

from strongroom import load
from strongroom.contract import Game, Move, Seat, View
from strongroom.players import Player, player
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.referee.table import Table

GAMES = [
    load("safecracker-duel"),
    load("safecracker-duel", allow_same_digit=True),
    load("safe-cracker"),
    load("safe-cracker", digits=9),
    load("safe-cracker", digits=4, length=4),
    load("safe-cracker", digits=9, length=6),
    load("safe-code"),
    load("digit-deductions"),
    load("quantum-duel"),
]
LONGEST = "1-5", "3-3", "5-5", "5-5"
"""Both guess the centre at Digit Deductions, and neither is near: most is left to search."""
ROUNDS = 2
TURN_LIMIT = 4


class Watched:
    """A player whose views are kept."""

    def __init__(self, inner: Player, views: list[View]) -> None:
        self._inner = inner
        self._views = views

    def choose(self, view: View) -> Move:
        """The inner player's move."""
        self._views.append(view)
        return self._inner.choose(view)


def positions(game: Game) -> list[View]:
    """What the players see in some games, whenever one of them is to move."""
    views: list[View] = []
    for number in range(ROUNDS):
        bots = {
            seat: Watched(player(name, game, Random(number)), views)
            for seat, name in zip(Seat, ("casual", "random")[:: 1 - 2 * number], strict=True)
        }
        match = Match.start(game, turn_limit=TURN_LIMIT, draw=draws(number))
        Table(match, bots).run()
    if game.name == "digit-deductions":
        state = game.start()
        for text in LONGEST:
            state = state.play(game.move(text))
        views.append(state.view(Seat.ONE))
    return views


def seconds(view: View) -> tuple[float, float]:
    """The processor time of the imports and of a hint, in a process of its own."""
    command = [sys.executable, __file__, "one"]
    asked = subprocess.run(command, input=pickle.dumps(view), check=True, capture_output=True)
    imports, hint = map(float, asked.stdout.split())
    return imports, hint


def answer() -> None:
    """Give a hint for the view on standard input; print how long the imports and the hint took."""
    view = pickle.load(sys.stdin.buffer)
    begin = time.process_time()
    from strongroom.theory.hints import advise
    from strongroom.theory.solution import NoTheory

    imported = time.process_time()
    with contextlib.suppress(NoTheory):
        advise(view)
    print(imported - begin, time.process_time() - imported)


def main() -> None:
    """Measure, and print a table."""
    headings = ("imports s", "set-up s", "first s", "later s", "hints")
    print(f"{'longest first hint':38} " + " ".join(f"{each:>9}" for each in headings))
    for game in GAMES:
        times: dict[str, list[float]] = {"imports": [], "set-up": [], "first": [], "later": []}
        for view in positions(game):
            when = "set-up" if view.setting_up else "later" if view.turns > 1 else "first"
            for each, took in zip(("imports", when), seconds(view), strict=True):
                times[each].append(took)
        longest = " ".join(f"{max(each, default=0.0):9.2f}" for each in times.values())
        name = " ".join([game.name, *game.options.changes()])
        print(f"{name:38} {longest} {len(times['imports']):9}", flush=True)


if __name__ == "__main__":
    answer() if sys.argv[1:] == ["one"] else main()
