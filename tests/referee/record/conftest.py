"""Short matches with fixed nonces, and their records as JSON."""

from __future__ import annotations

import json
from typing import Any, Protocol

import pytest

from strongroom.contract import Seat
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.randomness import nonces
from strongroom.referee.record import Record

Json = dict[str, Any]
Lines = list[Json]


class Recorded(Protocol):
    """Plays these moves, and returns the record of the match."""

    def __call__(self, *texts: str, name: str = "digit-deductions", **more: Any) -> Record: ...


@pytest.fixture(scope="session")
def record() -> Recorded:
    def play(*texts: str, name: str = "digit-deductions", **more: Any) -> Record:
        match = Match.start(load(name), nonce=nonces(1), **more)
        for text in texts:
            assert isinstance(match.actor, Seat)
            match, _ = match.step(match.actor, match.record.game.move(text))
        return match.record

    return play


@pytest.fixture(scope="session")
def finished(record: Recorded) -> Record:
    return record("4-7", "6-5", "1-1", "3-9", "6-5")


@pytest.fixture(scope="session")
def unfinished(record: Recorded) -> Record:
    return record("4-7", "6-5", "1-1")


class Data(Protocol):
    """The lines of a record as JSON; of the finished one if none is given."""

    def __call__(self, of: Record | None = None) -> Lines: ...


@pytest.fixture(scope="session")
def data(finished: Record) -> Data:
    return lambda of=None: [json.loads(line) for line in (of or finished).lines()]
