"""A journal grows with its game, only new lines are written, and only one process writes them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starting import PATIENCE

from strongroom.contract import Seat
from strongroom.referee.match import Match
from strongroom.referee.record import DamagedRecord, Record
from strongroom.terminal import store
from strongroom.terminal.store import Journal
from tests.terminal.store.games import after, played, refused, saved, start

ELSEWHERE = "The game in '{}' is being played elsewhere. Close it there first."


def test_a_journal_grows_by_the_lines_that_are_new(file: Path) -> None:
    match = played()
    with Journal.create(file, match.record) as journal:
        assert journal.file == file
        for moves in (["4-7"], ["6-5", "1-1"], [], ["3-9"]):
            before = file.read_bytes()
            match = after(match, *moves)
            journal.update(match.record)
            assert file.read_bytes().startswith(before)
            assert file.read_text() == match.record.dumps()
        match = match.hinted(Seat.ONE).resign(Seat.ONE)
        journal.update(match.record)
    assert store.read(file) == match.record
    assert os.listdir(file.parent) == [file.name]


def test_a_resumed_journal_goes_on_where_it_stopped(file: Path) -> None:
    saved(file, "4-7", "6-5")
    journal, record = Journal.resume(file)
    match = after(Match.resume(record), "1-1")
    with journal:
        journal.update(match.record)
    assert store.read(file) == match.record


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
        for _ in range(500):
            match = after(match, "1-1")
            journal.update(match.record)
    assert len(sizes) == 500
    assert max(sizes) < 120
    assert store.read(file) == match.record


def test_a_journal_holds_one_game_with_one_course_until_it_is_closed(file: Path) -> None:
    match = played("4-7", "6-5")
    with Journal.create(file, after(match, "1-1").record) as journal:
        for other in (played().record, match.record, after(match, "2-2", "3-3").record):
            assert "Cannot save to" in refused(journal.update, other)
    assert store.read(file) == after(match, "1-1").record
    journal.close()
    assert "Cannot save to" in refused(journal.update, after(match, "1-1").record)


# --- two at once ----------------------------------------------------------------------------------


def test_a_game_that_is_being_played_elsewhere_is_refused_until_that_ends(file: Path) -> None:
    program = """
journal = Journal.create(file, match.record)
print("ready", flush=True)
sys.stdin.readline()
"""
    with start(program, file) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        record = store.read(file)
        for call, *arguments in (
            (Journal.resume, file),
            (Journal.create, file, played().record),
            (store.save_copy, played().record, file),
        ):
            assert refused(call, *arguments) == ELSEWHERE.format(file)
        process.kill()
        process.wait()
    journal, resumed = Journal.resume(file)
    assert resumed == record
    journal.close()


def test_of_many_processes_that_begin_in_the_same_file_one_succeeds(file: Path) -> None:
    program = """
print("ready", flush=True)
sys.stdin.readline()
try:
    journal = Journal.create(file, match.record)
    play("4-7")
    journal.update(match.record)
    print("won", match.record.id)
except CannotSave as trouble:
    print(trouble)
sys.stdout.flush()
sys.stdin.readline()
"""
    crowd = [start(program, file) for _ in range(4)]
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


# --- damaged --------------------------------------------------------------------------------------


def test_a_file_that_is_too_long_is_not_read(file: Path) -> None:
    with file.open("wb") as out:
        out.truncate(2**40)
    assert refused(store.read, file) == f"Cannot read '{file}': it is too long, over 16 MiB."
    assert "too long" in refused(Journal.resume, file)
    assert "too long" in refused(Journal.create, file, played().record)


EARLIER = json.dumps({"schema": 1, "game": "safe-code", "moves": []}, indent=1).encode() + b"\n"


@pytest.mark.parametrize(
    "content",
    [EARLIER, b"", b"\n\n", b"\xff\n", b"[" * 10**6, b'{"schema":2}\n', b"9" * 9999 + b"\n"],
)
def test_garbage_is_refused_with_what_is_wrong_and_left_as_it_is(
    file: Path, content: bytes
) -> None:
    file.write_bytes(content)
    for call in (store.read, Journal.resume):
        with pytest.raises(DamagedRecord, match=r"is damaged|is not a saved game") as refusal:
            call(file)
    if content == EARLIER:
        earlier = "It has an earlier, unreleased format that can no longer be read."
        assert str(refusal.value) == f"'{file}' is damaged. {earlier}"
    assert file.read_bytes() == content


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
