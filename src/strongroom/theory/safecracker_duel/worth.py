"""What decisions are worth at Safecracker Duel against a known strategy that settles down.

What matters to the responder is its own code, the safe, and its belief about the other's code,
which follows from the other's turns. A strategy has settled once it wins where it can and otherwise
changes back, as the certified player does from the fourth turn on. Then a responder always meets
the same safe again: it can win from there, now or after its next turn, or never. If it cannot, it
loses to the codes in reach of the safe that it leaves, and to no others by leaving that safe again:
the game is worth half of what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Event, Move, Seat, View
from strongroom.contract.history import HistoryFold
from strongroom.games.safecracker_duel.rules import SafecrackerDuel
from strongroom.theory.safecracker_duel.player import Dial, PolicyByNumber
from strongroom.theory.solution import Flags, Floats, Ints, Table
from strongroom.theory.worth import Judgement, Policy, Turns, Unpredictable, Unreachable, Worth

Path = tuple[int, ...]
"""All safes from the start to now."""
LATEST: Final = 4
"""A strategy that has not settled after this many turns is too complex."""
SAMPLED: Final = 60
"""The number of sampled lines of play on which settling is checked."""


def shares(weights: NDArray[Any]) -> Floats:
    """The weights normalised along the last axis; zeros where all are zero."""
    total = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1), dtype=np.float64)


# --- strategies ---


class Strategy(Protocol):
    """How a player hides its code and turns the safe."""

    dial: Dial
    hidden: tuple[Floats, Floats]
    """The probability of each code in each seat."""
    settled: int
    """After how many turns of a game it only wins or changes back."""

    def turns(self, path: Path, weights: Floats) -> Floats:
        """The weights of the codes with which each safe is left, and does not win: [slot, code]."""


class TableStrategy:
    """The certified strategy, read from its table."""

    settled = 3

    def __init__(self, dial: Dial, table: Table) -> None:
        self.dial = dial
        self.hidden = shares(table["one_code"]), shares(table["two_code"])
        names = ("one_first", "two_first", "one_second")
        self._drawn = [np.moveaxis(shares(table[name]), 0, -1) for name in names]

    def turns(self, path: Path, weights: Floats) -> Floats:
        """The weights of the codes with which each safe is left, and does not win: [slot, code]."""
        dial, here = self.dial, path[-1]
        if len(path) > 2:
            weights = weights * ~dial.ball[here]
        if len(path) <= self.settled:
            slots = tuple(dial.slot(*step) for step in pairwise(path))
            return np.asarray(self._drawn[len(slots)][slots] * weights)
        back = dial.near[here] == path[-2]
        return np.asarray(back[:, None] * weights)


class PolicyStrategy:
    """Another player's strategy; Unpredictable if it never settles."""

    def __init__(self, game: SafecrackerDuel, policy: Policy) -> None:
        self.dial = Dial.of(game)
        self._asked = PolicyByNumber(game, self.dial, policy)
        settled = next((n for n in range(LATEST + 1) if self._settles(n)), None)
        if settled is None:
            raise Unpredictable("The player never settles down to changing back.")
        self.settled = settled
        one, two = (np.zeros(len(self.dial.codes)) for _ in Seat)
        for seat, chances in zip(Seat, (one, two), strict=True):
            for code, chance in self._asked.hidden(seat).items():
                chances[code] = chance
        self.hidden = one, two

    def turns(self, path: Path, weights: Floats) -> Floats:
        """The weights of the codes with which each safe is left, and does not win: [slot, code]."""
        left, state = np.zeros((len(weights), len(weights))), self._asked.state(path)
        for own in np.flatnonzero(weights).tolist():
            for safe, chance in self._asked.left(state, own).items():
                left[safe, own] = weights[own] * float(chance)
        np.fill_diagonal(left, 0.0)
        return np.asarray(left[self.dial.near[path[-1]]])

    def _settles(self, turns: int) -> bool:
        """Whether, after this many turns, the player changes back whenever it does not win."""
        return all(
            {*self._asked.left(self._asked.state(path), own)} <= {own, path[-2]}
            for path, own in self._lines(turns)
            if len(path) > 1
        )

    def _lines(self, turns: int) -> Iterator[tuple[Path, int]]:
        rng = np.random.default_rng(turns)
        for number in range(SAMPLED):
            path = [self.dial.home]
            for _ in range(max(2, turns) + number % 6):
                path.append(int(rng.choice(self.dial.near[path[-1]])))
            yield tuple(path), int(rng.integers(len(self.dial.codes)))


