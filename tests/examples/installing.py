"""The example as pip installs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "bluff"


def install_bluff(folder: Path) -> Path:
    """Install the example into a folder, without a look at any index."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    offline = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(folder)]
    subprocess.run([*pip, *offline, str(EXAMPLE)], check=True)
    return folder
