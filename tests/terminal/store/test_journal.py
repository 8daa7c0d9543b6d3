"""A journal grows with its game, and is intact at every moment, whatever fails."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starting import PATIENCE

from strongroom.contract import Seat
from strongroom.referee.match import Match
from strongroom.referee.record import DamagedRecord, Record
from strongroom.terminal import store
from strongroom.terminal.store import CannotSave, Journal
from tests.terminal.store.conftest import after, played, refused, saved, start

ELSEWHERE = "The game in '{}' is being played elsewhere. Close it there first."


def test_a_journal_grows_by_the_lines_that_are_new_and_goes_on_where_it_stopped(file: Path) -> None:
    match = played()
    with Journal.create(file, match.record) as journal:
        assert journal.file == file
        for moves in (["4-7"], ["6-5", "1-1"], [], ["3-9"]):
            before = file.read_bytes()
            match = after(match, *moves)
            journal.update(match.record)
            assert file.read_bytes().startswith(before)
            assert file.read_text() == match.record.dumps()
    journal, record = Journal.resume(file)
    assert record == match.record
    with journal:
        match = Match.resume(record).hinted(Seat.ONE).resign(Seat.ONE)
        journal.update(match.record)
    assert store.read(file) == match.record
    assert os.listdir(file.parent) == [file.name]


def test_an_update_costs_the_same_at_the_end_of_a_long_game(file: Path) -> None:
    """The cost is counted in bytes, so it does not depend on the load of the machine."""
    match = played("4-7", "6-5")
    sizes, real = [], os.pwrite

    def counted(handle: int, data: bytes, place: int) -> int:
        sizes.append(len(data))
        return real(handle, data, place)

    with Journal.create(file, match.record) as journal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "pwrite", counted)
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(Record, "lines", None)
        for _ in range(300):
            match = after(match, "1-1")
            journal.update(match.record)
    assert len(sizes) == 300
    assert max(sizes) < 120
    assert store.read(file) == match.record


def test_a_journal_holds_one_game_with_one_course_until_it_is_closed(file: Path) -> None:
    match = played("4-7", "6-5")
    with Journal.create(file, after(match, "1-1").record) as journal:
        for other in (played().record, match.record, after(match, "2-2", "3-3").record):
            assert "Cannot save to" in refused(journal.update, other)
        for call, *arguments in (
            (Journal.resume, file),
            (Journal.create, file, played().record),
            (store.save_copy, played().record, file),
        ):
            assert refused(call, *arguments) == ELSEWHERE.format(file)
    assert store.read(file) == after(match, "1-1").record
    assert "Cannot save to" in refused(journal.update, after(match, "1-1").record)
    Journal.resume(file)[0].close()


def test_of_many_processes_one_begins_in_a_file_and_all_of_their_games_are_in_the_index(
    file: Path,
) -> None:
    program = """
print("ready", flush=True)
sys.stdin.readline()
try:
    journal = Journal.create(file, match.record)
    play("4-7")
    journal.update(match.record)
    print("won", match.record.id, flush=True)
except CannotSave as trouble:
    print(trouble, flush=True)
for number in range(15):
    game = Match.start(match.record.game).record
    Journal.create(store.folder() / f"{sys.argv[2]}-{number}", game).close()
sys.stdin.readline()
"""
    crowd = [start(program, file, each) for each in "abcd"]
    pipes = [(each.stdin, each.stdout) for each in crowd]
    assert {out.readline() for _, out in pipes if out} == {"ready\n"}
    for go, _ in pipes:
        assert go is not None
        go.write("go\n")
        go.flush()
    told = [out.readline().strip() for _, out in pipes if out]
    for process in crowd:
        process.communicate("\n", timeout=PATIENCE)
    (won,) = [line for line in told if line.startswith("won")]
    assert sorted(told) == sorted([won, *[ELSEWHERE.format(file)] * 3])
    record = store.read(file)
    assert (record.id, len(record.steps)) == (won.split()[1], 1)
    order = [path.name for path in store.played()]
    for each in "abcd":
        own = [name for name in order if name.startswith(each)]
        assert own == [f"{each}-{number}" for number in reversed(range(15))]


# --- a kill, a cut, rubbish -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
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
    with start(program, file) as process:
        assert process.stdout is not None
        for _ in range(rng.randrange(1, 200)):
            acknowledged = int(process.stdout.readline())
        assert refused(Journal.resume, file) == ELSEWHERE.format(file)
        time.sleep(rng.random() / 500)  # only to kill at another moment
        process.send_signal(signal.SIGKILL)
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
    """Cuts at every byte behind the header, also in the middle of a line and a character."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    record = saved(file, "4-7", "6-5")
    data = file.read_bytes()
    header = data.index(b"\n")
    for end in (*range(0, header, 7), *range(header - 3, len(data))):
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