# --- what is believed and won ---


@dataclass(frozen=True)
class Belief:
    """The weights of the other player's codes, which follow from its turns."""

    path: Path
    likely: Floats
    """By its strategy, as long as that draws its turns; later turns only show what cannot win."""
    possible: Flags
    """The codes that no turn has shown."""
    missed: Flags
    """The codes with which it would have missed a win."""
    strays: bool = False
    """Whether it has made a late turn that its strategy never makes."""

    @property
    def is_reached(self) -> bool:
        """Whether the strategy can have led here."""
        return not self.strays and bool(self.likely.any())

    @property
    def odds(self) -> Floats:
        """The probability of each code.

        If the strategy could not have led here, all codes not excluded are equally likely.
        """
        choices = (self.likely, self.possible & ~self.missed, self.possible)
        return shares(next(each for each in choices if each.any()))


class DuelWorth(Worth):
    """What a best response wins, decision by decision."""

    horizons = (1, 2)

    def __init__(self, strategy: Strategy) -> None:
        self.strategy, self.dial = strategy, strategy.dial
        self._long = strategy.settled + 2
        """With this many turns left or more, a turn limit changes nothing."""
        self._missing = [
            (~lost[self.dial.near]).astype(float) for lost in (self.dial.ball, self.dial.same)
        ]
        """The codes that cannot win, by safe and turn from it; and after the last turn of all."""
        self._start = cache(lambda seat, left: float(self.codes(seat, left).max()))
        self._leaving_first = cache(self._leave_first)
        self._answers_to = cache(self._answer)
        every = np.ones(len(self.dial.codes), dtype=bool)
        self._beliefs = {
            seat: HistoryFold[Event, Belief](
                Belief((self.dial.home,), strategy.hidden[seat.other.index], every, ~every),
                partial(self._learn, seat.other),
            )
            for seat in Seat
        }

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a best response wins from this seat."""
        return self._start(seat, self._left(turns))

    def move_values(self, view: View, turns: Turns) -> dict[Move, float]:
        """What each code or change wins against a player who can have led here."""
        if not view.setting_up and not self.belief(view).is_reached:
            raise Unreachable
        return self._likely_moves(view, turns)

    def suppose(self, view: View) -> Judgement:
        """What each change wins by `Belief.odds`; from the third turn on, what goes on is open."""
        assumed = "the opponent no longer plays like Master, but takes every win from now on"
        return Judgement(self._likely_moves(view, None if view.turns < 2 else 2), assumed)

    def _likely_moves(self, view: View, turns: Turns) -> dict[Move, float]:
        """What each code or change wins, by what the other's code is believed to be."""
        assert view.seat is not None
        if view.setting_up:
            worth = self.codes(view.seat, turns)
            return dict(zip(view.moves, worth.tolist(), strict=True))
        dial, left = self.dial, self._left(turns)
        own, here = dial.own(view), dial.safe(view, view.turns)
        if view.turns == 0:
            return dial.by_change(view, self.first_turns(turns)[own])
        if view.turns == 1:
            return dial.by_change(view, self._answers_to(dial.slot(dial.home, here), left)[own])
        returns = dial.ball[here, own] and left > 2  # it can win from here after its next turn
        worth = self._survival(here, self.belief(view).odds, left) * (1.0 if returns else 0.5)
        worth[dial.near[here] == own] = 1
        return dial.by_change(view, worth)

    def codes(
        self, seat: Seat, turns: Turns = None, report: Callable[[float], None] = lambda done: None
    ) -> Floats:
        """What each code wins for a player in this seat who is about to choose one."""
        near, left = self.dial.near[self.dial.home].tolist(), self._left(turns)
        best, handed = [], self.strategy.turns((self.dial.home,), self.strategy.hidden[0])
        for slot, (safe, weights) in enumerate(zip(near, handed, strict=True)):
            report(slot / len(near))
            if seat is Seat.ONE:
                best.append(self._leaving_first(slot, left))
            elif weights.any():
                worth = np.full(len(weights), 0.5)
                if left > 1:
                    worth = self._answers_to(slot, left - 1).max(axis=1)
                worth[safe] = 1  # Seat.ONE's turn shows this code, so Seat.TWO wins
                best.append(weights.sum() * worth)
        return np.asarray(np.max(best, axis=0) if seat is Seat.ONE else np.sum(best, axis=0))

    def first_turns(self, turns: Turns = None) -> Floats:
        """What each first turn is worth to Seat.ONE, with so many turns left: [code, turn]."""
        slots = range(self.dial.near.shape[1])
        return np.stack([self._leaving_first(slot, self._left(turns)) for slot in slots], axis=1)

    def answers(self, turns: Turns = None) -> Floats:
        """What each answer to a first turn is worth to Seat.TWO: [first turn, code, answer]."""
        slots = range(self.dial.near.shape[1])
        return np.array([self._answers_to(slot, self._left(turns)) for slot in slots])

    def belief(self, view: View) -> Belief:
        """What the viewer knows about the other's code."""
        assert view.seat is not None
        return self._beliefs[view.seat].after(view.history)

    def _learn(self, other: Seat, known: Belief, event: Event) -> Belief:
        dial, safe, likely = self.dial, self.dial.number(event.answer), known.likely
        missed, strays = known.missed, known.strays
        if event.actor is other:
            if len(known.path) > 2:
                missed = missed | dial.ball[known.path[-1]]
            if len(known.path) > self.strategy.settled:
                strays, likely = strays or safe != known.path[-2], likely * ~missed
            else:
                likely = self.strategy.turns(known.path, likely)[dial.slot(known.path[-1], safe)]
        shown = np.arange(len(likely)) == safe
        return Belief((*known.path, safe), likely * ~shown, known.possible & ~shown, missed, strays)

    def _left(self, turns: Turns) -> int:
        return self._long if turns is None else min(turns, self._long)

    def _leave_first(self, slot: int, left: int) -> Floats:
        home = self.dial.home
        safe = int(self.dial.near[home, slot])
        return self._leave((home,), safe, self.strategy.hidden[1], left)

    def _answer(self, slot: int, left: int) -> Floats:
        """What each answer to a first turn is worth to Seat.TWO: [code, answer]."""
        dial, path = self.dial, (self.dial.home, int(self.dial.near[self.dial.home, slot]))
        weights = self.strategy.turns(path[:1], self.strategy.hidden[0])[slot]
        odds = shares(weights if weights.any() else np.arange(len(weights)) != path[1])
        return np.stack(
            [self._leave(path, safe, odds, left) for safe in dial.near[path[1]]], axis=1
        )

    # Weights are of the other's codes; results are the weight that is won, by the responder's code.

    def _leave(self, path: Path, safe: int, weights: Floats, left: int) -> Floats:
        """The responder leaves this safe; -1 for a code that it may not show on its first turn."""
        weights = weights.copy()
        weights[safe] = 0
        worth = self._wait((*path, safe), weights, left - 1)
        worth[safe] = -1
        return worth

    def _wait(self, path: Path, weights: Floats, left: int) -> Floats:
        """The other player is to move."""
        if left <= 0:
            return np.full(len(weights), weights.sum() / 2)
        near, parts = self.dial.near[path[-1]], self.strategy.turns(path, weights)
        total = parts.sum(axis=1)
        if left == 1:
            won = np.repeat(total[:, None] / 2, len(weights), axis=1)
        elif len(path) >= max(2, self.strategy.settled - 1):
            best = self._survival(near, parts, left - 1).max(axis=1) / 2
            won = np.where(self.dial.ball[near], total[:, None], best[:, None])
        else:
            on = zip(near.tolist(), parts, strict=True)
            won = np.array([self._move((*path, safe), part, left - 1) for safe, part in on])
        won[np.arange(len(near)), near] = total  # the player hands the responder the win
        return np.asarray(won.sum(axis=0))

    def _move(self, path: Path, weights: Floats, left: int) -> Floats:
        """The responder is to move, and the other player has not settled."""
        if not weights.any():
            return np.zeros(len(weights))
        near = self.dial.near[path[-1]].tolist()
        best = np.max([self._leave(path, safe, weights, left) for safe in near], axis=0)
        if len(path) > 2:  # nobody wins on a first turn
            best[self.dial.ball[path[-1]]] = weights.sum()
        return np.asarray(best)

    def _survival(self, safes: Ints | int, weights: Floats, left: int) -> Floats:
        """The weight that does not win after the responder leaves each safe next to these."""
        missing = self._missing[left == 1][safes]
        return np.asarray(np.matmul(missing, weights[..., None])[..., 0])
