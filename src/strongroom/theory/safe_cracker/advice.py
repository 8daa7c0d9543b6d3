"""Advice in Safe Cracker: what each move is worth by the race, and a sentence on it."""

from __future__ import annotations

from collections import Counter

from strongroom.contract import Move, View
from strongroom.theory.safe_cracker.player import RaceGuesser


def values(guesser: RaceGuesser, view: View) -> dict[Move, float]:
    """The win probability of the view's actor after each move, by the race.

    It assumes that every remaining code of the opponent is as likely as any other (so it is if the
    opponent is the certified player) and that both go on as best they can without using what they
    know of their own code.
    """
    if view.seat is None or view.actor is not view.seat:
        return {}
    moves, won = guesser.space.moves, guesser.table["race"]
    if view.setting_up:
        first = int(won[0, 0]) / len(moves) ** 2
        return dict.fromkeys(moves, 1 - first if view.seat.index else first)
    mind = guesser.follow(view)
    (x, names), (y, _) = guesser.place(mind.own), guesser.place(mind.other)
    pairs = len(mind.own) * len(mind.other)
    worth: dict[int, float] = {-1: 1 - float(won[y, x]) / pairs}
    orbit = guesser.table["orbits"][x, names].tolist()
    for guess, k in enumerate(orbit):
        if k not in worth:
            counts = Counter(guesser.space.answers[guess][list(mind.own)].tolist())
            wins = counts.pop(guesser.space.game.options.length, 0) * len(mind.other)
            for answer, count in counts.items():
                c = guesser.place(guesser.kept(mind.own, guess, answer))[0]
                wins += count * len(mind.other) - int(won[y, c])
            worth[k] = wins / pairs
    return {move: worth[k] for move, k in zip(moves, orbit, strict=True)}


def why(guesser: RaceGuesser, view: View, move: Move) -> str:
    """One sentence on what a move does, for a hint."""
    if view.setting_up:
        return "No code is harder to find than another, so draw it blindly."
    mind, guess = guesser.follow(view), guesser.space.index(move)
    size = len(mind.own)
    counts = Counter(guesser.space.answers[guess][list(mind.own)].tolist())
    if size == 1:
        return "It is the only code left." if guess in mind.own else "It cannot be the code."
    if len(counts) == 1:
        return f"It tells nothing about the {size} codes left."
    if len(mind.other) == 1 and guess in mind.own:
        return f"It has 1 chance in {size}, and there will be no other: your code is known."
    split = "/".join(str(counts[answer]) for answer in sorted(counts))
    ending = ", and may be the code itself" if guess in mind.own else ""
    return f"It splits the {size} codes left {split}{ending}."
