"""The page about PettingZoo: its example runs, and its table names the parts of an observation."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from strongroom import load
from strongroom.agents.observation import Observer
from tests.docs.pages import named


def test_the_example_of_the_page_plays_a_hundred_games(
    written: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    won = runpy.run_path(str(written("doors/pettingzoo.md") / "random_agents.py"))["won"]
    assert sum(won.values()) == 100
    assert capsys.readouterr().out == f"{won}\n"


def test_the_page_names_every_part_of_an_observation() -> None:
    heads = ("part", "how many numbers", "what they are")
    assert named("doors/pettingzoo.md", *heads) == [*Observer(load("quantum-duel")).layout]
