"""Odd names and odd places: nothing controls the screen, and every error is one clear line."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.terminal.filenames import named, quoted

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean, SitDown, Strongroom

EVIL = "\x1b]0;owned\x07\n\x9b2Jé"
"""Text that sets the title of a terminal, breaks the line and clears the screen."""
ACTS = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
LONG = "x" * 100_000


# --- what people name -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", EVIL],
        ["rules", EVIL],
        [EVIL],
        ["play", "quantum-duel", EVIL],
        ["play", "quantum-duel", f"--{EVIL}"],
        ["play", "quantum-duel", "--names", EVIL, "Bob"],
        ["play", "quantum-duel", "--seed", EVIL],
        ["play", "quantum-duel", "--vs", EVIL],
        ["play", "quantum-duel", "--words", EVIL],
        ["play", "quantum-duel", "--set", EVIL],
        ["play", "quantum-duel", "--set", f"{EVIL}=1"],
        ["play", "safe-cracker", "--set", f"digits={EVIL}"],
        ["play", "quantum-duel", "--turn-limit", EVIL],
        ["play", "quantum-duel", "--save", f"/dev/null/{EVIL}"],
        ["resume", EVIL],
        ["replay", EVIL],
        ["analyze", EVIL],
        ["tournament", "quantum-duel", "--players", EVIL],
        ["exploit", "quantum-duel", "--players", EVIL],
        ["completion", EVIL],
    ],
    ids=lambda arguments: " ".join(arguments).replace(EVIL, "EVIL"),
)
@pytest.mark.parametrize("long", [False, True], ids=["odd", "long"])
def test_no_argument_controls_the_screen_or_fills_it(
    strongroom: Strongroom, arguments: list[str], long: bool
) -> None:
    if long:
        arguments = [each.replace(EVIL, LONG) for each in arguments]
    ran = strongroom(*arguments)
    assert ran.code == 2
    assert not ACTS.search(ran.raw + ran.raw_err)
    assert len(ran.err.splitlines()) <= 2
    assert len(ran.err) < 1500


def test_a_name_of_a_hundred_million_characters_is_refused_in_a_line(
    strongroom: Strongroom,
) -> None:
    ran = strongroom(lines=["5", "1", "1", "A" * 10**8, "Ada"])
    assert ran.code == 4
    assert len(ran.err) < 200
    assert len(ran.out) < 2000
    long = strongroom(lines=["5", "1", "1", "A" * 10**5, "Bob", "Ada", "Bob", "3"])
    assert "A name has 1 to 24 printable characters." in long.out
    assert "Ada (X), it's your turn." in long.lines


def test_names_follow_the_same_rule_everywhere(strongroom: Strongroom) -> None:
    rule = "A name has 1 to 24 printable characters."
    assert rule in strongroom("play", "quantum-duel", "--names", "A" * 25, "B").err
    assert rule in strongroom(lines=["5", "1", "1", "A" * 25, "B"]).out
    assert "' a' is not a name" not in strongroom("play", "quantum-duel", "--names", "é", "B").err


# --- files ----------------------------------------------------------------------------------------


def test_an_odd_file_name_never_reaches_the_screen_raw_and_can_be_copied(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    broken_off = strongroom("play", "quantum-duel", "--save", EVIL, lines=["3", "save"])
    assert (tmp_path / EVIL).is_file()
    assert not ACTS.search(broken_off.raw)
    (goodbye,) = (line for line in broken_off.lines if line.startswith("Saved. Resume with: "))
    command = goodbye.removeprefix("Saved. Resume with: strongroom ")
    again = subprocess.run(
        ["bash", "-c", f"printf %s {command.removeprefix('resume ')}"],
        capture_output=True,
        check=True,
    )
    assert again.stdout.decode() == EVIL, "the name as bash understands it"
    over = strongroom("resume", EVIL, lines=["resign", "yes"])
    assert over.code == 0
    assert "Record: ?]0;owned???2Jé" in over.lines
    for command in ("resume", "replay"):
        ran = strongroom(command, EVIL)
        assert not ACTS.search(ran.raw + ran.raw_err)


def test_an_odd_file_name_is_complete_in_the_events(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", "--save", EVIL, "--json", lines=["resign", "y"])
    assert not ACTS.search(ran.raw)
    assert ran.events[-1]["file"] == EVIL


@pytest.mark.parametrize(
    "name", ["a b", "-x", "it's", "\x1b[2J", "\udcff", "a\nb", "'\\'\x07", "é"]
)
def test_a_shell_reads_a_quoted_name_as_the_name(name: str) -> None:
    line = quoted(name)
    assert line.isprintable()
    done = subprocess.run(["bash", "-c", f"printf %s {line}"], capture_output=True, check=True)
    assert done.stdout == (b"./-x" if name == "-x" else name.encode(errors="surrogateescape"))


def test_a_harmless_text_is_short_and_printable() -> None:
    assert named("a" * 500) == "a" * 398 + "..."
    assert named(Path("plain name.json")) == "plain name.json"


def test_an_odd_file_name_is_harmless_on_a_drawn_screen(sit_down: SitDown) -> None:
    terminal = sit_down(
        "play", "quantum-duel", "--save", "\x1b]0;owned\x07", "--vs", "random", "--fast"
    )
    terminal.answers("observe: ", "resign")
    terminal.answers("Resign? (yes/no): ", "yes")
    terminal.leaves()
    assert "Record: ?]0;owned?" in terminal.shown
    assert b"\x1b]0;owned" not in terminal.raw


# --- places ---------------------------------------------------------------------------------------


def test_without_a_home_folder_a_game_is_refused_in_a_line_and_can_be_saved_elsewhere(
    clean: Clean, tmp_path: Path
) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        env = {**clean(), "HOME": ""}
        del env["XDG_STATE_HOME"]
        return subprocess.run(
            [sys.executable, "-m", "strongroom", *arguments],
            input="3\n",
            env=env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    for arguments in (["play", "quantum-duel"], ["resume"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert "There is no home folder to save games in." in done.stderr
        assert done.stderr.count("\n") == 1
    assert run("games").returncode == 0
    assert run("play", "quantum-duel", "--save", "a.json").returncode == 4


def test_in_a_deleted_folder_every_command_works_or_prints_one_clear_line(
    clean: Clean, tmp_path: Path
) -> None:
    folder = tmp_path / "gone"

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        folder.mkdir()
        command = shlex.join([sys.executable, "-m", "strongroom", *arguments])
        done = subprocess.run(
            ["sh", "-c", f'cd {folder} && rmdir "$PWD" && {command}'],
            input="3\n",
            env=clean(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done

    assert run("games").returncode == 0
    assert run("--help").returncode == 0
    assert run("rules", "safe-code").returncode == 0
    played = run("play", "quantum-duel")
    assert played.returncode == 4
    assert "Saved. Resume with: strongroom resume" in played.stdout
    assert run("resume").returncode == 4
    for arguments in (["play", "quantum-duel", "--save", "a.json"], ["replay", "a.json"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("strongroom: ")
        assert done.stderr.count("\n") == 1


def test_the_resume_command_is_shown_without_the_program_on_the_path_and_in_a_deleted_folder(
    clean: Clean, tmp_path: Path
) -> None:
    command = tmp_path / "bin" / "strongroom"
    command.parent.mkdir()
    command.write_text(
        f"#!{sys.executable}\nimport sys\nfrom strongroom.terminal.main import main\n"
        "sys.exit(main())\n"
    )
    command.chmod(0o755)
    (tmp_path / "gone").mkdir()
    done = subprocess.run(
        ["sh", "-c", f'cd {tmp_path}/gone && rmdir "$PWD" && {command} play quantum-duel'],
        input="3\n",
        env=clean(PATH="/usr/bin:/bin"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    assert f"Saved. Resume with: {command} resume" in done.stdout
