"""Saving never touches other content, other games, or things that are not files."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.terminal import store
from strongroom.terminal.store import Journal

if TYPE_CHECKING:
    from tests.terminal.store.conftest import After, Refused, Saved, Started


def test_an_empty_file_is_taken_and_made_private(
    file: Path, saved: Saved, mode: Callable[[Path], int]
) -> None:
    file.touch(0o644)
    record = saved(file)
    assert store.read(file) == record
    assert mode(file) == 0o600


@pytest.mark.parametrize(
    "content", [b"my diary\n", b"\0" * 99, b"\xff\n", b"\n", b"{", b'{"schema":1}\n']
)
@pytest.mark.parametrize("save", ["create", "save_copy"])
def test_other_content_is_never_touched(
    file: Path,
    content: bytes,
    save: str,
    started: Started,
    mode: Callable[[Path], int],
    refused: Refused,
) -> None:
    file.write_bytes(content)
    file.chmod(0o644)
    record = started().record
    told = (
        refused(Journal.create, file, record)
        if save == "create"
        else refused(store.save_copy, record, file)
    )
    assert told == f"Cannot save to '{file}': the file contains something else. Name another file."
    assert file.read_bytes() == content
    assert mode(file) == 0o644


def test_another_game_is_never_overwritten(
    file: Path, started: Started, saved: Saved, refused: Refused
) -> None:
    saved(file, "4-7")
    before = file.read_bytes()
    for call, *arguments in (
        (Journal.create, file, started().record),
        (store.save_copy, started().record, file),
    ):
        assert "the file contains another game" in refused(call, *arguments)
    assert file.read_bytes() == before


def test_the_same_game_is_saved_on(file: Path, started: Started, after: After) -> None:
    match = after(started(), "4-7")
    store.save_copy(match.record, file)
    match = after(match, "6-5", "1-1")
    store.save_copy(match.record, file)
    store.save_copy(match.record, file)
    assert file.read_text() == match.record.dumps()
    Journal.create(file, after(match, "2-2").record).close()
    assert store.read(file) == after(match, "2-2").record


def test_the_same_game_with_another_course_is_refused(
    file: Path, started: Started, after: After, refused: Refused
) -> None:
    match = after(started(), "4-7", "6-5")
    store.save_copy(after(match, "1-1").record, file)
    before = file.read_bytes()
    for other in (match, after(match, "2-2"), after(match, "2-2", "1-1")):
        told = refused(store.save_copy, other.record, file)
        assert "the file contains another course of this game" in told
    assert file.read_bytes() == before


def test_a_copy_into_the_file_of_the_running_game_changes_nothing(
    file: Path, started: Started, after: After, refused: Refused
) -> None:
    match = after(started(), "4-7")
    with Journal.create(file, match.record) as journal:
        store.save_copy(match.record, file)
        match = after(match, "6-5")
        journal.update(match.record)
        store.save_copy(match.record, file)
        assert "elsewhere" in refused(store.save_copy, started().record, file)
    assert file.read_text() == match.record.dumps()


def test_a_symlink_is_followed_even_to_a_file_that_does_not_exist_yet(
    tmp_path: Path, file: Path, saved: Saved
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
    import socket

    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo")
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    Path("a.json").touch()
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: ascii(thing[:20]))
def test_anything_but_a_regular_file_is_refused_at_once(
    thing: str, started: Started, refused: Refused
) -> None:
    record, file = started().record, Path(thing)
    for call, *arguments in (
        (Journal.create, file, record),
        (Journal.resume, file),
        (store.save_copy, record, file),
    ):
        assert refused(call, *arguments).startswith(("Cannot save to ", "There is no file "))
    assert refused(store.read, file).startswith(("Cannot read ", "There is no file "))
    assert Path("a.json").stat().st_size == 0


def test_a_name_of_a_hundred_million_characters_is_refused_in_a_short_line(
    started: Started, refused: Refused
) -> None:
    file = Path("\x1b" * 10**8)
    told = refused(Journal.create, file, started().record)
    assert told == f"Cannot save to '{'?' * 198}...': File name too long."
    assert "too long" in refused(store.read, file)


@pytest.mark.usefixtures("things")
def test_a_pipe_is_not_even_opened(started: Started, refused: Refused) -> None:
    """A reader waiting at its other end notices nothing."""
    with subprocess.Popen(["cat", "fifo"], stdout=subprocess.PIPE) as reader:
        for _ in range(20):
            refused(store.read, Path("fifo"))
            refused(Journal.create, Path("fifo"), started().record)
            time.sleep(0.01)
        assert reader.poll() is None
        reader.kill()


def test_names_are_shown_without_control_characters(
    tmp_path: Path, started: Started, refused: Refused
) -> None:
    file = tmp_path / "\x1b]0;title\x07\n\u202e"
    assert "?]0;title??" in refused(store.read, file)
    assert "There is no file" in refused(Journal.resume, file)
    file.write_text("rubbish")
    assert "is not a saved game" in refused(store.read, file)
    assert "something else" in refused(Journal.create, file, started().record)
    file.unlink()
    with Journal.create(file, started().record):
        assert "elsewhere" in refused(Journal.resume, file)
