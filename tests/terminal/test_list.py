"""`strongroom list`, and the commands that take a game from it by number or as the latest."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.terminal import store

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

WON = ["2-1-3", "3-3-1", "1 2 3", "2 2 1", "3 3 1"]


@pytest.fixture
def three(strongroom: Strongroom) -> None:
    """Three saved games: one begun, one finished, one begun against a bot, in this order."""
    strongroom("play", "quantum-duel", "--names", "Ada", "Bob", lines=["3"])
    strongroom("play", "safe-cracker", "--names", "Eve", "Max", lines=WON)
    strongroom("play", "digit-deductions", "--vs", "random", lines=["37"])


@pytest.mark.usefixtures("three")
def test_the_game_last_played_comes_first_with_its_players_and_state(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("list")
    assert (ran.code, ran.err) == (0, "")
    heading, one, two, three = ran.lines[:4]
    assert heading.split() == ["played", "game", "who", "turns", "status"]
    assert one.startswith("1  ")
    assert "Digit Deductions  You and Random  " in one
    assert one.rstrip().endswith("0  You are next")
    assert "Safe Cracker      Eve and Max" in two
    assert two.rstrip().endswith("3  Eve cracked the code.")
    assert three.rstrip().endswith("1  Bob is next")
    assert "Resume a game:  strongroom resume NUMBER" in ran.lines


@pytest.mark.usefixtures("three")
def test_the_list_shows_no_secrets(strongroom: Strongroom) -> None:
    listed = strongroom("list").out
    events = strongroom("list", "--json").events
    # A file's name and a time are full of digits, which may look like a code.
    told = [{key: each[key] for key in each if key not in ("file", "time")} for each in events]
    for out in (re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "", listed), json.dumps(told)):
        assert "3-7" not in out
        assert "move" not in out


@pytest.mark.usefixtures("three")
def test_in_json_each_game_is_an_object(strongroom: Strongroom, games: Path) -> None:
    found = strongroom("list", "--json").events
    assert [each["number"] for each in found] == [1, 2, 3]
    assert {Path(each["file"]) for each in found} == set(games.iterdir())
    assert found[1]["names"] == ["Eve", "Max"]
    assert found[1]["end"] == {"winner": 1, "reason": "cracked", "detail": ""}
    assert found[0]["end"] is None
    assert found[0]["players"] == ["person", "random"]


@pytest.mark.usefixtures("three")
def test_a_file_that_is_not_a_game_is_named_in_one_line(
    strongroom: Strongroom, games: Path
) -> None:
    (games / "a\x1b[2J\nb").write_text("rubbish")
    (games / "c.jsonl").write_text('{"schema":2}\n')
    (games / "d").write_bytes(b"\xff\0")
    ran = strongroom("list")
    assert ran.code == 0
    assert len(ran.err.splitlines()) == 3
    assert "\x1b" not in ran.err
    assert sorted(line.partition("' is ")[2][:16] for line in ran.err.splitlines()) == [
        "damaged. Line 1:",
        "not a saved game",
        "not a saved game",
    ]


def test_without_games_it_says_how_to_start_one(strongroom: Strongroom, games: Path) -> None:
    assert strongroom("list").lines == ["There are no saved games. Start one: strongroom play GAME"]
    assert strongroom("list", "--json").out == ""
    assert not games.exists()


def test_only_the_last_twenty_games_are_listed(
    strongroom: Strongroom, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(games.parent.parent))
    for _ in range(23):
        match = Match.start(load("quantum-duel"))
        store.Journal.create(store.new_file("quantum-duel"), match.record).close()
    ran = strongroom("list")
    assert "3 more: strongroom list --all" in ran.lines
    assert sum("Quantum Duel" in line for line in ran.lines) == 20
    assert len(strongroom("list", "--all", "--json").lines) == 23


@pytest.mark.usefixtures("three")
def test_a_narrow_screen_has_whole_names_and_values(sit_down: SitDown) -> None:
    for columns in (40, 60, 80):
        terminal = sit_down("list", columns=columns, rows=40)
        assert terminal.ends() == 0
        assert all(name in terminal.shown for name in ("Digit Deductions", "Eve", "Random"))
        assert "…" not in terminal.shown


# --- by number, and as the latest -----------------------------------------------------------------


@pytest.mark.usefixtures("three")
def test_replay_takes_the_game_last_played_and_says_which(strongroom: Strongroom) -> None:
    ran = strongroom("replay")
    assert ran.lines[0] == "Welcome to Digit Deductions!"
    assert "The game is not over." in ran.lines
    assert ran.err.startswith("Game 1: Digit Deductions, You and Random, played ")
    assert len(ran.err.splitlines()) == 1
    assert [x["event"] for x in strongroom("replay", "--json").events] == ["start", "note"]


@pytest.mark.usefixtures("three")
def test_analyze_takes_the_finished_game_last_played(strongroom: Strongroom) -> None:
    ran = strongroom("analyze", "--json")
    assert ran.err.startswith("Game 2: Safe Cracker, Eve and Max, played ")
    assert json.loads(ran.out)["decisions"]


@pytest.mark.usefixtures("three")
def test_a_number_selects_the_game_in_the_list(strongroom: Strongroom) -> None:
    assert strongroom("replay", "2").lines[0] == "Welcome to Safe Cracker!"
    assert strongroom("resume", "3").lines[0].startswith("Back at Quantum Duel.")
    assert strongroom("replay", "1").lines[0] == "Welcome to Quantum Duel!", "it was played last"


@pytest.mark.usefixtures("three")
def test_a_file_with_that_name_takes_precedence_over_a_number(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    os.rename(next((tmp_path / "state" / "strongroom" / "games").glob("*safe-c*")), tmp_path / "1")
    ran = strongroom("replay", "1")
    assert ran.lines[0] == "Welcome to Safe Cracker!"
    assert ran.err == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["replay"], "There are no saved games. Start one: strongroom play GAME"),
        (["analyze"], "There is no finished game. Start one: strongroom play GAME"),
        (["replay", "7"], "There is no saved game 7. List them: strongroom list"),
        (["resume", "0"], "There is no saved game 0. List them: strongroom list"),
    ],
)
def test_where_there_is_no_such_game_one_line_says_so(
    strongroom: Strongroom, arguments: list[str], says: str
) -> None:
    ran = strongroom(*arguments)
    assert (ran.code, ran.err) == (2, f"strongroom: {says}\n")


@pytest.mark.usefixtures("three")
def test_the_list_of_files_has_the_order_of_the_list(strongroom: Strongroom, games: Path) -> None:
    (games / "odd\nname").write_text("")
    files = strongroom("list", "--files").lines
    assert files == [each["file"] for each in strongroom("list", "--json").events]
