"""Profiles for Hypothesis, and the markers, order and parallelism of tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import luck
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "patient",
    deadline=None,
    derandomize=True,  # the same examples in every run, so that no luck decides
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("patient"), max_examples=20)
settings.load_profile("patient")

HERE = Path(__file__).parent
PROGRAMS = {
    *("browser", "strongroom", "sit_down", "serve", "server", "postgres"),
    *("address", "installed", "program"),
}
"""The fixtures that run a whole program; tests in folders called `whole` run one too."""
STRENGTH = {"arena", "theory"}
"""The folders whose tests prove or measure how strong a player is."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests, and put files with proofs first so that none runs alone at the end."""
    for item in items:
        folders = item.path.relative_to(HERE).parts if item.path.is_relative_to(HERE) else ()
        if STRENGTH.intersection(folders):
            item.add_marker("proof")
        if "whole" in folders or PROGRAMS & set(getattr(item, "fixturenames", ())):
            item.add_marker("whole")
    proofs = {item.path for item in items if item.get_closest_marker("proof")}
    items.sort(key=lambda item: item.path not in proofs)


@pytest.fixture(autouse=True)
def _luck(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fresh randomness is the same in every run; `make explore` leaves it free."""
    if settings.default is not None and settings.default.derandomize:
        luck.fix(request.node.nodeid)
    yield
    luck.free()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Use three processes for two cores: tests wait for clocks and disks a quarter of the time."""
    cores = os.cpu_count() or 1
    return cores + cores // 2
