"""`strongroom solve` prints what is proved, and its exit code says whether everything is."""

from __future__ import annotations

import json

import pytest

from strongroom import load
from strongroom.contract import Game
from strongroom.terminal import solving
from strongroom.terminal.main import main
from strongroom.theory import shelf
from strongroom.theory.solution import Report, Table
from tests.theory.test_shelf import GAME, FirstCell, other_shelf, ship, toy  # noqa: F401


def solved(*arguments: str) -> int:
    return main(["solve", *arguments])


@pytest.fixture
def toy_here(toy: type[FirstCell], monkeypatch: pytest.MonkeyPatch) -> type[FirstCell]:  # noqa: F811
    """The toy on a shelf for this test, solved in this process so that the shelf is used."""

    def here(games: list[Game], verifying: bool, write: bool) -> list[solving.Solved]:
        return [solving.solve_here(game, verifying, write, lambda *_: None) for game in games]

    monkeypatch.setattr(solving, "_in_processes", here)
    return toy


@pytest.mark.usefixtures("toy_here")
def test_the_verdicts_stand_beside_the_value(capsys: pytest.CaptureFixture[str]) -> None:
    for cell, verify, ends in (
        (5, ["--verify"], "proved   other bytes, proved too"),
        (4, [], "not checked  the same"),
    ):
        ship(cell)
        assert solved("quantum-duel", *verify) == 0
        heading, row = capsys.readouterr().out.splitlines()
        assert heading.split()[-2:] == ["shipped", "recomputed"]
        assert row.split()[:2] == ["quantum-duel", "1/2"]
        assert row.rstrip().endswith(ends)


@pytest.mark.usefixtures("toy_here")
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_spoiled_table_or_none_is_exit_code_1(
    capsys: pytest.CaptureFixture[str], form: list[str]
) -> None:
    shelf.file_of(GAME).unlink()
    assert solved("quantum-duel", "--verify", *form) == 1
    assert "not shipped" in capsys.readouterr().out
    ship(8)
    assert solved("quantum-duel", "--verify", *form) == 1
    printed = capsys.readouterr()
    assert "NOT PROVED" in printed.out
    assert "no such cell" in (printed.out if form else printed.err)


def test_without_scipy_the_refusal_says_what_still_works(
    toy_here: type[FirstCell], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def solve(game: Game, report: Report) -> Table:
        raise ImportError(name="scipy")

    monkeypatch.setattr(toy_here, "solve", solve)
    shelf.file_of(GAME).unlink()
    needs = "strongroom: Solving quantum-duel needs the extra theory. "
    install = "Install it: pip install 'strongroom[theory]'\n"
    assert solved("quantum-duel") == 2
    assert capsys.readouterr().err == f"{needs}{install}"
    ship(4)
    assert solved("quantum-duel") == 2
    still = "Without it, --verify still proves the shipped table, which master, hint and analyze"
    assert capsys.readouterr().err == f"{needs}{still} use. {install}"
    assert solved("quantum-duel", "--verify", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["shipped"], told["recomputed"]) == ("proved", "needs strongroom[theory]")
    assert "pip install 'strongroom[theory]'" in told["trouble"]


@pytest.mark.proof
def test_a_shipped_variation_is_proved_in_a_process_and_has_bounds_but_no_value(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = solving._in_processes([load("safe-cracker", digits=4)], True, False)
    monkeypatch.setattr(solving, "_in_processes", lambda *_: found)
    four = ("safe-cracker", "--set", "digits=4", "--verify")
    assert solved(*four) == 0
    _, row, race = capsys.readouterr().out.splitlines()
    bounds = ["0.646484374", "0.648193360", "1.7e-03"]
    assert row.split()[:7] == ["safe-cracker,digits=4", "not", "known", "-", *bounds]
    assert race.split() == ["race", "2653/4096", "0.647705"]
    assert solved(*four, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["race"], told["value"], told["exact"]) == ("2653/4096", None, False)
    assert 0.64 < told["lower"] < told["upper"] < 0.65
    assert (told["shipped"], told["recomputed"]) == ("proved", "the same")
    assert min(told["seconds"], told["peak_mb"]) > 0
