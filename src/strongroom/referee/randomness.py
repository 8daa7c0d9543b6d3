"""Streams of randomness, one for each purpose, so that none reveals anything about another."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from random import Random, SystemRandom
from typing import Final

from strongroom.contract import Move

Draw = Callable[[int, Sequence[Move], Sequence[float]], Move]
"""Draws a move, given the number of the step, the moves and their odds."""
Nonce = Callable[[int], str]
"""Makes the nonce that hides the private move of a step: 32 hexadecimal digits."""
Seed = int | str | None
"""Makes randomness reproducible; None for fresh randomness."""


MOST_SEEDS: Final = 10**15
"""A seed that is drawn is below this, so that every reader of JSON keeps all its digits."""


def choose_seed(given: int | None) -> int:
    """The given seed; without one, a seed that nobody can know beforehand."""
    return secrets.randbelow(MOST_SEEDS) if given is None else given


def describe_seed(seed: int, known: bool) -> str:
    """A seed, and whether the players could know it before they played.

    >>> describe_seed(7, known=True)
    'seed 7, known beforehand'
    """
    return f"seed {seed}, {'known beforehand' if known else 'drawn for these games'}"


def stream(seed: Seed, purpose: str) -> Random:
    """The generator for one purpose: the toss, a player, a picked secret; without a seed, fresh.

    >>> stream(0, "toss").random() == stream(0, "toss").random() != stream(0, "coin").random()
    True
    """
    return SystemRandom() if seed is None else Random(f"{purpose} of {seed}")


def draws(seed: Seed = None) -> Draw:
    """A source of chance for the referee; with a seed, the same step always draws the same."""

    def draw(number: int, moves: Sequence[Move], odds: Sequence[float]) -> Move:
        return stream(seed, f"chance at step {number}").choices(moves, odds)[0]

    return draw


def nonces(seed: Seed = None) -> Nonce:
    """A source of nonces; with a seed, the same step always gets the same."""

    def nonce(number: int) -> str:
        if seed is None:
            return secrets.token_hex(16)
        return hashlib.sha256(f"nonce of step {number} of {seed}".encode()).hexdigest()[:32]

    return nonce
