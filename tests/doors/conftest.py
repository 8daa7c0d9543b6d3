"""The doors to frameworks that are not installed have no tests."""

from __future__ import annotations

from tests.doors.missing import MISSING

EVERYWHERE = ["everywhere.py", "test_conformance.py", "test_index_page.py"]
"""What needs all of them."""

collect_ignore = [f"test_{door}.py" for door in MISSING] + (EVERYWHERE if MISSING else [])
