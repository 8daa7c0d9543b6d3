"""`strongroom solve` prints what is proved, and its exit code says whether everything is."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from strongroom import load
from strongroom.contract import Game
from strongroom.terminal import solving as terminal
from strongroom.terminal.main import main
from strongroom.theory import shelf
from strongroom.theory.quantum_duel.solution import QuantumDuelSolution
from strongroom.theory.solution import Report, Solution, Table

HALF = Fraction(1, 2)


def quiet(done: float, words: str) -> None:
    pass


class FirstCell(QuantumDuelSolution):
    """A toy solution: its table names a first cell, any of 1 to 7 is proved, its solver finds 4."""

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        return {"cell": np.array(4)}

    def certify(self, report: Report) -> tuple[Fraction, Fraction]:
        if not 1 <= int(self.table["cell"]) <= 7:
            raise ValueError("there is no such cell")
        return HALF, HALF


@pytest.fixture(scope="module")
def real() -> Table:
    """The real table; module-scoped, so it is read before a test replaces the shelf."""
    return shelf.read(load("quantum-duel"))[0]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game with a shelf for this test, solved in this process so that the shelf is used."""
    monkeypatch.setattr(
        terminal,
        "_in_processes",
        lambda games, verifying, write: [
            terminal.measured(game, verifying, write, quiet) for game in games
        ],
    )
    monkeypatch.setattr(Solution, "tables", tmp_path)
    return load("quantum-duel")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "solution_type", lambda name: FirstCell)


def ship(game: Game, table: Table) -> None:
    shelf.write(game, table, HALF, HALF, shelf.file_of(game))


@pytest.mark.usefixtures("toy")
def test_a_solver_that_finds_another_proved_table_is_no_failure(
    game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    ship(game, {"cell": np.array(5)})
    assert terminal.solve([game], verifying=True, json=False, write=False) == 0
    heading, row = capsys.readouterr().out.splitlines()
    assert heading.split()[-2:] == ["shipped", "recomputed"]
    assert row.rstrip().endswith("proved   other bytes, proved too")


@pytest.mark.usefixtures("toy")
def test_without_verify_a_game_is_solved_from_scratch(
    game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    ship(game, {"cell": np.array(4)})
    assert main(["solve", "quantum-duel"]) == 0
    heading, row = capsys.readouterr().out.splitlines()
    assert heading.split()[-2:] == ["shipped", "recomputed"]
    assert row.split()[:2] == ["quantum-duel", "1/2"]
    assert row.rstrip().endswith("not checked  the same")


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("json", [False, True])
def test_a_spoiled_table_is_exit_code_1(
    game: Game, json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    ship(game, {"cell": np.array(8)})
    assert terminal.solve([game], verifying=True, json=json, write=False) == 1
    printed = capsys.readouterr()
    assert "NOT PROVED" in printed.out
    assert "no such cell" in (printed.out if json else printed.err)


@pytest.mark.usefixtures("toy")
def test_a_table_that_is_not_shipped_is_exit_code_1(
    game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    assert terminal.solve([game], verifying=True, json=False, write=False) == 1
    assert "not shipped" in capsys.readouterr().out


@pytest.mark.usefixtures("toy")
def test_without_scipy_the_refusal_says_what_still_works(
    game: Game, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def solve(game: Game, report: Report) -> Table:
        raise ImportError(name="scipy")

    monkeypatch.setattr(FirstCell, "solve", solve)
    install = "Install it: pip install 'strongroom[theory]'\n"
    assert main(["solve", "quantum-duel"]) == 2
    assert (
        capsys.readouterr().err
        == f"strongroom: Solving quantum-duel needs the extra theory. {install}"
    )
    ship(game, {"cell": np.array(4)})
    assert main(["solve", "quantum-duel"]) == 2
    still = "Without it, --verify still proves the shipped table, which master, hint and "
    assert f"needs the extra theory. {still}analyze use. {install}" in capsys.readouterr().err
    assert main(["solve", "quantum-duel", "--verify"]) == 0


@pytest.mark.proof
def test_the_real_table_when_spoiled_is_exit_code_1(
    real: Table, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QuantumDuelSolution, "solve", lambda game, report: real)
    ship(game, {**real, "moves": np.roll(real["moves"], 1)})
    assert terminal.solve([game], verifying=True, json=True, write=False) == 1


@pytest.mark.usefixtures("toy")
def test_a_narrow_screen_cuts_no_value_and_no_verdict(
    game: Game, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(game, {"cell": np.array(5)})
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert terminal.solve([game], verifying=True, json=False, write=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 60
    assert lines[0].split() == ["game", "value", "about", "shipped", "recomputed"]
    assert lines[1].split()[:4] == ["quantum-duel", "1/2", "0.500000", "proved"]
    assert " ".join(" ".join(lines[1:]).split()).endswith("other bytes, proved too")
