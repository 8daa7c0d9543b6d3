"""Makes a run slow enough for a test to interrupt it, however fast the machine is."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any


def dawdle(seconds: float) -> None:
    """Let a run take some time over every game that it keeps."""
    kept_games = import_module("strongroom.terminal.runs").KeptGames
    keep = kept_games.add

    def keep_slowly(self: Any, game: Any) -> None:
        time.sleep(seconds)
        keep(self, game)

    kept_games.add = keep_slowly
