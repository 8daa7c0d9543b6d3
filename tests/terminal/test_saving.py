"""Saved games: private, intact at every moment, and losing at most the line being typed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from strongroom.terminal import store
from tests.terminal.conftest import Strongroom

# --- where and how --------------------------------------------------------------------------------


def test_a_mistyped_folder_is_refused_and_not_created(
    strongroom: Strongroom, tmp_path: Path, games: Path
) -> None:
    ran = strongroom("play", "quantum-duel", "--save", "nope/x.jsonl")
    assert (ran.code, ran.err) == (2, "strongroom: There is no folder 'nope'.\n")
    assert not games.exists()
    ran = strongroom("play", "quantum-duel", lines=[f"save {tmp_path}/nope/er/x", "3"])
    assert f"There is no folder '{tmp_path}/nope/er'." in ran.out
    assert not (tmp_path / "nope").exists()
    assert games.is_dir(), "the folder of the saved games is still created"


def test_save_names_the_file(strongroom: Strongroom, tmp_path: Path, games: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    ran = strongroom("play", "quantum-duel", "--save", "deep/er/mine.json", lines=["3"])
    file = tmp_path / "deep" / "er" / "mine.json"
    assert ran.code == 4
    assert file.stat().st_mode & 0o777 == 0o600
    assert [str(step.move) for step in store.read(file).steps] == ["3"]
    assert not games.exists(), "the game is in one place only"


@pytest.mark.parametrize("place", ["/dev/null/x.json", ".", "/", "a" * 256])
def test_a_file_that_cannot_be_written_is_one_line_and_exit_2(
    strongroom: Strongroom, place: str
) -> None:
    ran = strongroom("play", "quantum-duel", "--save", place, lines=["3"])
    assert ran.code == 2
    assert ran.err.startswith("strongroom: Cannot save to ")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("state", ["/dev/null", "/proc/nowhere", "/etc/passwd"])
def test_a_folder_that_cannot_be_written_is_one_line_and_exit_2(
    strongroom: Strongroom, state: str
) -> None:
    ran = strongroom("play", "quantum-duel", lines=["3"], env={"XDG_STATE_HOME": state})
    assert ran.code == 2
    assert ran.err.startswith(f"strongroom: Cannot save to '{state}/strongroom/games/")
    assert len(ran.err.splitlines()) == 1


def test_a_file_that_is_not_this_game_is_never_written_over(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    strongroom("play", "safe-code", "--save", "game", lines=["18"])
    (tmp_path / "diary").write_text("Dear diary,\n")
    for name in ("game", "diary"):
        content = (tmp_path / name).read_text()
        begun = strongroom("play", "quantum-duel", "--save", name, lines=["3"])
        assert begun.code == 2
        assert begun.err.startswith(f"strongroom: Cannot save to '{name}': ")
        assert begun.err.count("\n") == 1
        copied = strongroom("play", "quantum-duel", lines=["3", f"save {name}", "5"])
        assert f"Cannot save to '{name}': " in copied.out
        assert "You have observed cell 5." in copied.lines, "the game goes on"
        assert (tmp_path / name).read_text() == content


def test_a_game_that_is_being_played_is_not_resumed_a_second_time(
    tmp_path: Path, strongroom: Strongroom
) -> None:
    game = ("play", "quantum-duel", "--save", "a.json")
    with strongroom.begin(*game, until="it's your turn") as process:
        ran = strongroom("resume", "a.json", lines=["3"])
        process.communicate("5\n")
    assert ran.code == 2
    assert "The game in 'a.json' is being played elsewhere." in ran.err
    assert [str(step.move) for step in store.read(tmp_path / "a.json").steps] == ["5"]


# --- while it is played ---------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", ["person", "random"])
def test_a_folder_lost_in_the_middle_of_a_game_costs_nobody_the_game(
    strongroom: Strongroom, tmp_path: Path, opponent: str
) -> None:
    """A lost disk makes nobody forfeit and no played move refused."""
    folder = tmp_path / "stick"
    folder.mkdir()
    arguments = ["play", "quantum-duel", "--vs", opponent, "--save", "stick/a.json"]
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
    # A file has room for a kilobyte, which sh counts in blocks of 512 bytes.
    with strongroom.begin(*arguments, until="eductions", trap="ulimit -f 2") as process:
        out, err = process.communicate("37\n56\n" + "11\n" * 20 + "56\n")
    assert (process.returncode, err) == (0, "")
    ending = "Player 1 guessed the secret number."
    end = out.index("Game over: " + ending if face == "--plain" else f'"words": "{ending}"')
    assert "The game goes on; that file holds it up to the last save." in out[:end]
    assert "goes on" not in out[end:]
    assert "Not saved. Cannot save to 'a.json': File too large." in out[end:]
    assert "Record: " not in out
    saved = store.read(tmp_path / "a.json")
    assert saved.outcome is None
    assert len(saved.steps) >= 2, "what was saved before is intact"
    assert strongroom("resume", "a.json", lines=["resign", "y"]).code == 0


@pytest.mark.parametrize("acknowledged", [1, 17, 58])
def test_a_kill_at_any_moment_loses_no_acknowledged_move(
    tmp_path: Path, strongroom: Strongroom, acknowledged: int
) -> None:
    """The lines wait in the pipe, so the kill comes anywhere between or within the moves."""
    file = tmp_path / "a.json"
    arguments = ["play", "digit-deductions", "--save", "a.json"]
    lines = "37\n56\n" + "11\n" * 80
    with strongroom.begin(*arguments, lines=lines, until="Feedback: ") as process:
        feedback = 1
        while feedback < acknowledged:
            feedback += process.stdout.readline().startswith("Feedback: ")
        for _ in range(Random(acknowledged).randrange(2000)):  # only to kill at another moment
            pass
        process.kill()
        feedback += process.stdout.read().count("Feedback: ")
    played = [str(each.move) for each in store.read(file).steps]
    assert played[:2] == ["3-7", "5-6"]
    assert len(played) >= 2 + feedback
    assert set(played[2:]) == {"1-1"}
    assert file.stat().st_mode & 0o777 == 0o600
    # Whose turn it is depends on how many moves were saved; the other resigns or wins.
    ran = strongroom("resume", "a.json", lines=["resign", "yes"])
    assert ran.code == 0
    assert "Player 1's secret: 3-7" in ran.lines
