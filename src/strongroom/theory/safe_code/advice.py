"""What a move of Safe Code is worth if both race from there on, and what it does."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import AnyState, Move, Seat, View
from strongroom.games.safe_code.rules import Number, RequestClue
from strongroom.theory.deed import Deed, deed
from strongroom.theory.safe_code.board import clue_index, number_index, prepared_in
from strongroom.theory.safe_code.player import (
    PromiseKeeper,
    Standing,
    after_asking,
    beliefs,
    in_order,
)


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


def race_from(player: PromiseKeeper, state: AnyState) -> float:
    """Seat.ONE's chance if both only race from here on.

    In a random order every number left is as likely to be the last as the first, so it does not
    matter which of them is the code.
    """
    assert isinstance(state.actor, Seat)
    now = player.standing(state.view(state.actor), state.actor)
    wins = float(player.race.to_move(len(now.left), len(now.open)))
    return wins if state.actor is Seat.ONE else 1 - wins


def told(player: PromiseKeeper, view: View, move: Move) -> Deed:
    """What a move does."""
    assert view.seat is not None
    language = player.language
    if view.setting_up:
        if isinstance(move, Number):
            return Deed(
                f"All {len(language.numbers)} codes are equally good, as long as you draw one.",
                "would have been as good as any other code",
            )
        out = int((~language.true[clue_index(language, move)]).sum())
        numbers = f"{out} number{'s' if out > 1 else ''}"
        return Deed(
            f"It rules out {numbers}; the fewer the better.", f"would have ruled out {numbers} only"
        )
    now = player.standing(view, view.seat)
    mine, theirs = len(now.left), len(now.open)
    if isinstance(move, RequestClue):
        if _reads(player, now):
            what = f"more about the {mine} numbers left than a guess"
            return deed("tells", "told", what)
        return Deed(
            f"A careful clue rules out one of {mine} numbers; a guess does too, and may win.",
            f"would have ruled out at least one of the {mine} numbers left",
        )
    tried = number_index(language, move)
    if tried not in now.left:
        known = "tried before, or ruled out by a clue"
        return Deed(f"It cannot be the code: {known}.", f"could not have been the code: {known}")
    likely = beliefs(language, now.seen, now.left, 1.0)
    chance = f"{float(likely[0][tried] + likely[1][tried]):.0%}"
    return Deed(
        f"It hits with {chance}, one of {mine} numbers left; your opponent has {theirs} left.",
        f"would have hit with {chance}, one of the {mine} numbers left",
    )


def _reads(player: PromiseKeeper, now: Standing) -> bool:
    """Whether a clue has shown that the opponent is no careful writer."""
    return any(not player.language.careful[clue].any() for clue in now.seen)


def assumes(player: PromiseKeeper, view: View) -> str:
    """What the values take for granted of the opponent."""
    if view.setting_up or view.seat is None:
        return "the opponent asks for just as many of the clues as pays"
    if _reads(player, player.standing(view, view.seat)):
        return "the opponent, whose clues are not the weakest, takes them at random"
    return "the opponent hid evenly, writes the weakest clues, and both only guess from now on"
