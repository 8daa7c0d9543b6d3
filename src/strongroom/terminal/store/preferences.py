"""The user's last choices, saved for the next time."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any, Final

from strongroom.terminal.store import files

NAME: Final = "preferences.json"
MOST: Final = 10_000
"""A file with more bytes was not written by `remember`, and is ignored."""


def _file() -> Path | None:
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    if os.path.isabs(folder):
        return Path(folder) / "strongroom" / NAME
    home = os.path.expanduser("~")
    return Path(home) / ".config" / "strongroom" / NAME if os.path.isabs(home) else None


def recall() -> dict[str, Any]:
    """The saved choices; empty if the file is missing or not as `remember` wrote it."""
    file = _file()
    try:
        if file is None or not file.is_file() or file.stat().st_size > MOST:
            return {}
        kept = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return kept if isinstance(kept, dict) else {}


def remember(**choices: Any) -> None:
    """Save these choices with the others; if the file cannot be written, they are lost."""
    file = _file()
    kept = recall()
    if file is None or kept | choices == kept:
        return
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        files.replace_text(file, json.dumps(kept | choices, indent=1) + "\n")


def is_on(name: str) -> bool:
    """Whether something is on that is on until somebody switches it off, like the mouse."""
    return recall().get(name) is not False


def aids_on() -> bool:
    """Whether aids are on against a bot; two people agree on them anew in every sitting."""
    kept = recall().get("aids")
    on = kept.get("alone") if isinstance(kept, dict) else None
    return on if isinstance(on, bool) else True


def remember_aids(on: bool) -> None:
    """Save whether aids are on against a bot."""
    remember(aids={"alone": on})


def games_taught() -> list[str]:
    """The games that have been played to their end here, so that nobody is told how they go."""
    kept = recall().get("taught")
    return [each for each in kept if isinstance(each, str)] if isinstance(kept, list) else []


def remember_taught(game: str) -> None:
    """Save that a game has been played to its end here."""
    remember(taught=sorted({*games_taught(), game}))
