"""Engines at the terminal: playing one, resuming, measuring and checking."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.minds.engines import written
from tests.terminal.conftest import SitDown, Strongroom

CRASHES = 'if kind == "choose": sys.exit("\\x1b[31mno")'


def named(folder: Path, body: str = "") -> str:
    return f"engine:{shlex.join(written(folder / 'fox.py', body))}"


def test_a_person_plays_an_engine_which_is_called_by_its_own_name_and_resumes_the_game(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    player = named(tmp_path)
    ran = strongroom("play", "quantum", "--vs", player, lines=["4"])
    assert "Test observes cell 1." in ran.lines
    assert json.loads(strongroom("list", "--json").lines[0])["players"] == ["person", player]
    again = strongroom(*ran.resume, lines=["5", "resign", "yes"], code=0)
    assert any(line.startswith("Test observes cell ") for line in again.lines)
    assert "Test won, because You resigned" in again.out.replace("you", "You")


def test_a_file_from_elsewhere_runs_no_program_unless_it_is_trusted(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    file, ran = tmp_path / "gift.jsonl", tmp_path / "ran"
    body = f"open({str(ran)!r}, 'w').close()"
    strongroom("play", "quantum", "--vs", named(tmp_path, body), "--save", str(file), lines=["4"])
    ran.unlink()
    refusal = strongroom("resume", str(file), lines=["5"]).refusal
    assert "play, and it is not one of your saved games. If you trust it: " in refusal
    assert not ran.exists()
    assert "Test observes cell " in strongroom("resume", str(file), "--trust", lines=["5"]).out
    assert ran.exists()


def test_an_engine_is_introduced_to_who_plays_it(sit_down: SitDown, tmp_path: Path) -> None:
    table = sit_down("play", "quantum", "--plain", "--vs", named(tmp_path))
    table.sees("Test is an engine,")
    table.answers("you want to observe: ", "4")
    table.sees("Test observes cell 1")


@pytest.mark.proof
def test_a_crash_forfeits_the_game_and_not_the_run_and_the_reason_is_harmless(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    player = named(tmp_path, CRASHES)
    why = "it failed: the engine ended"
    for typed, told in {
        "play quantum --vs": "its last words: '?[31mno'",
        "tournament quantum --games 4 --players random": f"Forfeited by {player}: 4; {why}",
        "measure --only quantum-duel --rounds 1 --": f"Quantum Duel: 2 of 2 games forfeited: {why}",
    }.items():
        ran = strongroom(*typed.split(), player, lines=["4"], code=0)
        assert told in ran.out
        assert b"\x1b" not in ran.raw


def test_a_tournament_says_what_an_engine_calls_itself(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    player, file = named(tmp_path), tmp_path / "meeting.json"
    typed = ["tournament", "quantum", "--games", "2", "--players", "random", player]
    ran = strongroom(*typed, "--json", str(file))
    assert f"{player} calls itself Test." in ran.out
    assert json.loads(file.read_text())["names"] == {player: "Test"}


def test_an_engine_that_does_not_work_is_refused_before_the_game_and_a_check_says_why(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    told = strongroom("play", "quantum", "--vs", named(tmp_path, "sys.exit(3)"), code=2).err
    assert "does not work: the engine ended with exit code 3" in told
    assert "Check it: strongroom engine check " in told
    script = tmp_path / "bot"
    for first_line, why in (
        ("import sys", "its first line has no #!"),
        ("#!/no/python", "its #! line names is missing"),
    ):
        script.write_text(f"{first_line}\n")
        script.chmod(0o700)
        assert why in strongroom("engine", "check", str(script), code=1).out


def test_a_check_says_that_an_engine_is_fine_or_what_is_wrong_and_where(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    player = named(tmp_path)
    typed = ["engine", "check", player.removeprefix("engine:"), "--only", "quantum"]
    ran = strongroom(*typed, "safe-cracker", code=0)
    assert ran.lines[0] == "It says hello: Test, protocol 1."
    fine = [re.split(r" {2,}|:", line)[:2] for line in ran.lines[2:4]]
    assert fine == [["Quantum Duel", "fine"], ["Safe Cracker", "fine"]]
    assert f"--vs {shlex.quote(player)}" in ran.lines[-1]
    named(tmp_path, 'if kind == "choose": say(type="move", move="\\x1b[9"); continue')
    ran = strongroom(*typed, code=1)
    assert "  - As Player 1, on turn 1: its move '?[9' is not legal." in ran.out
    assert "7 moves are legal, such as 1, 2, 3, 4." in ran.out
    assert ran.lines[-1] == "1 thing is wrong."
    told = json.loads(strongroom("engine", "check", player, *typed[3:], "--json").out)
    assert told["games"]["quantum-duel"]["faults"][0]["kind"] == "NotLegal"