def test_garbage_after_the_last_line_is_cut_off(file: Path) -> None:
    """A disk that lost power can leave zeros at the end."""
    record = saved(file, "4-7")
    data = file.read_bytes()
    for rest in (b"\0" * 500, b"\xff\xfe", b"123", b"  ", b'{"a":"\xff"}'):
        file.write_bytes(data + rest)
        assert store.read(file) == record
        Journal.resume(file)[0].close()
        assert file.read_bytes() == data


EARLIER = json.dumps({"schema": 1, "game": "safe-code", "moves": []}, indent=1).encode() + b"\n"


def test_garbage_is_refused_with_what_is_wrong_and_left_as_it_is(file: Path) -> None:
    rubbish = (b"", b"\n\n", b"\xff\n", b"[" * 10**6, b'{"schema":2}\n', b"9" * 9999 + b"\n")
    for content in (*rubbish, EARLIER):
        file.write_bytes(content)
        for call in (store.read, Journal.resume):
            with pytest.raises(DamagedRecord, match=r"is damaged|is not a saved game") as refusal:
                call(file)
        assert file.read_bytes() == content
    earlier = "It has an earlier, unreleased format that can no longer be read."
    assert str(refusal.value) == f"'{file}' is damaged. {earlier}"
    with file.open("wb") as out:
        out.truncate(2**40)
    assert refused(store.read, file) == f"Cannot read '{file}': it is too long, over 16 MiB."
    assert "too long" in refused(Journal.resume, file)
    assert "too long" in refused(Journal.create, file, played().record)


WRITTEN = played("4-7", "6-5", "1-1").resign(Seat.ONE).record.dumps().encode()


@given(data=st.data())
def test_any_content_of_a_file_gets_an_answer(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.json"
    begin = data.draw(st.integers(0, len(WRITTEN)))
    end = data.draw(st.integers(begin, min(len(WRITTEN), begin + 20)))
    content = WRITTEN[:begin] + data.draw(st.binary(max_size=8)) + WRITTEN[end:]
    file.write_bytes(content)
    try:
        record = store.read(file)
    except DamagedRecord:
        assert re.search("is damaged|is not a saved game", refused(Journal.resume, file))
        assert file.read_bytes() == content
        return
    journal, resumed = Journal.resume(file)
    journal.close()
    assert resumed == record == store.read(file)


# --- a disk that fails ----------------------------------------------------------------------------


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Files can have at most this size, which cuts a write short, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_keeps_whole_lines_and_writing_resumes_when_there_is_room(file: Path) -> None:
    moments = [played("4-7", "6-5")]
    for _ in range(20):
        moments.append(after(moments[-1], "1-1"))
    kept, told = 0, set()
    with Journal.create(file, moments[0].record) as journal:
        size = file.stat().st_size
        for room in range(0, 300, 7):
            for moment in (20, kept + 1):
                with room_for(size + room):
                    try:
                        journal.update(moments[moment].record)
                        kept = moment
                    except CannotSave as trouble:
                        told.add(str(trouble))
                assert file.read_text() == moments[kept].record.dumps()
        assert 0 < kept < 20
        assert told == {f"Cannot save to '{file}': File too large."}
        journal.update(moments[20].record)
    assert file.read_text() == moments[20].record.dumps()


def test_a_game_that_cannot_even_begin_leaves_no_file(file: Path) -> None:
    with room_for(20):
        refused(Journal.create, file, played().record)
        assert not file.exists()
        file.touch()
        refused(Journal.create, file, played().record)
    assert file.stat().st_size == 0, "a file that was there before is left as it was"
    file.unlink()
    saved(file)


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
