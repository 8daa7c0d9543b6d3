"""Advice in Safe Cracker: what each move is worth by the race, and what it does."""

from __future__ import annotations

from collections import Counter

import numpy as np

from strongroom.contract import Move, View
from strongroom.theory.move_effect import SPLITS, MoveEffect, guess
from strongroom.theory.safe_cracker.player import RaceGuesser


def values(guesser: RaceGuesser, view: View) -> dict[Move, float]:
    """The win probability of the view's actor after each move, by the race.

    It assumes that all remaining codes of the opponent are equally likely (which is true of the
    certified player) and that both play on as well as they can without using their own code.
    """
    if view.seat is None or view.actor is not view.seat:
        return {}
    moves = guesser.space.game.actions
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


def told(guesser: RaceGuesser, view: View, move: Move) -> MoveEffect:
    """What a move does."""
    if view.setting_up:
        return MoveEffect(
            "No code is harder to find than another, so pick one at random.",
            "would have been as hard to find",
            "no code is harder to find than another",
        )
    stand = guesser.follow(view)
    code, codes = stand.own[guesser.space.game.actions.index(move)], guesser.sets[stand.mind.own]
    counts = Counter(guesser.space.game.answer_table[code, codes].tolist())
    last = len(guesser.sets[stand.mind.other]) == 1
    return guess([*counts.values()], "codes", code in codes, last)


def plainly(guesser: RaceGuesser, view: View, move: Move) -> str:
    """Why to make a move; it "splits best" if it leaves the fewest codes on average."""
    plain = told(guesser, view, move).plain
    if not plain.endswith(SPLITS):
        return plain
    stand, game = guesser.follow(view), guesser.space.game
    answers = game.answer_table[:, guesser.sets[stand.mind.own]]
    parts = np.array([(answers == answer).sum(axis=1) for answer in game.answers])
    left = (parts**2).sum(axis=0)
    code = stand.own[game.actions.index(move)]
    return f"{plain} best" if left[code] == left.min() else plain
