"""The finished games of a run: what is said when they cannot be kept."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest

from strongroom.terminal.kept_games import KeptGames
from strongroom.terminal.store import CannotSave


@pytest.fixture(autouse=True)
def _state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def keep(**key: None) -> KeptGames[int]:
    return KeptGames("measurement", key, lambda n: {"n": n}, lambda data: data["n"].real)


def test_a_full_disk_is_told_with_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    with keep() as kept:
        kept.add(7)
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(CannotSave, match=r"measurements/\w+\.jsonl: No space left on device"):
            kept.add(8)
        assert kept.games() == [7]


def test_a_damaged_line_is_left_out() -> None:
    with keep() as kept:
        kept.add(1)
        with kept.file.open("a") as file:
            file.writelines(f"{x}\n" for x in ("{", "[]", '{"n": {}}', '{"n": null}', "7", "\x00"))
        kept.add(2)
        assert kept.games() == [1, 2]


def test_a_run_that_goes_on_has_the_seed_that_it_began_with() -> None:
    for drawn in (5, 6):
        with keep(seed=None) as kept:
            assert kept.keep_seed(drawn) == 5
            assert kept.games() == []
    kept.drop()
