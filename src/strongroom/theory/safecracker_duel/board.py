"""The board of Safecracker Duel in the theory: a dial of numbered combinations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Answer, Move, View
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel.rules import Change, SafecrackerDuel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Dial:
    """All combinations by number, and which of them a turn leads to from each."""

    codes: tuple[Code, ...]
    numbers: dict[Move, int]
    home: int
    near: Ints
    """near[s]: the safes that a turn can leave after s, in order."""
    change: dict[tuple[int, int], Change]
    ball: NDArray[np.bool_]
    """ball[s, c]: code c is shown at s or one turn away from it."""
    same: NDArray[np.bool_]
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
        for n, code in enumerate(codes):
            for each in game.changes[code.digits]:
                change.setdefault((n, numbers[each.applied_to(code)]), each)
        near = np.array([sorted(t for s, t in change if s == n) for n in range(len(codes))])
        same = np.eye(len(codes), dtype=bool)
        ball = same.copy()
        for s, t in change:
            ball[s, t] = True
        digits = np.array([code.digits for code in codes])
        far = (digits[:, None] != digits[None]).sum(axis=2)
        return cls(codes, numbers, numbers[start.board], near, change, ball, same, far)

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

    def shown(self, view: View) -> list[int]:
        """All safes from the start to now."""
        return [self.home, *(self.number(event.answer) for event in view.history)]

    def left_by(self, view: View, change: Change) -> int:
        """The safe that a change would leave now."""
        return self.number(change.applied_to(self.codes[self.safe(view, view.turns)]))


@cache
def _pattern(home: int, *column: int) -> tuple[int, ...]:
    """The digits of one position, relabelled: home's is 0, others are numbered as they appear."""
    seen = {home: 0}
    return tuple(seen.setdefault(digit, len(seen)) for digit in column)
