"""The learners of Quantum Duel: what a short training teaches, and how it is kept and measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from features import GAME
from learning_curve import cost
from starting import PATIENCE
from tabular import Table, given_away, train

from strongroom import load, measure
from strongroom.contract import Seat

FOLDER = Path(__file__).parents[2] / "examples" / "reinforcement"


UNTRAINED = Table(load(GAME))


@pytest.fixture(scope="module")
def learned() -> Table:
    return train("cost", games=60)


@pytest.fixture(scope="module")
def lost_untrained() -> float:
    return cost(UNTRAINED)


def test_every_file_of_the_example_is_short() -> None:
    files = [*FOLDER.glob("*.py")]
    assert files
    assert all(len(file.read_text(encoding="utf-8").splitlines()) < 170 for file in files)


def test_a_few_games_with_the_reward_cost_teach_nearly_all_there_is(
    learned: Table, lost_untrained: float
) -> None:
    assert cost(learned) < 0.1 < lost_untrained


def test_a_measurement_agrees_with_the_exact_figure(lost_untrained: float) -> None:
    measured = measure(UNTRAINED, GAME, rounds=10, seed=1, name="untrained")
    assert given_away(measured) == pytest.approx(lost_untrained, abs=0.1)


def test_the_same_seed_learns_the_same_from_the_reward_result() -> None:
    one, two, other = (train("result", 5, seed).weights for seed in (1, 1, 2))
    assert [*one] == [*two] != [*other]
    assert all((one[position] == two[position]).all() for position in one)


def test_a_table_plays_the_same_after_it_was_written_and_read(
    learned: Table, tmp_path: Path
) -> None:
    file = str(tmp_path / "agent.npz")
    learned.write(file)
    kept = Table.read(file)
    assert [*kept.weights] == [*learned.weights]
    view = load(GAME).start().view(Seat.ONE)
    moves = [table(load(GAME), Random()).choose(view) for table in (kept, learned)]
    assert moves[0] == moves[1]


@pytest.mark.whole
def test_the_command_trains_and_measures_and_its_engine_plays(tmp_path: Path) -> None:
    file = str(tmp_path / "agent.npz")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    engine = str(FOLDER / "tabular_engine.py")
    refused = run(engine, file)
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert "First: tabular.py" in refused.stderr
    trained = run(str(FOLDER / "tabular.py"), file, "--games", "3", "--rounds", "1")
    assert trained.stdout.startswith("Quantum Duel  ")
    assert "of a win a game" in trained.stdout
    checked = run("-m", "strongroom", "engine", "check", sys.executable, engine, file)
    assert "Nothing is wrong." in checked.stdout, checked.stderr + checked.stdout
