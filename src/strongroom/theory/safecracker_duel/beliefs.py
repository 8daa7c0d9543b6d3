"""What the certified turns of Safecracker Duel tell about the codes, and what turns are worth.

The worth of a turn is the mover's win probability against the certified opponent, who from the
third turn on wins where it can; a game that goes on is worth 1/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Seat, View
from strongroom.theory.history_fold import HistoryFold
from strongroom.theory.safecracker_duel.board import Dial, Floats
from strongroom.theory.solution import Table

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Shown:
    """What the safe has shown so far, as far as it tells about codes."""

    first: tuple[int, ...]
    """The first four safes, including the one before any turn."""
    last: int
    turns: int
    codes: Flags
    """The codes that a turn has shown, which neither player has."""
    missed: tuple[Flags, Flags]
    """The codes with which each player would have missed a win, from the third turn on."""

    def then(self, dial: Dial, safe: int) -> Shown:
        """The same after one more turn."""
        codes, missed = self.codes.copy(), self.missed
        codes[safe] = True
        if self.turns >= 2:  # turns alternate
            one, two = missed
            reach = dial.ball[self.last]
            missed = (one, two | reach) if self.turns % 2 else (one | reach, two)
        return Shown((*self.first, safe)[:4], safe, self.turns + 1, codes, missed)


class Beliefs:
    """The beliefs about codes under a table's strategies, and the worth of turns against them."""

    def __init__(self, dial: Dial, table: Table) -> None:
        self.dial, self.table = dial, table
        none = np.zeros(len(dial.codes), dtype=bool)
        start = Shown((dial.home,), dial.home, 0, none, (none, none))
        self._shown = HistoryFold(
            start, lambda shown, event: shown.then(dial, dial.number(event.answer))
        )

    @cached_property
    def one(self) -> Floats:
        """The probability that Seat.ONE hides c and turns the safe to s1: [c, s1]."""
        return shares(self.table["one_code"])[:, None] * shares(self.table["one_first"])

    @cached_property
    def two(self) -> Floats:
        """The probability that Seat.TWO hides c and answers s1 with s2: [c, s1, s2]."""
        codes, turns = shares(self.table["two_code"]), shares(self.table["two_first"])
        return codes[:, None, None] * turns

    @cached_property
    def first_turns(self) -> Floats:
        """What each first turn is worth to Seat.ONE with each code: [code, turn]."""
        dial, result = self.dial, np.zeros(self.dial.near.shape)
        for i, s1 in enumerate(dial.near[dial.home]):
            for j, s2 in enumerate(dial.near[s1]):
                belief = self.two[:, i, j]
                hold = ((~dial.ball[dial.near[s2]]) @ belief).max() / 2
                result[:, i] += np.where(dial.ball[s2], belief.sum(), hold)
            result[s1, i] = -1  # the first-turn limitation
        return result

    @cached_property
    def answers(self) -> Floats:
        """What each answer to a first turn is worth to Seat.TWO: [first turn, code, answer]."""
        return np.array([self._answers(slot) for slot in range(self.dial.near.shape[1])])

    def _answers(self, slot: int) -> Floats:
        dial = self.dial
        s1, belief = dial.near[dial.home, slot], self.one[:, slot]
        belief = shares(belief if belief.any() else np.arange(len(belief)) != s1)
        result = np.zeros(dial.near.shape)
        for j, s2 in enumerate(dial.near[s1]):
            turns = (belief * ~dial.ball[s2]) @ shares(self.table["one_second"][:, slot, j])
            result[:, j] = turns @ np.where(dial.ball[dial.near[s2]], 1, 0.5)
            result[s2, j] = -1  # the first-turn limitation
        return result

    @cached_property
    def codes(self) -> tuple[Floats, Floats]:
        """What each code is worth to each player who is about to choose one."""
        odds, two = self.one.sum(axis=0), np.zeros(len(self.dial.codes))
        for i, s1 in enumerate(self.dial.near[self.dial.home]):
            best = self.answers[i].max(axis=1)
            best[s1] = 1  # Seat.ONE's turn shows this code, so Seat.TWO wins
            two += odds[i] * best
        return self.first_turns.max(axis=1), two

    def of_opponent(self, view: View) -> Floats:
        """The probability of each code of the opponent, after at least one of its turns.

        It follows from the certified strategy and the first three turns, less the codes that have
        been shown and those that would have won already; if nothing is left, all codes not
        excluded are equally likely.
        """
        assert view.seat is not None
        dial, shown = self.dial, self._shown.after(view.history)
        slots = [dial.slot(before, after) for before, after in pairwise(shown.first)]
        possible = ~shown.codes
        unmissed = possible & ~shown.missed[view.seat.other.index]
        if view.seat is Seat.ONE:
            belief = self.two[:, slots[0], slots[1]]
        else:
            belief = self.one[:, slots[0]]
            if len(slots) == 3:
                turns = shares(self.table["one_second"][:, slots[0], slots[1]])
                belief = belief * turns[:, slots[2]]
        for choice in (belief * unmissed, unmissed, possible):
            if choice.any():
                break
        return shares(choice)


def shares(weights: NDArray[Any]) -> Floats:
    """The weights normalised along the last axis; zeros where all are zero."""
    total = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1), dtype=np.float64)
