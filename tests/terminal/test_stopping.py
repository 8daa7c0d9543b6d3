"""Saved games while they are played: losing at most the line being typed, however they stop."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from starting import STRONGROOM

from strongroom.referee.record import Record
from strongroom.terminal.store.files import CannotSave
from strongroom.terminal.store.games import Journal, read
from tests import full_disk
from tests.terminal.conftest import ALONE, SHELL, AtTerminal, SitDown, Strongroom, Terminal
from tests.terminal.programs import children

DUEL = ("play", "quantum-duel")


def test_save_names_the_file_and_one_that_cannot_be_written_is_one_line_and_exit_2(
    strongroom: Strongroom, subtests: pytest.Subtests, tmp_path: Path, games: Path
) -> None:
    typed: list[tuple[list[str], dict[str, str], str]] = [
        (["--save", "."], {}, "Cannot save to "),
        (["--save", "nope/x.jsonl"], {}, "There is no folder 'nope'.\n"),
        ([], {"XDG_STATE_HOME": "/dev/null"}, "Cannot save to '/dev/null/strongroom/games/"),
    ]
    for saved, env, told in typed:
        with subtests.test(saved=saved, env=env):
            ran = strongroom(*DUEL, *saved, lines=["3"], env=env, code=2)
            assert ran.err.startswith(f"strongroom: {told}")
            assert len(ran.err.splitlines()) == 1
            assert [*tmp_path.iterdir()] == []
    (tmp_path / "deep" / "er").mkdir(parents=True)
    ran = strongroom(*DUEL, "--save", "deep/er/mine.json", lines=["3"], code=4)
    file = tmp_path / "deep" / "er" / "mine.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [str(step.move) for step in read(file).steps] == ["3"]
    assert not games.exists(), "the game is in one place only"


@pytest.mark.parametrize("opponent", ["person", "random"])
def test_a_folder_lost_in_the_middle_of_a_game_costs_nobody_the_game(
    strongroom: Strongroom, tmp_path: Path, opponent: str
) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    arguments = [*DUEL, "--vs", opponent, "--save", "stick/a.json"]
    with strongroom.begin(*arguments, "--seed", "1", "--strict", until="our turn") as process:
        (folder / "a.json").unlink()
        folder.rmdir()
        folder.write_text("in the way")
        out, err = process.communicate("1\n")
    assert "Traceback" not in err
    assert "forfeit" not in out
    assert "Cannot save to" in out + err
    assert "You have observed cell 1." in out, "the move was played, not refused"
    assert "Saved. Resume with:" not in out, "nothing was saved"


@pytest.mark.parametrize("face", ["--plain", "--json"])
def test_a_full_disk_does_not_hide_a_win_and_the_end_is_reported_as_not_saved(
    tmp_path: Path, strongroom: Strongroom, face: str
) -> None:
    arguments = ["play", "digit-deductions", "--save", "a.json", face]
    with strongroom.begin(*arguments, until="eductions", trap=full_disk.SHELL) as process:
        out, err = process.communicate("37\n56\n" + "11\n" * 20 + "56\n")
    assert (process.returncode, err) == (0, "")
    ending = "Player 1 guessed the secret number."
    end = out.index("Game over: " + ending if face == "--plain" else f'"words": "{ending}"')
    assert "The game goes on; that file holds it up to the last save." in out[:end]
    assert "goes on" not in out[end:]
    assert "Not saved. Cannot save to 'a.json': File too large." in out[end:]
    assert "Record: " not in out
    saved = read(tmp_path / "a.json")
    assert saved.outcome is None
    assert len(saved.steps) >= 2, "what was saved before is intact"
    assert strongroom("resume", "a.json", lines=["resign", "y"]).code == 0


def test_a_save_that_failed_once_is_made_up_for(
    strongroom: Strongroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    update, troubles = Journal.update, [CannotSave("Cannot save: no room.")]

    def update_later(journal: Journal, record: Record) -> None:
        if record.steps and troubles:
            raise troubles.pop()
        update(journal, record)

    monkeypatch.setattr(Journal, "update", update_later)
    moves = ["37", "56", "11", "11", "56"]
    out = strongroom("play", "digit-deductions", "--save", "a.json", "--plain", lines=moves).out
    assert "The game goes on; that file holds it up to the last save." in out
    assert "Not saved" not in out
    assert "Record: a.json" in out


def stop(terminal: Terminal, number: int) -> None:
    """Send a signal to the game that a shell runs."""
    terminal.rests()
    os.kill(children(terminal.process.pid)[0], number)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_script_that_is_stopped_is_saved_and_goes_on(
    strongroom: Strongroom, number: int, code: int
) -> None:
    game = (*DUEL, "--save", "a.json")
    with strongroom.begin(*game, lines="3\n", until="Player 2 (O), it's your turn.") as process:
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, err) == (code, "")
    assert out.splitlines()[-1] == "Saved. Resume with: strongroom resume a.json"
    assert "You have observed cell 5." in strongroom("resume", "a.json", lines=["5"]).lines


@pytest.mark.parametrize(
    ("face", "number"),
    [
        *(("--plain", each) for each in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)),
        *(("--fast", each) for each in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)),
    ],
)
def test_a_game_stopped_while_a_clue_is_written_restores_the_terminal_and_clears_the_page(
    sit_down: SitDown, face: str, number: signal.Signals
) -> None:
    terminal = sit_down("play", "safe-code", face, shell=SHELL)
    terminal.chooses("23", "(1-30): ")
    terminal.writes("clue 1 of 3: ", "greater than 20")
    terminal.sees("clue 2 of 3: ")
    assert terminal.asks_for_clicks is (face == "--fast")
    stop(terminal, number)
    told = [] if number == signal.SIGQUIT else ["Saved. Resume with: strongroom resume"]
    terminal.sees(*told, f"code={128 + number}")
    assert terminal.is_the_shells
    assert "greater than" not in terminal.everything


@pytest.mark.parametrize("face", ["--plain", "--fast"])
def test_between_two_games_there_is_nothing_to_save(sit_down: SitDown, face: str) -> None:
    terminal = sit_down(*DUEL, face, shell=SHELL)
    terminal.answers("observe: ", "resign")
    terminal.answers("(yes/no): ", "yes")
    terminal.comes_to_the_rematch()
    stop(terminal, signal.SIGTERM)
    terminal.sees("code=143")
    assert "Saved." not in terminal.text
    assert terminal.is_the_shells


def test_a_hangup_that_is_ignored_stays_ignored(strongroom: Strongroom) -> None:
    """As under `nohup`."""
    with strongroom.begin(*DUEL, "--plain", until="it's your turn", trap='trap "" HUP') as process:
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate("3\n")
    assert "You have observed cell 3." in out
    assert process.returncode == 4


ROOT = Path(__file__).parents[2]
AT_PROMPT = r"shell>\s*$"
"""The end of what is on the screen, while the shell waits."""
CTRL_C, CTRL_Z = "\x03", "\x1a"
STOPPED = rf"Stopped +make play .*\n(?:.*\n)*{AT_PROMPT}"
"""The shell is back at its prompt, and says that the whole job is stopped."""

Play = Callable[..., Terminal]


@pytest.fixture
def play(at_terminal: AtTerminal, tmp_path: Path) -> Play:
    """Types `make play` into a shell; what it installs is there, and starts with the arguments."""
    program = tmp_path / "venv" / "bin" / "strongroom"
    program.parent.mkdir(parents=True)
    for made in (program.with_name("pip"), tmp_path / "venv" / "play.stamp"):
        made.touch()

    def start(*arguments: str) -> Terminal:
        program.write_text(f"#!/bin/sh\nexec {shlex.join([*STRONGROOM, *arguments])}\n")
        program.chmod(0o755)
        shell = ["bash", "--norc", "--noprofile", "-i", "-b"]  # which tells of a stop at once
        terminal = at_terminal(shell, env={"PS1": "shell> ", "HISTFILE": ""}, folder=ROOT)
        terminal.shows(AT_PROMPT)
        terminal.types(f"make play VENV={shlex.quote(str(tmp_path / 'venv'))}")
        return terminal

    return start


def stops(terminal: Terminal, secret: str = "") -> None:
    """Press Ctrl-Z, wait for the shell's prompt, and look for a secret there; then clear it."""
    terminal.presses(CTRL_Z)
    terminal.shows(STOPPED)
    assert not terminal.screen.on_second_screen
    assert not terminal.screen.cursor.hidden
    assert not terminal.asks_for_clicks
    assert not secret or secret not in terminal.everything
    terminal.types("clear")
    terminal.shows(f"^{AT_PROMPT}")


