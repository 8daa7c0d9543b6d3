"""The finished games of a measurement: what is said when they cannot be kept."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest

import strongroom
from strongroom.contract import Seat
from strongroom.measuring.protocol import Protocol
from strongroom.terminal.kept_trials import KeptTrials
from strongroom.terminal.store import CannotSave


def test_a_full_disk_is_told_with_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    protocol = Protocol("random", (strongroom.load("safecracker-duel"),), 1, (Seat.ONE,))
    trial = next(iter(protocol.fixtures)).play("random", "random")
    with KeptTrials(protocol) as kept:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(CannotSave, match=r"measurements/\w+\.jsonl: No space left on device"):
            kept.add(trial)
