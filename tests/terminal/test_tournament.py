"""`strongroom tournament` and `exploit`: what is shown and written, here and on a cluster."""

from __future__ import annotations

import csv
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from strongroom.arena import cluster as on_clusters
from strongroom.arena.standings import Standings
from strongroom.arena.tournament import Schedule, play_all
from strongroom.plugins.registry import load
from tests.server.waiting import wait_until

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

SMALL = ["tournament", "safe-cracker", "--players", "casual", "random", "--games", "4"]


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
    assert strongroom("tournament", "quantum", *SMALL[1:], *files).code == 0, "they are replaced"


def test_on_a_terminal_there_is_markdown_if_it_is_asked_for(sit_down: SitDown) -> None:
    asked = sit_down(*SMALL, "--markdown")
    assert asked.ends() == 0
    assert "### Safe Cracker" in asked.text
    assert "| casual" in asked.text


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


def test_the_winnings_of_a_best_response_are_markdown_without_a_terminal_or_json(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("exploit", "safecracker", "--players", "master", "expert")
    assert ran.code == 0
    assert ran.lines[-2:] == [
        "| safecracker-duel | master | 0.563 | 0.437 | its certificate |",
        "| safecracker-duel | expert | 0.659 | 0.664 | a best response |",
    ]
    figures = strongroom("exploit", "safe-code", "--players", "master", "--json").events
    assert [figure["responder"] for figure in figures] == [1, 2]
    assert figures[0]["value"] == pytest.approx(31 / 60)
    assert all(figure["exact"] and figure["error"] is None for figure in figures)


# --- on a cluster ---------------------------------------------------------------------------------

HOLD = """\
import contextlib, sys, ray
with_one = {"num_cpus": 1, "include_dashboard": False, "log_to_driver": False}
for _ in range(9):  # on a busy machine Ray does not wait long enough
    with contextlib.suppress(Exception):
        ray.is_initialized() or ray.init("local", _temp_dir=sys.argv[1], **with_one)
print(ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
ray.shutdown()
"""
PLAYED = ("tournament", "safe-cracker", "--players", "expert", "random", "--seed", "1", "--games")


class Held:
    """A cluster of one processor, which ends when it is told to."""

    def __init__(self, folder: str) -> None:
        own = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        self.env = own | {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        command = [sys.executable, "-c", HOLD, folder]
        self._process = subprocess.Popen(command, env=os.environ | self.env, **pipes)  # type: ignore[call-overload]
        self.address = self._process.stdout.readline().strip()
        assert self.address

    def end(self) -> None:
        """Shut it down."""
        self._process.communicate()


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    monkeypatch.setattr(on_clusters, "HEARTBEAT", 0.1)
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        held = Held(folder)  # its sockets need a short path
        yield held
        held.end()


@pytest.mark.whole
def test_a_cluster_plays_the_same_games_and_loses_none_if_it_goes_away(
    strongroom: Strongroom, tmp_path: Path, cluster: Held
) -> None:
    there = ["--cluster", cluster.address, "--json", "there.json"]
    ran = strongroom(*PLAYED, "10", *there, env=cluster.env)
    assert (ran.code, ran.err) == (0, "")
    schedule = Schedule((load("safe-cracker"),), ("expert", "random"), 10)
    here = Standings(schedule, play_all(schedule, workers=1)).to_json()
    assert (tmp_path / "there.json").read_text() == json.dumps(here) + "\n"

    def kept() -> list[Path]:
        return [file for file in tmp_path.rglob("*.jsonl") if file.stat().st_size]

    def end_once_games_are_kept() -> None:
        wait_until(lambda: bool(kept()))
        cluster.end()

    ending = Thread(target=end_once_games_are_kept)
    ending.start()
    ran = strongroom(*PLAYED, "100000", "--cluster", cluster.address, env=cluster.env)
    ending.join()
    assert ran.code == 2
    assert ran.err.startswith(f"strongroom: The cluster at {cluster.address} is gone.")
    assert len(ran.err.splitlines()) == 1
    (file,) = kept()
    lines = [line for line in file.read_text().splitlines() if line]
    assert {json.loads(line)["game"] for line in lines} == {"safe-cracker"}
