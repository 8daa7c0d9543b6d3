"""What the certified turns of Safecracker Duel tell about the codes, and what decisions are worth.

What matters to the responder is its own code, the safe, and its belief about the other's code. From
the fourth turn on the certified player wins where it can and otherwise changes back. So a responder
always meets the same safe again: it can win from there, now or after its next turn, or never. If it
cannot, it loses to the codes in reach of the safe that it leaves, and to no others by leaving that
safe again: the game is worth half of what is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Event, Move, Seat, View
from strongroom.contract.history import HistoryFold
from strongroom.theory.safecracker_duel.player import Dial, Floats
from strongroom.theory.solution import Table
from strongroom.theory.worth import Turns, Unreachable, Worth

Flags = NDArray[np.bool_]
LONG: Final = 5
"""With this many turns left or more, a turn limit changes nothing."""


@dataclass(frozen=True)
class SafesSeen:
    """The safes so far, as far as they tell about codes."""

    first: tuple[int, ...]
    """The first four safes, including the one before any turn."""
    last: int
    turns: int
    codes: Flags
    """The codes that a turn has shown, which neither player has."""
    missed: tuple[Flags, Flags]
    """The codes with which each player would have missed a win, from the third turn on."""

    def then(self, dial: Dial, safe: int) -> SafesSeen:
        """The same after one more turn."""
        codes, missed = self.codes.copy(), self.missed
        codes[safe] = True
        if self.turns >= 2:  # turns alternate
            one, two = missed
            reach = dial.ball[self.last]
            missed = (one, two | reach) if self.turns % 2 else (one | reach, two)
        return SafesSeen((*self.first, safe)[:4], safe, self.turns + 1, codes, missed)


class Beliefs:
    """The beliefs about codes under a table's strategies, and the worth of turns against them."""

    def __init__(self, dial: Dial, table: Table) -> None:
        self.dial, self.table = dial, table
        none = np.zeros(len(dial.codes), dtype=bool)
        start = SafesSeen((dial.home,), dial.home, 0, none, (none, none))
        self._first_turns = cache(self._first_turns_of)
        self._answers = cache(self._answers_of)
        self._codes = cache(self._codes_of)
        self._seen: HistoryFold[Event, SafesSeen] = HistoryFold(
            start, lambda seen, event: seen.then(dial, dial.number(event.answer))
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

    def first_turns(self, turns: int = LONG) -> Floats:
        """What each first turn is worth to Seat.ONE, with so many turns left: [code, turn]."""
        return self._first_turns(min(turns, LONG))

    def _first_turns_of(self, turns: int) -> Floats:
        dial, result = self.dial, np.zeros(self.dial.near.shape)
        for i, s1 in enumerate(dial.near[dial.home]):
            for j, s2 in enumerate(dial.near[s1]):
                belief = self.two[:, i, j]
                hold = self._held(s2, belief, turns - 2)
                won = dial.ball[s2] if turns > 2 else dial.same[s2] & (turns > 1)
                result[:, i] += np.where(won, belief.sum(), hold)
            result[s1, i] = -1  # the first-turn limitation
        return result

    def _held(self, safe: int, belief: Floats, turns: int) -> float:
        """What Seat.ONE gets from this safe, if its own code is out of reach."""
        near = self.dial.near[safe]
        if turns <= 0:
            return float(belief.sum()) / 2
        lost = (self.dial.ball if turns > 1 else self.dial.same)[near]
        return float(((~lost) @ belief).max()) / 2

    def answers(self, turns: int = LONG) -> Floats:
        """What each answer to a first turn is worth to Seat.TWO: [first turn, code, answer]."""
        return self._answers(min(turns, LONG))

    def _answers_of(self, turns: int) -> Floats:
        slots = range(self.dial.near.shape[1])
        return np.array([self._answers_to(slot, turns) for slot in slots])

    def _answers_to(self, slot: int, turns: int) -> Floats:
        dial = self.dial
        s1, belief = dial.near[dial.home, slot], self.one[:, slot]
        belief = shares(belief if belief.any() else np.arange(len(belief)) != s1)
        result = np.zeros(dial.near.shape)
        for j, s2 in enumerate(dial.near[s1]):
            if turns == 1:
                result[:, j] = (1 - belief[s2]) / 2
            else:
                drawn = (belief * ~dial.ball[s2]) @ shares(self.table["one_second"][:, slot, j])
                won = dial.ball if turns > 2 else dial.same
                # Otherwise Seat.TWO changes back to s2, from which nobody could win.
                result[:, j] = drawn @ np.where(won[dial.near[s2]], 1, 0.5)
            result[s2, j] = -1  # the first-turn limitation
        return result

    def codes(self, turns: int = LONG) -> tuple[Floats, Floats]:
        """What each code is worth to each player who is about to choose one."""
        return self._codes(min(turns, LONG))

    def _codes_of(self, turns: int) -> tuple[Floats, Floats]:
        odds, two = self.one.sum(axis=0), np.zeros(len(self.dial.codes))
        for i, s1 in enumerate(self.dial.near[self.dial.home]):
            best = np.full(len(two), 0.5)
            if turns > 1:
                best = self.answers(turns - 1)[i].max(axis=1)
            best[s1] = 1  # Seat.ONE's turn shows this code, so Seat.TWO wins
            two += odds[i] * best
        return self.first_turns(turns).max(axis=1), two

    def of_opponent(self, view: View) -> Floats:
        """The probability of each code of the opponent, after at least one of its turns.

        If the certified strategy could not have led here, all codes not excluded are equally
        likely.
        """
        belief, unmissed, possible = self._likely(view)
        for choice in (belief, unmissed, possible):
            if choice.any():
                break
        return shares(choice)

    def of_certified(self, view: View) -> Floats | None:
        """The probability of each code of a certified opponent; None if it cannot have led here."""
        assert view.seat is not None
        safes = self.dial.safes(view)
        for turn in range(3, len(safes) - 1):  # from the fourth turn on it wins or changes back
            if turn % 2 == view.seat.other.index and safes[turn + 1] != safes[turn - 1]:
                return None
        belief = self._likely(view)[0]
        return shares(belief) if belief.any() else None

    def _likely(self, view: View) -> tuple[Floats, Flags, Flags]:
        """The weights of the opponent's codes, those with which it missed no win, and all left.

        The weights follow from the certified strategy and the first three turns, less the codes
        that have been shown and those that would have won already.
        """
        assert view.seat is not None
        dial, seen = self.dial, self._seen.after(view.history)
        slots = [dial.slot(before, after) for before, after in pairwise(seen.first)]
        possible = ~seen.codes
        unmissed = possible & ~seen.missed[view.seat.other.index]
        if view.seat is Seat.ONE:
            belief = self.two[:, slots[0], slots[1]]
        else:
            belief = self.one[:, slots[0]]
            if len(slots) == 3:
                turns = shares(self.table["one_second"][:, slots[0], slots[1]])
                belief = belief * turns[:, slots[2]]
        return belief * unmissed, unmissed, possible


def shares(weights: NDArray[Any]) -> Floats:
    """The weights normalised along the last axis; zeros where all are zero."""
    total = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1), dtype=np.float64)


