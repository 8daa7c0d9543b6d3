"""Modules that need a library that is not installed have no doctests."""

from __future__ import annotations

from importlib.util import find_spec

from tests.doors.missing import MISSING

NEED_JAX = ["strongroom/vector/*.py", "strongroom/*/in_batches.py"]

collect_ignore_glob = [
    *(f"strongroom/doors/{door}*.py" for door in MISSING),
    *(NEED_JAX if find_spec("jax") is None else ()),
]
