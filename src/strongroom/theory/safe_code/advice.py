"""What a move of Safe Code is worth if both race from there on, and one sentence why."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Move, Seat, View
from strongroom.games.safe_code.rules import Number, RequestClue
from strongroom.theory.safe_code.board import clue_index, number_index, prepared_in
from strongroom.theory.safe_code.player import PromiseKeeper, after_asking, beliefs, in_order


def values(player: PromiseKeeper, view: View) -> dict[Move, float]:
    """The actor's chance to win after each move, both racing from there on.

    Assumed: the opponent hid evenly and writes weakest clues, until a clue shows that it does
    not; from then on, that it takes a kind of clue at random, then a true clue of that kind. In
    the set-up: that the opponent asks for just as many of the clues as pays.
    """
    if not view.moves or view.seat is None:
        return {}
    if view.setting_up:
        return _set_up_values(player, view)
    language, now = player.language, player.standing(view, view.seat)
    likely = beliefs(language, now.seen, now.left, 1.0)
    belief, theirs = likely[0] + likely[1], len(now.open)
    worth: dict[Move, float] = {}
    for move in view.moves:
        if isinstance(move, RequestClue):
            worth[move] = after_asking(language, likely, theirs)
            continue
        tried = number_index(language, move)
        others = np.delete(belief, tried)
        worth[move] = float(belief[tried]) + in_order(others, theirs, waiting=True)
    return worth


def _set_up_values(player: PromiseKeeper, view: View) -> dict[Move, float]:
    language, chosen = player.language, prepared_in(player.language, view)
    size, rows = len(language.numbers), language.true[list(chosen.clues)]

    def worth(told: NDArray[np.bool_]) -> float:
        """The race against one who first asks for 0, 1, ... clues, whichever is best."""
        left = [size, *(int(np.logical_and.reduce(told[: n + 1]).sum()) for n in range(len(told)))]
        return min(_against(size, n, each, view.seat is Seat.ONE) for n, each in enumerate(left))

    if chosen.code is None:
        return dict.fromkeys(view.moves, worth(rows))
    found: dict[bytes, float] = {}
    result: dict[Move, float] = {}
    for move in view.moves:
        row = language.true[clue_index(language, move)]
        key = row.tobytes()
        if key not in found:
            found[key] = worth(np.vstack([rows, row]))
        result[move] = found[key]
    return result


@lru_cache(maxsize=4096)
def _against(size: int, lost: int, left: int, first: bool) -> float:
    """The chance to find one of `size` numbers before one of `left` is found, after lost turns."""
    mine = np.arange(1, size + 1)
    theirs = lost + np.arange(1, left + 1)
    return float(np.mean(mine[:, None] <= theirs if first else mine[:, None] < theirs))


def why(player: PromiseKeeper, view: View, move: Move) -> str:
    """One sentence on what a move does."""
    assert view.seat is not None
    language = player.language
    if view.setting_up:
        if isinstance(move, Number):
            return f"All {len(language.numbers)} codes are equally good, as long as you draw one."
        out = int((~language.true[clue_index(language, move)]).sum())
        return f"It rules out {out} number{'s' if out > 1 else ''}; the fewer the better."
    now = player.standing(view, view.seat)
    mine, theirs = len(now.left), len(now.open)
    if isinstance(move, RequestClue):
        return f"A careful clue rules out one of {mine} numbers; a guess does too, and may win."
    if number_index(language, move) not in now.left:
        return "It cannot be the code: you have tried it, or a clue rules it out."
    return f"One of {mine} numbers left to you; your opponent has {theirs} left."
