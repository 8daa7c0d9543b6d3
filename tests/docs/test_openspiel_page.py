"""The page about OpenSpiel: its example prints what stands below it."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.pages import page


def test_the_example_of_the_page_prints_what_stands_below_it(
    written: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    runpy.run_path(str(written("doors/openspiel.md") / "against_master.py"))
    assert f"```\n{capsys.readouterr().out}```" in page("doors/openspiel.md")
