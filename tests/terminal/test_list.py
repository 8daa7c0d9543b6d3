"""`strongroom list`, and the commands that take a game from it by number or as the latest."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.terminal import store
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
    strongroom: Strongroom, sit_down: SitDown
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
    assert not re.search("3-7|move", re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "", ran.out))
    terminal = sit_down("list", columns=40, rows=40)
    assert terminal.ends() == 0
    assert all(name in terminal.shown for name in ("Digit Deductions", "Eve", "Random"))
    assert "…" not in terminal.shown


@pytest.mark.usefixtures("three")
def test_in_json_each_game_is_an_object(strongroom: Strongroom, games: Path) -> None:
    found = strongroom("list", "--json").events
    assert [each["number"] for each in found] == [1, 2, 3]
    assert {Path(each["file"]) for each in found} == set(games.iterdir())
    assert found[1]["names"] == ["Eve", "Max"]
    assert found[1]["end"] == {"winner": 1, "reason": "cracked", "detail": ""}
    assert found[0]["end"] is None
    assert found[0]["players"] == ["person", "random"]
    # A file's name and a time are full of digits, which may look like a code.
    told = [{key: each[key] for key in each if key not in ("file", "time")} for each in found]
    assert not re.search("3-7|move", json.dumps(told))
    (games / "odd\nname").write_text("")
    assert strongroom("list", "--files").lines == [each["file"] for each in found]


@pytest.mark.usefixtures("three")
def test_a_file_that_is_not_a_game_is_named_in_one_line(
    strongroom: Strongroom, games: Path
) -> None:
    (games / "a\x1b[2J\nb").write_text("rubbish")
    (games / "c.jsonl").write_text('{"schema":2}\n')
    (games / "d").write_bytes(b"\xff\0")
    ran = strongroom("list")
    assert ran.code == 0
    assert "\x1b" not in ran.err
    told = sorted(line.partition("' is ")[2][:16] for line in ran.err.splitlines())
    assert told == ["damaged. Line 1:", "not a saved game", "not a saved game"]


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


# --- by number, and as the latest -----------------------------------------------------------------


@pytest.mark.usefixtures("three")
def test_a_game_is_selected_by_its_number_or_is_the_one_last_played(
    strongroom: Strongroom, games: Path, tmp_path: Path
) -> None:
    ran = strongroom("replay")
    assert ran.lines[0] == "Welcome to Digit Deductions!"
    assert "The game is not over." in ran.lines
    assert ran.err.startswith("Game 1: Digit Deductions, You and Random, played ")
    assert len(ran.err.splitlines()) == 1
    assert [x["event"] for x in strongroom("replay", "--json").events] == ["start", "note"]
    analyzed = strongroom("analyze", "--json")
    assert analyzed.err.startswith("Game 2: Safe Cracker, Eve and Max, played "), "it is finished"
    assert json.loads(analyzed.out)["decisions"]
    assert strongroom("replay", "2").lines[0] == "Welcome to Safe Cracker!"
    assert strongroom("resume", "3").lines[0].startswith("Back at Quantum Duel.")
    assert strongroom("replay", "1").lines[0] == "Welcome to Quantum Duel!", "it was played last"
    os.rename(next(games.glob("*safe-c*")), tmp_path / "1")
    ran = strongroom("replay", "1")
    assert ran.lines[0] == "Welcome to Safe Cracker!", "a file takes precedence over a number"
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
    strongroom: Strongroom, games: Path, arguments: list[str], says: str
) -> None:
    ran = strongroom(*arguments)
    assert (ran.code, ran.err) == (2, f"strongroom: {says}\n")
    assert strongroom("list").lines == ["There are no saved games. Start one: strongroom play GAME"]
    assert strongroom("list", "--json").out == ""
    assert not games.exists()
