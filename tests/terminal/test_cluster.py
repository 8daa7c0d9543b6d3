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
from typing import TYPE_CHECKING

import pytest

from strongroom.arena.standings import Standings
from strongroom.arena.tournament import Schedule, play_all
from strongroom.plugins.registry import load

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom

pytestmark = pytest.mark.whole

HOLD = """\
import sys, ray
ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, _temp_dir=sys.argv[1])
print(ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
ray.shutdown()
"""
PLAYED = [
    "tournament",
    "safe-cracker",
    "--players",
    "expert",
    "random",
    "--seed",
    "1",
    "--games",
    "30",
]


class Held:
    """A cluster of two processors, which ends when it is told to."""

    def __init__(self, folder: str) -> None:
        own = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        quiet = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal"}
        self.env = own | quiet
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLD, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | self.env,
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()

    def end(self) -> None:
        """Shut it down."""
        self._process.communicate()


@pytest.fixture
def cluster() -> Iterator[Held]:
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        held = Held(folder)  # its sockets need a short path
        yield held
        held.end()


def test_a_cluster_plays_the_same_games_and_loses_none_if_it_goes_away(
    strongroom: Strongroom, tmp_path: Path, cluster: Held
) -> None:
    there = ["--cluster", cluster.address, "--json", "there.json"]
    ran = strongroom(*PLAYED, *there, env=cluster.env)
    assert (ran.code, ran.err) == (0, "")
    schedule = Schedule((load("safe-cracker"),), ("expert", "random"), 30)
    here = Standings(schedule, play_all(schedule, workers=1)).to_json()
    assert (tmp_path / "there.json").read_text() == json.dumps(here) + "\n"

    many = [*PLAYED[:-1], "100000", "--cluster", cluster.address]
    program = subprocess.Popen(
        [sys.executable, "-m", "strongroom", *many],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | cluster.env | {"XDG_STATE_HOME": str(tmp_path / "state")},
    )
    (kept,) = _first_file(tmp_path / "state", program)
    cluster.end()
    _, told = program.communicate(timeout=300)
    assert program.returncode == 2
    assert told.startswith(f"strongroom: The cluster at {cluster.address} is gone.")
    assert len(told.splitlines()) == 1
    lines = [line for line in kept.read_text().splitlines() if line]
    assert {json.loads(line)["game"] for line in lines} == {"safe-cracker"}


def _first_file(state: Path, program: subprocess.Popen[str]) -> list[Path]:
    """The file of kept games, once there is one with some games in it."""
    while program.poll() is None:
        if found := [file for file in state.rglob("*.jsonl") if file.stat().st_size]:
            return found
    return []
