"""Where games and seats are saved, which was played last, and what is never touched."""

from __future__ import annotations

import itertools
import json
import os
import select
import socket
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.contract import Seat
from strongroom.referee.match import Match
from strongroom.remote.link import Link, LinkKind
from strongroom.terminal import store
from strongroom.terminal.store import Journal
from strongroom.terminal.store.seats import KeptSeat, keep, kept
from tests.terminal.store.conftest import after, mode, played, refused, saved

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom


def some_games(count: int) -> list[Path]:
    """Begin a number of games, one after the other."""
    files = [store.new_file("digit-deductions") for _ in range(count)]
    for each in files:
        saved(each)
    return files


# --- the folder -----------------------------------------------------------------------------------


def test_games_are_saved_below_the_state_folder_or_whoever_has_none_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.folder() == tmp_path / "state" / "strongroom" / "games"
    file = store.new_file("safe-code")
    assert file.parent == store.folder()
    assert "safe-code" in file.name
    monkeypatch.setenv("XDG_STATE_HOME", "relative, and so ignored")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store.folder() == tmp_path / ".local" / "state" / "strongroom" / "games"
    for home in ("", "not/absolute"):
        monkeypatch.setenv("HOME", home)
        for call in (store.folder, store.played, store.latest_unfinished):
            assert "Set XDG_STATE_HOME, or use --save FILE." in refused(call)
        assert "--save FILE" in refused(store.new_file, "safe-code")

    def of_nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(Path, "home", of_nobody)
    assert "There is no home folder to save games in." in refused(store.folder)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o377, 0o777])
def test_files_and_every_folder_made_are_private_whatever_the_umask(
    tmp_path: Path, umask: int
) -> None:
    file, named = store.new_file("digit-deductions"), tmp_path / "deep" / "er" / "a.json"
    before = os.umask(umask)
    try:
        saved(file)
        record = saved(named, "4-7")
    finally:
        os.umask(before)
    folders = [tmp_path / "state", tmp_path / "state" / "strongroom", store.folder()]
    assert [mode(each) for each in (*folders, *named.parents[:2])] == [0o700] * 5
    assert mode(file) == mode(store.folder().parent / "played") == mode(named) == 0o600
    assert store.read(named) == record
    assert store.played() == [file], "the named game is in one place only"


def test_existing_folders_keep_their_modes_except_our_own(tmp_path: Path) -> None:
    folders = [tmp_path / "state", tmp_path / "state" / "strongroom", store.folder()]
    store.folder().mkdir(parents=True)
    for each in folders:
        each.chmod(0o755)
    saved(store.new_file("digit-deductions"))
    assert [mode(each) for each in folders] == [0o755, 0o700, 0o700]


NAMES = ["-rf", "a b", " ", "~a", "\x1b[2Jé\n", "a" * 255, "\udcff", "b\n.json"]


def test_a_file_may_have_any_name_also_in_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "named"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in NAMES:
        file = Path(name) if name != "~a" else Path("./~a").absolute()
        record = saved(file, "4-7")
        assert os.listdir(folder) == [name]
        journal, resumed = Journal.resume(file)
        journal.close()
        assert resumed == record
        (folder / name).unlink()
        saved(store.folder() / name)
    assert [path.name for path in store.played()] == NAMES[::-1]


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    record = saved(Path("~/mine/a.json"))
    assert store.read(tmp_path / "mine" / "a.json") == record
    assert store.read(Path("~/mine/a.json")) == record
    assert "Cannot save to" in refused(Journal.create, Path("~nobody-here/a"), record)
    assert "Cannot read" in refused(store.read, Path("~nobody-here/a"))


# --- the game last played -------------------------------------------------------------------------


def test_the_game_last_played_is_the_latest_whatever_the_clock_and_the_files_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = itertools.count(2 * 10**18, -(10**15))
    monkeypatch.setattr(time, "time_ns", lambda: next(now))
    one, two, three = some_games(3)
    assert store.played() == [three, two, one]
    assert store.latest_unfinished() == three
    Journal.resume(one)[0].close()
    os.utime(two)
    assert store.played() == [one, three, two]
    assert store.latest_unfinished() == one


