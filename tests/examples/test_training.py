"""The example of training: it learns in a short run, and what it learned can be kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from linear_policy import Policy, read, write
from self_play import train
from starting import PATIENCE
from trained import Agent, Trained

from strongroom import load, measure
from strongroom.contract import Seat
from strongroom.players.drive import Drive
from strongroom.referee.match import Match
from strongroom.referee.record import Record

FOLDER = Path(__file__).parents[2] / "examples" / "training"
GAME = load("safe-cracker")


@pytest.fixture(scope="module")
def policy() -> Policy:
    return train(GAME, decisions=20_000, seed=1)


def played(policy: Policy) -> Record:
    """A game of a policy against itself."""
    match = Match.start(GAME, turn_limit=30)
    return Drive(match, {seat: Trained(policy) for seat in Seat}).run().record


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(FOLDER / script), *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_every_file_of_the_example_is_short() -> None:
    files = [*FOLDER.glob("*.py")]
    assert len(files) == 3
    assert all(len(file.read_text(encoding="utf-8").splitlines()) < 150 for file in files)


def test_a_short_training_makes_the_agent_better_than_random(policy: Policy) -> None:
    trained = measure(Agent({GAME.name: policy}), GAME, rounds=15, seed=1).figures[GAME.name]
    chance = measure("random", GAME, rounds=15, seed=1).figures[GAME.name]
    assert trained["score"] > chance["score"] + 0.1
    assert trained["cost_per_decision"] < chance["cost_per_decision"] / 2


def test_the_same_seed_learns_the_same() -> None:
    first, again, other = (train(GAME, 1_000, seed) for seed in (1, 1, 2))
    assert (first.weights[:64] == again.weights[:64]).all()
    assert (first.weights[:64] != other.weights[:64]).any()


def test_a_policy_plays_the_same_after_it_was_written_and_read(
    policy: Policy, tmp_path: Path
) -> None:
    file = tmp_path / "agent.npz"
    write({GAME.name: policy}, str(file))
    (kept,) = read(str(file)).values()
    assert [step.move for step in played(kept).steps] == [
        step.move for step in played(policy).steps
    ]
    assert Agent({GAME.name: kept})(GAME, Random(1)).choose(GAME.start().view(Seat.ONE))


@pytest.mark.whole
def test_the_commands_train_and_measure(tmp_path: Path) -> None:
    file = str(tmp_path / "agent.npz")
    cut_off = tmp_path / "cut-off.npz"
    cut_off.write_bytes(b"PK\x03\x04")
    for unreadable in (file, str(cut_off)):
        refused = run("trained.py", unreadable)
        assert refused.returncode == 1
        assert refused.stderr.count("\n") == 1
        assert "First: self_play.py" in refused.stderr
    trained = run("self_play.py", file, "--decisions", "300", "--only", GAME.name)
    assert (trained.returncode, trained.stderr) == (0, "safe-cracker ...\n")
    measured = run("trained.py", file, "--rounds", "2")
    assert measured.stdout.startswith("Safe Cracker  ")
