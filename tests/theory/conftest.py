"""Long proofs, each done once in a test run, and what listens to them."""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Callable

import pytest

from strongroom.theory.shelf import file_of, fingerprint
from strongroom.theory.solution import Solution
from strongroom.theory.worth import Probability
from tests.sharing import one_at_a_time

Proved = Callable[[Solution], tuple[Probability, Probability]]


def quiet(done: float, words: str) -> None:
    """Take a report of progress that has something to say."""
    assert 0 <= done <= 1
    assert words
    assert not re.search(r"Seat|ONE|TWO", words)


@pytest.fixture(scope="session")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Proved:
    """Returns the bounds that `certify` proves for a solution; equal tables are proved once."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # shared by all workers of the run

    def prove(solution: Solution) -> tuple[Probability, Probability]:
        name = f"{file_of(solution.game).stem}-{fingerprint(solution.table)}"
        kept = folder / f"{name}.proved"
        with one_at_a_time(folder / f"{name}.lock"):
            if not kept.exists():
                kept.write_bytes(pickle.dumps(solution.certify(quiet)))
            bounds: tuple[Probability, Probability] = pickle.loads(kept.read_bytes())
        return bounds

    return prove
