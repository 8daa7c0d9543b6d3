"""Devices that are missing, or too small: one line that says what to do."""

from __future__ import annotations

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import pytest
from starting import PATIENCE

from strongroom.vector.devices import OutOfMemory, device, on_device


def test_the_device_is_named() -> None:
    assert device() == jax.devices()[0].device_kind
    with on_device() as found:
        assert found == device()


def test_a_device_that_is_not_there_is_refused_in_a_line() -> None:
    typed = "tournament safecracker-duel --players random master --batches"
    done = subprocess.run(
        [sys.executable, "-m", "strongroom", *typed.split()],
        env=os.environ | {"JAX_PLATFORMS": "nowhere"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    told = "Set it to cpu, or install JAX for that device."
    assert done.stderr == f"strongroom: JAX finds no device for JAX_PLATFORMS='nowhere'. {told}\n"
    assert done.returncode == 2


def test_a_batch_that_is_too_large_for_the_memory_is_refused_in_a_line() -> None:
    with pytest.raises(OutOfMemory, match=r"does not fit .* choose a smaller batch\."), on_device():
        jnp.zeros(1 << 47, jnp.uint8).block_until_ready()


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(RuntimeError, match="something else"), on_device():
        raise RuntimeError("something else")
