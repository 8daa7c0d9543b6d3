"""The commands for studying the games: analyze, exploit, and a tournament on a terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

FOUR = ["3", "7", "4", "no", "1", "5", "no", "6", "no", "2", "no"]
"""Player 1 takes cells 2 to 5, and Player 2 lets even the fourth stand."""


@pytest.fixture
def record(strongroom: Strongroom) -> str:
    assert strongroom("play", "quantum-duel", "--save", "a.json", lines=FOUR).code == 0
    return "a.json"


def test_an_analysis_is_a_table_with_the_blunder_in_it(strongroom: Strongroom, record: str) -> None:
    ran = strongroom("analyze", record)
    assert ran.code == 0
    assert re.search(r"7 +Player 2 .*no challenge .*\?\? blunder .*a challenge", ran.out)
    assert re.search(
        r"7\. Player 2: no challenge, a blunder \(.\d+ points\): a challenge could have taken ",
        ran.out,
    )
    assert re.search(r"Player 2: 50\.0% at the start, .\d+\.\d points given away", ran.out)


def test_an_analysis_at_a_terminal_can_be_searched_and_leaves_the_shell_s_screen(
    sit_down: SitDown, record: str
) -> None:
    terminal = sit_down("analyze", record)
    terminal.sees("Quantum Duel: what each move cost", "q back")
    assert terminal.screen.on_second_screen
    terminal.presses("/no such words\r")
    terminal.sees("Not found from here on.")
    terminal.presses("q")
    assert terminal.ends() == 0
    assert not terminal.screen.on_second_screen


def test_an_analysis_as_json_is_what_python_gives(strongroom: Strongroom, record: str) -> None:
    data = json.loads(strongroom("analyze", record, "--json").out)
    assert data["decisions"][-1]["mark"] == "blunder"
    one, two = data["seats"]
    assert one["cost"] < two["cost"]
    assert one["gifts"] == two["cost"]
    assert one["start"] - one["cost"] + one["luck"] + one["gifts"] == pytest.approx(1, abs=1e-4)
    assert (one["curve"][-1], two["curve"][-1], data["truth"][-1]) == ([12, 1], [12, 0], [12, 1])


def test_the_drawing_of_an_analysis_shows_the_numbers_of_its_table(
    strongroom: Strongroom, record: str, tmp_path: Path
) -> None:
    ran = strongroom("analyze", record, "--plot", "a.svg")
    assert "Drawn: a.svg" in ran.lines
    drawing = ElementTree.parse(tmp_path / "a.svg")
    assert len(drawing.findall(".//{*}polyline")) == 3
    assert any("blunder" in (title.text or "") for title in drawing.iter() if "title" in title.tag)
    texts = [str(each.text) for each in drawing.findall(".//{*}text")]
    data = json.loads(strongroom("analyze", record, "--json").out)
    numbers = [*dict.fromkeys(str(each["turn"]) for each in data["decisions"])]
    assert [text for text in texts if text.isdigit()] == numbers
    before = strongroom("replay", record).out
    refused = strongroom("analyze", record, "--plot", record)
    assert refused.code == 2
    assert "the file contains something else" in refused.err
    assert strongroom("replay", record).out == before
    assert strongroom("analyze", record, "--plot", "a.svg").code == 0  # it replaces a drawing


def test_resigning_is_not_counted_and_an_unfinished_game_is_not_analyzed(
    strongroom: Strongroom,
) -> None:
    strongroom("play", "quantum-duel", "--save", "a.jsonl", lines=["4", "resign", "y"])
    told = "Resigning is not a move, and its cost is not counted."
    assert told in strongroom("analyze", "a.jsonl").lines
    strongroom("play", "quantum-duel", "--save", "b.json", lines=["3"])
    ran = strongroom("analyze", "b.json")
    assert ran.code == 2
    assert "The game is not over" in ran.err


def test_the_winnings_of_a_best_response_are_markdown_without_a_terminal_or_json(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("exploit", "safecracker", "--players", "master", "expert")
    assert ran.code == 0
    assert ran.lines[-2:] == [
        "| safecracker-duel | master | 0.563 | 0.437 | its certificate |",
        "| safecracker-duel | expert | 0.659 | 0.664 | a best response |",
    ]
    figures = strongroom("exploit", "safe-code", "--players", "master", "--json").events
    assert [figure["responder"] for figure in figures] == [1, 2]
    assert figures[0]["value"] == pytest.approx(31 / 60)
    assert all(figure["exact"] and figure["error"] is None for figure in figures)


def test_on_a_terminal_a_tournament_is_a_table_unless_markdown_is_asked_for(
    sit_down: SitDown,
) -> None:
    arguments = ["tournament", "quantum", "--players", "casual", "random", "--games", "4"]
    terminal = sit_down(*arguments)
    assert terminal.ends() == 0
    assert re.search(r"against casual +against random", terminal.text)
    assert re.search(r"casual +– +\d\.\d{3} (?:± \d|\(\d\.\d{3} to \d)\.\d{3}", terminal.text)
    assert "| casual" not in terminal.text
    asked = sit_down(*arguments, "--markdown")
    assert asked.ends() == 0
    assert "### Quantum Duel" in asked.text
    assert "| casual" in asked.text
