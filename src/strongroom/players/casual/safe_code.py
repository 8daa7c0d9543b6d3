"""How the casual player plays Safe Code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from strongroom.contract import Move, View
from strongroom.games.safe_code.clues import EVERYDAY_NUMBERS, Clue
from strongroom.games.safe_code.rules import REQUEST, Number, numbers_after
from strongroom.players.candidates import numbers_left
from strongroom.players.casual.slips import FORGETS, recalled, remembered
from strongroom.players.ideas import MixedIdea, Mixture, Uniform, blend

ENOUGH: Final = 6
"""With at most this many numbers left, it guesses instead of asking for a clue."""
ROUNDING: Final = 1e-12
"""What is less likely is an error of rounding."""
EVERYDAY_KINDS: Final = frozenset(
    {"even", "odd", "prime", "greater", "less", "divisible", "one digit", "two digits"}
)


class AsksForEverything(MixedIdea):
    """Writes everyday clues; asks for all the clues it needs, then guesses a number that fits.

    It writes everyday clues, asks for the opponent's while more than six numbers are left, and
    then guesses any number that fits what it remembers. Every turn it forgets each clue and
    each guess but the last with a chance of one in five.
    """

    def choose(self, view: View) -> Move:
        """A number, a clue, or a request for one."""
        rng = self._rng
        if view.setting_up:
            return rng.choice(everyday(view.moves) if view.secret else view.moves)
        own = [event for event in view.history if event.actor is view.seat]
        left = numbers_left(remembered(own, rng))
        if len(left) > ENOUGH and REQUEST in view.moves:
            return REQUEST
        return Number(rng.choice(sorted(left)))

    def policy(self, view: View) -> Mixture:
        """The mixture of numbers or of clues, and the request for one."""
        if view.setting_up:
            return Uniform(everyday(view.moves) if view.secret else view.moves)
        own = [event for event in view.history if event.actor is view.seat]
        clues = [event for event in own[:-1] if event.move == REQUEST]
        tried = Counter(event.move.value for event in own[:-1] if isinstance(event.move, Number))
        known, may_ask = numbers_left(own[-1:]), REQUEST in view.moves
        left = recalled(clues, known, numbers_after)
        return blend(*((chance, _turn(each, tried, may_ask)) for each, chance in left.items()))


def _turn(left: frozenset[int], tried: Counter[int], may_ask: bool) -> Mixture:
    """The mixture of a turn, if each attempt at a number may be forgotten, but no clue."""
    alike, chances = Counter(tried[number] for number in left), dict[int, float]()
    for times in alike:
        others = np.ones(1)
        for each, many in (alike - Counter([times])).items():
            for _ in range(many):
                others = np.convolve(others, [1 - FORGETS**each, FORGETS**each])
        sizes = 1 + np.arange(len(others))
        guesses = sizes <= (ENOUGH if may_ask else len(sizes))
        chances[times] = FORGETS**times * float((others / sizes)[guesses].sum())
    mixture: dict[Move, float] = {Number(each): chances[tried[each]] for each in sorted(left)}
    if may_ask:
        mixture[REQUEST] = 1 - sum(mixture.values())
    return {move: chance for move, chance in mixture.items() if chance > ROUNDING}


def everyday(moves: Sequence[Move]) -> list[Clue]:
    """The clues that a person thinks of first."""
    return [
        move
        for move in moves
        if isinstance(move, Clue)
        and move.kind in EVERYDAY_KINDS
        and EVERYDAY_NUMBERS.issuperset(move.numbers)
    ]
