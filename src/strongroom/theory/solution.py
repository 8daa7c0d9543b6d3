"""What a solved game offers: a certified strategy, what moves are worth, and what they do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import AnyState, Game, Move, Refusal, View
from strongroom.theory.worth import Probability, TreeWorth, Worth

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Table = Mapping[str, NDArray[Any]]
"""What a solver computes and the shelf stores: arrays by name."""
TIE = 1e-9
"""The largest difference that rounding makes between equal win probabilities."""
Report = Callable[[float, str], None]
"""A progress callback: the share done, from 0 to 1, and the current step."""


class NoTheory(Refusal):
    """A game, or options of a game, that nobody has solved."""


class NotProved(Refusal):
    """A strategy that does not guarantee what its table says."""


# --- what a move does ---

BEST = "it gives you the best chance"
"""The reason for a move about which no more can be said without figures."""
SPLITS = "splits what is left"
"""How the reason for a guess that splits the codes left ends."""
MOST_PARTS = 4
"""More parts than this are counted, not listed."""


class MoveEffect(NamedTuple):
    """What a move does, in the terms of the game."""

    why: str
    """One short sentence about a move that can be made."""
    instead: str
    """What it would have done: the rest of a sentence that begins with the move."""
    reason: str = BEST
    """Why to make it, without figures: the rest of a sentence that begins with the move."""

    @classmethod
    def of(cls, why: str) -> MoveEffect:
        """The effect that one sentence describes.

        >>> MoveEffect.of("It hides the card.").instead
        'was better: it hides the card'
        """
        return cls(why, f"was better: {why[:1].lower()}{why[1:].rstrip('.')}")


def decides(quantity: Floats | Ints, worth: Floats) -> bool:
    """Whether more of a quantity is never worth less, so that a reason may name it.

    >>> decides(np.array([1, 2, 2, 3]), np.array([0.1, 0.2, 0.3, 0.3]))
    True
    >>> decides(np.array([1, 2]), np.array([0.2, 0.1]))
    False
    """
    high = -np.inf
    for level in np.unique(quantity):
        found = worth[quantity == level]
        if found.min() < high - TIE:
            return False
        high = max(high, found.max())
    return True


def sizes_decide(sizes: Ints, may_hit: Flags, worth: Floats) -> bool:
    """Whether finer splits are worth more here, of guesses that may hit, and of those that cannot.

    `sizes` has a row for each answer and a column for each guess. A split is finer if it has more
    parts, or a smaller largest part.
    """
    return all(
        decides(finer[alike], worth[alike])
        for alike in (may_hit, ~may_hit)
        for finer in ((sizes > 0).sum(axis=0), -sizes.max(axis=0))
    )


def guess_effect(
    parts: Sequence[int], things: str, may_hit: bool, last: bool, wins: float | None = None
) -> MoveEffect:
    """What a guess does: how it splits the codes left, whether it may hit, whether it must.

    Where the sizes do not decide, how likely it `wins` is told instead.

    >>> guess_effect([4, 4, 4], "codes", may_hit=False, last=False).why
    'It splits the 12 codes left evenly.'
    >>> guess_effect([4, 4, 4], "codes", may_hit=False, last=False, wins=0.25).why
    'It splits the 12 codes left; it wins 25%.'
    """
    left = sum(parts)
    if left == 1:
        if not may_hit:
            return MoveEffect("It cannot hit.", "could not have hit")
        only = f"the only {things[:-1]} left"
        return MoveEffect(f"It is {only}.", f"was {only}", "nothing else is left")
    if may_hit and last:
        return MoveEffect(
            f"It may hit one of {left} {things} left, and must try: the opponent can hit next.",
            f"could have hit one of the {left} {things} left, before the opponent's next guess",
            "it may be right, and the opponent can hit next",
        )
    if len(parts) == 1:
        what = f"nothing about the {left} {things} left"
        return MoveEffect(f"It tells {what}.", f"would have told {what}")
    what = f"the {left} {things} left"
    does, would = f"{what} {shares(parts)}", f"{what} {shares(parts)}"
    if wins is not None:
        does, would = f"{what}; it wins {wins:.0%}", f"{what}, which wins {wins:.0%}"
    if not may_hit:
        return MoveEffect(f"It splits {does}.", f"would have split {would}", f"it {SPLITS}")
    return MoveEffect(
        f"It may hit, and splits {does}.",
        f"could have hit, and would have split {would}",
        f"it may be right, and {SPLITS}",
    )


def shares(parts: Sequence[int]) -> str:
    """How the parts share the whole, in words.

    >>> shares([4, 4]), shares([1, 4, 2]), shares([1, 1]), shares([1, 2, 3, 4, 5])
    ('evenly', 'into 4, 2 and 1', 'one by one', 'into 5 parts of at most 5')
    """
    if max(parts) == 1:
        return "one by one"
    if min(parts) == max(parts):
        return "evenly"
    if len(parts) > MOST_PARTS:
        return f"into {len(parts)} parts of at most {max(parts)}"
    *most, least = map(str, sorted(parts, reverse=True))
    return f"into {', '.join(most)} and {least}"


# --- the solution ---


class Solution(ABC):
    """A certified strategy of a game for both seats; every solved game has a subclass."""

    tables: ClassVar[Path] = Path(__file__).with_name("tables")
    """The folder of the game's tables; a third-party package sets its own."""
    solving_share: ClassVar[float] = 0.5
    """The measured share of `solve` in the total time to solve and certify a game."""

    def __init__(self, game: Game, table: Table) -> None:
        self.game = game
        self.table = table

    @classmethod
    @abstractmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute the table from scratch."""

    @abstractmethod
    def certify(self, report: Report) -> tuple[Probability, Probability]:
        """Lower and upper bound on Seat.ONE's value, proved by full best responses."""

    @abstractmethod
    def policy(self, view: View) -> Mapping[Move, Probability]:
        """The certified player's probability of each move; {} out of its turn."""

    @abstractmethod
    def effect(self, view: View, move: Move) -> MoveEffect:
        """What a move does, and why to make it."""

    def repeats(self, view: View, move: Move) -> bool:
        """Whether a move would bring about a position for a third time; a hint then has others."""
        return False

    def truth(self, state: AnyState) -> float | None:
        """Seat.ONE's probability of winning, given both secrets, if both play on as certified.

        It is called once both secrets are chosen. None means that it has not been worked out.
        """
        return None

    @cached_property
    def worth(self) -> Worth:
        """What each decision is worth against the certified player, exactly."""
        return TreeWorth(self.game, self.policy)

    def figures(self, report: Report) -> Mapping[str, Probability]:
        """Further figures that only some games have, such as the race value of Safe Cracker."""
        return {}
