"""The proof of a shipped table and its recomputation are independent."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from strongroom import load
from strongroom.contract import Game, Move, View
from strongroom.plugins.extras import MissingExtra
from strongroom.theory import shelf
from strongroom.theory.certificate import certify, recompute
from strongroom.theory.solution import NoTheory, NotProved, Report, Solution, Table
from strongroom.theory.verification import Recomputed, Shipped, compute, verify
from strongroom.theory.worth import Probability

HALF = Fraction(1, 2)


def quiet(done: float, words: str) -> None:
    pass


class FirstCell(Solution):
    """A toy solution: its table names a first cell, any of 1 to 7 is proved, its solver finds 4."""

    found: ClassVar[int] = 4

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        return {"cell": np.array(cls.found)}

    def certify(self, report: Report) -> tuple[Probability, Probability]:
        if not 1 <= int(self.table["cell"]) <= 7:
            raise ValueError("there is no such cell")
        return HALF, HALF

    def policy(self, view: View) -> Mapping[Move, Probability]:
        return {view.moves[int(self.table["cell"]) - 1]: Fraction(1)}

    def values(self, view: View) -> Mapping[Move, float]:
        return dict.fromkeys(view.moves, 0.5)

    def why(self, view: View, move: Move) -> str:
        return "Why not."


@pytest.fixture
def game() -> Game:
    return load("quantum-duel")


@pytest.fixture
def toy(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[FirstCell]:
    """The toy as the theory of the game, on a temporary shelf that ships cell 4."""

    class Toy(FirstCell):
        pass

    monkeypatch.setattr(shelf, "solution_type", lambda name: Toy)
    monkeypatch.setattr(Solution, "tables", tmp_path)
    ship(game, 4)
    return Toy


def ship(game: Game, cell: int, lower: Probability = HALF) -> None:
    shelf.write(game, {"cell": np.array(cell)}, lower, HALF, shelf.file_of(game))


def test_a_shipped_table_is_proved_and_recomputed(game: Game, toy: type[FirstCell]) -> None:
    verdict = verify(game, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.PROVED, Recomputed.THE_SAME)
    assert verdict.verified
    assert verdict.to_json() == {
        "game": "quantum-duel",
        "options": {},
        "value": "1/2",
        "lower": "1/2",
        "upper": "1/2",
        "exact": True,
        "shipped": "proved",
        "recomputed": "the same",
        "trouble": "",
    }


def test_a_table_with_other_bytes_is_proved_too_or_guarantees_something_else(
    game: Game, toy: type[FirstCell], monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(game, 5)
    verdict = verify(game, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.PROVED, Recomputed.PROVED_TOO)
    assert verdict.verified
    assert verdict.recomputed.value == "other bytes, proved too"

    def certify(self: FirstCell, report: Report) -> tuple[Probability, Probability]:
        return (HALF if int(self.table["cell"]) == 5 else Fraction(1, 3)), HALF

    monkeypatch.setattr(toy, "certify", certify)
    verdict = verify(game, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.PROVED, Recomputed.OTHER_BOUNDS)
    assert verdict.verified


@pytest.mark.parametrize(
    ("error", "recomputed"),
    [
        (ImportError(name="scipy"), Recomputed.NEEDS_EXTRA),
        (RuntimeError("the programme is infeasible"), Recomputed.FAILED),
        (ZeroDivisionError("division by zero"), Recomputed.FAILED),
        (NotProved("Not even the values hold."), Recomputed.FAILED),
    ],
    ids=lambda case: type(case).__name__,
)
def test_a_failing_solver_does_not_affect_the_proof(
    game: Game,
    toy: type[FirstCell],
    error: Exception,
    recomputed: Recomputed,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(game: Game, report: Report) -> Table:
        raise error

    monkeypatch.setattr(toy, "solve", fails)
    verdict = verify(game, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.PROVED, recomputed)
    assert verdict.verified
    assert verdict.trouble


def test_a_recomputed_table_that_is_not_proved_is_reported_as_such(
    game: Game, toy: type[FirstCell], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toy, "found", 8)
    verdict = verify(game, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.PROVED, Recomputed.NOT_PROVED)
    with pytest.raises(NotProved, match="no such cell"):
        compute(game, quiet)


def test_a_spoiled_table_or_one_with_other_bounds_is_not_verified(
    game: Game, toy: type[FirstCell]
) -> None:
    ship(game, 8)  # its hash matches
    verdict = verify(game, quiet)
    assert (verdict.shipped, verdict.verified) == (Shipped.NOT_PROVED, False)
    assert "no such cell" in verdict.trouble
    data = verdict.to_json()
    assert (data["value"], data["lower"], data["upper"], data["exact"]) == (None, None, None, False)
    shelf.write(game, {"row": np.array(4)}, HALF, HALF, shelf.file_of(game))
    assert verify(game, quiet).shipped is Shipped.NOT_PROVED  # it holds no strategy at all
    ship(game, 4, lower=Fraction(2, 5))
    verdict = verify(game, quiet)
    assert (verdict.shipped, verdict.verified) == (Shipped.OTHER_BOUNDS, False)
    shelf.file_of(game).unlink()
    verdict = verify(game, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.NOT_SHIPPED, Recomputed.PROVED)
    assert verdict.certificate is not None
    assert not verdict.verified


def test_solving_compares_its_result_with_the_shelf_and_writes_what_was_proved(
    game: Game, toy: type[FirstCell]
) -> None:
    verdict = compute(game, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.NOT_CHECKED, Recomputed.THE_SAME)
    ship(game, 5)
    assert compute(game, quiet).recomputed is Recomputed.PROVED_TOO
    assert compute(game, quiet, write=True).shipped is Shipped.WRITTEN
    assert verify(game, quiet).recomputed is Recomputed.THE_SAME


def test_a_game_that_nobody_solved_is_refused_by_name() -> None:
    with pytest.raises(NoTheory, match="Nobody has solved chess yet"):
        shelf.solution_type("chess")


def test_recomputing_without_scipy_says_what_to_install(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(
        MissingExtra, match=r"needs the extra theory.*pip install 'strongroom\[theory\]'"
    ):
        recompute(game, quiet)


def test_progress_runs_from_zero_to_one_and_is_described_in_plain_words(game: Game) -> None:
    heard: list[tuple[float, str]] = []
    certify(shelf.solution_of(game), lambda done, words: heard.append((done, words)))
    assert heard == sorted(heard, key=lambda each: each[0])
    assert (heard[0][0], heard[-1][0]) == (0, 1)
    heard.clear()
    compute(load("safe-cracker", digits=4), lambda done, words: heard.append((done, words)))
    assert all(0 <= done <= 1 for done, _ in heard)
    assert heard[-1][0] == 1
    assert not any(re.search(r"Seat|ONE|TWO", words) for _, words in heard)


def test_progress_goes_back_when_another_table_has_to_be_proved_too(
    game: Game, toy: type[FirstCell], monkeypatch: pytest.MonkeyPatch
) -> None:
    def solve(game: Game, report: Report) -> Table:
        report(0.5, "solving")
        return {"cell": np.array(4)}

    def certify(self: FirstCell, report: Report) -> tuple[Probability, Probability]:
        report(0.5, "proving")
        return HALF, HALF

    monkeypatch.setattr(toy, "solve", solve)
    monkeypatch.setattr(toy, "certify", certify)
    monkeypatch.setattr(toy, "solving_share", lambda game: 0.2)
    heard: list[tuple[float, str]] = []
    verify(game, lambda done, words: heard.append((round(done, 3), words)))
    assert heard == [(0.4, "proving"), (0.9, "solving")]
    ship(game, 5)
    heard.clear()
    verify(game, lambda done, words: heard.append((round(done, 3), words)))
    assert heard == [(0.4, "proving"), (0.9, "solving"), (0.778, "proving")]
