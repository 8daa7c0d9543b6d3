"""What a person chose last time, kept for the next."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

NAME: Final = "preferences.json"
MOST: Final = 10_000
"""A longer file is not what was written."""


def _file() -> Path | None:
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    if os.path.isabs(folder):
        return Path(folder) / "strongroom" / NAME
    home = os.path.expanduser("~")
    return Path(home) / ".config" / "strongroom" / NAME if os.path.isabs(home) else None


def remembered() -> dict[str, Any]:
    """All that is remembered; nothing, if there is no such file or it is not what was written."""
    file = _file()
    try:
        if file is None or not file.is_file() or file.stat().st_size > MOST:
            return {}
        kept = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return kept if isinstance(kept, dict) else {}


def remember(**choices: Any) -> None:
    """Keep these choices beside the others; where that cannot be written, they are forgotten."""
    file = _file()
    kept = remembered()
    if file is None or kept | choices == kept:
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = file.with_name(f"{NAME}.{os.getpid()}")
        try:
            draft.write_text(json.dumps(kept | choices, indent=1) + "\n", encoding="utf-8")
            draft.replace(file)  # whole or not at all
        finally:
            draft.unlink(missing_ok=True)
    except OSError:
        return
