"""A file that is not a saved game, or is damaged, is refused with what is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Seat
from strongroom.referee.record import DamagedRecord
from strongroom.terminal import store
from strongroom.terminal.store import Journal
from tests.tries import tries

if TYPE_CHECKING:
    from tests.terminal.store.conftest import After, Refused, Started


def test_an_earlier_format_is_refused_with_that_reason(file: Path, refused: Refused) -> None:
    file.write_text(json.dumps({"schema": 1, "game": "safe-code", "moves": []}, indent=1) + "\n")
    earlier = "It has an earlier, unreleased format that can no longer be read."
    assert refused(store.read, file) == f"'{file}' is damaged. {earlier}"


def test_a_file_that_is_too_long_is_not_read(
    file: Path, started: Started, refused: Refused
) -> None:
    with file.open("wb") as out:
        out.truncate(2**40)
    assert refused(store.read, file) == f"Cannot read '{file}': it is too long, over 16 MiB."
    assert "too long" in refused(Journal.resume, file)
    assert "too long" in refused(Journal.create, file, started().record)


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"\xff\n", b"[" * 10**6, b'{"schema":2}\n', b"9" * 9999 + b"\n"]
)
def test_garbage_is_refused_with_what_is_wrong(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(DamagedRecord, match=r"is damaged|is not a saved game"):
        store.read(file)
    with pytest.raises(DamagedRecord, match=r"is damaged|is not a saved game"):
        Journal.resume(file)
    assert file.read_bytes() == content


@pytest.fixture(scope="session")
def written(started: Started, after: After) -> bytes:
    """The text of a whole saved game."""
    return after(started(), "4-7", "6-5", "1-1").resign(Seat.ONE).record.dumps().encode()


@tries(3)
@given(data=st.data())
def test_any_content_of_a_file_gets_an_answer(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, written: bytes, refused: Refused
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.json"
    begin = data.draw(st.integers(0, len(written)))
    end = data.draw(st.integers(begin, min(len(written), begin + 20)))
    content = written[:begin] + data.draw(st.binary(max_size=8)) + written[end:]
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
