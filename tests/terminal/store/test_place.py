"""Where games are saved: in a private folder, or under any name that a person gives."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from strongroom.terminal import store
from strongroom.terminal.store import Journal

if TYPE_CHECKING:
    from tests.terminal.store.conftest import Refused, Run, Saved


def test_games_are_saved_below_the_state_folder(tmp_path: Path) -> None:
    assert store.folder() == tmp_path / "state" / "strongroom" / "games"
    file = store.new_file("safe-code")
    assert file.parent == store.folder()
    assert "safe-code" in file.name


def test_a_relative_state_folder_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store.folder() == tmp_path / ".local" / "state" / "strongroom" / "games"


@pytest.mark.parametrize("home", ["", "not/absolute"])
def test_without_a_home_folder_the_error_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, home: str, refused: Refused
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", home)
    for call in (store.folder, store.played, store.latest_unfinished):
        assert "Set XDG_STATE_HOME, or use --save FILE." in refused(call)
    assert "--save FILE" in refused(store.new_file, "safe-code")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to become an unknown user")
def test_an_unknown_user_is_told_what_to_do_and_can_save_elsewhere(run: Run) -> None:
    program = """
import os
from strongroom.terminal import store
os.setuid(54321)
try:
    store.folder()
except CannotSave as trouble:
    print(trouble)
Journal.create(file, match.record).close()
"""
    bare = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    with TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        told = run(program, f"{place}/a.json", env=bare)
        assert store.read(Path(place, "a.json")).outcome is None
    assert told.splitlines() == [
        "There is no home folder to save games in. Set XDG_STATE_HOME, or use --save FILE."
    ]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o377, 0o777])
def test_files_and_every_folder_made_are_private_whatever_the_umask(
    tmp_path: Path, umask: int, mode: Callable[[Path], int], run: Run
) -> None:
    file = store.new_file("digit-deductions")
    run("Journal.create(file, match.record).close()", file, umask=umask)
    folders = [tmp_path / "state", tmp_path / "state" / "strongroom", store.folder()]
    assert [mode(each) for each in folders] == [0o700] * 3
    assert mode(file) == 0o600
    assert mode(store.folder().parent / "played") == 0o600


def test_existing_folders_keep_their_modes_except_our_own(
    tmp_path: Path, saved: Saved, mode: Callable[[Path], int]
) -> None:
    state, ours, games = tmp_path / "state", tmp_path / "state" / "strongroom", store.folder()
    games.mkdir(parents=True)
    for each in (state, ours, games):
        each.chmod(0o755)
    saved(store.new_file("digit-deductions"))
    assert [mode(each) for each in (state, ours, games)] == [0o755, 0o700, 0o700]


def test_folders_of_a_named_file_are_created(
    tmp_path: Path, saved: Saved, mode: Callable[[Path], int]
) -> None:
    record = saved(tmp_path / "deep" / "er" / "a.json", "4-7")
    assert store.read(tmp_path / "deep" / "er" / "a.json") == record
    assert mode(tmp_path / "deep") == mode(tmp_path / "deep" / "er") == 0o700
    assert not store.folder().exists(), "the game is in one place only"


@pytest.mark.parametrize("name", ["-rf", "a b", " ", "~a", "\x1b[2Jé\n", "a" * 255, "\udcff"])
def test_a_file_may_have_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, saved: Saved
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path(name) if name != "~a" else Path("./~a").absolute()
    record = saved(file, "4-7")
    assert os.listdir(tmp_path) == [name]
    journal, resumed = Journal.resume(file)
    journal.close()
    assert resumed == record


def test_a_tilde_is_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: Saved, refused: Refused
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    record = saved(Path("~/mine/a.json"))
    assert store.read(tmp_path / "mine" / "a.json") == record
    assert store.read(Path("~/mine/a.json")) == record
    assert "Cannot save to" in refused(Journal.create, Path("~nobody-here/a"), record)
    assert "Cannot read" in refused(store.read, Path("~nobody-here/a"))
