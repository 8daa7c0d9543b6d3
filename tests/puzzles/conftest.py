"""Some puzzles of each game that has any, found once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import pytest

from strongroom import load
from strongroom.puzzles import Puzzle
from strongroom.puzzles.finding import SOURCES, puzzles

Found = Mapping[str, Sequence[Puzzle]]


@pytest.fixture(scope="session")
def found() -> Found:
    return {name: [*islice(puzzles(1, [load(name)]), 5)] for name in SOURCES}
