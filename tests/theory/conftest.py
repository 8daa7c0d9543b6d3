"""Proofs that take long, each done once in a test run, whichever tests need it."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable

import pytest

from strongroom.theory.shelf import file_of, fingerprint
from strongroom.theory.solution import Solution, Worth
from tests.sharing import one_at_a_time

Proved = Callable[[Solution], tuple[Worth, Worth]]


@pytest.fixture(scope="session")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Proved:
    """What `certify` proves of a solution; tables with the same content are proved once."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # which all workers of the run have in common

    def prove(solution: Solution) -> tuple[Worth, Worth]:
        name = f"{file_of(solution.game).stem}-{fingerprint(solution.table)}"
        kept = folder / f"{name}.proved"
        with one_at_a_time(folder / f"{name}.lock"):
            if not kept.exists():
                kept.write_bytes(pickle.dumps(solution.certify(lambda done, words: None)))
            bounds: tuple[Worth, Worth] = pickle.loads(kept.read_bytes())
        return bounds

    return prove
