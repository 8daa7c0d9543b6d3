"""`strongroom tournament`: files, interruptions, and everything typed wrong."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starting import PATIENCE

from tests.terminal.test_interrupted import is_gone

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean, SitDown, Strongroom

SMALL = ["tournament", "safe-cracker", "--players", "casual", "random", "--games", "4"]
ENDLESS = [
    *("tournament", "quantum", "--players", "casual", "random"),
    *("--seed", "1", "--games", "100000"),
]
LONG = ["tournament", "quantum", "--players", "master", "casual", "--games", "100"]


def test_a_tournament_of_several_games_is_shown_and_written(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    files = ["--json", "all.json", "--csv", "all.csv", "--html", "all.html"]
    ran = strongroom("tournament", "quantum", *SMALL[1:], *files)
    assert ran.code == 0
    titles = [line for line in ran.lines if line.startswith("### ")]
    assert titles == ["### Quantum Duel", "### Safe Cracker", "### All games"]
    assert "casual has 0" in ran.out
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
    sit_down: SitDown, tmp_path: Path
) -> None:
    asked = [*LONG, "--json", "all.json"]
    terminal = sit_down(*asked, slow=True)
    terminal.shows(r"[1-9]\d* of 100 games")
    terminal.presses("\x03")
    terminal.sees(" kept; the same command goes on from there.")
    assert terminal.ends() == 130
    assert not (tmp_path / "all.json").exists()
    terminal = sit_down(*asked)
    terminal.sees("Going on after ")
    terminal.sees("Written: all.json")
    assert terminal.ends() == 0
    numbers = [each["number"] for each in json.loads((tmp_path / "all.json").read_text())["games"]]
    assert numbers == [*range(100)]


def test_a_killed_tournament_leaves_no_process_behind_and_loses_no_finished_game(
    clean: Clean, tmp_path: Path
) -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "strongroom", *ENDLESS],
        cwd=tmp_path,
        env=clean(),
        start_new_session=True,
    )
    state = tmp_path / "state"
    while not any(file.stat().st_size for file in state.rglob("*.jsonl")):
        assert program.poll() is None
        time.sleep(0.05)
    program.kill()
    program.wait()
    deadline = time.monotonic() + PATIENCE
    while not is_gone(program.pid):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    (kept,) = state.rglob("*.jsonl")
    whole = [line for line in kept.read_text().splitlines() if line.endswith("}")]
    assert json.loads(whole[0])["game"] == "quantum-duel"


def test_the_table_stands_above_the_bars_while_it_is_played(sit_down: SitDown) -> None:
    terminal = sit_down(*ENDLESS)
    terminal.shows(r"player +games +score\s+casual +[\d,]+ +0\.\d+ \(0\.\d+ to ")
    terminal.presses("\x03")
    assert terminal.ends() == 130


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
    strongroom: Strongroom, tmp_path: Path
) -> None:
    (tmp_path / "packages" / "stopping-1.dist-info").mkdir(parents=True)
    (tmp_path / "packages" / "stopping.py").write_text(STOPS)
    points = "[strongroom.players]\nstopping = stopping:seats\n"
    (tmp_path / "packages" / "stopping-1.dist-info" / "entry_points.txt").write_text(points)
    path = f"{tmp_path / 'packages'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    asked = ["tournament", "safe-cracker", "--players", "stopping", "random", "--games", "6"]
    for kept in (2, 4):  # the first of four is only seated to see whether it can play
        ran = strongroom(*asked, env={"PYTHONPATH": path})
        assert ran.code == 1
        told = f"strongroom: The budget is spent. {kept} games kept; the same command goes on"
        assert told in ran.err
    assert strongroom(*asked, env={"PYTHONPATH": path}).code == 0


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "Name a game, or use --all."),
        ("quantum --all", "Name a game, or use --all."),
        ("chess", "There is no game 'chess'."),
        ("quantum quantum-duel", "'quantum-duel' is named twice."),
        ("quantum --players random random", "'random' is named twice."),
        ("quantum --players random", "A tournament needs two players."),
        ("quantum --json no/where.json", "Cannot write no/where.json: its folder does not exist."),
        ("quantum --csv other.txt", "Cannot write other.txt: the file contains something else."),
        ("quantum --json a --html ./a", "Two results cannot be the same file."),
        ("quantum --cluster nowhere", "'nowhere' is not the address of a cluster."),
        ("quantum --cluster 127.0.0.1:x", "'127.0.0.1:x' is not the address of a cluster."),
        ("quantum --cluster 127.0.0.1:1", "The cluster at 127.0.0.1:1 cannot be reached."),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_line(
    strongroom: Strongroom, tmp_path: Path, typed: str, told: str
) -> None:
    (tmp_path / "other.txt").write_text("a letter")
    ran = strongroom("tournament", *typed.split())
    assert ran.code == 2
    assert ran.err.startswith(f"strongroom: {told}")
    assert len(ran.err.splitlines()) == 1
    assert (tmp_path / "other.txt").read_text() == "a letter"


@pytest.mark.parametrize(("package", "extra"), [("choix", "arena"), ("ray", "cluster")])
def test_a_missing_extra_is_named(
    strongroom: Strongroom, tmp_path: Path, package: str, extra: str
) -> None:
    (tmp_path / "bare" / package).mkdir(parents=True)
    (tmp_path / "bare" / package / "__init__.py").write_text("raise ImportError\n")
    path = f"{tmp_path / 'bare'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    cluster = ["--cluster", "local"] if package == "ray" else []
    ran = strongroom(*SMALL, *cluster, env={"PYTHONPATH": path})
    assert f"pip install 'strongroom[{extra}]'" in ran.err
    assert len(ran.err.splitlines()) == 1
    assert ran.code == (2 if package == "ray" else 0)
    assert ("### Safe Cracker" in ran.out) == (package == "choix")
