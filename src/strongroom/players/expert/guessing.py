"""How the expert guesses codes, in Safe Cracker and mostly in Digit Deductions too."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from strongroom.contract import Move, View
from strongroom.games.codes import Code
from strongroom.games.guessing import GuessingGame, code_digits
from strongroom.players.candidates import Codes, Guess, codes_left, guesses_of
from strongroom.players.ideas import MixedIdea, Mixture, Uniform

CLOSE: Final = 2
"""With at most this many codes left, the opponent is likely to win next turn."""
JUDGED: Final = 256
"""More codes than this are judged by a sample of this size, for speed."""


class Splits(MixedIdea):
    """Hides any code; then makes the guess that best splits the codes left.

    It hides any code and makes the guess that is expected to leave the fewest codes; between
    equals it prefers one that may be right. When the opponent has at most two codes left to
    try, or it has one guess left itself, it guesses only codes that may be right.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of codes, to hide or to guess."""
        if view.setting_up:
            return Uniform(view.moves)
        return Uniform(splitting_guesses(view, must_hit(view)))


def splitting_guesses(view: View, hit: bool) -> list[Move]:
    """The mover's guesses that leave the fewest codes; with `hit`, only possible ones."""
    assert view.seat is not None
    assert isinstance(view.game, GuessingGame)
    return [*map(Code, best_guesses(view.game, guesses_of(view, view.seat), hit))]


def must_hit(view: View) -> bool:
    """Whether there will probably be no next turn."""
    game = view.game
    assert view.seat is not None
    if game.most_turns is not None and view.turns >= game.most_turns - 2:
        return True
    return len(codes_left(game, guesses_of(view, view.seat.other))) <= CLOSE


@lru_cache(maxsize=1 << 14)
def best_guesses(
    game: GuessingGame, own: tuple[Guess, ...], hit: bool
) -> tuple[tuple[int, ...], ...]:
    """The guesses that leave the fewest codes on average; with `hit`, only possible ones."""
    left = codes_left(game, own)
    judged = _sample(left)
    tried = judged if hit else np.concatenate([judged, _sample(code_digits(game.space))])
    # Guesses that may be right come first in `tried`; a bonus of a half breaks ties for them.
    expense = _squares(game, tried, judged).astype(float)
    expense[: len(judged)] -= 0.5
    best = tried[expense == expense.min()]
    return tuple(sorted({tuple(map(int, digits)) for digits in best}))


def _squares(
    game: GuessingGame, guesses: Codes, codes: Codes
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """For each guess, the sum of the squares of the parts into which it splits the codes."""
    told = game.answers_to(guesses[:, np.newaxis], codes[np.newaxis])
    kinds = int(told.max()) + 1
    rows = kinds * np.arange(len(guesses))[:, np.newaxis]
    parts = np.bincount((told + rows).ravel(), minlength=kinds * len(guesses))
    return np.asarray((parts.reshape(-1, kinds) ** 2).sum(axis=1))


def _sample(codes: Codes) -> Codes:
    """The codes, or a fixed sample of them if there are too many."""
    if len(codes) <= JUDGED:
        return codes
    return codes[np.random.default_rng(0).choice(len(codes), JUDGED, replace=False)]
