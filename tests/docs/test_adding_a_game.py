"""The game on the page works."""

from __future__ import annotations

import runpy
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from strongroom import load
from strongroom.contract import NotLegal, Seat
from strongroom.plugins import registry
from strongroom.testing.conformance import check_game
from tests.docs.pages import DOCS, page
from tests.examples.installing import install

if TYPE_CHECKING:
    from tests.docs.conftest import Written

PAGE = page("adding-a-game.md")
PROJECT = PAGE.partition("```toml\n")[2].partition("```")[0]


@pytest.fixture
def folder(written: Written, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delitem(sys.modules, "higher_lower", raising=False)
    return written("adding-a-game.md")


@pytest.fixture
def module(folder: Path) -> Any:
    return import_module("higher_lower")


def test_the_game_of_the_page_keeps_the_contract_and_its_tests_pass(
    module: Any, folder: Path
) -> None:
    check_game(module.HigherLower(), seed=1)
    tests = runpy.run_path(str(folder / "test_higher_lower.py"))
    named = [each for name, each in tests.items() if name.startswith("test_")]
    assert len(named) == 2
    for test in named:
        test()


def test_the_game_of_the_page_can_be_won_in_either_set_of_words(module: Any) -> None:
    game = module.HigherLower()
    hunt = game.in_words(module.TreasureHunt)
    assert hunt == game
    assert (game.title, hunt.title) == ("Higher or Lower", "Treasure Hunt")
    state = game.start()
    for text in ("3", "8", "5"):
        state = state.play(game.move(text))
    assert hunt.words.say(state.view(None)) == "floor 5, warmer upstairs."
    state = state.play(game.move("5"))
    assert state.board == (module.Span(6, 10), module.Span(1, 4))
    with pytest.raises(NotLegal, match="5 is not among the numbers left"):
        state.play(game.move("5"))
    end = state.play(game.move("8"))
    assert end.outcome.winner is Seat.ONE
    assert game.words.say(end.view(None)) == "8: here."
    assert game.words.ending(end.outcome) == "Player 1 found the number."


def test_the_page_names_the_groups_of_entry_points_of_the_registry() -> None:
    groups = {*registry.GROUPS.values()}
    assert {*tomllib.loads(PROJECT)["project"]["entry-points"]} < groups
    assert all(group in PAGE for group in groups)


def test_the_project_of_the_page_installs_with_its_rules(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = folder / "project" / "higher_lower"
    package.mkdir(parents=True)
    (folder / "higher_lower.py").rename(package / "__init__.py")
    (package / "rules.md").write_text("# Higher or Lower\n", encoding="utf-8")
    (package.parent / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    monkeypatch.syspath_prepend(install(package.parent, folder / "site"))
    game = load("higher-lower")
    assert game.rules_page == "# Higher or Lower\n"
    assert registry.words_of(game, "treasure").title == "Treasure Hunt"


def test_the_code_of_the_page_is_typed_and_formatted(folder: Path) -> None:
    root = DOCS.parent
    for check in ("ruff check --config", "ruff format --check --config", "mypy --config-file"):
        config, code = str(root / "pyproject.toml"), str(folder / "higher_lower.py")
        command = [sys.executable, "-m", *check.split(), config, code]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
