"""The game on the page works."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from strongroom.contract import NotLegal, Seat
from strongroom.plugins.registry import GROUPS
from strongroom.testing.conformance import check_game

ROOT = Path(__file__).parents[2]
Written = Callable[[str], Path]


@pytest.fixture
def page(written: Written, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delitem(sys.modules, "higher_lower", raising=False)
    return written("adding-a-game.md")


@pytest.fixture
def module(page: Path) -> Any:
    return import_module("higher_lower")


def test_the_game_of_the_page_keeps_the_contract(module: Any) -> None:
    check_game(module.HigherLower(), seed=1)


def test_the_tests_of_the_page_pass(page: Path) -> None:
    tests = runpy.run_path(str(page / "test_higher_lower.py"))
    named = [each for name, each in tests.items() if name.startswith("test_")]
    assert len(named) == 2
    for test in named:
        test()


def test_the_game_of_the_page_can_be_won(module: Any) -> None:
    game = module.HigherLower()
    state = game.start()
    for text in ("3", "8", "5", "5"):
        state = state.play(game.move(text))
    assert state.board == (module.Span(6, 10), module.Span(1, 4))
    with pytest.raises(NotLegal, match="5 is not among the numbers left"):
        state.play(game.move("5"))
    end = state.play(game.move("8"))
    assert end.outcome.winner is Seat.ONE
    assert game.words.say(end.view(None)) == "8: here."
    assert game.words.ending(end.outcome) == "Player 1 found the number."


def test_the_second_set_of_words_speaks_differently_about_the_same_game(module: Any) -> None:
    game = module.HigherLower()
    hunt = game.in_words(module.TreasureHunt)
    assert hunt == game
    state = game.start()
    for text in ("3", "8", "5"):
        state = state.play(game.move(text))
    assert hunt.words.say(state.view(None)) == "floor 5, warmer upstairs."
    assert (game.title, hunt.title) == ("Higher or Lower", "Treasure Hunt")


def project() -> tuple[str, dict[str, Any]]:
    """The project file that the page shows, as text and as data."""
    text = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    toml = text.partition("```toml\n")[2].partition("```")[0]
    return toml, tomllib.loads(toml)["project"]


def test_the_page_names_the_groups_of_entry_points_of_the_registry() -> None:
    text = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    assert {*project()[1]["entry-points"]} < {*GROUPS.values()}
    assert all(group in text for group in GROUPS.values())


def test_the_project_of_the_page_installs_with_its_rules(page: Path) -> None:
    folder = page / "project" / "higher_lower"
    folder.mkdir(parents=True)
    (page / "higher_lower.py").rename(folder / "__init__.py")
    (folder / "rules.md").write_text("# Higher or Lower\n", encoding="utf-8")
    (folder.parent / "pyproject.toml").write_text(project()[0], encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    offline = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(page / "site")]
    subprocess.run([*pip, *offline, str(folder.parent)], check=True)
    path = os.pathsep.join([str(page / "site"), str(ROOT / "src")])
    code = (
        "from strongroom import load; from strongroom.plugins import registry;"
        "game = load('higher-lower');"
        "print(game.rules_page.strip(), registry.words_of(game, 'treasure').title)"
    )
    run = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "# Higher or Lower Treasure Hunt\n"


def test_the_code_of_the_page_is_typed_and_formatted(page: Path) -> None:
    for check in ("ruff check --config", "ruff format --check --config", "mypy --config-file"):
        config, code = str(ROOT / "pyproject.toml"), str(page / "higher_lower.py")
        command = [sys.executable, "-m", *check.split(), config, code]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