def test_the_latest_is_unfinished_and_being_looked_at_is_not_being_played(file: Path) -> None:
    assert store.played() == []
    none = "There is no unfinished game to resume. Start one: strongroom play GAME"
    assert refused(store.latest_unfinished) == none
    assert not store.folder().exists()
    one, two = some_games(2)
    journal, record = Journal.resume(two)
    with journal:
        journal.update(Match.resume(record).resign(Seat.ONE).record)
    assert store.latest_unfinished() == one
    store.read(one)
    Journal.resume(two)[0].close()
    assert store.latest_unfinished() == one
    saved(file)
    store.save_copy(store.read(one), copy := store.folder() / "zzz.json")
    assert store.played() == [two, one, copy], "neither a copy nor a game elsewhere is played last"
    copy.unlink()
    one.unlink()
    assert refused(store.latest_unfinished) == none


def test_things_that_are_not_games_are_skipped_also_in_the_index() -> None:
    (game,) = some_games(1)
    place = store.folder()
    os.mkfifo(place / "zz-fifo.json")
    (place / "zz-folder.json").mkdir()
    (place / "zz-damaged.json").write_text("rubbish")
    (place / "zz-zero.json").symlink_to("/dev/zero")
    (place / "zz-loop.json").symlink_to("zz-loop.json")
    (place / ".hidden").write_text("rubbish")
    with (place / "zz-huge.json").open("wb") as out:
        out.truncate(2**40)
    names = [path.name for path in place.iterdir()]
    index = place.with_name("played")
    index.write_bytes(index.read_bytes() + "".join(f"\n{json.dumps(n)}\n" for n in names).encode())
    assert store.latest_unfinished() == game
    found = {path.name for path in store.played()}
    assert found == {game.name, "zz-damaged.json", "zz-huge.json"}


def test_garbage_and_a_cut_line_in_the_index_harm_no_other_line() -> None:
    one, two = some_games(2)
    index = store.folder().with_name("played")
    rubbish = b'\xff\0\n7\n[[[\nnull\n"../../etc/passwd"\n"/etc/passwd"\n""\n"."\n"' + b"x" * 10**6
    index.write_bytes(rubbish + b"\n" + index.read_bytes() + b'"2026')
    Journal.resume(one)[0].close()
    assert store.played() == [one, two]
    assert index.read_bytes().startswith(rubbish)


@pytest.mark.parametrize("obstacle", ["folder", "fifo", "/dev/full", "/dev/zero"])
def test_an_unusable_index_does_not_stop_anybody(obstacle: str) -> None:
    index = store.folder().with_name("played")
    index.parent.mkdir(parents=True)
    make = {"folder": index.mkdir, "fifo": lambda: os.mkfifo(index)}
    make.get(obstacle, lambda: index.symlink_to(obstacle))()
    one, two = some_games(2)
    assert store.played() == [two, one], "then sorted by name"


# --- what is never touched ------------------------------------------------------------------------


def test_other_content_is_never_touched_and_an_empty_file_is_taken_and_made_private(
    file: Path,
) -> None:
    told = f"Cannot save to '{file}': the file contains something else. Name another file."
    for content in (b"my diary\n", b"\0" * 99, b"\xff\n", b"\n", b"{", b'{"schema":1}\n'):
        file.write_bytes(content)
        file.chmod(0o644)
        assert refused(Journal.create, file, played().record) == told
        assert refused(store.save_copy, played().record, file) == told
        assert file.read_bytes() == content
        assert mode(file) == 0o644
    file.write_bytes(b"")
    record = saved(file)
    assert store.read(file) == record
    assert mode(file) == 0o600


