"""Saving never touches other content, other games, or things that are not files."""

from __future__ import annotations

import os
import select
import socket
from pathlib import Path

import pytest

from strongroom.terminal import store
from strongroom.terminal.store import Journal
from tests.terminal.store.games import after, mode, played, refused, saved


def test_an_empty_file_is_taken_and_made_private(file: Path) -> None:
    file.touch(0o644)
    record = saved(file)
    assert store.read(file) == record
    assert mode(file) == 0o600


@pytest.mark.parametrize(
    "content", [b"my diary\n", b"\0" * 99, b"\xff\n", b"\n", b"{", b'{"schema":1}\n']
)
def test_other_content_is_never_touched(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    file.chmod(0o644)
    told = f"Cannot save to '{file}': the file contains something else. Name another file."
    assert refused(Journal.create, file, played().record) == told
    assert refused(store.save_copy, played().record, file) == told
    assert file.read_bytes() == content
    assert mode(file) == 0o644


def test_another_game_is_never_overwritten(file: Path) -> None:
    saved(file, "4-7")
    before = file.read_bytes()
    for call, *arguments in (
        (Journal.create, file, played().record),
        (store.save_copy, played().record, file),
    ):
        assert "the file contains another game" in refused(call, *arguments)
    assert file.read_bytes() == before


def test_the_same_game_is_saved_on(file: Path) -> None:
    match = played("4-7")
    store.save_copy(match.record, file)
    match = after(match, "6-5", "1-1")
    store.save_copy(match.record, file)
    store.save_copy(match.record, file)
    assert file.read_text() == match.record.dumps()
    Journal.create(file, after(match, "2-2").record).close()
    assert store.read(file) == after(match, "2-2").record


def test_the_same_game_with_another_course_is_refused(file: Path) -> None:
    match = played("4-7", "6-5")
    store.save_copy(after(match, "1-1").record, file)
    before = file.read_bytes()
    for other in (match, after(match, "2-2"), after(match, "2-2", "1-1")):
        told = refused(store.save_copy, other.record, file)
        assert "the file contains another course of this game" in told
    assert file.read_bytes() == before


def test_a_copy_into_the_file_of_the_running_game_changes_nothing(file: Path) -> None:
    match = played("4-7")
    with Journal.create(file, match.record) as journal:
        store.save_copy(match.record, file)
        match = after(match, "6-5")
        journal.update(match.record)
        store.save_copy(match.record, file)
        assert "elsewhere" in refused(store.save_copy, played().record, file)
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


@pytest.fixture
def things(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Creates things that are not regular files."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo")
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    Path("a.json").touch()
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: ascii(thing[:20]))
def test_anything_but_a_regular_file_is_refused_at_once(thing: str) -> None:
    record, file = played().record, Path(thing)
    for call, *arguments in (
        (Journal.create, file, record),
        (Journal.resume, file),
        (store.save_copy, record, file),
    ):
        assert refused(call, *arguments).startswith(("Cannot save to ", "There is no file "))
    assert refused(store.read, file).startswith(("Cannot read ", "There is no file "))
    assert Path("a.json").stat().st_size == 0


def test_a_name_of_a_million_characters_is_refused_in_a_short_line() -> None:
    file = Path("\x1b" * 10**6)
    told = refused(Journal.create, file, played().record)
    assert told == f"Cannot save to '{'?' * 198}...': File name too long."
    assert "too long" in refused(store.read, file)


@pytest.mark.usefixtures("things")
def test_a_pipe_is_not_even_opened() -> None:
    """A reader at its other end would notice that a writer had come and gone."""
    reader = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK)
    noticed = select.poll()
    noticed.register(reader, select.POLLIN)
    refused(store.read, Path("fifo"))
    refused(Journal.create, Path("fifo"), played().record)
    assert noticed.poll(0) == []
    os.close(reader)


def test_names_are_shown_without_control_characters(tmp_path: Path) -> None:
    file = tmp_path / "\x1b]0;title\x07\n\u202e"
    assert "?]0;title??" in refused(store.read, file)
    assert "There is no file" in refused(Journal.resume, file)
    file.write_text("rubbish")
    assert "is not a saved game" in refused(store.read, file)
    assert "something else" in refused(Journal.create, file, played().record)
    file.unlink()
    with Journal.create(file, played().record):
        assert "elsewhere" in refused(Journal.resume, file)
