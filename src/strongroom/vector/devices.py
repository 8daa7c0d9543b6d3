"""The device on which batches are played, and how much may be asked of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import Final

import jax

from strongroom.contract import Refusal, quote, shown_value

PLATFORMS = "JAX_PLATFORMS"
"""The environment variable by which JAX chooses a device."""
NO_ROOM = "RESOURCE_EXHAUSTED"
"""How JAX's errors begin where memory is used up."""


class NoDevice(Refusal):
    """JAX was told to use a device that is not there."""


class OutOfMemory(Refusal):
    """A batch does not fit into the memory of the device."""


def device() -> str:
    """The name of the device that JAX uses; a refusal if it was told to use one that is not there.

    >>> bool(device())
    True
    """
    try:
        return str(jax.devices()[0].device_kind)
    except (RuntimeError, AssertionError):  # JAX 0.10 asserts, where the plugin is not installed
        told = os.environ.get(PLATFORMS, "")
        raise NoDevice(
            f"JAX finds no device for {PLATFORMS}={quote(told)}.",
            "Set it to cpu, or install JAX for that device.",
        ) from None


@contextmanager
def on_device() -> Iterator[str]:
    """A context for work in JAX: gives the name of the device, and turns its errors into refusals.

    >>> with on_device():
    ...     raise RuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 8 bytes.")
    Traceback (most recent call last):
    ...
    strongroom.vector.devices.OutOfMemory: The batch does not fit into the memory of the device. \
Play fewer games side by side: choose a smaller batch.
    """
    found = device()
    try:
        yield found
    except (RuntimeError, MemoryError) as error:
        if isinstance(error, RuntimeError) and NO_ROOM not in str(error):
            raise
        raise OutOfMemory(
            "The batch does not fit into the memory of the device.",
            "Play fewer games side by side: choose a smaller batch.",
        ) from error


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
