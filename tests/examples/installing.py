"""The examples as pip installs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def install_bluff(folder: Path) -> Path:
    return install(folder, EXAMPLES / "bluff")


def install(folder: Path, *projects: Path) -> Path:
    """Install projects into a folder, without a look at any index."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    offline = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(folder)]
    subprocess.run([*pip, *offline, *map(str, projects)], check=True)
    return folder
