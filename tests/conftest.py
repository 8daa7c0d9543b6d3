"""In which order and how many tests run, and that none of them is about how long it takes."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("patient"), max_examples=20)
settings.load_profile("patient")

PROGRAMS = {"browser", "strongroom", "sit_down", "serve", "server", "postgres"}
"""The fixtures that run a whole program; the folders called whole hold the tests that do so too."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with long proofs first, so that no process is left alone with one at the end."""
    for item in items:
        if "whole" in item.path.parts or PROGRAMS & set(getattr(item, "fixturenames", ())):
            item.add_marker("whole")
    proofs = {item.path for item in items if item.get_closest_marker("proof")}
    items.sort(key=lambda item: item.path not in proofs)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three processes for two cores: a quarter of the time a test waits for a clock or a disk."""
    cores = os.cpu_count() or 1
    return cores + cores // 2
