"""Without JAX and Pgx there is nothing to test here; with them, tests compile quickly."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

MISSING = [library for library in ("jax", "pgx") if find_spec(library) is None]

if MISSING and os.environ.get("CI") == "true":
    raise RuntimeError(f"{' and '.join(MISSING)} must be installed in continuous integration")

collect_ignore_glob = ["test_*.py"] if MISSING else []


@pytest.fixture(scope="package", autouse=True)
def _compiled_quickly() -> Iterator[None]:
    """Let compiling take half as long: a test runs few moves, so that slow code costs less."""
    import jax

    setting = "jax_disable_most_optimizations"
    before = jax.config.read(setting)
    jax.config.update(setting, True)
    yield
    jax.config.update(setting, before)
