"""The kinds of moves in a turn of Safe Code, and what each is worth against the certified player.

Its number is uniformly distributed over those left to the other player, and its clues are the
weakest: so all moves of a kind are worth the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Generic, TypeVar

from strongroom.contract import Move, View
from strongroom.games.safe_code.rules import REQUEST
from strongroom.theory.safe_code.board import ClueLanguage
from strongroom.theory.safe_code.player import Standing

K = TypeVar("K", bound=Hashable)
Replied = Callable[[Move, Move | bool], Fraction]
"""The mean worth after a move, its answer, and the certified player's turn."""


class Kind(Enum):
    """What a move does; all moves of a kind are worth the same."""

    OPEN = "tries a number that is still possible"
    CLOSED = "tries one that is not"
    REQUEST = "asks for a clue"


class WorthByKind(Mapping[Move, float], Generic[K]):
    """The worth of each move, computed for its kind when it is first looked up.

    `moves` are the legal ones, if there are kinds of others, too.
    """

    def __init__(
        self,
        kinds: Mapping[Move, K],
        worth_of: Callable[[K], Fraction | float],
        moves: Sequence[Move] = (),
    ) -> None:
        self._kinds, self._moves = kinds, moves or [*kinds]
        self._worth_of = cache(lambda kind: float(worth_of(kind)))

    def __getitem__(self, move: Move) -> float:
        return self._worth_of(self._kinds[move])

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def __len__(self) -> int:
        return len(self._moves)

    def __reduce__(self) -> tuple[type, tuple[dict[Move, float]]]:
        return dict, ({**self},)


def kinds_of(view: View, language: ClueLanguage, now: Standing) -> dict[Move, Kind]:
    """The kind of each legal move, given the certified player's standing."""
    possible = {language.numbers[x] for x in now.open}
    kinds = {move: Kind.OPEN if move in possible else Kind.CLOSED for move in view.moves}
    if REQUEST in kinds:
        kinds[REQUEST] = Kind.REQUEST
    return kinds


def worth_of_kind(
    kind: Kind, language: ClueLanguage, now: Standing, asked: int, replied: Replied
) -> Fraction:
    """The mean worth of a move, over its answers, to a player who has asked this often.

    A clue rules out a uniformly drawn number that no other clue has; it tells nothing if that
    number has been tried already.
    """
    numbers, possible = language.numbers, now.open
    if kind is Kind.OPEN:
        hit = Fraction(1, len(possible))
        missed = replied(numbers[possible[0]], False) if hit < 1 else 0
        return hit + (1 - hit) * missed
    closed = next((x for x in range(len(numbers)) if x not in possible), None)
    if kind is Kind.CLOSED:
        assert closed is not None
        return replied(numbers[closed], False)
    fresh, worth = Fraction(len(possible) - 1, len(numbers) - asked - 1), Fraction(0)
    for chance, told in ((fresh, possible[0]), (1 - fresh, closed)):
        if chance:
            assert told is not None
            worth += chance * replied(REQUEST, language.weakest[numbers[told].value])
    return worth
