"""How the expert plays Safe Code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from strongroom.contract import Event, Move, View
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import REQUEST, Number
from strongroom.players.candidates import numbers_left
from strongroom.players.ideas import Evenly, EvenlyByKind, MixedIdea, Mixture

SHARE_AT_FIRST: Final = 0.5
LOST_TURN: Final = 2
"""Trying n numbers takes (n + 1) / 2 turns, so a turn spent must save two numbers."""
CLOSE: Final = 2


class AsksWhileItPays(MixedIdea):
    """A number and three weak clues; then a clue where it pays, or a number that fits."""

    told = (
        "It hides any number, writes clues that each rule out a single other number, and guesses "
        "numbers that fit what it was told. "
        "It asks for a clue while the next one, if it leaves the same share as the last one did "
        "(the first: half), rules out more than the two numbers that a lost turn is worth, and the "
        "opponent still has more than two numbers to try."
    )

    def policy(self, view: View) -> Mixture:
        """The mixture of numbers, of clues, or the request for one."""
        if view.setting_up:
            return weakest_clues(view.moves) if view.secret else Evenly(view.moves)
        own = [event for event in view.history if event.actor is view.seat]
        others = [event for event in view.history if event.actor is not view.seat]
        left = numbers_left(own)
        opponent_is_close = len(numbers_left(others)) <= CLOSE
        if not opponent_is_close and REQUEST in view.moves and asking_pays(own, len(left)):
            return Evenly([REQUEST])
        return Evenly([*map(Number, sorted(left))])


def weakest_clues(moves: Sequence[Move]) -> Mixture:
    """Clues that rule out as little as any: evenly by what they rule out, then by their words."""
    clues = [move for move in moves if isinstance(move, Clue)]
    weakest = max(len(clue.meaning) for clue in clues)
    words: dict[frozenset[int], list[Clue]] = {}
    for clue in clues:
        if len(clue.meaning) == weakest:
            words.setdefault(clue.meaning, []).append(clue)
    # Drawn among all sentences, what has most wordings would come up too often, and tell something.
    return EvenlyByKind([*map(Evenly, words.values())])


def asking_pays(own: Sequence[Event], left: int) -> bool:
    """Whether one more clue, as sharp as the last one, is worth more than the turn it costs."""
    return left * (1 - _share_left_by_last_clue(own)) > LOST_TURN


def _share_left_by_last_clue(own: Sequence[Event]) -> float:
    asked = [number for number, event in enumerate(own) if event.move == REQUEST]
    if not asked:
        return SHARE_AT_FIRST
    before, after = (numbers_left(own[:end]) for end in (asked[-1], asked[-1] + 1))
    return len(after) / len(before)
