"""How the casual player plays Safe Code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from strongroom.contract import Move, View
from strongroom.games.safe_code.clues import EVERY, EVERYDAY_NUMBERS, Clue
from strongroom.games.safe_code.rules import REQUEST, Number, numbers_after
from strongroom.players.candidates import numbers_left
from strongroom.players.casual.slips import recalled, remembered
from strongroom.players.ideas import MixedIdea, Mixture, Uniform, blend

ENOUGH: Final = 6
"""With at most this many numbers left, it guesses instead of asking for a clue."""
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
        may_ask, parts = REQUEST in view.moves, list[tuple[float, Mixture]]()
        for left, chance in recalled(own, EVERY, numbers_after).items():
            asks = len(left) > ENOUGH and may_ask
            parts.append((chance, Uniform([REQUEST] if asks else [*map(Number, sorted(left))])))
        return blend(*parts)


def everyday(moves: Sequence[Move]) -> list[Clue]:
    """The clues that a person thinks of first."""
    return [
        move
        for move in moves
        if isinstance(move, Clue)
        and move.kind in EVERYDAY_KINDS
        and EVERYDAY_NUMBERS.issuperset(move.numbers)
    ]
