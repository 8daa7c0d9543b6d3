"""Tests that need something beyond Python packages which is not installed."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def missing(part: str) -> NoReturn:
    """Skip the test, or fail it in continuous integration, where the part must be installed."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{part} is not installed")
    pytest.skip(f"{part} is not installed")
