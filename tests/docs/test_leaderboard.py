"""The page with the leaderboard: its command goes on, and its tables are whole."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from starting import PATIENCE

from strongroom import load
from strongroom.plugins.registry import GAMES, PLAYERS
from tests.docs.pages import DOCS, page

ROOT = DOCS.parent
TITLES = [load(name).title for name in GAMES]
TABLE = r"^## (.*)\n\n(?:!\[.*\n\n)?(\|.*\n)\|[-|]*\|\n((?:\|.*\n)*)"
HEAD = "| rank | player | score | games |"
OF_A_GAME = f"{HEAD} lost a decision | perfect | time a decision |"


def tables() -> dict[str, list[list[str]]]:
    """The rows of each table, by its title."""
    measured = page("leaderboard.md").partition("<!-- tables -->")[2]
    found = re.findall(TABLE, measured, re.MULTILINE)
    assert [head.strip() for _, head, _ in found] == [HEAD, *[OF_A_GAME] * len(TITLES)]
    return {
        title: [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines.splitlines()]
        for title, _, lines in found
    }


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
    rows = [row for row in first.stdout.splitlines() if "| `random` |" in row]
    again = [row for row in second.stdout.splitlines() if "| `random` |" in row]
    unranked = [row.partition("`random`")[2] for row in rows]
    assert unranked
    assert [row.partition("`random`")[2] for row in again] == unranked


def test_every_table_has_the_same_players_and_ranks_only_what_the_intervals_separate() -> None:
    assert [*tables()] == ["All five games", *TITLES]
    players = [{row[1] for row in rows} for rows in tables().values()]
    assert all(each == players[0] for each in players)
    assert players[0] > {f"`{bot}`" for bot in PLAYERS} | {"`trained`"}
    for title, rows in tables().items():
        scores = [float(row[2].split()[0]) for row in rows]
        assert scores == sorted(scores, reverse=True), title
        places = {row[1]: [int(place) for place in row[0].split(" to ")] for row in rows}
        assert places["`master`"][0] == 1, title
        assert all(1 <= each[0] <= each[-1] <= len(rows) for each in places.values()), title
        assert places["`random`"][0] > places["`trained`"][0], title
        assert all(int(row[3]) >= 10 for row in rows), title
        if title in TITLES:
            lost = {row[1]: float(row[4]) for row in rows}
            assert lost["`master`"] == 0, title
            assert lost["`trained`"] < lost["`random`"], title


def test_the_page_says_when_and_with_what_it_was_measured() -> None:
    assert re.search(
        r"python benchmarks/leaderboard\.py FOLDER .*\n```\n\nMeasured on \d{4}-\d\d-\d\d with "
        r"strongroom [\d.]+, Python [\d.]+, numpy [\d.]+, open_spiel [\d.]+\.",
        page("leaderboard.md"),
    )
