"""How a beginner's games of Safecracker Duel against `casual` end.

    python benchmarks/beginner.py [--games 400] [--turns 100]

The beginner hides any code, and each turn sets any digit of the safe that is not yet its own. The
run fails if one game in twenty or more is undecided, or if the beginner does not win about three in
four. A second beginner always sets the first such digit, and so repeats itself more.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from strongroom import load
from strongroom.contract import Move, Seat, View
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel.rules import Change
from strongroom.players import player
from strongroom.players.casual import sets_digit_of
from strongroom.referee.bout import Bout
from strongroom.report.text import markdown_table, percent

GAME: Final = load("safecracker-duel")
BEGINNER, CASUAL, UNDECIDED = ENDS = "beginner wins", "casual wins", "undecided"
MOST_UNDECIDED: Final = 0.05
LEAST_WON: Final = 0.7
"""The least share of games that the beginner has to win, with room for chance."""


class Beginner:
    """Sets wrong digits of the safe right: any of them, or always the first."""

    def __init__(self, first: bool, rng: Random) -> None:
        self._first, self._rng = first, rng

    def choose(self, view: View) -> Move:
        """A code, or a turn."""
        if view.setting_up:
            return self._rng.choice(view.moves)
        (own,) = view.secret
        assert isinstance(own, Code)
        right = [
            turn
            for turn in view.moves
            if isinstance(turn, Change) and sets_digit_of(own, turn, view)
        ]
        if right and self._first:
            return right[0]
        return self._rng.choice(right or view.moves)


def winner(first: bool, number: int, turns: int) -> str:
    """Who wins a game of a beginner, who moves first in every other one."""
    rng, seat = Random(number), list(Seat)[number % 2]
    players = {
        seat: Beginner(first, rng),
        seat.other: player("casual", GAME, Random(rng.random())),
    }
    bout = Bout.start(GAME, turns)
    while bout.outcome is None:
        assert isinstance(bout.actor, Seat)
        bout = bout.play(players[bout.actor].choose(bout.view(bout.actor)))
    won = bout.outcome.winner
    return UNDECIDED if won is None else BEGINNER if won is seat else CASUAL


def main(given: Sequence[str] | None = None) -> None:
    """Play, print a table, and fail if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=400, help="of each beginner (400)")
    parser.add_argument("--turns", type=int, default=100, help="the turn limit (100)")
    chosen = parser.parse_args(given)
    shares = {}
    for what, first in (("any wrong digit", False), ("the first wrong digit", True)):
        ends = Counter(winner(first, number, chosen.turns) for number in range(chosen.games))
        shares[what] = {end: ends[end] / chosen.games for end in ENDS}
    rows = [[what, *(percent(of[end]) for end in ENDS)] for what, of in shares.items()]
    print(markdown_table(["the beginner sets", *ENDS], rows))
    undecided = max(of[UNDECIDED] for of in shares.values())
    if undecided > MOST_UNDECIDED or shares["any wrong digit"][BEGINNER] < LEAST_WON:
        sys.exit("missed: games must end, and a beginner must win about three in four")


if __name__ == "__main__":
    main()
