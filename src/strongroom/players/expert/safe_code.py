"""How the expert plays Safe Code."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from strongroom.contract import Event, Move, View
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import REQUEST, Number
from strongroom.players.candidates import numbers_left
from strongroom.players.ideas import Idea

SHARE_AT_FIRST: Final = 0.5
LOST_TURN: Final = 2
"""Trying n numbers takes (n + 1) / 2 turns, so a turn spent must save two numbers."""
CLOSE: Final = 2


class AsksWhileItPays(Idea):
    """A number and three weak clues; then a clue where it pays, or a number that fits."""

    told = (
        "It hides any number, writes clues that each rule out a single other number, and guesses "
        "numbers that fit what it was told. "
        "It asks for a clue while the next one, if it leaves the same share as the last one did "
        "(the first: half), rules out more than the two numbers that a lost turn is worth, and the "
        "opponent still has more than two numbers to try."
    )

    def choose(self, view: View) -> Move:
        """A number, a clue, or the request for one."""
        rng = self._rng
        if view.setting_up:
            return weakest_clue(view.moves, rng) if view.secret else rng.choice(view.moves)
        own = [event for event in view.history if event.actor is view.seat]
        others = [event for event in view.history if event.actor is not view.seat]
        left = numbers_left(own)
        opponent_is_close = len(numbers_left(others)) <= CLOSE
        if not opponent_is_close and REQUEST in view.moves and asking_pays(own, len(left)):
            return REQUEST
        return Number(rng.choice(sorted(left)))


def weakest_clue(moves: Sequence[Move], rng: Random) -> Clue:
    """A clue that rules out as little as any; what it rules out is drawn first, then its words."""
    clues = [move for move in moves if isinstance(move, Clue)]
    weakest = max(len(clue.meaning) for clue in clues)
    words: dict[frozenset[int], list[Clue]] = {}
    for clue in clues:
        if len(clue.meaning) == weakest:
            words.setdefault(clue.meaning, []).append(clue)
    # Drawn among all sentences, what has most wordings would come up too often, and tell something.
    return rng.choice(words[rng.choice(list(words))])


def asking_pays(own: Sequence[Event], left: int) -> bool:
    """Whether one more clue, as sharp as the last one, is worth more than the turn it costs."""
    return left * (1 - _share_left_by_last_clue(own)) > LOST_TURN


def _share_left_by_last_clue(own: Sequence[Event]) -> float:
    asked = [number for number, event in enumerate(own) if event.move == REQUEST]
    if not asked:
        return SHARE_AT_FIRST
    before, after = (numbers_left(own[:end]) for end in (asked[-1], asked[-1] + 1))
    return len(after) / len(before)
