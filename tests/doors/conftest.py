"""The doors to frameworks that are not installed have no tests, and the others no user."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.doors.missing import MISSING
from tests.plugins.packages import BLUFF, add_package

collect_ignore = [f"test_{door}.py" for door in MISSING]
if not MISSING:
    # A package with a game, Bluff, is found by all doors when they are imported, and by servers.
    INSTALLED = TemporaryDirectory(prefix="strongroom-doors-")
    sys.path.append(str(add_package(Path(INSTALLED.name), "strongroom_bluff", BLUFF)))
    path = [INSTALLED.name, str(Path(__file__).parents[2] / "examples" / "bluff")]
    os.environ["PYTHONPATH"] = os.pathsep.join([*path, *filter(None, [os.getenv("PYTHONPATH")])])


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what frameworks store about their user out of the user's home."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    monkeypatch.chdir(tmp_path)
