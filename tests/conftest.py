"""In which order the tests run, and that none of them is about how long something takes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with long proofs first, so that no process is left alone with one at the end."""
    proofs = {item.path for item in items if item.get_closest_marker("proof")}
    items.sort(key=lambda item: item.path not in proofs)
