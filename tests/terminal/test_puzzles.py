"""The puzzle of the day, and sets of puzzles, at the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.puzzles import read

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

DAY = "2026-11-20"
"""A Friday: Player 1 hides 1-3-5 and begins a Safecracker Duel."""
PUZZLE = ("puzzle", "--day", DAY)
EXPORT = ("puzzles", "export", "--only", "safecracker-duel", "--count", "2")


def test_a_right_move_costs_nothing_and_is_explained(strongroom: Strongroom) -> None:
    ran = strongroom(*PUZZLE, lines=["2 3"])
    assert ran.code == 0
    assert ran.lines[0] == "20 November 2026 · Safecracker Duel · four of five lamps"
    assert "Your code: 1-3-5." in ran.lines
    assert "Solved: dial 2 → 3 costs nothing." in ran.lines
    assert "Your code is then 1 digit away" in ran.out
    assert ran.lines[-1].endswith("Safecracker Duel · four of five lamps: solved")


def test_a_wrong_move_is_judged_by_its_cost_and_told_the_right_one(strongroom: Strongroom) -> None:
    ran = strongroom(*PUZZLE, lines=["1", "2"])
    assert ran.code == 0
    assert "Not solved: dial 1 → 2 costs 19.1 points." in ran.out
    assert "Dial 2 → 3 or dial 3 → 5: each is right." in ran.out
    assert "casual 8.5 points, expert 9.6 points" in ran.out
    assert ran.lines[-1].endswith("lost 19.1 points")


def test_a_hint_does_not_give_the_move_and_is_told_at_the_end(strongroom: Strongroom) -> None:
    ran = strongroom(*PUZZLE, lines=["hint", "3 5"])
    hint, _, rest = ran.out.partition("Solved")
    assert "dial 2 → 3" not in hint
    assert "Expert may choose dial 2 → 2, and loses 12.8 points by it." in hint
    assert rest.rstrip().endswith("solved with a hint")


def test_lines_that_are_no_move_here_are_refused_and_asked_again(strongroom: Strongroom) -> None:
    ran = strongroom(*PUZZLE, lines=["9 9", "1 1", "resign", "2 3"])
    assert ran.code == 0
    assert "Positions run from 1 to 3; you typed 9." in ran.out
    assert ran.out.count("Enter position to change") == 4
    assert "Solved" in ran.out


def test_input_that_ends_leaves_the_puzzle_unanswered(strongroom: Strongroom) -> None:
    ran = strongroom(*PUZZLE)
    assert ran.code == 4
    assert ran.lines[-1] == "Not answered. The puzzle stays the same all day."
    assert "is right" not in ran.out


@pytest.mark.parametrize("day", ["yesterday", "2026-02-30", ""])
def test_a_day_that_is_none_is_refused_in_a_line(strongroom: Strongroom, day: str) -> None:
    ran = strongroom("puzzle", "--day", day)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("is not a day. For example: --day 2027-01-31\n")


def test_a_puzzle_is_solved_on_the_page(sit_down: SitDown) -> None:
    terminal = sit_down(*PUZZLE)
    terminal.sees("Where do you leave the safe?", "your code 1-3-5")
    terminal.answers("Enter position to change (1-3): ", "2 3")
    terminal.sees("Solved: dial 2 → 3 costs nothing.")
    assert terminal.ends() == 0


# --- sets ---------------------------------------------------------------------------------------


def test_a_set_is_written_to_a_file_that_can_be_read(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    ran = strongroom(*EXPORT, "--output", "set.jsonl")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "Written: set.jsonl\n"
    assert len([*read(tmp_path / "set.jsonl")]) == 2
    assert [file.name for file in tmp_path.iterdir()] == ["set.jsonl"]


def test_the_same_seed_writes_the_same_set(strongroom: Strongroom) -> None:
    assert strongroom(*EXPORT).out == strongroom(*EXPORT, "--seed", "1").out
    assert strongroom(*EXPORT).out != strongroom(*EXPORT, "--seed", "2").out


def test_a_difficulty_is_kept_to(strongroom: Strongroom) -> None:
    lines = strongroom(*EXPORT, "--difficulty", "4", "5").lines
    assert {json.loads(line)["lamps"] for line in lines} <= {4, 5}


def test_a_disguised_set_does_not_name_the_things_of_the_game(strongroom: Strongroom) -> None:
    for line in strongroom(*EXPORT, "--disguised").lines:
        puzzle = json.loads(line)
        assert "wheel" in puzzle["rules"]
        assert "safe" not in puzzle["rules"] + puzzle["text"]


def test_too_few_puzzles_are_written_and_said(strongroom: Strongroom) -> None:
    ran = strongroom(*EXPORT[:-1], "50", "--difficulty", "2")
    assert ran.code == 0
    assert ran.err == f"There are no more: {len(ran.lines)} different puzzles were found.\n"


def test_a_file_with_something_else_is_not_overwritten(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    ran = strongroom(*EXPORT, "--output", "notes.txt")
    assert ran.code == 2
    told = "Cannot write notes.txt: the file contains something else. Name another file."
    assert ran.err == f"strongroom: {told}\n"
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("wrong", [["--only", "chess"], ["--difficulty", "6"], ["--count", "0"]])
def test_wrong_arguments_are_refused_with_what_is_accepted(
    strongroom: Strongroom, wrong: list[str]
) -> None:
    ran = strongroom("puzzles", "export", *wrong)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("Try: strongroom puzzles --help\n")
