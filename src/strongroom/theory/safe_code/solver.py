"""How the race of Safe Code was computed: by the best response to a player who only races."""

from __future__ import annotations

import numpy as np

from strongroom.contract import Game
from strongroom.theory.safe_code.board import language_of
from strongroom.theory.safe_code.racing import worst_against_racing
from strongroom.theory.solution import Report, Table


def solve(game: Game, report: Report) -> Table:
    """Compute the value of the race for every pair of counts of numbers left."""
    size = len(language_of(game).numbers)
    worst = worst_against_racing(size, report)
    race = np.zeros((size + 1, size + 1, 2), dtype=np.int16)
    race[:, :, 1] = 1
    for mine in range(1, size + 1):
        for theirs in range(1, size + 1):
            # The opponent waits: it has `mine` to try, this player `theirs`.
            race[mine, theirs] = (1 - worst[theirs, mine, 0]).as_integer_ratio()
    return {"race": race}
