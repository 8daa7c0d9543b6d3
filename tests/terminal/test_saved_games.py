"""Saved games: listed, selected, verified and analyzed; damaged and odd files are refused."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.randomness import nonces
from strongroom.terminal.store.games import Journal, new_file
from tests.network_games import played
from tests.terminal.conftest import SitDown, Strongroom
from tests.terminal.test_store import after

WON = ["2-1-3", "3-3-1", "1 2 3", "2 2 1", "3 3 1"]
NONE_SAVED = "There are no saved games. Start one: strongroom play GAME"


@pytest.fixture
def three(strongroom: Strongroom) -> None:
    """Three saved games: one begun, one finished, one begun against a bot, in this order."""
    strongroom("play", "quantum-duel", "--names", "Ada", "Bob", lines=["3"])
    strongroom("play", "safe-cracker", "--names", "Eve", "Max", lines=WON)
    strongroom("play", "digit-deductions", "--vs", "random", lines=["37"])


@pytest.mark.usefixtures("three")
def test_the_game_last_played_comes_first_with_its_players_and_state(
    strongroom: Strongroom, sit_down: SitDown, games: Path
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
    (games / "odd\nname").unlink()
    (games / "a\x1b[2J\nb").write_text("rubbish")
    (games / "c.jsonl").write_text('{"schema":2}\n')
    (games / "d").write_bytes(b"\xff\0")
    ran = strongroom("list", code=0)
    assert "\x1b" not in ran.err
    each_line = sorted(line.partition("' is ")[2][:16] for line in ran.err.splitlines())
    assert each_line == ["damaged. Line 1:", "not a saved game", "not a saved game"]
    middle = Path(found[1]["file"])
    played = middle.stat().st_mtime_ns
    middle.write_text("rubbish")
    os.utime(middle, ns=(played, played))
    assert [each["number"] for each in strongroom("list", "--json").events] == [1, 3]


def test_only_the_last_twenty_games_are_listed(
    strongroom: Strongroom, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(games.parent.parent))
    for _ in range(23):
        match = Match.start(load("quantum-duel"))
        Journal.create(new_file("quantum-duel"), match.record).close()
    ran = strongroom("list")
    assert "3 more: strongroom list --all" in ran.lines
    assert sum("Quantum Duel" in line for line in ran.lines) == 20
    assert len(strongroom("list", "--all", "--json").lines) == 23


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


def test_where_there_is_no_such_game_one_line_says_so(strongroom: Strongroom, games: Path) -> None:
    for typed, told in {
        "replay": NONE_SAVED,
        "analyze": "There is no finished game. Start one: strongroom play GAME",
        "replay 7": "There is no saved game 7. List them: strongroom list",
        "resume 0": "There is no saved game 0. List them: strongroom list",
    }.items():
        assert strongroom(*typed.split()).refusal == told
    assert strongroom("list").lines == [NONE_SAVED]
    assert strongroom("list", "--json").out == ""
    assert not games.exists()


CHECKS = ["record", "secrets", "rules", "end", "seed", "coins", "published"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


@pytest.mark.parametrize(
    ("name", "marks", "unchecked"),
    [("quantum-duel", "✓–✓✓✓✓–", "seed, coins"), ("safe-cracker", "✓✓✓✓✓✓–", "seed")],
)
def test_a_game_from_a_server_is_verified_and_without_its_seeds_only_partly(
    strongroom: Strongroom, file: Path, name: str, marks: str, unchecked: str
) -> None:
    whole = played(name, 1).dumps()
    file.write_text(whole)
    ran = strongroom("verify", file.name, "--strict", code=0)
    assert [line.split()[1] for line in ran.lines[:7]] == CHECKS
    assert "".join(line[0] for line in ran.lines[:7]) == marks
    assert ran.lines[-1] == "Nothing is wrong with this record."
    in_ascii = strongroom("verify", file.name, env={"TERM": "linux"})
    assert in_ascii.lines[2].startswith("ok")
    assert in_ascii.raw.isascii()
    header, _, rest = whole.partition("\n")
    bare = {part: value for part, value in json.loads(header).items() if part != "coins"}
    file.write_text(f"{json.dumps(bare)}\n{rest}")
    ran = strongroom("verify", file.name, code=0)
    told = f"is wrong. Not checked: {unchecked}. The record names no seeds."
    assert told in ran.lines[-1]
    assert strongroom("verify", file.name, "--strict").code == 5
    ran = strongroom("verify", file.name, "--strict", "--json")
    data = json.loads(ran.out)
    assert (ran.code, data["holds"], data["complete"]) == (5, True, False)
    assert [each["check"] for each in data["checks"]] == CHECKS


def test_a_forged_game_fails_and_the_error_says_where_and_an_unfinished_one_fails_in_strict_mode(
    strongroom: Strongroom, file: Path
) -> None:
    lines = played("digit-deductions", 1).dumps().splitlines()
    step = json.loads(lines[3])
    lines[3] = json.dumps(step | {"answer": step["answer"] + 1})
    file.write_text("\n".join(lines) + "\n")
    ran = strongroom("verify", file.name, code=1)
    assert "✗  rules" in ran.out
    assert f"Step 3 ({step['move']}) has another answer by the rules." in ran.out
    assert ran.lines[-1] == "This record does not hold."
    lines = played("safe-cracker", 1).dumps().splitlines(keepends=True)
    header = json.loads(lines[0])
    del header["coins"]["seed"]
    file.write_text(json.dumps(header) + "\n" + "".join(lines[1:6]))
    ran = strongroom("verify", file.name, "--strict", code=5)
    assert "Not checked: end, seed, coins. What is hidden until the end" in ran.lines[-1]
    file.write_text("".join(lines).replace('"seed":"', '"seed":"x'))
    ran = strongroom("verify", file.name, "--json")
    data = json.loads(ran.out)
    assert (ran.code, data["holds"]) == (2, False)
    assert data["checks"][0]["text"].startswith("Line 1: ")


def test_a_local_game_says_what_it_cannot_prove(strongroom: Strongroom) -> None:
    strongroom("play", "digit-deductions", lines=["37", "56", "5 6"])
    ran = strongroom("verify", code=0)
    assert "Game 1: Digit Deductions" in ran.err
    assert "Both are in one file, so this finds only accidents." in ran.out
    assert "The record has no seed." in ran.out
    assert strongroom("verify", "1").out == ran.out
    strongroom("play", "safe-cracker", lines=["312", "132"])
    ran = strongroom("verify")
    assert "The match is not over." in ran.out
    assert not {"3-1-2", "1-3-2"} & {*ran.out.split()}


FOUR = ["3", "7", "4", "no", "1", "5", "no", "6", "no", "2", "no"]
"""Player 1 takes cells 2 to 5, and Player 2 lets even the fourth stand."""


@pytest.fixture
def record(strongroom: Strongroom) -> str:
    assert strongroom("play", "quantum-duel", "--save", "a.json", lines=FOUR).code == 0
    return "a.json"


def test_an_analysis_is_a_table_json_or_a_drawing_with_the_same_blunder(
    strongroom: Strongroom, record: str, tmp_path: Path
) -> None:
    ran = strongroom("analyze", record, "--plot", "a.svg", code=0)
    assert re.search(r"7 +Player 2 .*no challenge .*\?\? blunder .*a challenge", ran.out)
    assert re.search(
        r"7\. Player 2: no challenge, a blunder \(.\d+ points\): a challenge could have taken ",
        ran.out,
    )
    assert re.search(r"Player 2: 50\.0% at the start, .\d+\.\d points given away", ran.out)
    assert "Drawn: a.svg" in ran.lines
    data = json.loads(strongroom("analyze", record, "--json").out)
    assert data["decisions"][-1]["mark"] == "blunder"
    one, two = data["seats"]
    assert (one["curve"][-1], two["curve"][-1], data["truth"][-1]) == ([12, 1], [12, 0], [12, 1])
    texts = [each.text or "" for each in ElementTree.parse(tmp_path / "a.svg").iter()]
    assert any("blunder" in text for text in texts)
    numbers = [*dict.fromkeys(str(each["turn"]) for each in data["decisions"])]
    assert [text for text in texts if text.isdigit()] == numbers
    assert strongroom("analyze", record, "--plot", "a.svg").code == 0, "a drawing is replaced"
    before = (tmp_path / record).read_text()
    assert "contains something else" in strongroom("analyze", record, "--plot", record).refusal
    assert (tmp_path / record).read_text() == before


def test_an_analysis_leaves_the_shells_screen(sit_down: SitDown, record: str) -> None:
    terminal = sit_down("analyze", record)
    terminal.sees("Quantum Duel: what each move cost", "q back")
    assert terminal.screen.on_second_screen
    assert terminal.ends("q") == 0
    assert not terminal.screen.on_second_screen


def test_resigning_is_not_counted(strongroom: Strongroom) -> None:
    strongroom("play", "quantum-duel", "--save", "a.jsonl", lines=["4", "resign", "y"])
    told = "Resigning is not a move, and its cost is not counted."
    assert told in strongroom("analyze", "a.jsonl").lines


BEGUN = Match.start(load("digit-deductions"), nonce=nonces(1))
UNFINISHED = after(BEGUN, "3-7", "5-6", "5-5", "3-5").record.dumps()
EVIL = "\x1b[2J"
ODD = {
    b"": "is damaged. It is empty.",
    b"{\n": "is damaged. Line 1 is not JSON",
    b'{"schema":2,"game":"\\u001b[2J"}\n': "is damaged. Line 1: ",
    b"{\xff}\n": "is damaged. It is not text.",
    **dict.fromkeys((b"root:x:0:0\n", b"[" * 100_000), "is not a saved game.\n"),
    UNFINISHED.replace('"move":"5-5"', '"move":"5-6"').encode(): "is damaged. Step 3 (5-6) has an",
    UNFINISHED.replace("Player 1", r"\u001b[2J").encode(): "is damaged. Line 1: '?[2J' is not a ",
}


def test_a_file_that_is_not_a_record_is_wrong_usage_for_every_command(
    strongroom: Strongroom, file: Path, subtests: pytest.Subtests
) -> None:
    for content, what in ODD.items():
        file.write_bytes(content)
        for command in ("replay", "analyze", "resume"):
            with subtests.test(what, command=command):
                refusal = strongroom(command, file.name).refusal + "\n"
                assert refusal.startswith(f"'{file.name}' {what}")
                assert EVIL not in refusal
        if "Step" not in what:  # which is a failed check
            ran = strongroom("verify", file.name, code=2)
            assert what.removeprefix("is damaged. ").strip() in ran.out + ran.err
            assert EVIL not in ran.out + ran.err
    assert strongroom("verify", "nowhere").code == 2


def test_a_missing_package_is_one_clear_line(strongroom: Strongroom, file: Path) -> None:
    file.write_text(UNFINISHED.replace('"digit-deductions"', '"moon-duel"', 1))
    no_game = "There is no game 'moon-duel'. Choose from: safe-cracker"
    for command in ("resume", "replay", "analyze"):
        assert no_game in strongroom(command, file.name).refusal
    file.write_text(UNFINISHED.replace('"player":"person"', '"player":"martian"', 1))
    assert strongroom("replay", file.name).code == 0, "it can still be replayed"
    no_player = "There is no player 'martian'. Choose from: master, expert, casual, random."
    ran = strongroom("resume", file.name, code=2)
    assert (no_player in ran.err, ran.err.count("\n")) == (True, 1)
