"""Every command, started as a shell does, without modules that others have imported; pictures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from strongroom.terminal.arguments import COMMANDS
from tests.terminal.conftest import Clean, SitDown, Strongroom

FINISHED = ["3", "7", "4", "no", "1", "5", "no", "6", "no", "2", "no"]
LINK = f"http://127.0.0.1:1/#watch/{'0' * 32}"
RUNS = {
    "analyze": "finished.json",
    "compare": "casual.json",
    "completion": "fish",
    "dataset": "--players expert random --only safe-cracker --rounds 1 --output data",
    "doctor": "network",
    "engine": "check true",
    "exploit": "safe-code --players master",
    "games": "--options safe-cracker",
    "gg-bench": "duels",
    "host": "quantum-duel --server http://127.0.0.1:1 --name Ada",
    "join": LINK,
    "leaderboard": "casual.json",
    "list": "",
    "mcp": "--opponent nobody",
    "measure": "random --only safe-cracker --rounds 1 --seats 2 --against casual --seed 1",
    "play": "safe-code --vs master --seed 7 --save played.json",
    "puzzle": "--day 2026-11-17 --plain",
    "puzzles": "export --count 1 --only quantum-duel",
    "replay": "finished.json",
    "resume": "begun.json",
    "rules": "quantum-duel",
    "serve": "--port 0 --database nowhere/games.db",
    "solve": "chess",
    "tournament": "safe-cracker --players casual random --games 2 --seed 3",
    "verify": "finished.json",
}
"""A run of each command that covers most of what it does."""


@pytest.mark.proof
@pytest.mark.parametrize("command", ["", *RUNS])
def test_a_command_that_is_started_prints_what_it_prints_in_this_process(
    strongroom: Strongroom, command: str, tmp_path: Path
) -> None:
    assert RUNS.keys() == set(COMMANDS)
    if RUNS.get(command, "") in ("finished.json", "begun.json"):
        for file, lines in (("finished.json", FINISHED), ("begun.json", ["3"])):
            strongroom("play", "quantum-duel", "--save", file, lines=lines)
    typed = [command, *RUNS[command].split()] if command else []
    here = strongroom(*typed, lines=["quit"])
    (tmp_path / "played.json").unlink(missing_ok=True)
    assert strongroom(*typed, lines=["quit"], afresh=True) == here
    assert here.out + here.err


def test_at_a_terminal_the_menu_and_a_game_are_started(sit_down: SitDown) -> None:
    terminal = sit_down(afresh=True)
    terminal.sees("Safecracker Duel", "Esc leave")
    assert terminal.ends("\x1b") == 0
    terminal = sit_down("play", "quantum-duel", "--vs", "random", afresh=True)
    terminal.answers("want to observe: ", "3")
    terminal.sees("Random observes cell ")
    terminal.interrupts()
    assert terminal.ends() == 130


ROOT = Path(__file__).parents[2]
PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.svg"))


@pytest.mark.proof
def test_the_pictures_are_what_the_pages_look_like_now(tmp_path: Path, clean: Clean) -> None:
    command = [sys.executable, str(ROOT / "docs" / "make_pictures.py"), str(tmp_path)]
    subprocess.run(command, env=clean(), check=True)
    made = {each.name: each.read_text() for each in tmp_path.glob("*.svg")}
    assert made == {each.name: each.read_text() for each in PICTURES}, "make pictures"
    for each in PICTURES:
        picture = ElementTree.parse(each)
        assert picture.findtext("{*}title"), each
        assert len(picture.findall(".//{*}g/{*}text")) > 100, each
