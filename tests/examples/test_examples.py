"""The examples: engines and packages are fit to use, and a short training teaches."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import PathDistribution
from pathlib import Path
from random import Random

import linear_policy
import pytest
import self_play
import tabular
from features import GAME
from learning_curve import cost
from starting import PATIENCE
from trained import Agent, Trained

from strongroom import load, measure
from strongroom.agents.engine import seats
from strongroom.agents.engine_check import check
from strongroom.contract import Move, Seat
from strongroom.players.drive import Drive
from strongroom.plugins.registry import GAMES
from strongroom.referee.match import Match
from tests.examples.installing import EXAMPLES, install
from tests.missing import missing

CRACKER = load("safe-cracker")
UNTRAINED = tabular.Table(load(GAME))


@pytest.fixture(scope="module")
def policy() -> linear_policy.Policy:
    return self_play.train(CRACKER, decisions=20_000, seed=1)


@pytest.fixture(scope="module")
def learned() -> tabular.Table:
    return tabular.train("cost", games=60)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def refused(*arguments: str) -> str:
    """The only line of what an example says that refuses to run."""
    done = run(*arguments)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    return done.stderr


def test_every_file_of_an_example_is_short() -> None:
    for folder, most in (("reinforcement", 170), ("training", 150), ("engines", 40)):
        files = [file for file in (EXAMPLES / folder).iterdir() if file.is_file()]
        assert len(files) >= 3
        assert all(len(file.read_text(encoding="utf-8").splitlines()) < most for file in files)


def test_the_packages_for_verifiers_install_under_their_names(tmp_path: Path) -> None:
    names = ("strongroom_duels", "strongroom_puzzles")
    install(tmp_path, *(EXAMPLES / "verifiers" / name for name in names))
    for name, found in zip(names, sorted(tmp_path.glob("*.dist-info")), strict=True):
        package = PathDistribution(found)
        assert package.name == name.replace("_", "-")
        assert package.requires == ["strongroom[verifiers]"]
        assert package.metadata["Description-Content-Type"] == "text/markdown"
        assert (tmp_path / name / "__init__.py").is_file()


# --- engines --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [".py", ".sh", ".js"])
def test_an_engine_plays_all_five_games_by_the_rules(kind: str) -> None:
    if kind == ".js" and shutil.which("node") is None:
        missing("nodejs")
    (bot,) = (EXAMPLES / "engines").glob(f"*{kind}")
    report = check(seats(f"{bot}?seconds=60"), [load(name) for name in GAMES])
    assert report.all_faults == []
    assert report.notes == []
    assert all(played.moves for played in report.games)


# --- self-play ------------------------------------------------------------------------------------


def played(policy: linear_policy.Policy) -> list[Move | None]:
    """The moves of a policy against itself."""
    match = Match.start(CRACKER, turn_limit=30)
    record = Drive(match, {seat: Trained(policy) for seat in Seat}).run().record
    return [step.move for step in record.steps]


def test_a_short_training_makes_the_agent_better_than_random(policy: linear_policy.Policy) -> None:
    name = CRACKER.name
    trained = measure(Agent({name: policy}), CRACKER, rounds=15, seed=1).figures[name]
    chance = measure("random", CRACKER, rounds=15, seed=1).figures[name]
    assert trained["score"] > chance["score"] + 0.1
    assert trained["cost_per_decision"] < chance["cost_per_decision"] / 2


def test_the_same_seed_learns_the_same() -> None:
    first, again, other = (self_play.train(CRACKER, 1_000, seed).weights[:64] for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    one, two, third = (tabular.train("result", 5, seed).weights for seed in (1, 1, 2))
    assert [*one] == [*two] != [*third]
    assert all((one[position] == two[position]).all() for position in one)


def test_an_agent_plays_the_same_after_it_was_written_and_read(
    policy: linear_policy.Policy, learned: tabular.Table, tmp_path: Path
) -> None:
    file = str(tmp_path / "agent.npz")
    linear_policy.write({CRACKER.name: policy}, file)
    (kept,) = linear_policy.read(file).values()
    assert played(kept) == played(policy)
    assert Agent({CRACKER.name: kept})(CRACKER, Random(1)).choose(CRACKER.start().view(Seat.ONE))
    learned.write(file)
    table = tabular.Table.read(file)
    assert [*table.weights] == [*learned.weights]
    view = load(GAME).start().view(Seat.ONE)
    one, other = (each(load(GAME), Random(1)).choose(view) for each in (table, learned))
    assert one == other


@pytest.mark.whole
def test_the_commands_of_self_play_train_and_measure(tmp_path: Path) -> None:
    trained, self_plays = (str(EXAMPLES / "training" / f"{x}.py") for x in ("trained", "self_play"))
    file, cut_off = tmp_path / "agent.npz", tmp_path / "cut-off.npz"
    cut_off.write_bytes(b"PK\x03\x04")
    for unreadable in (file, cut_off):
        assert "First: self_play.py" in refused(trained, str(unreadable))
    done = run(self_plays, str(file), "--decisions", "300", "--only", CRACKER.name)
    assert (done.returncode, done.stderr) == (0, "safe-cracker ...\n")
    assert run(trained, str(file), "--rounds", "2").stdout.startswith("Safe Cracker  ")


# --- Quantum Duel, by a table ---------------------------------------------------------------------


def test_a_few_games_teach_nearly_all_and_a_measurement_agrees(learned: tabular.Table) -> None:
    lost = cost(UNTRAINED)
    assert cost(learned) < 0.1 < lost
    measured = measure(UNTRAINED, GAME, rounds=10, seed=1, name="untrained")
    assert tabular.given_away(measured) == pytest.approx(lost, abs=0.1)


@pytest.mark.whole
def test_the_command_trains_a_table_and_its_engine_plays(tmp_path: Path) -> None:
    file, folder = str(tmp_path / "agent.npz"), EXAMPLES / "reinforcement"
    engine = str(folder / "tabular_engine.py")
    assert "First: tabular.py" in refused(engine, file)
    trained = run(str(folder / "tabular.py"), file, "--games", "3", "--rounds", "1")
    assert trained.stdout.startswith("Quantum Duel  ")
    assert "of a win a game" in trained.stdout
    checked = run("-m", "strongroom", "engine", "check", sys.executable, engine, file)
    assert "Nothing is wrong." in checked.stdout, checked.stderr + checked.stdout
