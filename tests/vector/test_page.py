"""What docs/vector.md says is what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path

import pytest

from strongroom import load
from strongroom.plugins.registry import GAMES
from strongroom.vector import make
from strongroom.vector.words import Layout

PAGE = (Path(__file__).parents[2] / "docs" / "vector.md").read_text(encoding="utf-8")


def written(layout: Layout) -> str:
    """A layout as the page writes it: fields with their bits, a dot between words."""
    words: dict[int, list[str]] = {}
    for name, field in layout.items():
        words.setdefault(field.word, []).append(f"{name} {field.width}")
    return " · ".join(", ".join(fields) for fields in words.values())


@pytest.mark.parametrize("name", GAMES)
def test_the_page_says_how_states_are_packed(name: str) -> None:
    packed = make(name).packed
    row = f"| {load(name).title} | {written(packed.layout)} | {written(packed.memory)} |"
    assert row in PAGE


def test_the_example_of_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"```python\n# (\S+)\n(.*?)```", PAGE, re.DOTALL)
    assert found
    script = tmp_path / found[1]
    script.write_text(found[2], encoding="utf-8")
    run_path(str(script), run_name="__main__")
    shown = capsys.readouterr().out
    assert re.fullmatch(
        r"\d+ of a thousand random games were won within 200 moves\n"
        r"master wins 9\d\.\d%; random gives away 0\.\d\d a game\n",
        shown,
    ), shown
