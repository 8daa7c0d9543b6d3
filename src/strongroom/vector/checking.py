"""Settings of batches, checked before anything is compiled for them."""

from __future__ import annotations

from numbers import Integral
from typing import Final

from strongroom.contract import Refusal, shown_value

MOST_GAMES: Final = (1 << 31) - 1
"""The most games of one call, side by side or one after the other."""
LAST_SEED: Final = (1 << 32) - 1
"""The highest seed."""


def whole(name: str, given: object, least: int, most: int) -> int:
    """A setting that is a whole number within bounds; anything else is refused.

    >>> whole("batch", 10.0, 1, 4096)
    Traceback (most recent call last):
    ...
    strongroom.contract.refusal.Refusal: batch must be a whole number from 1 to 4,096, not '10.0'.
    """
    if isinstance(given, Integral) and not isinstance(given, bool):
        if least <= int(given) <= most:
            return int(given)
    bounds = f"from {least:,} to {most:,}"
    raise Refusal(f"{name} must be a whole number {bounds}, not {shown_value(given)}.")
