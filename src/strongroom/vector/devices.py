"""The device on which batches are played: what to do where it is missing, or too small."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from strongroom.contract import Refusal, shown
from strongroom.plugins.extras import extra

with extra("vector", "strongroom.vector"):
    import jax

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
            f"JAX finds no device for {PLATFORMS}={shown(told)}.",
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
