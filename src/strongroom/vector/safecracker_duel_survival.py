"""How likely the certified player of Safecracker Duel cannot win from any of the safes it was left.

From the fourth turn on it wins where it can and otherwise changes back. So a responder always meets
the same safe again, and what it learns is that the certified code is not in reach of the safes that
it has left so far, a set of its neighbours. Positions and digits that the rules treat alike are
relabelled, so that a table by situation and set stays small.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from strongroom.contract import Game
from strongroom.theory.safecracker_duel.player import Floats, Ints
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution
from strongroom.theory.safecracker_duel.worth import Beliefs, shares
from strongroom.theory.shelf import solution_of

DECIMALS: Final = 12
"""Beliefs that agree to so many decimals are equal."""


class Survival:
    """The responder's situations after the first turns, and what remains of its belief in each.

    A path is a number for the first safes: of Seat.ONE, who decides on the third turn, those after
    two turns; then of Seat.TWO, those after three.
    """

    def __init__(self, beliefs: Beliefs) -> None:
        self.beliefs, self.dial = beliefs, beliefs.dial
        reach = self.reach = self.dial.near.shape[1]
        self.kinds: Ints = np.zeros(reach**2 + reach**3, np.int64)
        """By path, the number of a belief up to relabelling."""
        self.bits: Ints = np.zeros((reach**2 + reach**3, reach), np.int64)
        """By path and place of a safe that is left: its bit in a set of them."""
        self._numbered: dict[tuple[int, bytes], int] = {}
        self._beliefs: list[tuple[int, Floats]] = []
        near, home, two, one = self.dial.near, self.dial.home, beliefs.two, beliefs.one
        second = shares(beliefs.table["one_second"])
        for i, s1 in enumerate(near[home].tolist()):
            for j, s2 in enumerate(near[s1].tolist()):
                self._add(i * reach + j, (s1, s2), two[:, i, j])
                missed = self.dial.ball[s2]
                for k, s3 in enumerate(near[s2].tolist()):
                    path = ((1 + i) * reach + j) * reach + k
                    self._add(path, (s1, s2, s3), one[:, i] * second[:, i, j, k] * ~missed)

    def _add(self, path: int, safes: tuple[int, ...], weights: Floats) -> None:
        """Number the belief of a path."""
        dial, label, here = self.dial, self._relabelling(safes), safes[-1]
        belief = np.zeros_like(weights)
        belief[label] = shares(np.where(np.isin(np.arange(len(weights)), safes), 0.0, weights))
        key = int(label[here]), np.round(belief, DECIMALS).tobytes()
        if key not in self._numbered:
            self._numbered[key] = len(self._beliefs)
            self._beliefs.append((key[0], belief))
        self.kinds[path] = self._numbered[key]
        self.bits[path] = np.searchsorted(dial.near[label[here]], label[dial.near[here]])

    @cached_property
    def _digits(self) -> Ints:
        return np.array([code.digits for code in self.dial.codes]) - 1

    @cached_property
    def _number(self) -> Ints:
        """The number of a code, by its digits."""
        number = np.zeros(self._digits.max(axis=0) + 1, np.int64)
        number[tuple(self._digits.T)] = np.arange(len(self._digits))
        return number

    def _relabelling(self, safes: tuple[int, ...]) -> Ints:
        """The number of each code under new names, the same for all safes that are alike.

        Digits are numbered at each position as they appear in the safes, and the positions are
        sorted by these numbers.
        """
        columns = self._digits[[self.dial.home, *safes]].T.tolist()
        every = range(len(self._number))
        names = [np.argsort([*dict.fromkeys([*column, *every])]) for column in columns]
        order = sorted(range(len(names)), key=lambda p: names[p][columns[p]].tolist())
        return np.asarray(self._number[tuple(names[p][self._digits[:, p]] for p in order)])

    @cached_property
    def alive(self) -> Floats:
        """By kind and set: the probability that the code is in reach of none of these safes."""
        size = 1 << self.reach
        alive = np.zeros((len(self._beliefs), size))
        for row, (here, belief) in zip(alive, self._beliefs, strict=True):
            np.add.at(row, self._reaching(here), belief)
        for bit in range(self.reach):  # sums over all subsets
            halves = alive.reshape(len(alive), -1, 2, 1 << bit)
            halves[:, :, 1] += halves[:, :, 0]
        return alive[:, ::-1]  # a set is avoided by the codes of its complement

    def _reaching(self, here: int) -> Ints:
        """By code, the set of the neighbours of a safe that have it in reach."""
        return np.asarray((1 << np.arange(self.reach)) @ self.dial.ball[self.dial.near[here]])

    @cached_property
    def shown(self) -> tuple[Floats, Ints]:
        """By kind and bit: how likely that safe shows the code, and the sets that rule it out."""
        odds = [belief[self.dial.near[here]] for here, belief in self._beliefs]
        sets = [self._reaching(here)[self.dial.near[here]] for here, _ in self._beliefs]
        return np.array(odds), np.array(sets)

    def kept(self, is_last: bool) -> Floats:
        """By kind and bit: how likely leaving that safe, the first so left, loses nothing.

        On the last turn of a match only showing the code loses.
        """
        alone = self.alive[:, 1 << np.arange(self.reach)]
        return self.alive[:, :1] - self.shown[0] if is_last else alone

    def kept_at_first(self, is_last: bool) -> Floats:
        """The same for Seat.ONE on the third turn, by the first two turns: [turn, answer, turn]."""
        places = np.arange(self.reach**2)[:, None]
        kept = self.kept(is_last)[self.kinds[places], self.bits[places[:, 0]]]
        return np.asarray(kept.reshape((self.reach,) * 3))


@lru_cache(maxsize=4)
def survival_of(game: Game) -> Survival:
    """The situations of a game against its certified player."""
    solution = solution_of(game)
    assert isinstance(solution, SafecrackerDuelSolution)
    return Survival(solution.beliefs)
