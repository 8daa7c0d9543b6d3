"""What each guess wins against the certified player of Digit Deductions, by a search."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from functools import cache
from math import inf

from strongroom.theory.digit_deductions.board import (
    ALL,
    Cell,
    Trials,
    candidates,
    split,
    twins,
    useful,
)
from strongroom.theory.digit_deductions.player import DiagonalPlayer, off_plan
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


class StrayResponse:
    """The best response to a player off its plan, whose guesses tell nothing about its number.

    A position is what both know: `known`, the responder's numbers that fit the player's guesses,
    and `hidden`, the player's that fit the responder's. Sets `known` that the player will split
    alike share one search. What the player wins is listed as in `DiagonalResponse`.
    """

    def __init__(self, odds: Mapping[int, Fraction]) -> None:
        self._masses = {s: int(FINE * n) for s, n in odds.items()}
        self._first_alike: dict[Hashable, Cell] = {}
        self._alike = cache(self._find_alike)
        self._lead = cache(self._player_wins)
        self._follow = cache(self._worst)

    def guesses(self, known: Cell, hidden: Cell) -> Rows:
        """What each guess of the responder wins, by its number."""
        same = twins(tuple(sorted(self._masses)))
        lost = {g: self._answered(g, known, hidden) for g in {*same}}
        total = sum(self._masses.values())
        return {t: [1 - lost[g][i] / total for g in same] for i, t in enumerate(known)}

    def _answered(self, guess: int, known: Cell, hidden: Cell) -> list[int]:
        """What the player still wins after the responder's guess."""
        won = [self._lead(known, cell) for answer, cell in split(hidden, guess) if answer]
        return [*map(sum, zip([0] * len(known), *won, strict=True))]

    def _player_wins(self, known: Cell, hidden: Cell) -> list[int]:
        """The player to move: what it wins."""
        masses = [self._masses.get(s, 0) for s in hidden]
        weights, won = off_plan(known, hidden), dict.fromkeys(known, 0)
        for guess in weights:
            for answer, cell in split(known, guess):
                value = self._follow(self._alike(cell), hidden) if answer else [sum(masses)]
                for t, each in zip(cell, value, strict=True):
                    won[t] += each
        return [each // len(weights) for each in won.values()]

    def _worst(self, known: Cell, hidden: Cell) -> list[int]:
        """The responder to move, knowing its number: what the player wins at worst."""
        masses = {s: self._masses[s] for s in hidden if s in self._masses}
        if len(masses) < 2 or len(known) == 1:
            return [sum(masses.values()) - max(masses.values(), default=0)] * len(known)
        tries = (self._answered(guess, known, hidden) for guess in useful(tuple(masses)))
        return [*map(min, zip(*tries, strict=True))]

    def _find_alike(self, known: Cell) -> Cell:
        """The first candidates met that the player will split alike, place by place."""
        place = {t: i for i, t in enumerate(known)}
        splits = tuple(
            tuple(
                (tuple(map(place.__getitem__, cell)), answer and self._alike(cell))
                for answer, cell in split(known, guess)
            )
            for guess in (off_plan(known, ALL) if len(known) > 1 else ())
        )
        return self._first_alike.setdefault(splits, known)


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
