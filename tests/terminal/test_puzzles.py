"""The puzzle of the day, and sets of puzzles, at the command line."""

from __future__ import annotations

import json
import re
from datetime import date
from io import StringIO
from pathlib import Path

import pytest

from strongroom.puzzles import read, todays
from strongroom.terminal.faces.face import Looks
from strongroom.terminal.store.preferences import remember_answer, vault_squares
from strongroom.terminal.table.puzzle import PuzzleTable
from tests.terminal.conftest import SitDown, Strongroom

DAY = "2026-11-17"
"""A Tuesday: Player 1 has cells 5 and 6 in a Quantum Duel, and Master has 1 and 3."""
PUZZLE = ("puzzle", "--day", DAY)
EXPORT = ("puzzles", "export", "--only", "digit-deductions", "--count", "2")


@pytest.mark.proof
def test_a_move_is_judged_by_its_cost_and_a_hint_does_not_give_it(strongroom: Strongroom) -> None:
    ran = strongroom(*PUZZLE, lines=["9", "3", "resign", "7"], code=0)
    assert ran.lines[0] == "17 November 2026 · Quantum Duel · level 1 of 5"
    assert "[ O ] [ _ ] [ O ] [ _ ] [ X ] [ X ] [ _ ]" in ran.lines
    assert ran.out.count("Enter the cell number") == 4, "it asks again"
    assert "Solved: cell 7 costs nothing." in ran.lines
    assert "Cell 7 is right. Cell 7 wins 56 times in 100, cell 4 only 47." in ran.lines
    assert ran.lines[-1].endswith("Quantum Duel · level 1 of 5: solved")
    ran = strongroom(*PUZZLE, lines=["2"], code=0)
    assert "Not solved: cell 2 costs 5.6 points." in ran.out
    assert "Cell 7 is right." in ran.out
    assert "casual 5.4 points, expert 0.0 points" in ran.out
    assert ran.lines[-1].endswith("lost 5.6 points")
    hint, _, rest = strongroom(*PUZZLE, lines=["hint", "7"]).out.partition("Solved")
    assert "cell 7" not in hint
    assert "The right move wins 56 times in 100, cell 4 only 47." in hint
    assert rest.rstrip().endswith("solved with a hint")
    ran = strongroom("puzzle", "--day", "2026-11-16", code=4)
    assert ran.lines[0] == "16 November 2026 · Safe Cracker, digits 4, length 4 · level 1 of 5"
    assert ran.lines[-1] == "Not answered. The puzzle stays the same all day."
    assert "is right" not in ran.out


@pytest.mark.proof
def test_only_the_first_answer_of_a_day_counts_in_its_week(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other"))
    today = date(2026, 11, 19)
    for day, cost in ((17, 0.0), (18, 0.0), (18, 4.5), (16, 3.0)):
        remember_answer(today.replace(day=day), cost)
    week = "Mo □  Tu ■  We ■  Th ·  Fr ·  Sa ·  Su ·"
    assert vault_squares(today) == week
    assert vault_squares(today.replace(day=18)) == f"{week}   2 days in a row"
    told = []
    for line in ("4", "6"):
        monkeypatch.setattr("sys.stdin", StringIO(f"{line}\n"))
        assert PuzzleTable(todays(today), Looks(plain=True), counts=True).solve() == 0
        told.append(capsys.readouterr().out)
    assert "Not solved: cell 4 costs 8.3 points." in told[0]
    assert "Right: cell 6 costs nothing. Only a day's first answer counts as solved." in told[1]
    for each in told:
        assert each.endswith(f"lost 8.3 points\n{week.replace('Th ·', 'Th □')}\n")


def test_a_puzzle_is_solved_on_the_page(sit_down: SitDown) -> None:
    terminal = sit_down(*PUZZLE)
    terminal.sees("One cell to observe. Which?")
    terminal.answers("Enter the cell number you want to observe: ", "7")
    terminal.shows(r"(?s)★7 .*Solved: cell 7 costs nothing.*c copy")
    terminal.presses("c")
    terminal.shows("level 1 of 5: solved")
    terminal.presses("q")
    terminal.shows("p play it on")
    terminal.presses("?")
    terminal.shows(r"(?s)against master.*in round brackets")
    terminal.presses("q")
    terminal.presses("p")
    terminal.sees("Back at Quantum Duel.")
    terminal.answers("Enter the cell number you want to observe: ", "7")
    terminal.shows(r"You.*Master")
    terminal.answers(": ", "quit")
    assert terminal.ends() == 4


def test_a_set_follows_from_its_seed_and_difficulty(strongroom: Strongroom, tmp_path: Path) -> None:
    ran = strongroom(*EXPORT, "--output", "set.jsonl")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("Written: set.jsonl\n")
    assert len([*read(tmp_path / "set.jsonl")]) == 2
    assert [file.name for file in tmp_path.iterdir()] == ["set.jsonl"]
    usual = (tmp_path / "set.jsonl").read_text()
    assert usual == strongroom(*EXPORT, "--seed", "1").out
    assert usual != strongroom(*EXPORT, "--seed", "2").out
    lines = strongroom(*EXPORT, "--difficulty", "4", "5").lines
    assert {json.loads(line)["lamps"] for line in lines} <= {4, 5}
    for line in strongroom(*EXPORT, "--disguised").lines:
        puzzle = json.loads(line)
        assert "shade" in puzzle["rules"]
        assert "digit" not in puzzle["rules"] + puzzle["text"]


def test_an_export_tells_what_simple_rules_and_bots_solve(strongroom: Strongroom) -> None:
    only = ("--only", "quantum-duel", "digit-deductions", "--count", "8")
    said = strongroom("puzzles", "export", *only).err.splitlines()
    told = {row[0]: row[1:] for row in (re.split(" {2,}", line.strip()) for line in said[1:])}
    assert said[0] == "What share of the puzzles simple rules and bots solve:"
    assert told["who"] == ["Quantum Duel", "Digit Deductions", "all"]
    assert told["puzzles"] == ["4", "4", "8"]
    assert told["the likeliest secret"] == ["0 %", "0 %"]
    assert told["expert"][0] == "100 %"
    ran = strongroom("puzzles", "export", "--only", "safecracker-duel", "--count", "5", code=0)
    assert len(ran.lines) == 1
    assert ran.err.startswith(
        "There are no more puzzles; different ones found: 1. In a puzzle one "
    )
    ran = strongroom("puzzles", "export", "--only", "safe-code", "--count", "5", code=0)
    assert ran.err.endswith("simple players miss it.\nWithout any: safe-code.\n")