@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["drawn", "plain"])
def test_ctrl_z_hides_a_private_page_until_one_is_alone(play: Play, face: list[str]) -> None:
    terminal = play("play", "safe-code", *face)
    terminal.chooses("23", "(1-30): ")
    terminal.writes("clue 1 of 3: ", "greater than 20")
    terminal.shows("clue 2 of 3:")
    terminal.presses("prim")
    terminal.shows("clue 2 of 3: prim")
    for _ in range(2):
        stops(terminal, "greater than 20")
        terminal.types("fg")
        terminal.shows(ALONE)
        assert "greater than 20" not in terminal.everything
        assert "prim" not in terminal.everything
    terminal.types("")
    terminal.shows("clue 2 of 3: prim")
    if face:
        assert "Taken as: It is greater than 20." in terminal.shown, "the page is whole"
    terminal.types("e")
    terminal.shows("Taken as: .*prime")


def test_a_page_is_whole_after_bg_fg_and_another_size(play: Play) -> None:
    terminal = play("play", "quantum-duel", "--fast")
    terminal.answers("want to observe: ", "3")
    terminal.shows("it's your turn.\n(?:.*\n)*.*want to observe:")
    stops(terminal)
    terminal.types("bg")  # as soon as it wants the terminal, it is stopped again
    terminal.shows("&\n(?:.*\n)*.*Stopped.* make play")
    terminal.resizes(100, 30)
    terminal.types("fg")
    terminal.shows("want to observe:")
    assert terminal.screen.on_second_screen
    assert terminal.asks_for_clicks
    title, rule, *_ = terminal.shown.splitlines()
    assert title.lstrip().startswith("Quantum Duel")
    assert rule == "─" * 100
    assert "│ X │" in terminal.shown
    terminal.types("quit")
    terminal.shows(rf"Saved\. Resume with: (?:.*\n)+{AT_PROMPT}")
    assert "make:" not in terminal.shown


def test_ctrl_z_stops_the_menu_too_and_ctrl_c_ends_it_or_a_game_without_a_word_of_make(
    play: Play,
) -> None:
    terminal = play()
    terminal.shows("Esc leave")
    stops(terminal)
    terminal.types("fg")
    terminal.shows("Esc leave")
    terminal.presses(CTRL_C)
    terminal.shows(rf"^shell> fg\nmake play (?:.*\n)+{AT_PROMPT}")
    assert "***" not in terminal.text
    terminal = play("play", "digit-deductions", "--vs", "random", "--plain")
    terminal.shows(r"from 1-9\):")
    terminal.presses("8")
    terminal.shows(r"from 1-9\): •")
    stops(terminal)
    terminal.types("fg")
    terminal.shows(r"from 1-9\): •")
    terminal.presses(CTRL_C)
    terminal.shows(rf"Saved\. Resume with: (?:.*\n)+{AT_PROMPT}")
    assert "***" not in terminal.text
