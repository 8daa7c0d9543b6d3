"""Shell completion, tried in the shells themselves.

A machine may lack some of the shells; in continuous integration they must be there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starting import PATIENCE

from tests.missing import missing
from tests.terminal.programs import AtTerminal, end

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean, Strongroom

GAMES = ["safecracker-duel", "safe-cracker", "safe-code", "digit-deductions", "quantum-duel"]

SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """A `strongroom` on the path: the real one for `games` and `list`, else an echo."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "strongroom"
    script.write_text(
        "#!/bin/sh\n"
        f'case "$1" in games|list) exec "{sys.executable}" -m strongroom "$@" ;; esac\n'
        'echo "RAN<$*>"\n'
    )
    script.chmod(0o755)
    return folder


def needs(shell: str) -> None:
    if shutil.which(shell) is None:
        missing(shell)


# --- in bash, word by word ------------------------------------------------------------------------


def completed(
    strongroom: Strongroom, clean: Clean, bin_folder: Path, *words: str, folder: Path
) -> list[str]:
    needs("bash")
    script = folder / "completion.bash"
    script.write_bytes(strongroom("completion", "bash").raw)
    quoted = " ".join(f"'{word}'" for word in words)
    commands = f"""
        source {script}
        complete -p strongroom >&2
        COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}
        _strongroom
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", commands],
        env=clean(PATH=f"{bin_folder}:{os.environ['PATH']}"),
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.strip().endswith("strongroom"), "the function is bound to the command"
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("strongroom ", ["games", "rules", "play", "replay", "resume", "completion"]),
        ("strongroom re", ["replay", "resume"]),
        ("strongroom play ", GAMES),
        ("strongroom play safe", ["safecracker-duel", "safe-cracker", "safe-code"]),
        ("strongroom rules q", ["quantum-duel"]),
        ("strongroom play quantum-duel --s", ["--seat", "--seed", "--set", "--save", "--strict"]),
        ("strongroom play quantum-duel --vs ", ["person", "random"]),
        ("strongroom play quantum-duel --seat t", ["toss"]),
        ("strongroom resume sav", ["saved-game.json"]),
        ("strongroom replay sav", ["saved-game.json"]),
        ("strongroom analyze sav", ["saved-game.json"]),
        ("strongroom verify sav", ["saved-game.json"]),
        ("strongroom play safe-cracker --set ", ["digits=4", "length=6", "attempts=none"]),
        ("strongroom solve safe-cracker --set dig", ["digits=3", "digits=9"]),
        ("strongroom play safecracker-duel --set a", ["allow_same_digit=yes"]),
        ("strongroom list --", ["--all", "--files", "--json"]),
        ("strongroom play quantum-duel --save sav", ["saved-game.json"]),
        ("strongroom doctor --", ["--json", "--try"]),
        ("strongroom doctor open", ["openenv", "openspiel"]),
        ("strongroom completion ", ["bash", "zsh", "fish"]),
        ("strongroom puzzle --game ", GAMES),
        ("strongroom puzzles --only q", ["quantum-duel"]),
        ("strongroom puzzles --output saved", ["saved-game.json"]),
    ],
)
def test_bash_gets_the_completions_that_fit(
    strongroom: Strongroom,
    clean: Clean,
    bin_folder: Path,
    tmp_path: Path,
    line: str,
    offers: list[str],
) -> None:
    (tmp_path / "saved-game.json").write_text("{}")
    got = completed(strongroom, clean, bin_folder, *line.split(" "), folder=tmp_path)
    assert set(offers) <= set(got)
    assert all(word.startswith(line.split(" ")[-1]) for word in got)


def test_bash_takes_a_key_and_its_value_for_three_words(
    strongroom: Strongroom, clean: Clean, bin_folder: Path, tmp_path: Path
) -> None:
    line = ["strongroom", "play", "safe-cracker", "--set", "attempts", "="]
    values = completed(strongroom, clean, bin_folder, *line, folder=tmp_path)
    assert values[:3] == ["none", "1", "2"]
    more = completed(strongroom, clean, bin_folder, *line, "2", folder=tmp_path)
    assert more == ["2", *map(str, range(20, 30))]


def test_saved_games_are_offered_from_any_folder(
    strongroom: Strongroom, clean: Clean, bin_folder: Path, games: Path, tmp_path: Path
) -> None:
    strongroom("play", "quantum-duel", lines=["3"])
    (file,) = games.iterdir()
    for command in ("replay", "resume", "analyze", "verify"):
        got = completed(strongroom, clean, bin_folder, "strongroom", command, "", folder=tmp_path)
        assert str(file) in got
        if shutil.which("fish"):
            script = tmp_path / "completion.fish"
            script.write_bytes(strongroom("completion", "fish").raw)
            ask = f"source {script}; complete -C 'strongroom {command} '"
            path = f"{bin_folder}:{os.environ['PATH']}"
            said = subprocess.run(
                ["fish", "--no-config", "-c", ask], env=clean(PATH=path), capture_output=True
            )
            assert str(file) in said.stdout.decode().splitlines()


def test_a_file_that_a_shell_could_run_is_just_a_name(
    strongroom: Strongroom, clean: Clean, bin_folder: Path, games: Path, tmp_path: Path
) -> None:
    games.mkdir(parents=True)
    (games / "$(touch ran)`touch ran`").write_text("")
    got = completed(strongroom, clean, bin_folder, "strongroom", "replay", "", folder=tmp_path)
    assert "ran)`touch" in got
    assert not (tmp_path / "ran").exists()


# --- in every shell, with the tab key -------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS)
def test_the_tab_key_completes_commands_games_options_values_and_files(
    strongroom: Strongroom, clean: Clean, bin_folder: Path, tmp_path: Path, shell: str
) -> None:
    needs(shell)
    (tmp_path / "saved-game.json").write_text("{}")
    script = tmp_path / f"completion.{shell}"
    script.write_bytes(strongroom("completion", shell).raw)
    process = AtTerminal(
        SHELLS[shell],
        env=clean(PATH=f"{bin_folder}:{os.environ['PATH']}", TERM="dumb", HOME=str(tmp_path)),
        cwd=str(tmp_path),
        timeout=PATIENCE,
    )
    try:
        process.sendline(f"source {script}; echo rea''dy")
        process.expect_exact(b"ready")
        for typed, means in (
            ("strongroom pl\tqu\t", "play quantum-duel"),
            ("strongroom rules dig\t", "rules digit-deductions"),
            ("strongroom play quantum-duel --turn\t3", "play quantum-duel --turn-limit 3"),
            ("strongroom play quantum-duel --vs r\t", "play quantum-duel --vs random"),
            ("strongroom replay sav\t", "replay saved-game.json"),
            ("strongroom analyze sav\t", "analyze saved-game.json"),
            ("strongroom play safe-cracker --set dig\t4", "play safe-cracker --set digits=4"),
            ("strongroom solve safe-cracker --set len\t5\t", "solve safe-cracker --set length=5"),
        ):
            process.send(f"{typed}\r")
            process.expect(rb"RAN<([^>]*)>")
            assert process.match[1].decode().strip() == means
    finally:
        end(process)


@pytest.mark.parametrize("shell", SHELLS)
def test_without_strongroom_the_tab_key_prints_nothing(
    strongroom: Strongroom, clean: Clean, tmp_path: Path, shell: str
) -> None:
    needs(shell)
    script = tmp_path / f"completion.{shell}"
    script.write_bytes(strongroom("completion", shell).raw)
    folder = tmp_path / "bin"
    folder.mkdir()
    process = AtTerminal(
        SHELLS[shell],
        env=clean(PATH=f"{folder}:/usr/bin:/bin", TERM="dumb", HOME=str(tmp_path)),
        cwd=str(tmp_path),
        timeout=PATIENCE,
    )
    try:
        process.sendline(f"source {script}; echo rea''dy")
        process.expect_exact(b"ready")
        for line in ("play q", "play safe-cracker --set d", "replay comp", "rules q"):
            process.send(f"strongroom {line}\t\x15")
        process.sendline("echo do''ne")
        process.expect_exact(b"done")
        assert b"not found" not in process.before
        assert b"nknown command" not in process.before
    finally:
        end(process)


def test_the_scripts_are_plain_shell_that_the_shells_accept(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    for shell in SHELLS:
        needs(shell)
        script = tmp_path / "script"
        script.write_bytes(strongroom("completion", shell).raw)
        done = subprocess.run([shell, "-n", str(script)], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        assert done.stderr == b""
