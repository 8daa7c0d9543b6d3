"""Engines end with the test that used them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from strongroom.minds.engine import POOL


@pytest.fixture(autouse=True)
def _no_engine_is_left() -> Iterator[None]:
    yield
    POOL.close()
