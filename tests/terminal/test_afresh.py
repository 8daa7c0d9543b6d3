"""Every command, started as a shell starts it, without modules that others have imported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.terminal.arguments import COMMANDS

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom, Whole

FINISHED = ["3", "7", "4", "no", "1", "5", "no", "6", "no", "2", "no"]
LINK = f"http://127.0.0.1:1/#watch/{'0' * 32}"
RUNS = {
    "analyze": "finished.json",
    "compare": "casual.json",
    "completion": "fish",
    "doctor": "network",
    "engine": "check true",
    "exploit": "quantum-duel --players random",
    "games": "--options safe-cracker",
    "host": "quantum-duel --server http://127.0.0.1:1 --name Ada",
    "join": LINK,
    "list": "",
    "mcp": "--opponent nobody",
    "measure": "random --only safe-cracker --rounds 1 --seats 2 --against casual --seed 1",
    "play": "safe-code --vs master --seed 7 --save played.json",
    "puzzle": "--day 2026-11-20 --plain",
    "puzzles": "export --count 2 --only quantum-duel",
    "replay": "finished.json",
    "resume": "begun.json",
    "rules": "quantum-duel",
    "serve": "--port 0 --database nowhere/games.db",
    "solve": "chess",
    "tournament": "quantum-duel --players casual expert --games 4 --seed 3",
    "verify": "finished.json",
}
"""A run of each command that covers most of what it does."""


@pytest.fixture
def _saved(strongroom: Strongroom) -> None:
    strongroom("play", "quantum-duel", "--save", "finished.json", lines=FINISHED)
    strongroom("play", "quantum-duel", "--save", "begun.json", lines=["3"])


def test_every_command_is_covered() -> None:
    assert RUNS.keys() == set(COMMANDS)


@pytest.mark.usefixtures("_saved")
@pytest.mark.parametrize("command", RUNS)
def test_a_command_started_afresh_prints_what_a_forked_one_prints(
    strongroom: Strongroom, command: str, tmp_path: Path
) -> None:
    forked = strongroom(command, *RUNS[command].split())
    (tmp_path / "played.json").unlink(missing_ok=True)
    assert strongroom(command, *RUNS[command].split(), afresh=True) == forked
    assert forked.out + forked.err


def test_a_whole_game_is_played_by_a_script_that_starts_it(
    strongroom: Strongroom, whole: Whole
) -> None:
    assert strongroom("play", whole.name, lines=whole.lines, afresh=True).code == 0


@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["page", "plain"])
def test_at_a_terminal_a_game_is_started_and_played(sit_down: SitDown, face: list[str]) -> None:
    terminal = sit_down("play", "quantum-duel", "--vs", "random", *face, afresh=True)
    terminal.answers("want to observe: ", "3")
    terminal.sees("Random observes cell ")
    terminal.interrupts()
    assert terminal.ends() == 130


def test_the_menu_is_started_at_a_terminal_and_by_a_script(
    sit_down: SitDown, strongroom: Strongroom
) -> None:
    terminal = sit_down(afresh=True)
    terminal.sees("Safecracker Duel", "Esc leave")
    terminal.presses("\x1b")
    assert terminal.ends() == 0
    assert "Which game?" in strongroom(lines=["quit"], afresh=True).out
