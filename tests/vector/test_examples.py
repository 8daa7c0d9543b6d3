"""The examples and the page: what a short training teaches, and what docs/vector.md says."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from runpy import run_path
from statistics import fmean
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import training_chart
import training_curves
from best_response import BestResponse
from exploitability import response_to
from network import Network
from numpy.typing import NDArray
from policy import new_policy
from trainer import REWARDS, Plan, Trainer

from strongroom import load
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import TURN_LIMIT
from strongroom.vector import Env, make
from strongroom.vector.players import batched_player
from strongroom.vector.words import Layout

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
ROOT = Path(__file__).parents[2]
CHARTS = ROOT / "docs" / "charts"
PLAN = Plan(games=128, steps=8, updates=100, hidden=(32,), rate=1e-2)
"""A training of a second or two."""
LOST = {"quantum-duel": [0.996, 0.995], "safe-cracker": [0.910, 0.876]}
"""What a best response to random moves wins in either seat, as the arena publishes it."""


@cache
def env_of(game: str) -> Env:
    # Nobody needs more than 20 turns who plays Safe Cracker against a best response.
    return make(game, turn_limit=20 if game == "safe-cracker" else TURN_LIMIT)


@cache
def response(game: str) -> BestResponse:
    return response_to(env_of(game))


@cache
def _compiled(game: str) -> tuple[Any, Any]:
    return jax.jit(response(game).odds), jax.jit(response(game).wins)


def wins(game: str, odds: Any) -> list[float]:
    """What best responses to these odds win, in either seat."""
    return [float(won) for won in _compiled(game)[1](odds)]


def wins_from(game: str, network: Network) -> list[float]:
    """What best responses to a network's policy win, in either seat."""
    return wins(game, _compiled(game)[0](network))


@pytest.mark.parametrize("game", [*LOST])
def test_random_moves_lose_what_the_arena_publishes(game: str) -> None:
    untrained = new_policy(env_of(game), jax.random.key(1), PLAN.hidden)
    assert wins_from(game, untrained) == pytest.approx(LOST[game], abs=0.0006)


def test_at_quantum_duel_master_loses_nothing() -> None:
    env, master = env_of("quantum-duel"), batched_player(env_of("quantum-duel"), "master")
    marked = master.odds(response(env.id).positions, (), jnp.uint32(0), master.on_device())
    assert wins(env.id, marked) == pytest.approx([0.5, 0.5], abs=1e-5)


# Compiling takes longer than training, so that each game has only one of the rewards here.
@pytest.mark.parametrize(("game", "reward"), [("quantum-duel", "result"), ("safe-cracker", "cost")])
def test_a_short_training_makes_a_policy_less_exploitable(game: str, reward: str) -> None:
    trainer = Trainer(env_of(game), reward, PLAN)

    def trained(tables: Any) -> Network:
        return trainer.train(trainer.start(jnp.uint32(1)), PLAN.updates, tables).network

    assert sum(wins_from(game, jax.jit(trained)(trainer.tables))) < sum(LOST[game]) - 0.05


def test_the_picture_in_the_docs_is_drawn_from_figures_in_which_costs_teach_more(
    tmp_path: Path,
) -> None:
    training_chart.main([str(CHARTS / "training.jsonl"), str(tmp_path / "drawn.svg")])
    drawn = (tmp_path / "drawn.svg").read_text(encoding="utf-8")
    assert drawn == (CHARTS / "training.svg").read_text(encoding="utf-8")
    curves = {
        (curve.game, curve.reward): curve
        for curve in training_chart.read(CHARTS / "training.jsonl")
    }
    last = {of: fmean(curve.won[-1]) for of, curve in curves.items()}
    assert all(
        last[game, reward] < 2 for game in ("quantum-duel", "safe-cracker") for reward in REWARDS
    )
    assert last["safe-cracker", "cost"] < last["safe-cracker", "result"] / 3


def test_wrong_arguments_and_figures_of_something_else_are_refused_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert training_curves.stages(100)[:4] == [0, 1, 2, 3]
    assert training_curves.stages(100)[-2:] == [68, 100]  # looks become rarer
    for arguments, told in (
        (("--seeds", "0"), "--seeds must be at least 1"),
        (("--games", "safe-code"), "invalid choice: 'safe-code'"),
    ):
        with pytest.raises(SystemExit):
            training_curves.main([str(tmp_path / "x.jsonl"), *arguments])
        assert told in capsys.readouterr().err.splitlines()[-1]
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"moves": 3}) + "\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"is not a file of training_curves\.py"):
        training_chart.main([str(other), str(tmp_path / "other.svg")])
    with pytest.raises(SystemExit, match="No such file"):
        training_chart.main([str(tmp_path / "none.jsonl"), str(tmp_path / "none.svg")])


# --- the page: what docs/vector.md says is what the code does ---


PAGE = (Path(__file__).parents[2] / "docs" / "vector.md").read_text(encoding="utf-8")

EXAMPLES = dict(re.findall(r"```python\n# (\S+)\n(.*?)```", PAGE, re.DOTALL))


def written(layout: Layout) -> str:
    """A layout as the page writes it: fields with their bits, a dot between words."""
    words: dict[int, list[str]] = {}
    for name, field in layout.items():
        words.setdefault(field.word, []).append(f"{name} {field.width}")
    return " · ".join(", ".join(fields) for fields in words.values())


def test_the_page_says_how_states_are_packed_and_what_is_observed() -> None:
    for name in GAMES:
        packed = make(name).packed
        row = f"| {load(name).title} | {written(packed.layout)} | {written(packed.memory)} |"
        assert row in PAGE
    rows = re.findall(r"^\| (`.*?) \| .* \|$", PAGE.partition("| part |")[2], re.MULTILINE)
    told = {part for row in rows for part in re.findall("`(.*?)`", row)}
    envs = [*map(make, GAMES), make("safe-cracker", attempts=3)]
    assert told == {part for env in envs for part in env.layout}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "batches.py",
            r"[\d,]+ random games were won while a thousand boards saw 200 moves each\n"
            r"master wins 9\d\.\d%; random gives away 0\.\d\d a game\n",
        ),
        ("costs.py", r"a random first guess costs 0\.0\d\d\n"),
    ],
)
def test_the_examples_of_the_page_run(
    name: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / name
    script.write_text(EXAMPLES[name], encoding="utf-8")
    run_path(str(script), run_name="__main__")
    shown = capsys.readouterr().out
    assert re.fullmatch(told, shown), shown
