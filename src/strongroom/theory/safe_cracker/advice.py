"""Advice in Safe Cracker: what each move is worth by the race, and what it does."""

from __future__ import annotations

from collections import Counter

from strongroom.contract import Move, View
from strongroom.theory.deed import Deed, guess
from strongroom.theory.safe_cracker.player import RaceGuesser


def values(guesser: RaceGuesser, view: View) -> dict[Move, float]:
    """The win probability of the view's actor after each move, by the race.

    It assumes that every remaining code of the opponent is as likely as any other (so it is if the
    opponent is the certified player) and that both go on as best they can without using what they
    know of their own code.
    """
    if view.seat is None or view.actor is not view.seat:
        return {}
    moves = guesser.space.moves
    if view.setting_up:
        first = guesser.race(0, 0) / len(moves) ** 2
        return dict.fromkeys(moves, 1 - first if view.seat.index else first)
    stand = guesser.follow(view)
    x, names = guesser.plain(stand.mind.own)
    y = stand.mind.other
    pairs = len(guesser.sets[x]) * len(guesser.sets[y])
    worth = {-1: 1 - guesser.race(y, x) / pairs}
    for k in range(len(guesser.firsts(x))):
        worth[k] = guesser.won_with(x, y, k) / pairs
    orbit = guesser.table["orbits"][x, names[stand.own]].tolist()
    return {move: worth[k] for move, k in zip(moves, orbit, strict=True)}


def told(guesser: RaceGuesser, view: View, move: Move) -> Deed:
    """What a move does."""
    if view.setting_up:
        return Deed(
            "No code is harder to find than another, so draw it blindly.",
            "would have been as hard to find",
        )
    stand = guesser.follow(view)
    code, codes = stand.own[guesser.space.index(move)], guesser.sets[stand.mind.own]
    counts = Counter(guesser.space.answers[code, codes].tolist())
    last = len(guesser.sets[stand.mind.other]) == 1
    return guess([*counts.values()], "codes", code in codes, last)


ASSUMED = "every code that fits is as likely as any other, and neither player uses its own"
"""What the values take for granted."""
