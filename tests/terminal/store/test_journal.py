"""A journal grows with its game, and only new lines are written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.contract import Seat
from strongroom.referee.match import Match
from strongroom.referee.record import Record
from strongroom.terminal import store
from strongroom.terminal.store import Journal

if TYPE_CHECKING:
    from tests.terminal.store.conftest import After, Refused, Saved, Started


def test_a_journal_grows_by_the_lines_that_are_new(
    file: Path, started: Started, after: After
) -> None:
    match = started()
    with Journal.create(file, match.record) as journal:
        assert journal.file == file
        for texts in (["4-7"], ["6-5", "1-1"], [], ["3-9"]):
            before = file.read_bytes()
            match = after(match, *texts)
            journal.update(match.record)
            assert file.read_bytes().startswith(before)
            assert file.read_text() == match.record.dumps()
        match = match.hinted(Seat.ONE).resign(Seat.ONE)
        journal.update(match.record)
    assert store.read(file) == match.record
    assert os.listdir(file.parent) == [file.name]


def test_a_resumed_journal_goes_on_where_it_stopped(file: Path, after: After, saved: Saved) -> None:
    saved(file, "4-7", "6-5")
    journal, record = Journal.resume(file)
    match = after(Match.resume(record), "1-1")
    with journal:
        journal.update(match.record)
    assert store.read(file) == match.record


def test_an_update_costs_the_same_at_the_end_of_a_long_game(
    file: Path, started: Started, after: After
) -> None:
    """The cost is counted in bytes, so it does not depend on the load of the machine."""
    match = after(started(), "4-7", "6-5")
    sizes, real = [], os.pwrite

    def counted(handle: int, data: bytes, place: int) -> int:
        sizes.append(len(data))
        return real(handle, data, place)

    with Journal.create(file, match.record) as journal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "pwrite", counted)
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(Record, "lines", None)
        for _ in range(2000):
            match = after(match, "1-1")
            journal.update(match.record)
    assert len(sizes) == 2000
    assert max(sizes) < 120
    assert store.read(file) == match.record


def test_a_journal_holds_one_game_with_one_course(
    file: Path, started: Started, after: After, refused: Refused
) -> None:
    match = after(started(), "4-7", "6-5")
    with Journal.create(file, after(match, "1-1").record) as journal:
        for other in (started().record, match.record, after(match, "2-2", "3-3").record):
            assert "Cannot save to" in refused(journal.update, other)
    assert store.read(file) == after(match, "1-1").record


def test_a_closed_journal_is_closed(file: Path, started: Started, refused: Refused) -> None:
    journal = Journal.create(file, started().record)
    journal.close()
    journal.close()
    assert "Cannot save to" in refused(journal.update, started().record)