def test_the_same_game_is_saved_on_and_no_other_game_or_course_of_it(file: Path) -> None:
    match = played("4-7")
    store.save_copy(match.record, file)
    with_two = after(match, "6-5")
    match = after(with_two, "1-1")
    for _ in range(2):
        store.save_copy(match.record, file)
    assert file.read_text() == match.record.dumps()
    for other, what in (
        (played(), "another game"),
        (with_two, "another course of this game"),
        (after(with_two, "2-2"), "another course of this game"),
        (after(with_two, "2-2", "1-1"), "another course of this game"),
    ):
        assert f"the file contains {what}" in refused(store.save_copy, other.record, file)
        assert f"the file contains {what}" in refused(Journal.create, file, other.record)
    assert file.read_text() == match.record.dumps()
    Journal.create(file, after(match, "2-2").record).close()
    assert store.read(file) == after(match, "2-2").record


def test_a_copy_into_the_file_of_the_running_game_changes_nothing(file: Path) -> None:
    match = played("4-7")
    with Journal.create(file, match.record) as journal:
        store.save_copy(match.record, file)
        match = after(match, "6-5")
        journal.update(match.record)
        store.save_copy(match.record, file)
    assert file.read_text() == match.record.dumps()


def test_a_symlink_is_followed_even_to_a_file_that_does_not_exist_yet(
    tmp_path: Path, file: Path
) -> None:
    link = tmp_path / "link"
    link.symlink_to(file)
    record = saved(link, "4-7")
    assert store.read(file) == record
    assert link.is_symlink()


THINGS = ("/dev/null", "/dev/full", "/dev/zero", "/dev/tty", "/", ".", "fifo", "folder", "loop",
          "socket", "a.json/b", "no\0file", "n" * 300, "n" * 5000, "/proc/nowhere/a")  # fmt: skip


def test_anything_but_a_regular_file_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe is not even opened: a reader would notice that a writer had come and gone."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo")
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    Path("a.json").touch()
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
    reader = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK)
    noticed = select.poll()
    noticed.register(reader, select.POLLIN)
    record = played().record
    for file in map(Path, THINGS):
        for call, *arguments in (
            (Journal.create, file, record),
            (Journal.resume, file),
            (store.save_copy, record, file),
        ):
            assert refused(call, *arguments).startswith(("Cannot save to ", "There is no file "))
        assert refused(store.read, file).startswith(("Cannot read ", "There is no file "))
    assert noticed.poll(0) == []
    os.close(reader)
    assert Path("a.json").stat().st_size == 0


def test_names_are_shown_without_control_characters_and_shortened(tmp_path: Path) -> None:
    file = Path("\x1b" * 10**6)
    told = refused(Journal.create, file, played().record)
    assert told == f"Cannot save to '{'?' * 198}...': File name too long."
    assert "too long" in refused(store.read, file)
    file = tmp_path / "\x1b]0;title\x07\n\u202e"
    assert "?]0;title??" in refused(store.read, file)
    assert "There is no file" in refused(Journal.resume, file)
    file.write_text("rubbish")
    assert "is not a saved game" in refused(store.read, file)
    assert "something else" in refused(Journal.create, file, played().record)
    file.unlink()
    with Journal.create(file, played().record):
        assert "elsewhere" in refused(Journal.resume, file)


# --- seats in network games -----------------------------------------------------------------------

ONE = KeptSeat(Link("https://duels.example", LinkKind.PLAY, "a" * 32, "1" * 32), "Safe Code")
TWO = KeptSeat(Link("https://duels.example", LinkKind.PLAY, "b" * 32, "2" * 32), joined="3" * 32)


def test_the_seat_saved_last_comes_first_and_as_it_was_saved_last_whatever_else_is_there(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = replace(ONE, over=True, seed="4" * 32, commitments={1: "c"}, secrets={1: "3-7"})
    for seat in (ONE, TWO, changed):
        keep(seat)
    assert kept() == [changed, TWO]
    seats = tmp_path / "state" / "strongroom" / "seats"
    assert mode(seats) == 0o600
    seats.unlink()
    keep(ONE)
    line = seats.read_text().strip()
    torn = [line[:50], "[]", "1", "\xff", line.replace("play", "watch"), line.replace("null", "7")]
    seats.write_text("\n".join(torn) + "\n")
    keep(TWO)
    assert kept() == [TWO]
    file.write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(file))
    keep(ONE)
    assert kept() == [], "nothing can be written"


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
