"""Saved games: private, intact at every moment, and losing at most the line being typed."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Seat
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.referee.record import DamagedRecord, Record
from strongroom.terminal import store
from strongroom.terminal.faces.face import Face
from strongroom.terminal.lines import Script
from strongroom.terminal.table.replay import replay
from tests.tries import tries

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean, Strongroom, Whole


def is_private(path: Path) -> bool:
    return path.stat().st_mode & 0o077 == 0


# --- where and how --------------------------------------------------------------------------------


def test_a_game_is_one_private_file_in_a_new_private_folder(
    strongroom: Strongroom, whole: Whole, games: Path
) -> None:
    strongroom("play", whole.name, lines=whole.lines)
    (file,) = games.iterdir()
    assert file.suffix == ".jsonl"
    assert whole.name in file.name
    assert file.stat().st_mode & 0o777 == 0o600
    assert is_private(games)
    record = store.read(file)
    assert record.outcome is not None
    assert json.loads(file.read_text().splitlines()[0])["schema"] == 2


def test_a_file_is_private_whatever_the_umask(clean: Clean, games: Path, tmp_path: Path) -> None:
    subprocess.run(
        ["sh", "-c", f'umask 000; "{sys.executable}" -m strongroom play quantum-duel </dev/null'],
        env=clean(),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    (file,) = games.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert is_private(games)


def test_a_relative_state_folder_is_ignored(clean: Clean, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "strongroom", "play", "quantum-duel"],
        env=clean(XDG_STATE_HOME="state", HOME=str(tmp_path)),
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert not (tmp_path / "state").exists()
    assert len([*(tmp_path / ".local" / "state" / "strongroom" / "games").iterdir()]) == 1


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


def test_every_game_gets_its_own_file(strongroom: Strongroom, games: Path) -> None:
    for _ in range(3):
        strongroom("play", "quantum-duel", lines=["3"])
    assert len([*games.iterdir()]) == 3


def test_no_half_written_file_is_left_behind(
    strongroom: Strongroom, whole: Whole, games: Path
) -> None:
    strongroom("play", whole.name, lines=whole.all_but_the_last_turn)
    assert [path.suffix for path in games.iterdir()] == [".jsonl"]


def test_the_newest_unfinished_game_is_found_even_within_one_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for name in ("safe-code", "digit-deductions", "safe-cracker", "quantum-duel"):
        file = store.new_file(name)
        store.Journal.create(file, Match.start(load(name)).record).close()
        assert store.latest_unfinished() == file


# --- where nothing can be saved -------------------------------------------------------------------


@pytest.mark.parametrize("state", ["/dev/null", "/proc/nowhere", "/etc/passwd"])
def test_a_folder_that_cannot_be_written_is_one_line_and_exit_2(
    strongroom: Strongroom, state: str
) -> None:
    ran = strongroom("play", "quantum-duel", lines=["3"], env={"XDG_STATE_HOME": state})
    assert ran.code == 2
    assert ran.err.startswith("strongroom: Cannot save to ")
    assert f"{state}/strongroom/games/" in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("file", ["/dev/null/x.json", ".", "/", "a" * 256])
def test_a_file_that_cannot_be_written_is_one_line_and_exit_2(
    strongroom: Strongroom, file: str
) -> None:
    ran = strongroom("play", "quantum-duel", "--save", file, lines=["3"])
    assert ran.code == 2
    assert ran.err.startswith("strongroom: Cannot save to ")
    assert len(ran.err.splitlines()) == 1


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


# --- whole at every moment ------------------------------------------------------------------------


FULL = 'ulimit -f 1; exec "$0" -m strongroom "$@"'
"""Runs the command with room for a kilobyte in every file."""


@pytest.mark.parametrize("face", ["--plain", "--json"])
def test_a_full_disk_does_not_hide_a_win_and_the_end_is_reported_as_not_saved(
    clean: Clean, tmp_path: Path, strongroom: Strongroom, face: str
) -> None:
    arguments = ["play", "digit-deductions", "--save", "a.json", face]
    done = subprocess.run(
        ["bash", "-c", FULL, sys.executable, *arguments],
        input="37\n56\n" + "11\n" * 20 + "56\n",
        capture_output=True,
        env=clean(),
        cwd=tmp_path,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    ending = "Player 1 guessed the secret number."
    end = done.stdout.index("Game over: " + ending if face == "--plain" else f'"words": "{ending}"')
    assert "The game goes on; that file holds it up to the last save." in done.stdout[:end]
    assert "goes on" not in done.stdout[end:]
    assert "Not saved. Cannot save to 'a.json': File too large." in done.stdout[end:]
    assert "Record: " not in done.stdout
    saved = store.read(tmp_path / "a.json")
    assert saved.outcome is None
    assert len(saved.steps) >= 2, "what was saved before is intact"
    again = strongroom("resume", "a.json", lines=["resign", "y"])
    assert again.code == 0


@pytest.mark.parametrize(
    "content", ["Dear diary,\n", "another game"], ids=["a diary", "another game"]
)
def test_a_file_that_is_not_this_game_is_never_written_over(
    strongroom: Strongroom, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "mine"
    if content == "another game":
        strongroom("play", "safe-code", "--save", "mine", lines=["18"])
        content = file.read_text()
    file.write_text(content)
    begun = strongroom("play", "quantum-duel", "--save", "mine", lines=["3"])
    assert begun.code == 2
    assert begun.err.startswith("strongroom: Cannot save to 'mine': ")
    assert begun.err.count("\n") == 1
    copied = strongroom("play", "quantum-duel", lines=["3", "save mine", "5"])
    assert "Cannot save to 'mine': " in copied.out
    assert "You have observed cell 5." in copied.lines, "the game goes on"
    assert file.read_text() == content


def test_a_game_that_is_being_played_is_not_resumed_a_second_time(
    tmp_path: Path, strongroom: Strongroom
) -> None:
    with strongroom.begin(
        "play", "quantum-duel", "--save", "a.json", until="it's your turn"
    ) as process:
        ran = strongroom("resume", "a.json", lines=["3"])
        process.communicate("5\n")
    assert ran.code == 2
    assert "The game in 'a.json' is being played elsewhere." in ran.err
    assert [str(step.move) for step in store.read(tmp_path / "a.json").steps] == ["5"]


@pytest.mark.parametrize("seed", range(6))
def test_a_kill_at_any_moment_loses_no_acknowledged_move(
    tmp_path: Path, strongroom: Strongroom, seed: int
) -> None:
    """The lines wait in the pipe, so the kill comes anywhere between or within the moves."""
    file = tmp_path / "a.json"
    rng = Random(seed)
    acknowledged = rng.randrange(1, 60)
    arguments = ["play", "digit-deductions", "--save", "a.json"]
    lines = "37\n56\n" + "11\n" * 80
    with strongroom.begin(*arguments, lines=lines, until="Feedback: ") as process:
        assert process.stdout is not None
        feedback = 1
        while feedback < acknowledged:
            feedback += process.stdout.readline().startswith("Feedback: ")
        for _ in range(rng.randrange(2000)):  # only to kill at another moment
            pass
        process.kill()
        rest = process.stdout.read()
    feedback += rest.count("Feedback: ")
    record = store.read(file)
    played = [str(each.move) for each in record.steps]
    assert played[:2] == ["3-7", "5-6"]
    assert len(played) >= 2 + feedback
    assert set(played[2:]) == {"1-1"}
    assert file.stat().st_mode & 0o777 == 0o600
    if seed == 0:
        # Whose turn it is depends on how many moves were saved; the other resigns or wins.
        ran = strongroom("resume", "a.json", lines=["resign", "yes"])
        assert ran.code == 0
        assert "Player 1's secret: 3-7" in ran.lines


def test_a_kill_in_the_set_up_keeps_the_secrets_chosen(strongroom: Strongroom) -> None:
    arguments = ["play", "safe-code", "--json", "--save", "a.json"]
    with strongroom.begin(*arguments, lines="18\neven\n", until="clue 2 of 3") as process:
        process.kill()
    ran = strongroom("resume", "a.json", lines=["> 15", "< 20", "7"])
    assert "Player 2, write clue 1 of 3: " in ran.out
    assert "Player 1, choose" not in ran.out


# --- damaged --------------------------------------------------------------------------------------

VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 40), st.just(10**30), st.text(max_size=4),
    st.sampled_from(["1-1", "yes", "heads", "clue", "chance"]), st.just(float("nan")),
    st.just([]), st.just({}),
)  # fmt: skip


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every place in some JSON data, as its container and its key."""
    keys = data.keys() if isinstance(data, dict) else range(len(data))
    here = [(data, key) for key in keys]
    inside = [data[key] for key in keys if isinstance(data[key], dict | list)]
    return here + [place for each in inside for place in places(each)]


@tries(3)
@given(st.data())
def test_a_record_with_any_part_replaced_is_refused_or_still_shown(data: st.DataObject) -> None:
    """`resume` and `replay` answer any file, and never crash on it."""
    name = data.draw(st.sampled_from(("digit-deductions", "quantum-duel", "safe-code")))
    rng = Random(data.draw(st.integers(0, 50)))
    match = Match.start(load(name), turn_limit=50, draw=draws(1))
    for _ in range(12):
        assert isinstance(match.actor, Seat)
        match, _ = match.step(match.actor, rng.choice(match.state.moves))
        if match.outcome is not None:
            break
    else:
        if data.draw(st.booleans()):
            match = match.hinted(Seat.ONE).resign(Seat.TWO)
    content = [json.loads(line) for line in match.record.lines()]
    holder, key = data.draw(st.sampled_from(places(content)))
    if data.draw(st.booleans()):
        holder[key] = data.draw(VALUES)
    else:
        del holder[key]
    text = "".join(json.dumps(line) + "\n" for line in content)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(DamagedRecord):
        record = Record.loads(text)
        replay(record, Face(Script(), record.game.words))
