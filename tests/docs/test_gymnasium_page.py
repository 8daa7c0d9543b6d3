"""The page about Gymnasium: its examples run, and it names every setting."""

from __future__ import annotations

import inspect
import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from strongroom.agents.gymnasium import SeatEnv
from tests.docs.pages import named


@pytest.mark.parametrize(
    ("file", "printed"),
    [
        ("first_game.py", r"\w+: [+-]\d, given away \d\.\d\d of a win\n"),
        ("measured_policy.py", r"It gives away 0\.\d\d of a win a game\.\n"),
    ],
)
def test_the_examples_of_the_page_run(
    file: str,
    printed: str,
    written: Callable[[str], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    runpy.run_path(str(written("doors/gymnasium.md") / file))
    assert re.fullmatch(printed, capsys.readouterr().out)


def test_the_page_names_every_setting() -> None:
    settings = {*inspect.signature(SeatEnv).parameters} - {"name", "render_mode", "options"}
    assert {*named("doors/gymnasium.md", "setting", "what it is", "usually")} == settings
