"""Doors to frameworks that are not installed have no doctests; `make doors` installs them all."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARIES = {
    "inspect": "inspect_ai",
    "openenv": "openenv",
    "textarena": "textarena",
    "verifiers": "verifiers",
}
"""The library that each of these doors needs, by how its files are called."""

collect_ignore_glob = [
    f"strongroom/agents/{door}*.py"
    for door, library in LIBRARIES.items()
    if find_spec(library) is None
]
