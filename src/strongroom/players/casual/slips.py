"""How often a casual player errs, whatever it plays."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, TypeVar

T = TypeVar("T")

FORGETS: Final = 0.2
"""How often it forgets, for a turn, each thing that it was told except the latest."""
OVERLOOKS: Final = 0.2
"""How often it does not see what is on the board: a win, a block, a reason to challenge."""


def remembered(told: Sequence[T], rng: Random) -> tuple[T, ...]:
    """What the player remembers this turn; it never forgets the last thing told."""
    return (*(each for each in told[:-1] if rng.random() >= FORGETS), *told[-1:])
