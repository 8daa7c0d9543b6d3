"""Makes a run slow enough for a test to interrupt it, however fast the machine is."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any


def dawdle(seconds: float) -> None:
    """Let a run take some time over every game that it keeps."""
    journal = import_module("strongroom.terminal.runs").RunJournal
    keep = journal.add

    def keep_slowly(self: Any, game: Any) -> None:
        time.sleep(seconds)
        keep(self, game)

    journal.add = keep_slowly
