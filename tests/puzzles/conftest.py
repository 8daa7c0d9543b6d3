"""Some puzzles of each game, found once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import pytest

from strongroom import load
from strongroom.plugins.registry import GAMES
from strongroom.puzzles import Puzzle
from strongroom.puzzles.finding import puzzles_of

Found = Mapping[str, Sequence[Puzzle]]


@pytest.fixture(scope="session")
def found() -> Found:
    return {name: [*islice(puzzles_of(load(name), 1), 4)] for name in GAMES}
