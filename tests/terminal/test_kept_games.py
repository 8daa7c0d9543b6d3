"""The finished games of a run: what is said when they cannot be kept."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest

from strongroom.terminal.kept_games import KeptGames
from strongroom.terminal.store import CannotSave


def test_a_full_disk_is_told_with_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with KeptGames[int]("measurement", {}, lambda n: {"n": n}, lambda data: data["n"]) as kept:
        kept.add(7)
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(CannotSave, match=r"measurements/\w+\.jsonl: No space left on device"):
            kept.add(8)
        assert kept.games() == [7]


@pytest.mark.parametrize("line", ["{", "[]", '{"n": {}}', '{"n": null}', "7", "\x00"])
def test_a_damaged_line_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with KeptGames[int](
        "measurement", {}, lambda n: {"n": n}, lambda data: data["n"].bit_length()
    ) as kept:
        kept.add(1)
        with kept.file.open("a") as file:
            file.write(f"{line}\n")
        kept.add(2)
        assert kept.games() == [1, 2]


def test_a_run_that_goes_on_has_the_seed_that_it_began_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for drawn in (5, 6):
        with KeptGames[int](
            "measurement", {"seed": None}, lambda n: {"n": n}, lambda data: data["n"]
        ) as kept:
            assert kept.keep_seed(drawn) == 5
            assert kept.games() == []
    kept.drop()
