"""The example engines: small, and fit to play all five games."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from strongroom.agents.engine import seats
from strongroom.agents.engine_check import check
from strongroom.plugins.registry import GAMES, load
from tests.missing import missing

EXAMPLES = Path(__file__).parents[2] / "examples" / "engines"
BOTS = sorted(each.name for each in EXAMPLES.iterdir())


def test_there_is_one_in_python_one_in_shell_and_one_in_javascript() -> None:
    assert {Path(bot).suffix for bot in BOTS} == {".py", ".sh", ".js"}


@pytest.mark.parametrize("bot", BOTS)
def test_an_example_has_fewer_than_40_lines(bot: str) -> None:
    assert len((EXAMPLES / bot).read_text().splitlines()) < 40


@pytest.mark.parametrize("bot", BOTS)
def test_an_example_plays_all_five_games_by_the_rules(bot: str) -> None:
    if bot.endswith(".js") and shutil.which("node") is None:
        missing("nodejs")
    report = check(seats(f"{EXAMPLES / bot}?seconds=60"), [load(name) for name in GAMES])
    assert report.all_faults == []
    assert report.notes == []
    assert all(played.moves for played in report.games)
