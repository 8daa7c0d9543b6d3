"""What a test needs beyond Python packages, on a machine that does not have it."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def missing(part: str) -> NoReturn:
    """Skip the test, or fail it where continuous integration promises that the part is there."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{part} is not installed")
    pytest.skip(f"{part} is not installed")
