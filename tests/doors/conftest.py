"""The doors to frameworks that are not installed have no tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.doors.missing import MISSING

collect_ignore = [f"test_{door}.py" for door in MISSING]
if not MISSING:
    # A package with a game, Bluff, is found by all doors when they are imported, and by servers.
    INSTALLED = TemporaryDirectory(prefix="strongroom-doors-")
    package = Path(INSTALLED.name) / "strongroom_bluff-1.dist-info"
    package.mkdir()
    points = "[strongroom.games]\nbluff = strongroom_bluff.game:Bluff\n"
    (package / "entry_points.txt").write_text(points, encoding="utf-8")
    sys.path.append(INSTALLED.name)
    path = [INSTALLED.name, str(Path(__file__).parents[2] / "examples" / "bluff")]
    os.environ["PYTHONPATH"] = os.pathsep.join([*path, *filter(None, [os.getenv("PYTHONPATH")])])
