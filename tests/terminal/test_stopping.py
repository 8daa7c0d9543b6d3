"""Games stopped from outside: saved, with the terminal restored and the resume command shown."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from strongroom.terminal import store
from tests.terminal.conftest import ALONE, SitDown, Strongroom, Terminal
from tests.terminal.programs import children

FACES = pytest.mark.parametrize("face", [["--plain"], ["--fast"]], ids=["plain", "page"])
STOPS = pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["TERM", "HUP"]
)


def stop(terminal: Terminal, number: int) -> None:
    """Send a signal to the game that a shell runs."""
    terminal.rests()
    os.kill(children(terminal.process.pid)[0], number)


@STOPS
def test_a_script_that_is_stopped_is_saved_and_goes_on(
    strongroom: Strongroom, number: int, code: int
) -> None:
    game = ("play", "quantum-duel", "--save", "a.json")
    with strongroom.begin(*game, lines="3\n", until="Player 2 (O), it's your turn.") as process:
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, err) == (code, "")
    assert out.splitlines()[-1] == "Saved. Resume with: strongroom resume a.json"
    ran = strongroom("resume", "a.json", lines=["5"])
    assert "You have observed cell 5." in ran.lines


@FACES
@STOPS
def test_a_game_stopped_while_a_clue_is_written_restores_the_terminal_and_clears_the_page(
    sit_down: SitDown, number: int, code: int, face: list[str]
) -> None:
    terminal = sit_down("play", "safe-code", *face, shell=True)
    terminal.chooses("23", "(1-30): ")
    terminal.writes("clue 1 of 3: ", "greater than 20")
    terminal.sees("clue 2 of 3: ")
    stop(terminal, number)
    terminal.sees("Saved. Resume with: strongroom resume", f"code={code}")
    assert terminal.echo_is_on
    assert "greater than" not in terminal.everything
    terminal.types("")
    assert terminal.ends() == 0


@FACES
def test_a_game_stopped_at_an_unseen_prompt_gives_the_echo_back(
    sit_down: SitDown, games: Path, face: list[str]
) -> None:
    terminal = sit_down("play", "digit-deductions", *face, shell=True)
    terminal.answers(ALONE, "")
    terminal.sees("from 1-9): ")
    assert not terminal.echo_is_on
    stop(terminal, signal.SIGTERM)
    terminal.sees("Saved.", "code=143")
    assert terminal.echo_is_on
    (file,) = games.iterdir()
    assert store.read(file).outcome is None


@FACES
def test_between_two_games_there_is_nothing_to_save(sit_down: SitDown, face: list[str]) -> None:
    terminal = sit_down("play", "quantum-duel", *face, shell=True)
    terminal.answers("observe: ", "resign")
    terminal.answers("(yes/no): ", "yes")
    terminal.comes_to_the_rematch()
    stop(terminal, signal.SIGTERM)
    terminal.sees("code=143")
    assert terminal.echo_is_on
    assert "Saved." not in terminal.text
    assert not terminal.screen.on_second_screen


def test_a_hangup_that_is_ignored_stays_ignored(strongroom: Strongroom) -> None:
    """As under `nohup`."""
    arguments = ["play", "quantum-duel", "--plain"]
    with strongroom.begin(*arguments, until="it's your turn", trap='trap "" HUP') as process:
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate("3\n")
    assert "You have observed cell 3." in out
    assert process.returncode == 4
