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

EXAMPLES = dict(re.findall(r"```python\n# (\S+)\n(.*?)```", PAGE, re.DOTALL))


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


def test_the_page_says_what_every_part_of_an_observation_is() -> None:
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
