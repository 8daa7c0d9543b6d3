"""Doors to frameworks that are not installed have no doctests."""

from __future__ import annotations

from tests.doors.missing import MISSING

collect_ignore_glob = [f"strongroom/agents/{door}*.py" for door in MISSING]
