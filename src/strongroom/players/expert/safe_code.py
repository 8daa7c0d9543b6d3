"""How the expert plays Safe Code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from strongroom.contract import Event, Move, View
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import REQUEST, Number
from strongroom.players.candidates import numbers_left
from strongroom.players.ideas import MixedIdea, Mixture, Uniform, UniformByKind

SHARE_AT_FIRST: Final = 0.5
LOST_TURN: Final = 2
"""Trying n numbers takes (n + 1) / 2 turns, so a turn spent must save two numbers."""
CLOSE: Final = 2


class AsksWhileItPays(MixedIdea):
    """Hides any number and writes weak clues; asks where it pays, else guesses what fits.

    It hides any number, writes clues that rule out one number each, and guesses what fits. It
    asks for a clue while the next one, if it is as strong as the last (the first: half of the
    numbers), should rule out more than the two numbers that a turn is worth, and the opponent
    has more than two numbers to try.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of numbers or of clues, or the request for one."""
        if view.setting_up:
            return weakest_clues(view.moves) if view.secret else Uniform(view.moves)
        own = [event for event in view.history if event.actor is view.seat]
        others = [event for event in view.history if event.actor is not view.seat]
        left = numbers_left(own)
        opponent_is_close = len(numbers_left(others)) <= CLOSE
        if not opponent_is_close and REQUEST in view.moves and asking_pays(own, len(left)):
            return Uniform([REQUEST])
        return Uniform([*map(Number, sorted(left))])


def weakest_clues(moves: Sequence[Move]) -> Mixture:
    """The clues that rule out least: uniform over what they rule out, then over wordings."""
    clues = [move for move in moves if isinstance(move, Clue)]
    weakest = max(len(clue.meaning) for clue in clues)
    words: dict[frozenset[int], list[Clue]] = {}
    for clue in clues:
        if len(clue.meaning) == weakest:
            words.setdefault(clue.meaning, []).append(clue)
    # A uniform draw over all sentences would favour what has most wordings, and tell something.
    return UniformByKind([*map(Uniform, words.values())])


def asking_pays(own: Sequence[Event], left: int) -> bool:
    """Whether one more clue, as sharp as the last one, is worth more than the turn it costs."""
    return left * (1 - _share_left_by_last_clue(own)) > LOST_TURN


def _share_left_by_last_clue(own: Sequence[Event]) -> float:
    asked = [number for number, event in enumerate(own) if event.move == REQUEST]
    if not asked:
        return SHARE_AT_FIRST
    before, after = (numbers_left(own[:end]) for end in (asked[-1], asked[-1] + 1))
    return len(after) / len(before)
