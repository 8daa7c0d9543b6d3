"""How soon the certified player of Safe Code would find a number that its owner's clues betray.

Once it has a surplus to spend, the certified player asks, and tries the number first that the clues
make likeliest. So a second V is what a player wins if the certified player asks for every clue that
is left and then tries its numbers in that order, while the player tries its own in any order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from strongroom.contract import Move, Seat, View
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST
from strongroom.theory.safe_code.kinds import WorthByKind
from strongroom.theory.safe_code.player import CAREFUL, PromiseKeeper, Standing, beliefs
from strongroom.theory.safe_code.worth import HALF, RaceWorth
from strongroom.theory.worth import Turns

REMEMBERED = 1 << 12
"""How many positions are remembered."""
TIED = 1e-9
"""Numbers whose likelihoods differ by no more than this share are tried in their order."""


class ExposureWorth(RaceWorth):
    """The win probability against an opponent who asks for all clues and goes by its belief."""

    baseline = "what is won before the clues betray the number"

    def __init__(self, player: PromiseKeeper) -> None:
        super().__init__(player)
        first, writers = dict[bytes, int](), (self.language.careful, self.language.plain)
        self._meanings: dict[Move, int] = {
            clue: first.setdefault(b"".join(each[i].tobytes() for each in writers), i)
            for i, clue in enumerate(self.language.clues)
        }
        """The first clue, by index, that tells the reader of clues the same as each clue."""
        self._ahead = lru_cache(maxsize=REMEMBERED)(self._computed)

    def value(self, view: View, turns: Turns) -> float:
        """The win probability from here on."""
        assert view.seat is not None
        if view.setting_up:
            return self._chosen(view.seat, view.secret, turns)
        now = self._standing(view)
        clues = self._clues_left(view, view.secret[1:])
        ahead = self.ahead(now, view.secret[0], clues)
        return float(_before(len(ahead) + len(clues) + 1, len(now.open)))

    def ahead(self, now: Standing, own: Move, clues: Sequence[Move]) -> frozenset[int]:
        """The numbers that would be tried before one's own, after these further clues."""
        index = self.language.index
        told = tuple(index[clue] for clue in clues)
        return self._ahead((*now.seen, *told), now.left, index[own])

    def _computed(self, seen: tuple[int, ...], left: tuple[int, ...], own: int) -> frozenset[int]:
        true = np.logical_and.reduce(self.language.true[list(seen)])
        fitting = [x for x in left if true[x]]
        careful, plain = beliefs(self.language, seen, tuple(fitting), CAREFUL)
        likely = careful + plain
        bar = likely[own] * TIED
        return frozenset(
            x
            for x in fitting
            if likely[x] > likely[own] + bar or (likely[x] >= likely[own] - bar and x < own)
        )

    def _chosen(self, seat: Seat, chosen: Sequence[Move], turns: Turns) -> float:
        """The win probability after some choices of the set-up."""
        own, *clues = chosen or (None,)
        if not clues or own is None:
            return self.start(seat, turns)
        ahead = self.ahead(self.player.start(seat.other), own, clues)
        turn = int(seat is Seat.ONE)
        return float(_before(len(ahead) + len(clues) + turn, self.race.size))

    def _set_up(self, view: View, turns: Turns) -> Mapping[Move, float]:
        """The win probability after each choice; clues that tell the reader the same share it."""
        seat = view.seat
        assert seat is not None
        if not view.secret:
            return dict.fromkeys(view.moves, self.start(seat, turns))
        last = seat is Seat.TWO and len(view.secret) == CLUES_EACH

        def worth_of(meaning: int) -> float:
            clues = (*view.secret[1:], self.language.clues[meaning])
            if last:
                now = self.player.start(seat.other)
                return float(self._reply(now, view.secret[0], clues, turns))
            return self._chosen(seat, (view.secret[0], *clues), turns)

        return WorthByKind(self._meanings, worth_of, view.moves)

    def _reply(self, now: Standing, own: Move, clues: Sequence[Move], turns: Turns) -> Fraction:
        """The mean after the certified player's turn, given one's own number and clues."""
        if turns == 0:
            return HALF
        mixture, numbers = self.player.mixture(now), self.language.numbers
        ask, hit = mixture.get(REQUEST, Fraction(0)), mixture.get(own, Fraction(0))
        if turns == 1:
            return HALF * (1 - hit)
        ahead, mine = self.ahead(now, own, clues), len(now.open)
        soonest = len(ahead) + len(clues) + 1
        sooner = ask + sum(mixture.get(numbers[x], Fraction(0)) for x in ahead)
        worth = (1 - sooner - hit) * _before(soonest, mine)
        if sooner:
            worth += sooner * _before(soonest - 1, mine)
        return worth


def _before(turns: int, numbers: int) -> Fraction:
    """The probability of finding one of these numbers within so many turns."""
    return min(Fraction(1), Fraction(turns, numbers))
