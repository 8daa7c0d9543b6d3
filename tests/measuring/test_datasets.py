"""Datasets: they have the figures of their games, and the library that reads them reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from strongroom import load, measure
from strongroom.measuring.datasets import KINDS, SPLITS, split_of
from strongroom.puzzles import sets
from strongroom.terminal.main import main

Row = dict[str, Any]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a bot that errs, with its games."""
    file = tmp_path_factory.mktemp("reports") / "casual.json"
    found = measure("casual", ["safe-cracker", "quantum-duel"], rounds=4, seed=1, workers=1)
    file.write_text(json.dumps(found.to_json()))
    return file


def dataset(folder: Path, *asked: str | Path) -> Path:
    assert main(["dataset", *map(str, asked), "--output", str(folder)]) == 0
    return folder


def rows(folder: Path, kind: str) -> Iterator[tuple[str, Row]]:
    """The rows of a kind, each with its split."""
    for split in SPLITS:
        file = folder / kind / f"{split}.jsonl"
        for line in file.read_text().splitlines() if file.exists() else ():
            yield split, json.loads(line)


def test_a_dataset_has_the_figures_of_its_report_and_the_same_bytes_again(
    report: Path, tmp_path: Path
) -> None:
    one, two = (dataset(tmp_path / name, report) for name in ("one", "two"))
    files = sorted(file.relative_to(one) for file in one.rglob("*") if file.is_file())
    assert [(one / file).read_bytes() for file in files] == [
        (two / file).read_bytes() for file in files
    ]
    measured = json.loads(report.read_text())
    games = {row["id"]: row for _, row in rows(one, "games")}
    lost = dict.fromkeys(games, 0.0)
    for split, row in rows(one, "decisions"):
        values = {each["move"]: each["q"] for each in row["moves"]}
        assert row["best"] == [move for move, q in values.items() if q == max(values.values())]
        assert row["q"] == values[row["move"]]
        assert row["cost"] == pytest.approx(row["value"] - row["q"], abs=2e-9)
        assert row["valued"].startswith("exactly")
        assert [each["role"] for each in row["prompt"]] == ["system", "user"]
        assert split == split_of(games[row["game_id"]]["seed"])
        lost[row["game_id"]] += row["cost"]
    costs = [sum(each["costs"].values()) for game in measured["records"].values() for each in game]
    assert sorted(lost.values()) == pytest.approx(sorted(costs), abs=1e-6)


def test_answers_are_written_as_a_disguised_prompt_asks_for_them(
    report: Path, tmp_path: Path
) -> None:
    lettered = "8"  # a seed that writes digits as letters
    folder = dataset(tmp_path / "data", report, "--disguise-seed", lettered)
    of_cracker = [row for _, row in rows(folder, "rl") if row["game"] == "safe-cracker"]
    assert of_cracker
    for row in of_cracker:
        assert row["moves"][0] == "F-F-F"
        assert {*row["best"]} < {*row["moves"]}
        assert "three values from F-H" in row["prompt"][-1]["content"]


def test_examples_for_training_answer_well_and_are_only_of_decisions_that_matter(
    report: Path, tmp_path: Path
) -> None:
    folder = dataset(tmp_path / "data", report)
    decisions = {row["id"]: row for _, row in rows(folder, "decisions")}
    examples = {kind: [row for _, row in rows(folder, kind)] for kind in KINDS}
    assert len(examples["rl"]) == len(examples["sft"]) < len(decisions)
    for row in examples["sft"]:
        said = row["messages"][-1]["content"]
        assert said in [f"<move>{move}</move>" for move in decisions[row["id"]]["best"]]
    for row in examples["preferences"]:
        played = decisions[row["id"]]
        assert row["rejected"][0]["content"] == f"<move>{played['move']}</move>"
        assert row["margin"] == pytest.approx(played["cost"], abs=2e-9)
        assert row["margin"] > 0
    wrong = [row for row in decisions.values() if row["cost"] > 1e-9]
    assert len(examples["preferences"]) == len(wrong)
    for row in examples["rl"]:
        reward = dict(zip(row["moves"], row["rewards"], strict=True))
        assert {move for move, each in reward.items() if each == 0} == {*row["best"]}
        assert min(reward.values()) < 0


def test_two_players_play_for_a_dataset_and_puzzles_stand_beside_their_games(
    tmp_path: Path,
) -> None:
    puzzles = [*sets.exercises(1, 2, [load("quantum-duel")])]
    lines = [json.dumps(each.to_json(), ensure_ascii=False) for each in puzzles]
    (tmp_path / "set.jsonl").write_text("".join(f"{line}\n" for line in lines))
    asked = ["--players", "casual", "random", "--only", "safe-cracker", "--rounds", "2"]
    folder = dataset(tmp_path / "data", *asked, "--puzzles", tmp_path / "set.jsonl")
    found = [row for _, row in rows(folder, "decisions")]
    assert {row["player"] for row in found} == {"casual", "random", None}
    assert all(row["valued"].startswith("if ") for row in found if row["player"])
    of_puzzles = [row for row in found if row["player"] is None]
    assert [row["prompt"][1]["content"] for row in of_puzzles] == [each.text for each in puzzles]
    assert [row["best"] for row in of_puzzles] == [[*map(str, each.best)] for each in puzzles]
    ids = [row["id"] for _, row in rows(folder, "preferences")]
    assert {row["id"] for row in of_puzzles} <= {*ids}
    card = (folder / "README.md").read_text()
    assert "- casual and random; 2 games each of safe-cracker, seed 1" in card


def test_what_cannot_be_a_dataset_is_refused_and_nothing_else_is_replaced(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    only = ("--only", "quantum-duel")
    refused = {
        (): "Name a report, two players or a set of puzzles.",
        (str(report),): "Name a folder for the dataset.",
        (str(report), "--output", str(other)): "the folder contains something else",
        (str(report), "--output", str(tmp_path / "no" / "data")): "its folder does not exist",
        (str(report), "--seed", "2", "--output", "data"): "--seed cannot be used with",
        ("--players", "casual", "casual", *only, "--output", "data"): "is named twice",
        ("--players", "casual", "model:x", "--output", "data"): "cannot be a model",
    }
    for asked, told in refused.items():
        assert main(["dataset", *asked]) == 2
        assert told in capsys.readouterr().err
    assert [file.name for file in other.iterdir()] == ["thesis.txt"]
    folder = dataset(tmp_path / "data", report)
    dataset(folder, report, "--kinds", "rl")  # a dataset takes the place of an earlier one
    assert {file.name for file in folder.iterdir()} == {"README.md", "rl"}


@pytest.mark.skipif(find_spec("datasets") is None, reason="make doors installs datasets")
@pytest.mark.parametrize("form", [[], ["--parquet"]])
def test_the_library_datasets_reads_every_kind_with_its_columns(
    report: Path, tmp_path: Path, form: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    from datasets import load_dataset

    folder, plain = dataset(tmp_path / "data", report, *form), dataset(tmp_path / "plain", report)
    for kind, columns in KINDS.items():
        found = load_dataset(str(folder), kind, cache_dir=str(tmp_path / "cache"))
        written = [*rows(plain, kind)]
        assert {split: [*of] for split, of in found.items()} == {
            split: [row for place, row in written if place == split]
            for split in SPLITS
            if any(place == split for place, _ in written)
        }
        features = next(iter(found.values())).features
        assert [*features] == [*columns]
        assert "null" not in repr(features)
