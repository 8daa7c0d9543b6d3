"""How the expert guesses codes: in Safe Cracker, and most of it in Digit Deductions too."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from strongroom.contract import Move, Rules, View
from strongroom.games.codes import Code
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.players.candidates import Codes, Guess, all_codes, answers, codes_left, guesses_of
from strongroom.players.ideas import Evenly, MixedIdea, Mixture

CLOSE: Final = 2
"""With so few codes left, the opponent is likely to win next turn."""
JUDGED: Final = 256
"""More codes than this are judged by a sample of so many, for speed."""


class Splits(MixedIdea):
    """Any code to hide; then the guess that splits best what is left."""

    told = (
        "It hides any code, and guesses what is expected to leave the fewest codes possible, "
        "one that may itself be right before one that cannot. "
        "When the opponent has at most two codes left to try, or it has but one guess left, it "
        "only guesses codes that may be right."
    )

    def policy(self, view: View) -> Mixture:
        """The mixture of codes, to hide or to guess."""
        if view.setting_up:
            return Evenly(view.moves)
        return Evenly(splitting_guesses(view, must_hit(view)))


def splitting_guesses(view: View, hit: bool) -> list[Move]:
    """What the seat to move may guess to leave the fewest codes; with `hit`, one of them."""
    assert view.seat is not None
    return [*map(Code, best_guesses(view.game, guesses_of(view, view.seat), hit))]


def must_hit(view: View) -> bool:
    """Whether there will probably be no next turn."""
    game = view.game
    assert view.seat is not None
    if isinstance(game, SafeCracker) and game.options.attempts is not None:
        if len(view.history) >= 2 * game.options.attempts - 2:
            return True
    return len(codes_left(game, guesses_of(view, view.seat.other))) <= CLOSE


@lru_cache(maxsize=1 << 14)
def best_guesses(game: Rules, own: tuple[Guess, ...], hit: bool) -> tuple[tuple[int, ...], ...]:
    """The guesses that leave the fewest codes on average; with `hit`, only possible ones."""
    left = codes_left(game, own)
    judged = _sample(left)
    tried = judged if hit else np.concatenate([judged, _sample(all_codes(game))])
    # A guess that may be right comes first in `tried`, so it is preferred by as little as half.
    expense = _squares(game, tried, judged).astype(float)
    expense[: len(judged)] -= 0.5
    best = tried[expense == expense.min()]
    return tuple(sorted({tuple(map(int, digits)) for digits in best}))


def _squares(
    game: Rules, guesses: Codes, codes: Codes
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """For each guess, the sum of the squares of the parts into which it splits the codes."""
    told = answers(game, codes[np.newaxis], guesses[:, np.newaxis])
    kinds = int(told.max()) + 1
    rows = kinds * np.arange(len(guesses))[:, np.newaxis]
    parts = np.bincount((told + rows).ravel(), minlength=kinds * len(guesses))
    return np.asarray((parts.reshape(-1, kinds) ** 2).sum(axis=1))


def _sample(codes: Codes) -> Codes:
    """The codes, or a fixed sample of them where they are too many."""
    if len(codes) <= JUDGED:
        return codes
    return codes[np.random.default_rng(0).choice(len(codes), JUDGED, replace=False)]
