"""`strongroom measure` and `compare`: reports, interruptions, and everything typed wrong."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom import measure
from strongroom.measuring.checking import check

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

DUEL = ["--only", "quantum-duel"]


@pytest.fixture(scope="module")
def measured() -> Callable[[str], str]:
    """The text of a small report about a player."""

    @cache
    def text(player: str) -> str:
        found = measure(player, ["quantum-duel"], rounds=12, seed=1, workers=1)
        return json.dumps(found.to_json())

    return text


@pytest.fixture
def report(measured: Callable[[str], str], tmp_path: Path) -> Path:
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
    data["results"]["quantum-duel"]["perfect"] = 1.0
    (tmp_path / "casual.json").write_text(json.dumps(data))
    checked = strongroom("measure", "--check", "casual.json")
    assert checked.code == 1
    assert checked.lines[0].startswith("'results.quantum-duel.perfect' is 1.0, but 0.")
    assert checked.lines[-1] == "This report does not hold."


def test_a_report_that_holds_is_said_to_hold(strongroom: Strongroom, report: Path) -> None:
    checked = strongroom("measure", "--check", report.name)
    assert checked.code == 0
    assert checked.lines == [
        "Every figure follows from the 24 games, and every game from its seed.",
        "Not checked: how long moves took, on which versions of Python and numpy, what a model "
        "thought and what its answers took, and when the seed was drawn.",
    ]


def test_two_reports_are_compared_and_drawn(
    strongroom: Strongroom, report: Path, measured: Callable[[str], str], tmp_path: Path
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
    strongroom: Strongroom, report: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "measurements-of-today"
    folder.mkdir()
    for name in ("one.json", "two.json"):
        (folder / name).write_text(report.read_text())
    ran = strongroom("compare", *(f"{folder.name}/{name}" for name in ("one.json", "two.json")))
    one, two = (f"casual ({folder.name}/{name})" for name in ("one.json", "two.json"))
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


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("measure", "Name a player, or a report to check."),
        ("measure nobody", "There is no player 'nobody'. Choose from: "),
        ("measure casual --only chess", "There is no game 'chess'. Choose from: "),
        ("measure casual --against nobody", "There is no player 'nobody'."),
        ("measure casual --set digits=4", "--set is for one game. Name it with --only."),
        (
            "measure casual --only safe-cracker --set digits=9 --set length=6",
            "Nothing is certified for safe-cracker,digits=9,length=6.",
        ),
        ("measure casual --json no/folder.json", "Cannot write no/folder.json: its folder does"),
        ("measure casual --html casual.json", "Cannot write casual.json: the file contains"),
        ("measure --check nothing.json", "There is no file nothing.json."),
        ("measure --check damaged.json", "damaged.json: It is not JSON:"),
        ("measure --check casual.json --html x", "--html cannot be used with --check."),
        ("measure casual --puzzles x --only quantum", "--only cannot be used with --puzzles."),
        ("compare casual.json", "A comparison needs two reports."),
        ("compare casual.json damaged.json", "damaged.json: It is not JSON:"),
        ("compare casual.json edited.json", "edited.json: "),
        ("compare casual.json without.json", "without.json: Game 1 of 'quantum-duel' lacks"),
        ("measure --check edited.json", "edited.json: "),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_line(
    strongroom: Strongroom, report: Path, typed: str, told: str
) -> None:
    text = report.read_text()
    report.with_name("damaged.json").write_text(text[: len(text) // 2])
    edited = json.loads(text) | {"results": {"quantum-duel": {"options": 7}}, "seed": "\x1b[2J"}
    report.with_name("edited.json").write_text(json.dumps(edited))
    without = json.loads(text)
    without["records"]["quantum-duel"][0]["value"] = None
    report.with_name("without.json").write_text(json.dumps(without))
    ran = strongroom(*typed.split())
    assert ran.code == 2
    assert ran.err.startswith(f"strongroom: {told}")
    assert len(ran.err.splitlines()) == 1
    assert report.read_text() == text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_measurement_that_was_stopped_goes_on_where_it_stopped(
    sit_down: SitDown, tmp_path: Path, number: int
) -> None:
    asked = ["measure", "random", *DUEL, "--rounds", "60", "--json", "random.json"]
    terminal = sit_down(*asked, slow=True)
    terminal.shows(r"[1-9]\d* of 120")
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
    assert len(places) == 120
    assert data["seed_known"] is False
    assert check(data) == []
