"""Where games and seats are saved: in a private folder, or under any name that a person gives."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from strongroom.remote.link import Link, LinkKind
from strongroom.terminal import store
from strongroom.terminal.store import Journal
from strongroom.terminal.store.seats import KeptSeat, keep, kept
from tests.terminal.store.games import mode, refused, run, saved

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom


def test_games_are_saved_below_the_state_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.folder() == tmp_path / "state" / "strongroom" / "games"
    file = store.new_file("safe-code")
    assert file.parent == store.folder()
    assert "safe-code" in file.name
    monkeypatch.setenv("XDG_STATE_HOME", "relative, and so ignored")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store.folder() == tmp_path / ".local" / "state" / "strongroom" / "games"


@pytest.mark.parametrize("home", ["", "not/absolute"])
def test_without_a_home_folder_the_error_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", home)
    for call in (store.folder, store.played, store.latest_unfinished):
        assert "Set XDG_STATE_HOME, or use --save FILE." in refused(call)
    assert "--save FILE" in refused(store.new_file, "safe-code")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to become an unknown user")
def test_an_unknown_user_is_told_what_to_do_and_can_save_elsewhere() -> None:
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
    none = "There is no home folder to save games in. Set XDG_STATE_HOME, or use --save FILE."
    assert told.splitlines() == [none]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o377, 0o777])
def test_files_and_every_folder_made_are_private_whatever_the_umask(
    tmp_path: Path, umask: int
) -> None:
    file = store.new_file("digit-deductions")
    before = os.umask(umask)
    try:
        saved(file)
    finally:
        os.umask(before)
    folders = [tmp_path / "state", tmp_path / "state" / "strongroom", store.folder()]
    assert [mode(each) for each in folders] == [0o700] * 3
    assert mode(file) == mode(store.folder().parent / "played") == 0o600


def test_existing_folders_keep_their_modes_except_our_own(tmp_path: Path) -> None:
    folders = [tmp_path / "state", tmp_path / "state" / "strongroom", store.folder()]
    store.folder().mkdir(parents=True)
    for each in folders:
        each.chmod(0o755)
    saved(store.new_file("digit-deductions"))
    assert [mode(each) for each in folders] == [0o755, 0o700, 0o700]


def test_folders_of_a_named_file_are_created(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "er" / "a.json"
    record = saved(file, "4-7")
    assert store.read(file) == record
    assert mode(file.parents[1]) == mode(file.parent) == 0o700
    assert not store.folder().exists(), "the game is in one place only"


@pytest.mark.parametrize("name", ["-rf", "a b", " ", "~a", "\x1b[2Jé\n", "a" * 255, "\udcff"])
def test_a_file_may_have_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path(name) if name != "~a" else Path("./~a").absolute()
    record = saved(file, "4-7")
    assert os.listdir(tmp_path) == [name]
    journal, resumed = Journal.resume(file)
    journal.close()
    assert resumed == record


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    record = saved(Path("~/mine/a.json"))
    assert store.read(tmp_path / "mine" / "a.json") == record
    assert store.read(Path("~/mine/a.json")) == record
    assert "Cannot save to" in refused(Journal.create, Path("~nobody-here/a"), record)
    assert "Cannot read" in refused(store.read, Path("~nobody-here/a"))


# --- seats in network games -----------------------------------------------------------------------

ONE = KeptSeat(Link("https://duels.example", LinkKind.PLAY, "a" * 32, "1" * 32), "Safe Code")
TWO = KeptSeat(Link("https://duels.example", LinkKind.PLAY, "b" * 32, "2" * 32), joined="3" * 32)


def test_the_seat_saved_last_comes_first_and_as_it_was_saved_last(tmp_path: Path) -> None:
    changed = replace(ONE, over=True, seed="4" * 32, commitments={1: "c"}, secrets={1: "3-7"})
    for seat in (ONE, TWO, changed):
        keep(seat)
    assert kept() == [changed, TWO]
    assert mode(tmp_path / "state" / "strongroom" / "seats") == 0o600


def test_garbage_between_the_lines_is_skipped(tmp_path: Path) -> None:
    keep(ONE)
    seats = tmp_path / "state" / "strongroom" / "seats"
    line = seats.read_text().strip()
    torn = [line[:50], "[]", "1", "\xff", line.replace("play", "watch"), line.replace("null", "7")]
    seats.write_text("\n".join(torn) + "\n")
    keep(TWO)
    assert kept() == [TWO]


def test_no_seat_is_saved_where_nothing_can_be_written(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(file))
    keep(ONE)
    assert kept() == []


def test_resume_points_to_join_if_only_a_game_on_a_server_is_open(
    strongroom: Strongroom,
) -> None:
    keep(ONE)
    ran = strongroom("resume")
    assert ran.code == 2
    assert ran.err == (
        "strongroom: No unfinished game is saved here. "
        "Safe Code on a server goes on with: strongroom join\n"
    )
