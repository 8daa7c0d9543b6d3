"""Tournaments on a real Ray cluster: the same games as here, and nothing lost if it goes away."""

from __future__ import annotations

import json
import os
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
    from tests.terminal.conftest import Strongroom

pytestmark = pytest.mark.whole

HOLD = """\
import sys, ray
ray.init("local", num_cpus=1, include_dashboard=False, log_to_driver=False, _temp_dir=sys.argv[1])
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
