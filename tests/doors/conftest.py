"""The doors to frameworks that are heavy to install; `make doors` installs and tests them."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARIES = {
    "test_inspect.py": "inspect_ai",
    "test_openenv.py": "openenv",
    "test_textarena.py": "textarena",
    "test_verifiers.py": "verifiers",
}
"""The library that each file of tests needs."""

EVERYWHERE = ["everywhere.py", "test_conformance.py", "test_index_page.py"]
"""What needs all of them."""

collect_ignore = [file for file, library in LIBRARIES.items() if find_spec(library) is None]
if collect_ignore:
    collect_ignore += EVERYWHERE
