"""The page with the leaderboard: its example runs, and its tables are whole."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from starting import PATIENCE

from strongroom import load
from strongroom.plugins.registry import GAMES, PLAYERS
from tests.docs.pages import DOCS, page

ROOT = DOCS.parent
TITLES = [load(name).title for name in GAMES]
TABLE = r"^## (.*)\n\n(?:!\[.*\n\n)?(\|.*\n)\|[-|]*\|\n((?:\|.*\n)*)"
HEAD = "| player | score | lost a decision | perfect | time a decision | games |"


def tables() -> dict[str, list[list[str]]]:
    """The rows of each table, by its title."""
    measured = page("leaderboard.md").partition("<!-- tables -->")[2]
    found = re.findall(TABLE, measured, re.MULTILINE)
    assert all(head.strip() == HEAD for _, head, _ in found)
    return {
        title: [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines.splitlines()]
        for title, _, lines in found
    }


def test_the_example_of_the_page_measures_a_search(
    written: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    runpy.run_path(str(written("leaderboard.md") / "search.py"))
    assert re.fullmatch(r"Safe Cracker +0\.\d+ ± 0\.\d+, \d+ % perfect\n", capsys.readouterr().out)


@pytest.mark.whole
def test_the_command_goes_on_from_what_it_has_measured(tmp_path: Path) -> None:
    script = [sys.executable, str(ROOT / "benchmarks" / "leaderboard.py"), str(tmp_path / "kept")]
    quick = ["--print", "--rounds", "1", "--only", "safe-cracker", "--players", "random"]
    first, second = (
        subprocess.run(
            [*script, *quick, *more], capture_output=True, text=True, timeout=PATIENCE, check=True
        )
        for more in ([], ["expert"])
    )
    assert re.fullmatch(r"random at safe-cracker: \d+ s\n", first.stderr)
    assert re.fullmatch(r"expert at safe-cracker: \d+ s\n", second.stderr)
    rows = [line for line in first.stdout.splitlines() if line.startswith("| `random`")]
    assert rows
    assert {*rows} < {*second.stdout.splitlines()}


def test_every_table_has_the_same_players_with_the_best_first() -> None:
    assert [*tables()] == ["All five games", *TITLES]
    players = [{row[0] for row in rows} for rows in tables().values()]
    assert all(each == players[0] for each in players)
    assert players[0] > {f"`{bot}`" for bot in PLAYERS} | {"`trained`"}
    for rows in tables().values():
        scores = [float(row[1].split()[0]) for row in rows]
        assert scores == sorted(scores, reverse=True)


def test_the_agent_is_better_than_random_at_every_game() -> None:
    for title, rows in tables().items():
        lost = {row[0]: float(row[2]) for row in rows}
        assert lost["`master`"] == 0, title
        assert lost["`trained`"] < lost["`random`"], title


def test_the_page_says_when_and_with_what_it_was_measured() -> None:
    assert re.search(
        r"python benchmarks/leaderboard\.py FOLDER .*\n```\n\nMeasured on \d{4}-\d\d-\d\d with "
        r"strongroom [\d.]+, Python [\d.]+, numpy [\d.]+, open_spiel [\d.]+\.",
        page("leaderboard.md"),
    )
