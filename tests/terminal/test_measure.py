"""`strongroom measure` and `compare`: reports and interruptions."""

from __future__ import annotations

import json
import re
import signal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom import measure
from strongroom.measuring.checking import check

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

DUEL = ["--only", "quantum-duel"]


@cache
def measured(player: str) -> str:
    """The text of a small report about a player."""
    found = measure(player, ["quantum-duel"], rounds=12, seed=1, workers=1)
    return json.dumps(found.to_json())


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """The file of a small report."""
    file = tmp_path / "casual.json"
    file.write_text(measured("casual"))
    return file


def test_a_measurement_is_shown_written_and_checked(strongroom: Strongroom, tmp_path: Path) -> None:
    asked = ["measure", "casual", *DUEL, "--rounds", "3"]
    ran = strongroom(*asked, "--json", "casual.json", "--html", "page.html")
    assert ran.code == 0
    data = json.loads((tmp_path / "casual.json").read_text())
    found = data["results"]["quantum-duel"]
    assert found.keys() >= {"score", "error", "counted", "counted_error", "ratio", "exact"}
    assert found["exact"] == pytest.approx(0.19745, abs=5e-6)
    assert found["games"] == 6
    assert ran.lines[0] == "casual against master"
    assert f"{found['score']:.3f} (" in ran.out
    assert (tmp_path / "page.html").read_text().count("<svg") > 2
    checked = strongroom("measure", "--check", "casual.json")
    assert checked.code == 0
    assert checked.lines == [
        "Every figure follows from the 6 games, and every game from its seed.",
        "Not checked: how long moves took, on which versions of Python and numpy, what a model "
        "thought and what its answers took, and when the seed was drawn.",
    ]
    data["results"]["quantum-duel"]["perfect"] = 1.0
    (tmp_path / "casual.json").write_text(json.dumps(data))
    checked = strongroom("measure", "--check", "casual.json")
    assert checked.code == 1
    assert checked.lines[0].startswith("'results.quantum-duel.perfect' is 1.0, but 0.")
    assert checked.lines[-1] == "This report does not hold."


def test_two_reports_are_compared_and_drawn(
    strongroom: Strongroom, report: Path, tmp_path: Path
) -> None:
    (tmp_path / "master.json").write_text(measured("master"))
    ran = strongroom("compare", report.name, "master.json", "--html", "both.html")
    assert ran.lines[0] == "casual and master, paired game by game: 24"
    score = r"score +0\.\d{3} +0\.500 +-0\.\d{3} \(-0\.\d{3} to -0\.\d{3}\) +master"
    assert re.search(score, ran.out)
    assert (tmp_path / "both.html").read_text().count("master") > 2
    (found,) = json.loads(strongroom("compare", report.name, "master.json", "--json").out)
    assert found["better"] == "master"


def test_two_reports_about_one_player_are_told_apart_by_their_files(
    strongroom: Strongroom, report: Path
) -> None:
    files = [Path("measurements-of-today", name) for name in ("one.json", "two.json")]
    for file in files:
        (report.parent / file).parent.mkdir(exist_ok=True)
        (report.parent / file).write_text(report.read_text())
    ran = strongroom("compare", *map(str, files))
    one, two = (f"casual ({file})" for file in files)
    assert ran.lines[0] == f"{one} and {two}, paired game by game: 24"


def test_a_set_of_puzzles_is_put_to_a_player_game_by_game(strongroom: Strongroom) -> None:
    games = ("safe-cracker", "quantum-duel")
    strongroom("puzzles", "export", "--only", *games, "--count", "4", "--output", "set.jsonl")
    ran = strongroom("measure", "master", "--puzzles", "set.jsonl", "--json", "master.json")
    rows = [re.split(r" {2,}| \(", line)[:4] for line in ran.lines[1:4]]
    assert rows == [
        ["Safe Cracker", "2", "100 %", "0.0"],
        ["Quantum Duel", "2", "100 %", "0.0"],
        ["all", "4", "100 %", "0.0"],
    ]
    assert ran.lines[-1] == "Written: master.json"


def test_a_measurement_that_was_stopped_goes_on_where_it_stopped(
    sit_down: SitDown, tmp_path: Path
) -> None:
    asked = ["measure", "random", *DUEL, "--rounds", "10", "--json", "random.json"]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        terminal = sit_down(*asked, slow=True)
        if number != signal.SIGINT:
            terminal.sees("Going on after ")
        terminal.shows(r"[1-9]\d* of 20")
        terminal.process.kill(number)
        terminal.sees(" kept; the same command goes on from there.")
        assert terminal.ends() == 128 + number
        assert not (tmp_path / "random.json").exists()
    terminal = sit_down(*asked)
    terminal.sees("Going on after ")
    terminal.shows("random against master")
    terminal.presses("q")
    terminal.sees("Written: random.json")
    assert terminal.ends() == 0
    assert re.search(r"random against master\n─+\ngame +score", terminal.everything)
    data = json.loads((tmp_path / "random.json").read_text())
    places = {(each["round"], each["seat"]) for each in data["records"]["quantum-duel"]}
    assert len(places) == 20
    assert data["seed_known"] is False
    assert check(data) == []
