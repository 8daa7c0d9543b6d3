"""Preferences: the last choices are remembered, private, and never in the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.terminal.preferences import MOST, NAME, remember, remembered

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "strongroom" / NAME


def test_a_choice_is_remembered_beside_the_others(file: Path) -> None:
    assert remembered() == {}
    remember(motion=False)
    remember(menu={"game": "safe-code"})
    assert remembered() == {"motion": False, "menu": {"game": "safe-code"}}
    remember(motion=True)
    assert json.loads(file.read_text()) == {"motion": True, "menu": {"game": "safe-code"}}


def test_the_folder_is_private_and_an_unchanged_choice_is_not_written_again(file: Path) -> None:
    remember(motion=False)
    assert file.parent.stat().st_mode & 0o077 == 0
    before = file.stat()
    remember(motion=False)
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    assert [each.name for each in file.parent.iterdir()] == [NAME], "no temporary file is left"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"7", b"\xff\xfe", b"[" * 9_000, b'{"a": "' + b"x" * MOST + b'"}'],
    ids=["empty", "cut", "list", "number", "bytes", "deep", "long"],
)
def test_a_damaged_file_counts_as_empty(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    assert remembered() == {}
    remember(motion=False)
    assert remembered() == {"motion": False}


@pytest.mark.parametrize("place", ["/dev/null", "/proc/nowhere", None])
def test_nothing_is_remembered_where_nothing_can_be_written(
    monkeypatch: pytest.MonkeyPatch, place: str | None
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", place or "")
    if place is None:
        monkeypatch.delenv("XDG_CONFIG_HOME")
        monkeypatch.setenv("HOME", "nowhere")
    remember(motion=False)
    assert remembered() == {}


def test_a_relative_folder_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", "config")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    remember(motion=False)
    assert not (tmp_path / "config").exists()
    assert (tmp_path / "home" / ".config" / "strongroom" / NAME).is_file()


# --- in the menu ----------------------------------------------------------------------------------


def test_the_menu_offers_what_was_chosen_last_time(strongroom: Strongroom) -> None:
    first = strongroom(lines=["digit", "random", "2", "Ada", "quit"])
    assert first.code == 4
    again = strongroom(lines=["", "", "", "", "quit"])
    assert again.code == 4
    assert "(Enter: 4; back, help, rules, quit): " in again.out
    assert "Your name (Enter: Ada): " in again.out
    assert "Ada, choose your secret number" in again.out


@pytest.mark.parametrize(
    "menu",
    [7, [], {"game": 7}, {"game": "gone", "settings": {"safe-cracker": {"digits": 99}}},
     {"opponent": None, "seat": [], "yours": "x" * 90, "settings": {"quantum-duel": 3}}],
)  # fmt: skip
def test_odd_preferences_change_only_what_is_offered(
    strongroom: Strongroom, tmp_path: Path, menu: object
) -> None:
    file = tmp_path / "config" / "strongroom" / NAME
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"menu": menu, "motion": "?"}))
    ran = strongroom(lines=["quantum", "1", "1", "Ada", "Bob", "quit"])
    assert ran.code == 4
    assert "Ada (X), it's your turn." in ran.lines
