"""The doors to frameworks that are heavy to install; `make doors` installs and tests them."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

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
else:
    # A package with a game, Bluff, is found by all doors when they are imported, and by servers.
    INSTALLED = TemporaryDirectory(prefix="strongroom-doors-")
    package = Path(INSTALLED.name) / "strongroom_bluff-1.dist-info"
    package.mkdir()
    points = "[strongroom.games]\nbluff = strongroom_bluff.game:Bluff\n"
    (package / "entry_points.txt").write_text(points, encoding="utf-8")
    sys.path.append(INSTALLED.name)
    path = [INSTALLED.name, str(Path(__file__).parents[2] / "examples" / "bluff")]
    os.environ["PYTHONPATH"] = os.pathsep.join([*path, *filter(None, [os.getenv("PYTHONPATH")])])