class DuelWorth(Worth):
    """What a best response wins, decision by decision."""

    horizons = (1, 2)

    def __init__(self, beliefs: Beliefs) -> None:
        self.beliefs, self.dial = beliefs, beliefs.dial

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a best response wins from this seat."""
        return float(self.beliefs.codes(_effective(turns))[seat.index].max())

    def moves(self, view: View, turns: Turns) -> dict[Move, float]:
        """What each code or change wins."""
        assert view.seat is not None
        left = _effective(turns)
        if view.setting_up:
            worth = self.beliefs.codes(left)[view.seat.index]
            return dict(zip(view.moves, worth.tolist(), strict=True))
        return self.dial.by_change(view, self._turns(view, left))

    def _turns(self, view: View, left: int) -> Floats:
        """What each safe that the turn can leave is worth."""
        dial, own, here = self.dial, self.dial.own(view), self.dial.safe(view, view.turns)
        if view.turns == 0:
            return np.asarray(self.beliefs.first_turns(left)[own])
        if view.turns == 1:
            slot = dial.slot(dial.home, here)
            if not self.beliefs.one[:, slot].any():
                raise Unreachable("The certified player never makes this first turn.")
            return np.asarray(self.beliefs.answers(left)[slot, own])
        belief = self.beliefs.of_certified(view)
        if belief is None:
            raise Unreachable("The certified player never leads to this safe.")
        near = dial.near[here]
        lost = (dial.ball if left > 1 else dial.same)[near]
        can_win = dial.ball[here, own] and left > 2
        worth: Floats = ((~lost) @ belief) * (1.0 if can_win else 0.5)
        worth[near == own] = 1
        return worth


def _effective(turns: Turns) -> int:
    return LONG if turns is None else turns
