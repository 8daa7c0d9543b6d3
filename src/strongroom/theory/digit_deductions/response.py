"""What each guess wins against the certified player of Digit Deductions, by a search."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf

from strongroom.theory.digit_deductions.board import (
    ALL,
    Cell,
    Trials,
    candidates,
    twins,
    useful,
)
from strongroom.theory.digit_deductions.player import DiagonalPlayer
from strongroom.theory.digit_deductions.proof import DiagonalResponse, Part, Reach, within

FINE = 10**24
"""Probabilities are scaled by this, so that a response's rounding does not show."""
Rows = dict[int, list[float]]
"""What each guess wins, by the player's number."""


def posterior(them: DiagonalPlayer, own: Trials, theirs: Trials) -> dict[int, Fraction]:
    """How likely the certified player hides each number, after its own guesses and the other's.

    It is empty if the certified player never hides and guesses like that.
    """
    often = {s: Fraction(them.secrets[s]) for s in candidates(theirs, them.support)}
    for i, (tried, _) in enumerate(own):
        seen = theirs[: i + (not them.first)]
        for s in [*often]:
            weights = them.weights(own[:i], seen, s)
            often[s] *= Fraction(weights.get(tried, 0), sum(weights.values()))
            if not often[s]:
                del often[s]
    total = sum(often.values())
    return {s: n / total for s, n in often.items()}


class FullResponse(DiagonalResponse):
    """The best response after any guesses of the responder, also useless ones.

    All guesses are tried: after one that told less than it could, `useful` ones are not enough,
    because the certified player goes on as if that guess had told more. Once it does not look at
    them any more, they are enough again, and of two last candidates either is as good.
    """

    def __init__(self, player: DiagonalPlayer) -> None:
        super().__init__(player, every=True)
        self._settled: dict[tuple[Cell | int, Reach, float], list[int]] = {}
        self._told: dict[Reach, list[list[Part]]] = {}

    def searched(
        self, known: Cell, reach: Reach, own: Trials, theirs: Trials, turns: float
    ) -> list[int]:
        """What the player wins at worst, remembered where its guesses are settled."""
        if not self.player.settled(own, theirs):
            return super().searched(known, reach, own, theirs, turns)
        key = known if len(known) > 2 else 2, reach, within(turns, 2 * len(known))
        if key not in self._settled:
            if reach not in self._told:
                self._told[reach] = [
                    self._parts(guess, reach, theirs) for guess in useful(reach.secrets)
                ]
            self._settled[key] = self._worst(self._told[reach], known, reach, own, turns)
        return self._settled[key]


def guesses(
    response: DiagonalResponse,
    odds: Mapping[int, Fraction],
    own: Trials,
    theirs: Trials,
    turns: float = inf,
) -> Rows:
    """What each guess of the player wins, by its number, given the odds of the other's."""
    known = candidates(own)
    if len(known) == 1 or turns == 1:  # found out, so this is the last guess; or so the limit says
        rest = 0.5 if turns == 1 else 0.0
        row = [rest + (1 - rest) * float(odds.get(g, 0)) for g in ALL]
        return dict.fromkeys(known, row)
    reach = response.reach({s: int(FINE * n) for s, n in odds.items()})
    same = twins(tuple(sorted({*candidates(theirs, response.player.support), *odds})))
    lost = {g: response.answered(g, known, reach, own, theirs, turns) for g in {*same}}
    won = {g: [1 - each / reach.total for each in row] for g, row in lost.items()}
    return {t: [won[g][i] for g in same] for i, t in enumerate(known)}
