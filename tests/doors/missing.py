"""Which doors that are heavy to install are missing; `make doors` installs and tests them all."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARIES = {
    "inspect": "inspect_ai",
    "openenv": "openenv",
    "textarena": "textarena",
    "verifiers": "verifiers",
}

MISSING = [door for door, library in LIBRARIES.items() if find_spec(library) is None]
