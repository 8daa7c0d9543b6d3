"""The page about all doors: every extra is on it, and what it says to run, runs."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from strongroom.terminal.arguments import COMMANDS
from tests.docs.pages import DOCS, coded, rows
from tests.doors.everywhere import DOORS

TABLE = {
    coded(extra)[0]: (framework, coded(line)[0])
    for framework, extra, _, line in rows(
        "doors/index.md", "framework", "extra", "who plays", "how it begins"
    )
}
PROJECT = Path(__file__).parents[2] / "pyproject.toml"
COMMAND_LINES = {"inspect", "mcp"}


def test_every_door_is_on_the_page_and_has_a_page_of_its_own() -> None:
    assert list(TABLE) == sorted(DOORS)
    for extra, (framework, _) in TABLE.items():
        assert framework.endswith(f"({extra}.md)")
        assert (DOCS / "doors" / f"{extra}.md").exists()


@pytest.mark.parametrize("extra", sorted(set(TABLE) - COMMAND_LINES))
def test_the_line_of_python_opens_the_door(extra: str) -> None:
    exec(TABLE[extra][1], {})


def test_the_commands_exist() -> None:
    assert TABLE["mcp"][1].split() == ["strongroom", *{"mcp"} & COMMANDS.keys()]
    points = tomllib.loads(PROJECT.read_text())["project"]["entry-points"]
    assert "strongroom" in points["inspect_ai"]
    assert TABLE["inspect"][1] == "inspect eval strongroom/play"
