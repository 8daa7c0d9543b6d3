"""A saved game is intact at every moment, whatever fails: the process, the disk, the file."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from strongroom.referee.match import Match
from strongroom.terminal import store
from strongroom.terminal.store import CannotSave, Journal
from tests.terminal.store.games import after, command, played, refused, saved


@pytest.mark.parametrize("seed", range(3))
def test_a_kill_at_any_moment_leaves_all_that_was_acknowledged(file: Path, seed: int) -> None:
    program = """
play("3-7")
play("5-6")
journal = Journal.create(file, match.record)
for _ in range(100_000):
    play("1-1")
    journal.update(match.record)
    print(len(match.record.steps), flush=True)
"""
    rng = Random(seed)
    acknowledged = 2
    for _ in range(2):
        file.unlink(missing_ok=True)
        with subprocess.Popen(command(program, file), stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            for _ in range(rng.randrange(1, 200)):
                acknowledged = int(process.stdout.readline())
            time.sleep(rng.random() / 500)  # only to kill at another moment
            os.kill(process.pid, signal.SIGKILL)
            acknowledged = max([acknowledged, *map(int, process.stdout.read().split()[:-1])])
        record = store.read(file)
        assert len(record.steps) >= acknowledged
        assert {str(step.move) for step in record.steps[2:]} <= {"1-1"}
        assert os.listdir(file.parent) == [file.name]
        journal, resumed = Journal.resume(file)
        with journal:
            journal.update(after(Match.resume(resumed), "2-2").record)
        assert len(store.read(file).steps) == len(record.steps) + 1


def test_a_file_cut_anywhere_keeps_what_came_before_the_cut(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cuts at every byte, also in the middle of a line, a character and a name."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    record = saved(file, "4-7", "6-5", "1-1")
    data = file.read_bytes()
    header = data.index(b"\n")
    for end in range(len(data)):
        file.write_bytes(data[:end])
        if end < header:
            assert "is damaged" in refused(Journal.resume, file)
            continue
        journal, resumed = Journal.resume(file)
        with journal:
            whole = data[:end].count(b"\n") - 1 + (data[end : end + 1] == b"\n")
            assert tuple(resumed.entries) == record.entries[:whole]
            assert file.read_bytes().endswith(b"\n")
            assert data.startswith(file.read_bytes())
            journal.update(record)
        assert store.read(file) == record


@pytest.mark.parametrize("rest", [b"\0" * 500, b"\xff\xfe", b"123", b"  ", b'{"a":"\xff"}'])
def test_garbage_after_the_last_line_is_cut_off(file: Path, rest: bytes) -> None:
    """A disk that lost power can leave zeros at the end."""
    record = saved(file, "4-7")
    data = file.read_bytes()
    file.write_bytes(data + rest)
    assert store.read(file) == record
    journal, _ = Journal.resume(file)
    journal.close()
    assert file.read_bytes() == data


def test_a_full_disk_keeps_whole_lines_and_writing_resumes_when_there_is_room(file: Path) -> None:
    """The limit on a file's size cuts a write short, as a full disk does."""
    match = played("4-7", "6-5")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal.create(file, match.record) as journal:
        size = file.stat().st_size
        ahead = after(match, *["1-1"] * 20)
        for room in range(0, 300, 7):
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + room, hard))
            try:
                told = refused(journal.update, ahead.record)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            assert told == f"Cannot save to '{file}': File too large."
            assert store.read(file) == match.record
            assert file.stat().st_size == size
        journal.update(ahead.record)
    assert file.read_text() == ahead.record.dumps()


def test_a_game_that_cannot_even_begin_leaves_no_file(file: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, hard))
    try:
        refused(Journal.create, file, played().record)
        assert not file.exists()
        file.touch()
        refused(Journal.create, file, played().record)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert file.stat().st_size == 0, "a file that was there before is left as it was"
    file.unlink()
    saved(file)


@pytest.fixture
def small_disk(tmp_path: Path) -> Any:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_disk_that_is_really_full_loses_nothing(small_disk: Path) -> None:
    file = small_disk / "a.json"
    match = played("4-7", "6-5")
    with Journal.create(file, match.record) as journal:
        filler = small_disk / "filler"
        with filler.open("wb", buffering=0) as out, contextlib.suppress(OSError):
            while True:
                out.write(bytes(512))
        kept, ahead, told = match, match, set()
        for _ in range(200):
            ahead = after(ahead, "1-1")
            try:
                journal.update(ahead.record)
                kept = ahead
            except CannotSave as trouble:
                told.add(str(trouble))
            assert store.read(file) == kept.record
        assert told == {f"Cannot save to '{file}': No space left on device."}
        refused(Journal.create, small_disk / "b.json", played().record)
        assert sorted(os.listdir(small_disk)) == ["a.json", "filler"]
        filler.unlink()
        journal.update(ahead.record)
    assert store.read(file) == ahead.record


@pytest.mark.parametrize("call", ["fsync", "pwrite"])
def test_an_interrupted_write_is_repeated(
    file: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    real = getattr(os, call)

    def interrupted(*arguments: Any) -> None:
        real(*arguments)
        raise KeyboardInterrupt

    match = played("4-7")
    with Journal.create(file, match.record) as journal:
        match = after(match, "6-5")
        with monkeypatch.context() as patch:
            patch.setattr(os, call, interrupted)
            with pytest.raises(KeyboardInterrupt):
                journal.update(match.record)
        match = after(match, "1-1")
        journal.update(match.record)
    assert file.read_text() == match.record.dumps()


def test_a_failing_disk_keeps_the_lines_before(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = played("4-7")

    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with Journal.create(file, match.record) as journal:
        ahead = after(match, "6-5")
        for calls in (["fsync"], ["fsync", "ftruncate"]):
            with monkeypatch.context() as patch:
                for call in calls:
                    patch.setattr(os, call, broken)
                assert "Input/output error" in refused(journal.update, ahead.record)
        ahead = after(ahead, "1-1")
        journal.update(ahead.record)
    assert file.read_text() == ahead.record.dumps()


def test_a_file_that_is_gone_is_written_again_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "stick" / "a.json"
    match = played("4-7")
    with Journal.create(file, match.record) as journal:
        file.unlink()
        match = after(match, "6-5")
        journal.update(match.record)
        assert store.read(file) == match.record
        file.rename(tmp_path / "moved")
        file.parent.rmdir()
        journal.update(match.record)
        assert store.read(file) == match.record == store.read(tmp_path / "moved")
        assert "elsewhere" in refused(Journal.resume, file)
        file.unlink()
        file.parent.rmdir()
        file.parent.write_text("in the way")
        match = after(match, "1-1")
        assert refused(journal.update, match.record).endswith(": Not a directory.")
        file.parent.unlink()
        journal.update(match.record)
    assert store.read(file) == match.record


def test_a_file_that_another_program_changed_or_replaced_is_left_alone(file: Path) -> None:
    match = played("4-7")
    with Journal.create(file, match.record) as journal:
        with file.open("a") as other:
            other.write("mine\n")
        changed = file.read_bytes()
        match = after(match, "6-5")
        assert "another program has changed the file" in refused(journal.update, match.record)
        assert file.read_bytes() == changed
        file.unlink()
        file.write_text("mine")
        assert "something else" in refused(journal.update, match.record)
        assert file.read_text() == "mine"
