"""The shelf of tables: written, read, proved and recomputed, each independently of the others."""

from __future__ import annotations

import re
import sys
from ast import literal_eval
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from strongroom import __version__, load
from strongroom.contract import Game, Move, Refusal, View
from strongroom.plugins.extras import MissingExtra
from strongroom.plugins.registry import GAMES
from strongroom.theory import shelf
from strongroom.theory.certificate import Recomputed, Shipped, compute, recompute, verify
from strongroom.theory.shelf import DamagedTable
from strongroom.theory.solution import MoveEffect, NoTheory, NotProved, Report, Solution, Table
from strongroom.theory.worth import Probability
from tests.theory.progress import quiet

HALF, GAME = Fraction(1, 2), load("quantum-duel")


@pytest.fixture
def other_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(Solution, "tables", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_solution_that_is_loaded_once_and_says_where_it_comes_from(
    name: str,
) -> None:
    game = load(name)
    table, provenance = shelf.read(game)
    assert provenance["command"] == f"strongroom solve {name} --write"
    assert provenance["version"] == __version__
    assert set(provenance) == {"command", "version", "sha256", "lower", "upper"}
    solution = shelf.solution_of(game)
    assert isinstance(solution, Solution)
    assert type(solution) is shelf.solution_type(name)
    assert shelf.fingerprint(solution.table) == provenance["sha256"] == shelf.fingerprint(table)
    assert shelf.solution_of(load(name)) is solution


def test_the_sentence_about_certified_play_claims_no_more_than_is_proved() -> None:
    files = [*Solution.tables.iterdir()]
    assert 0 < sum(file.stat().st_size for file in files) < 4_000_000  # together they are small
    for file in files:
        name, *settings = file.stem.split(",")
        pairs = (setting.split("=") for setting in settings)
        game = load(name, **{key: literal_eval(value) for key, value in pairs})
        assert shelf.is_certified(game)
        lower, upper = (Fraction(shelf.read(game)[1][each]) for each in ("lower", "upper"))
        one, two = re.findall(r"(\d+\.\d) % as Player", shelf.guarantee_text(game))
        assert 0 <= lower - Fraction(one) / 100 < Fraction(1, 1000)
        assert 0 <= 1 - upper - Fraction(two) / 100 < Fraction(1, 1000)


def test_nothing_is_claimed_for_unsolved_options_which_are_refused_with_the_solved_ones() -> None:
    for options in ({"attempts": 9}, {"digits": 9, "length": 6}):
        game = load("safe-cracker", **options)
        assert not shelf.is_certified(game)
        asks: tuple[Callable[[Game], object], ...] = (shelf.guarantee_text, shelf.solution_of)
        for asked in asks:
            with pytest.raises(NoTheory) as refused:
                asked(game)
            told = ",".join(f"{name}={value}" for name, value in options.items())
            assert refused.value.reason == f"Nothing is certified for safe-cracker,{told}."
            solved = "the default options; digits=4; digits=4 length=4; digits=5;"
            assert solved in refused.value.accepted
    with pytest.raises(NoTheory, match="Nobody has solved chess yet"):
        shelf.solution_type("chess")


def test_a_fingerprint_tells_tables_apart_and_the_same_table_gives_the_same_file(
    other_shelf: Path,
) -> None:
    for other in (
        {"a": np.arange(4)},
        {"b": np.arange(3)},
        {"a": np.arange(3, dtype=np.int16)},
        {"a": np.arange(3).reshape(3, 1)},
    ):
        assert shelf.fingerprint(other) != shelf.fingerprint({"a": np.arange(3)})
    table = {"a": np.arange(6).reshape(2, 3), "b": np.array([0.5])}
    files = [other_shelf / name for name in ("one.npz", "two.npz")]
    for file in files:
        shelf.write(GAME, table, 0.5, 0.5, file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_missing_changed_or_damaged_table_is_refused(other_shelf: Path) -> None:
    assert issubclass(DamagedTable, Refusal), "so that a command says it in a line"
    file = shelf.file_of(GAME)
    with pytest.raises(NoTheory, match="Create it: strongroom solve quantum-duel --write"):
        shelf.read(GAME)
    shelf.write(GAME, {"a": np.arange(3)}, 0.5, 0.5, file)
    with np.load(file) as arrays:
        provenance = arrays["provenance"]
    np.savez_compressed(file, a=np.arange(4), provenance=provenance)
    with pytest.raises(DamagedTable, match="hash does not match"):
        shelf.read(GAME)
    np.savez_compressed(file, a=np.arange(4), provenance=np.array("{}"))
    with pytest.raises(DamagedTable, match="does not say where it comes from"):
        shelf.read(GAME)
    for content in (b"", b"no table at all", b"PK\x03\x04"):
        file.write_bytes(content)
        with pytest.raises(DamagedTable, match=r"quantum-duel\.npz is damaged"):
            shelf.read(GAME)


def test_a_failed_write_keeps_the_old_table_and_leaves_no_partial_file(
    other_shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = shelf.file_of(GAME)
    shelf.write(GAME, {"cell": np.array(4)}, 0.5, 0.5, file)
    before = file.read_bytes()

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(Refusal, match=r"Cannot write the table quantum-duel\.npz: No space left"):
        shelf.write(GAME, {"cell": np.array(5)}, 0.5, 0.5, file)
    assert file.read_bytes() == before
    assert list(other_shelf.iterdir()) == [file]


class FirstCell(Solution):
    """A toy solution: its table names a first cell, any of 1 to 7 is proved, its solver finds 4."""

    found: ClassVar[int] = 4

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        report(0.5, "solving")
        return {"cell": np.array(cls.found)}

    def certify(self, report: Report) -> tuple[Probability, Probability]:
        report(0.5, "proving")
        if not 1 <= int(self.table["cell"]) <= 7:
            raise ValueError("there is no such cell")
        return HALF, HALF

    def policy(self, view: View) -> Mapping[Move, Probability]:
        return {view.moves[int(self.table["cell"]) - 1]: Fraction(1)}

    def values(self, view: View) -> Mapping[Move, float]:
        return dict.fromkeys(view.moves, 0.5)

    def effect(self, view: View, move: Move) -> MoveEffect:
        return MoveEffect.of("Why not.")


@pytest.fixture
def toy(other_shelf: Path, monkeypatch: pytest.MonkeyPatch) -> type[FirstCell]:
    """The toy as the theory of the game, on a temporary shelf that ships cell 4."""
    monkeypatch.setattr(shelf, "solution_type", lambda name: FirstCell)
    ship(4)
    return FirstCell


def ship(cell: int, lower: Probability = HALF) -> None:
    shelf.write(GAME, {"cell": np.array(cell)}, lower, HALF, shelf.file_of(GAME))


def test_a_shipped_table_is_proved_and_recomputed_also_with_other_bytes(
    toy: type[FirstCell], monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = verify(GAME, quiet)
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
    ship(5)
    verdict = verify(GAME, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.PROVED, Recomputed.PROVED_TOO)
    assert verdict.verified
    assert verdict.recomputed.value == "other bytes, proved too"

    def certify(self: FirstCell, report: Report) -> tuple[Probability, Probability]:
        return (HALF if int(self.table["cell"]) == 5 else Fraction(1, 3)), HALF

    monkeypatch.setattr(toy, "certify", certify)
    verdict = verify(GAME, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.PROVED, Recomputed.OTHER_BOUNDS)
    assert verdict.verified


@pytest.mark.parametrize(
    ("error", "recomputed"),
    [
        (ImportError(name="scipy"), Recomputed.NEEDS_EXTRA),
        (ValueError("the linear programme failed"), Recomputed.FAILED),
        (ZeroDivisionError("division by zero"), Recomputed.FAILED),
        (NotProved("Not even the values hold."), Recomputed.FAILED),
    ],
    ids=lambda case: type(case).__name__,
)
def test_a_failing_solver_does_not_affect_the_proof(
    toy: type[FirstCell], error: Exception, recomputed: Recomputed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(game: Game, report: Report) -> Table:
        raise error

    monkeypatch.setattr(toy, "solve", fails)
    verdict = verify(GAME, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.PROVED, recomputed)
    assert verdict.verified
    assert verdict.trouble


def test_a_spoiled_table_or_one_with_other_bounds_is_not_verified(
    toy: type[FirstCell], monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(8)  # its hash matches
    verdict = verify(GAME, quiet)
    assert (verdict.shipped, verdict.verified) == (Shipped.NOT_PROVED, False)
    assert "no such cell" in verdict.trouble
    data = verdict.to_json()
    assert (data["value"], data["lower"], data["upper"], data["exact"]) == (None, None, None, False)
    shelf.write(GAME, {"row": np.array(4)}, HALF, HALF, shelf.file_of(GAME))
    assert verify(GAME, quiet).shipped is Shipped.NOT_PROVED  # it holds no strategy at all
    ship(4, lower=Fraction(2, 5))
    verdict = verify(GAME, quiet)
    assert (verdict.shipped, verdict.verified) == (Shipped.OTHER_BOUNDS, False)
    shelf.file_of(GAME).unlink()
    verdict = verify(GAME, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.NOT_SHIPPED, Recomputed.PROVED)
    assert verdict.certificate is not None
    assert not verdict.verified
    ship(4)
    monkeypatch.setattr(toy, "found", 8)
    verdict = verify(GAME, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.PROVED, Recomputed.NOT_PROVED)
    with pytest.raises(NotProved, match="no such cell"):
        compute(GAME, quiet)


def test_solving_compares_its_result_with_the_shelf_and_writes_what_was_proved(
    toy: type[FirstCell],
) -> None:
    verdict = compute(GAME, quiet)
    assert (verdict.shipped, verdict.recomputed) == (Shipped.NOT_CHECKED, Recomputed.THE_SAME)
    ship(5)
    assert compute(GAME, quiet).recomputed is Recomputed.PROVED_TOO
    assert compute(GAME, quiet, write=True).shipped is Shipped.WRITTEN
    assert verify(GAME, quiet).recomputed is Recomputed.THE_SAME


@pytest.mark.proof
def test_recomputing_without_scipy_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(
        MissingExtra, match=r"needs the extra theory.*pip install 'strongroom\[theory\]'"
    ):
        recompute(GAME, quiet)
