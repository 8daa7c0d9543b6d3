"""How often a casual player errs, whatever it plays."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Final, TypeVar

T = TypeVar("T")
S = TypeVar("S", bound=Hashable)

FORGETS: Final = 0.2
"""How often it forgets, for a turn, each thing that it was told except the latest."""
OVERLOOKS: Final = 0.2
"""How often it does not see what is on the board: a win, a block, a reason to challenge."""


def recalled(told: Sequence[T], known: S, learn: Callable[[S, T], S]) -> dict[S, float]:
    """What the player may know this turn, and how likely, if it may forget what it was told."""
    states = {known: 1.0}
    for each in told:
        then: dict[S, float] = {}
        for state, chance in states.items():
            for after, share in ((learn(state, each), 1 - FORGETS), (state, FORGETS)):
                then[after] = then.get(after, 0.0) + chance * share
        states = then
    return states


def remembered(told: Sequence[T], rng: Random) -> tuple[T, ...]:
    """What the player remembers this turn; it never forgets the last thing told."""
    return (*(each for each in told[:-1] if rng.random() >= FORGETS), *told[-1:])
