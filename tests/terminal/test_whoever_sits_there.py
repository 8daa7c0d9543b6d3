"""Sentences and aids fit whoever sits at the keyboard: one person, or two taking turns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.remote.link import Link, LinkKind
from strongroom.terminal.store import seats

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

TWO = ("--names", "Ada", "Bo", "--fast")


def test_the_page_tells_the_next_of_two_people_what_the_other_did(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", *TWO)
    for cell in ("3", "7", "4"):
        terminal.answers("observe: ", cell)
    terminal.sees("Bo, do you want to challenge?")
    terminal.shows("Ada observes cell 4, adjacent to cell 3.")
    terminal.types("no")
    terminal.shows("Bo does not challenge. Cell 4 is Ada's.")
    assert "your symbol" not in terminal.text
    assert "is now yours" not in terminal.text


def test_the_page_drops_what_the_safe_showed_before_the_bots_turn(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel", "--vs", "random", "--seed", "1", "--fast")
    terminal.answers("from 1-5): ", "342")
    terminal.answers("(1-3): ", "1 5")
    terminal.shows(r"(?s)Random sets dial \d to \d\. The safe shows .*\(1-3\): ")
    assert "Updated Safe Combination" not in terminal.shown


# --- aids -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", [["--plain"], ["--fast"]], ids=["plain", "page"])
def test_between_two_people_aids_are_off_until_both_agree(
    sit_down: SitDown, tmp_path: Path, face: list[str]
) -> None:
    terminal = sit_down("play", "quantum-duel", "--names", "Ada", "Bo", *face)
    terminal.answers("observe: ", "hint")
    terminal.shows("This game is played without hints and notebook. To switch them on: aids")
    terminal.types("aids")
    terminal.shows("Bo is asked for it before the next turn there, as both have to agree.")
    terminal.types("hint")
    terminal.shows("This game is played without hints and notebook")
    terminal.types("4")
    terminal.sees("Ada wants hints and notebook on for both. Do you agree? (yes/no): ")
    terminal.types("maybe")
    terminal.shows("'maybe' is neither yes nor no")
    terminal.types("no")
    terminal.shows("Both have to agree: hints and notebook stay off.")
    terminal.types("aids", "2")
    terminal.sees("Bo wants hints and notebook on for both. Do you agree? (yes/no): ")
    terminal.types("yes")
    terminal.shows("Hints and notebook are on")
    terminal.types("hint")
    terminal.sees("looking: ")
    kept = tmp_path / "config" / "strongroom" / "preferences.json"
    assert not kept.exists() or "aids" not in json.loads(kept.read_text())


def test_aids_are_a_switch_in_the_game_that_is_remembered(
    sit_down: SitDown, tmp_path: Path
) -> None:
    game = ("play", "safe-cracker", "--vs", "random", "--seed", "1", "--fast")
    terminal = sit_down(*game)
    terminal.answers("from 1-3): ", "213")
    terminal.answers("Enter your guess", "111")
    terminal.shows("are left for you|of 27")
    terminal.types("aids")
    terminal.shows("Hints and notebook are off: you see the bare record.")
    assert "of 27" not in terminal.shown
    kept = tmp_path / "config" / "strongroom" / "preferences.json"
    assert json.loads(kept.read_text())["aids"] == {"alone": False}
    again = sit_down(*game)
    again.answers("from 1-3): ", "213")
    again.answers("Enter your guess", "111")
    again.shows("(?s)1-1-1.* 2 .*Enter your guess")
    assert "of 27" not in again.shown


# --- games on a server ----------------------------------------------------------------------------


def test_resume_points_to_join_if_only_a_game_on_a_server_is_open(
    strongroom: Strongroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    link = Link("https://duels.example", LinkKind.PLAY, "a" * 32, "1" * 32)
    seats.keep(seats.KeptSeat(link, "Safe Code"))
    ran = strongroom("resume")
    assert ran.code == 2
    assert ran.err == (
        "strongroom: No unfinished game is saved here. "
        "Safe Code on a server goes on with: strongroom join\n"
    )
