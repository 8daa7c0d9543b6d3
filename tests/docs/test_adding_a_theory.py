"""The theory on the page is the example's."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "bluff"


def test_the_first_steps_of_the_page_print_what_the_page_shows(
    written: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    runpy.run_path(str(written("adding-a-theory.md") / "explore.py"))
    assert capsys.readouterr().out.splitlines() == ["3/7", "3/7 3/7"]


def test_the_page_shows_the_theory_of_the_example_as_it_is(
    written: Callable[[str], Path],
) -> None:
    file = "strongroom_bluff/theory.py"
    shown = (written("adding-a-theory.md") / file).read_text(encoding="utf-8")
    assert shown == (EXAMPLE / file).read_text(encoding="utf-8")


def test_the_page_shows_the_entry_point_of_the_example() -> None:
    page = (EXAMPLE.parents[1] / "docs" / "adding-a-theory.md").read_text(encoding="utf-8")
    point = page.partition("```toml\n")[2].partition("```")[0].strip()
    assert point in (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")
