"""The proof for Safe Cracker: full best responses to the strategy of a table, as it is.

The responder knows its own code and may make any guess. The strategy ignores its own code and hides
uniformly, so to the responder all codes that fit are equally likely. Both are at nodes of the
table, and each step from node to node is computed by the player itself.

The default game is proved in fractions; its variations, which have no memory, in floats.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from strongroom.theory.safe_cracker.player import RaceGuesser
from strongroom.theory.safe_cracker.race import Split, typical
from strongroom.theory.safe_cracker.worth import START, CodeResponse, places_of, response_to
from strongroom.theory.solution import NotProved, Report
from strongroom.theory.worth import Probability

ROUNDING: Final = 1e-9
"""Bounds in floats are widened by this: a hundred times their largest possible rounding error."""


def bounds(
    guesser: RaceGuesser,
    report: Report,
    respond: Callable[[RaceGuesser], CodeResponse] = response_to,
) -> tuple[Probability, Probability]:
    """Lower and upper bound on Seat.ONE's value: what a strategy guarantees and concedes."""
    _check_start(guesser)
    count, checking = len(guesser.table["choice"]), 0.0 if guesser.coloured else 0.9
    for x in range(count):
        check_node(guesser, x)
        report(checking * (x + 1) / count, "symmetries of the table")
    response = respond(guesser)
    report(checking, "trying everything against Player 2")
    upper = max(response.to_move(START))
    report(0.99, "trying everything against Player 1")  # mostly cached by now
    lower = 1 - max(response.to_wait(START))
    report(1.0, "done")
    if isinstance(upper, Fraction):
        return lower, upper
    return float(lower) - ROUNDING, float(upper) + ROUNDING


def check_node(guesser: RaceGuesser, x: int) -> None:
    """Check what a table says about every guess at a node against the answers of the rules."""
    codes, orbit, firsts = guesser.sets[x], guesser.table["orbits"][x], guesser.firsts(x)
    full, lines = guesser.space.game.options.length, guesser.space.game.answer_table[:, codes]
    idle = (lines == lines[:, :1]).all(1) & (lines[:, 0] < full)
    like = typical(guesser.space, codes)
    _alike(orbit[like], orbit)
    _alike(lines[like], lines)
    _alike(idle, orbit < 0)
    _alike(orbit[firsts], np.arange(len(firsts)))
    _check_cells(guesser, x, firsts)
    pairs = [(guess, firsts[orbit[guess]]) for guess in np.unique(like[orbit >= 0]).tolist()]
    for (guess, first), names in zip(pairs, guesser.symmetries(x, pairs), strict=True):
        _alike(lines[first][places_of(names[codes], codes)], lines[guess])


def _check_cells(guesser: RaceGuesser, x: int, firsts: list[int]) -> None:
    """Check which nodes the first guess of each action can leave."""
    codes, full = guesser.sets[x], guesser.space.game.options.length
    lines = guesser.space.game.answer_table[firsts][:, codes]
    answered = [(k, answer) for k, line in enumerate(lines) for answer in sorted({*line.tolist()})]
    kept = [(k, answer) for k, answer in answered if answer != full]
    places = guesser.remains(x, [(firsts[k], answer) for k, answer in kept], False)
    cells: list[list[int]] = [[] for _ in firsts]
    for (k, answer), (node, names) in zip(kept, places, strict=True):
        places_of(names[codes[lines[k] == answer]], guesser.sets[node])
        cells[k].append(node)
    hits = {k for k, answer in answered if answer == full}
    splits = [Split(k in hits, tuple(nodes)) for k, nodes in enumerate(cells)]
    if splits != guesser.splits(x):
        raise NotProved("The table takes a set of codes for another.")


def _alike(one: NDArray[Any], other: NDArray[Any]) -> None:
    if not np.array_equal(one, other):
        raise NotProved("The table takes guesses for alike that are not.")


def _check_start(guesser: RaceGuesser) -> None:
    """Check that every code is possible before any guess."""
    if not np.array_equal(np.sort(guesser.sets[0]), guesser.same):
        raise NotProved("The table does not begin with every code.")
