"""The dial of Safecracker Duel, and how the certified player turns it, by its table.

Codes and the first three turns are drawn from the table's mixed strategies. From their second turn
on both win where they can, and from the fourth turn of the game on they otherwise undo the
opponent's change: the opponent had the same safe on a turn that was not its first and could not win
from it, so it cannot win from it later either. Hence, if nobody has won by the fourth turn, both
can hold the game for ever, and it is worth 1/2 to both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np

from strongroom.contract import Answer, Event, Move, Seat, View
from strongroom.contract.history import link_items
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel.rules import Change, SafecrackerDuel, SafecrackerDuelState
from strongroom.theory.solution import Flags, Floats, Ints, Table
from strongroom.theory.worth import Policy, Probability


@dataclass(frozen=True, eq=False)
class Dial:
    """All combinations by number, and which of them a turn leads to from each."""

    codes: tuple[Code, ...]
    numbers: dict[Move, int]
    home: int
    near: Ints
    """near[s]: the safes that a turn can leave after s, in order."""
    change: dict[tuple[int, int], Change]
    """A change between two safes; of several, the first."""
    leaves: dict[tuple[int, Move], int]
    """The safe that each change leaves, by the safe before it."""
    ball: Flags
    """ball[s, c]: code c is shown at s or one turn away from it."""
    same: Flags
    """same[s, c]: code c is shown at s."""
    far: Ints
    """far[s, c]: in how many digits s and c differ."""

    @classmethod
    def of(cls, game: SafecrackerDuel) -> Dial:
        """The dial of this game, read from its rules."""
        start = game.start()
        codes = tuple(code for code in start.moves if isinstance(code, Code))
        numbers: dict[Move, int] = {code: n for n, code in enumerate(codes)}
        change: dict[tuple[int, int], Change] = {}
        leaves: dict[tuple[int, Move], int] = {}
        for n, code in enumerate(codes):
            for each in game.changes[code.digits]:
                leaves[n, each] = numbers[each.applied_to(code)]
                change.setdefault((n, leaves[n, each]), each)
        near = np.array([sorted(t for s, t in change if s == n) for n in range(len(codes))])
        same = np.eye(len(codes), dtype=bool)
        ball = same.copy()
        for s, t in change:
            ball[s, t] = True
        digits = np.array([code.digits for code in codes])
        far = (digits[:, None] != digits[None]).sum(axis=2)
        return cls(codes, numbers, numbers[start.board], near, change, leaves, ball, same, far)

    def slot(self, before: int, after: int) -> int:
        """The index of `after` among the safes that a turn can leave after `before`."""
        return int(np.searchsorted(self.near[before], after))

    def shape(self, *numbers: int) -> tuple[tuple[int, ...], ...]:
        """Combinations up to relabelling of positions, and of digits other than home's.

        The rules treat all positions alike, and all digits but the one a position starts with.
        """
        return tuple(sorted(map(_pattern, *(self.codes[n].digits for n in (self.home, *numbers)))))

    # Safes and codes are read from a view here and nowhere else.

    def number(self, code: Answer) -> int:
        """The number of a combination."""
        assert isinstance(code, Code)
        return self.numbers[code]

    def own(self, view: View) -> int:
        """The viewer's own code."""
        return self.number(view.secret[0])

    def safe(self, view: View, turn: int) -> int:
        """The safe after this many turns."""
        return self.number(view.history[turn - 1].answer) if turn else self.home

    def safes(self, view: View) -> list[int]:
        """All safes from the start to now."""
        return [self.home, *(self.number(event.answer) for event in view.history)]

    def left_by(self, view: View, change: Move) -> int:
        """The safe that a change would leave now."""
        return self.leaves[self.safe(view, view.turns), change]

    def by_change(self, view: View, worth: Floats) -> dict[Move, float]:
        """What each legal change is worth, given that of each safe that a turn can leave."""
        near = self.near[self.safe(view, view.turns)]
        worth_of = dict(zip(near.tolist(), worth.tolist(), strict=True))
        return {change: worth_of[self.left_by(view, change)] for change in view.moves}


@cache
def _pattern(home: int, *column: int) -> tuple[int, ...]:
    """The digits of one position, relabelled: home's is 0, others are numbered as they appear."""
    seen = {home: 0}
    return tuple(seen.setdefault(digit, len(seen)) for digit in column)


class DialPlayer:
    """The strategies of a table, for both seats."""

    def __init__(self, dial: Dial, table: Table) -> None:
        self.dial, self.table = dial, table

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The probability of each move; {} out of its turn.

        From the fourth turn on, it looks at the last two safes only, however long the game is.
        """
        if view.seat is None or view.actor is not view.seat:
            return {}
        seat, turn, dial = view.seat.name.lower(), view.turns, self.dial
        if view.setting_up:
            return _mixture(self.table[f"{seat}_code"], view.moves)
        own, here = dial.own(view), dial.safe(view, turn)
        winning = dial.change.get((here, own))
        if winning is not None and winning in view.moves:
            return {winning: Fraction(1)}
        if turn >= 3:
            return {dial.change[here, dial.safe(view, turn - 1)]: Fraction(1)}
        slots = [dial.slot(before, after) for before, after in pairwise(dial.safes(view))]
        name = "second" if turn == 2 else "first"
        weights = self.table[f"{seat}_{name}"][(own, *slots)]
        return _mixture(weights, [dial.change[here, after] for after in dial.near[here]])


def _mixture(weights: Ints, moves: Sequence[Move]) -> dict[Move, Fraction]:
    total = int(weights.sum())
    pairs = zip(moves, weights.tolist(), strict=True)
    return {move: Fraction(weight, total) for move, weight in pairs if weight}


class PolicyByNumber:
    """A policy, asked which codes it hides and which safes it leaves, by their numbers."""

    def __init__(self, game: SafecrackerDuel, dial: Dial, policy: Policy) -> None:
        self.game, self.dial, self.policy = game, dial, policy

    def state(self, path: Sequence[int], one: int = 0, two: int = 0) -> SafecrackerDuelState:
        """The state after these safes were shown."""
        codes, seats = self.dial.codes, tuple(Seat)
        past = link_items(
            Event(seats[turn % 2], self.dial.change[step], codes[step[1]])
            for turn, step in enumerate(pairwise(path))
        )
        secrets, turns = ((codes[one],), (codes[two],)), len(path) - 1
        return SafecrackerDuelState(
            self.game, codes[path[-1]], secrets, past, turns, seats[turns % 2], None
        )

    def hidden(self, seat: Seat) -> dict[int, Probability]:
        """The probability that the player in this seat hides each code."""
        state = self.game.start()
        if seat is Seat.TWO:
            state = state.play(state.moves[0])
        mixture = self.policy(state.view(seat))
        return {self.dial.number(code): chance for code, chance in mixture.items()}

    def left(self, state: SafecrackerDuelState, own: int) -> dict[int, Probability]:
        """The probability that the player to move, with this code, leaves each safe."""
        secret = (self.dial.codes[own],)
        state = state._replace(secrets=(secret, secret))
        assert isinstance(state.actor, Seat)
        here, left = self.dial.number(state.board), dict[int, Probability]()
        for move, chance in self.policy(state.view(state.actor)).items():
            safe = self.dial.leaves[here, move]
            left[safe] = left[safe] + chance if safe in left else chance
        return left
