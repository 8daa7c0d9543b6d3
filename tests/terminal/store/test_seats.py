"""The seats in network games, saved in a private file that may contain anything."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from strongroom.remote.link import Link, LinkKind
from strongroom.terminal.store.seats import KeptSeat, keep, kept

ONE = KeptSeat(Link("https://duels.example", LinkKind.PLAY, "a" * 32, "1" * 32), "Safe Code")
TWO = KeptSeat(Link("https://duels.example", LinkKind.PLAY, "b" * 32, "2" * 32), joined="3" * 32)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "strongroom" / "seats"


def test_the_seat_saved_last_comes_first_and_as_it_was_saved_last(state: Path) -> None:
    changed = replace(ONE, over=True, seed="4" * 32, commitments={1: "c"}, secrets={1: "3-7"})
    for seat in (ONE, TWO, changed):
        keep(seat)
    assert kept() == [changed, TWO]
    assert stat.S_IMODE(state.stat().st_mode) == 0o600


def test_garbage_between_the_lines_is_skipped(state: Path) -> None:
    keep(ONE)
    line = state.read_text().strip()
    torn = [line[:50], "[]", "1", "\xff", line.replace("play", "watch"), line.replace("null", "7")]
    state.write_text("\n".join(torn) + "\n")
    keep(TWO)
    assert kept() == [TWO]


def test_nothing_is_saved_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    keep(ONE)
    assert kept() == []
