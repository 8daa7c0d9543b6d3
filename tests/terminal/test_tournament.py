"""`strongroom tournament`: files, interruptions, and players who stop."""

from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starting import STRONGROOM, Piped

from tests.plugins.packages import add_package
from tests.server.waiting import wait_until
from tests.terminal.test_interrupted import is_gone

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean, SitDown, Strongroom

SMALL = ["tournament", "safe-cracker", "--players", "casual", "random", "--games", "4"]
LONG = ["tournament", "quantum", "--players", "casual", "random", "--seed", "1", "--games"]


def test_a_tournament_of_several_games_is_shown_and_written(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    files = ["--json", "all.json", "--csv", "all.csv", "--html", "all.html"]
    ran = strongroom("tournament", "quantum", *SMALL[1:], *files)
    assert ran.code == 0
    titles = [line for line in ran.lines if line.startswith("### ")]
    assert titles == ["### Quantum Duel", "### Safe Cracker", "### All games"]
    assert "casual has 0" in ran.out
    table = ran.out.partition("### Quantum Duel")[2].partition("### ")[0]
    rows = [line for line in table.splitlines() if line.startswith(("| casual", "| random"))]
    scores = [float(each) for row in rows for each in re.findall(r"(\d\.\d+) (?:±|\()", row)]
    assert scores[0] + scores[1] == pytest.approx(1, abs=0.002)
    data = json.loads((tmp_path / "all.json").read_text())
    assert data["schedule"]["seed_known"] is False
    assert len(data["games"]) == 8
    assert data["together"]["players"]["casual"]["rating"]["value"] == 0
    with open(tmp_path / "all.csv", newline="") as opened:
        assert len(list(csv.DictReader(opened))) == 8
    assert "<svg" in (tmp_path / "all.html").read_text()
    assert [*(tmp_path / "state").rglob("*.jsonl")] == []
    assert strongroom("tournament", "quantum", *SMALL[1:], *files).code == 0


def test_an_interrupted_tournament_goes_on_where_it_stopped(
    sit_down: SitDown, strongroom: Strongroom, tmp_path: Path
) -> None:
    asked = [*LONG, "20", "--json", "all.json"]
    terminal = sit_down(*asked, slow=True)
    terminal.shows(r"[1-9]\d* of 20 games")
    terminal.shows(r"player +games +score\s+\w+ +\d+ +\d\.\d+ \(\d\.\d+ to ")
    terminal.presses("\x03")
    terminal.sees(" kept; the same command goes on from there.")
    assert terminal.ends() == 130
    assert not (tmp_path / "all.json").exists()
    ran = strongroom(*asked)
    assert ran.err.startswith("Going on after ")
    assert ran.lines[-1] == "Written: all.json"
    numbers = [each["number"] for each in json.loads((tmp_path / "all.json").read_text())["games"]]
    assert numbers == [*range(20)]


def test_a_killed_tournament_leaves_no_process_behind_and_loses_no_finished_game(
    clean: Clean, tmp_path: Path
) -> None:
    command = [*STRONGROOM, *LONG, "100000"]
    with Piped(command, environment=clean(), folder=tmp_path, session=True) as program:
        wait_until(lambda: any(file.stat().st_size for file in tmp_path.rglob("*.jsonl")))
        program.kill()
    wait_until(lambda: is_gone(program.pid))
    (kept,) = tmp_path.rglob("*.jsonl")
    whole = [line for line in kept.read_text().splitlines() if line.endswith("}")]
    assert json.loads(whole[0])["game"] == "quantum-duel"


STOPS = '''
from strongroom.players import Stops, player

games = 0

def seats(game, rng):
    """Stops the run in its fourth game."""
    global games
    games += 1
    return Stopping() if games == 4 else player("random", game, rng)

seats.concurrency = 1

class Stopping:
    def choose(self, view):
        raise Stops("The budget is spent.")
'''


def test_a_player_who_stops_ends_the_run_and_what_is_finished_is_kept(
    strongroom: Strongroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = "[strongroom.players]\nstopping = stopping:seats\n"
    monkeypatch.syspath_prepend(add_package(tmp_path / "packages", "stopping", points, STOPS))
    asked = ["tournament", "safe-cracker", "--players", "stopping", "random", "--games", "6"]
    for kept in (2, 4):  # the first of four is only seated to see whether it can play
        monkeypatch.delitem(sys.modules, "stopping", raising=False)
        ran = strongroom(*asked)
        assert ran.code == 1
        told = f"strongroom: The budget is spent. {kept} games kept; the same command goes on"
        assert told in ran.err
    monkeypatch.delitem(sys.modules, "stopping")
    assert strongroom(*asked).code == 0


@pytest.mark.parametrize(("package", "extra"), [("choix", "arena"), ("ray", "cluster")])
def test_a_missing_extra_is_named(
    strongroom: Strongroom, monkeypatch: pytest.MonkeyPatch, package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    cluster = ["--cluster", "local"] if package == "ray" else []
    ran = strongroom(*SMALL, *cluster)
    assert f"pip install 'strongroom[{extra}]'" in ran.err
    assert len(ran.err.splitlines()) == 1
    assert ran.code == (2 if package == "ray" else 0)
    assert ("### Safe Cracker" in ran.out) == (package == "choix")
