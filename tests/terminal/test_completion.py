"""Shell completion, tried in the shells themselves."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.missing import missing
from tests.terminal.conftest import AtTerminal, Clean, Strongroom

GAMES = ["safecracker-duel", "safe-cracker", "safe-code", "digit-deductions", "quantum-duel"]
SHELLS = {
    "bash": ["bash", "--norc", "--noprofile"],
    "zsh": ["zsh", "-f"],
    "fish": ["fish", "--no-config"],
}
FAKE = """\
#!/bin/sh
case "$*" in
    "games --names") cat {0}/names ;;
    "games --options "*) cat "{0}/$3" ;;
    "list --files") cat {0}/files ;;
    *) echo "RAN<$*>" ;;
esac
"""
Prepare = Callable[[str], dict[str, str]]


@pytest.fixture
def prepare(strongroom: Strongroom, clean: Clean, tmp_path: Path) -> Prepare:
    """Writes the script of a shell, and a `strongroom` that knows what the real one lists."""

    def write(shell: str) -> dict[str, str]:
        if shutil.which(shell) is None:
            missing(shell)
        (tmp_path / "script").write_bytes(strongroom("completion", shell).raw)
        (tmp_path / "saved-game.json").write_text("{}")
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "names").write_bytes(strongroom("games", "--names").raw)
        (folder / "files").write_bytes(strongroom("list", "--files").raw)
        for game in GAMES:
            (folder / game).write_bytes(strongroom("games", "--options", game).raw)
        (folder / "strongroom").write_text(FAKE.format(folder))
        (folder / "strongroom").chmod(0o755)
        path = f"{folder}:{os.environ['PATH']}"
        return clean(PATH=path, TERM="dumb", HOME=str(tmp_path))

    return write


def completed(
    lines: Sequence[Sequence[str]], environment: dict[str, str], folder: Path
) -> list[list[str]]:
    """What bash offers for the last word of each line."""
    commands = "source ./script; complete -p strongroom >&2\n"
    for words in lines:
        commands += f"COMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1}; _strongroom\n"
        commands += "printf '%s\\n' \"${COMPREPLY[@]}\" .\n"
    bash = ["bash", "--norc", "-c", commands]
    done = subprocess.run(
        bash, env=environment, cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stderr == "complete -F _strongroom strongroom\n", "it is bound to the command"
    return [offered.split() for offered in done.stdout.split("\n.\n")[:-1]]


OFFERED = {
    "strongroom ": ["games", "rules", "play", "replay", "resume", "completion"],
    "strongroom re": ["replay", "resume"],
    "strongroom play ": GAMES,
    "strongroom play safe": ["safecracker-duel", "safe-cracker", "safe-code"],
    "strongroom play quantum-duel --s": ["--seat", "--seed", "--set", "--save", "--strict"],
    "strongroom play quantum-duel --vs ": ["person", "random"],
    "strongroom play quantum-duel --seat t": ["toss"],
    "strongroom verify sav": ["saved-game.json"],
    "strongroom play safe-cracker --set ": ["digits=4", "length=6", "attempts=none"],
    "strongroom solve safe-cracker --set dig": ["digits=3", "digits=9"],
    "strongroom play safecracker-duel --set a": ["allow_same_digit=yes"],
    "strongroom play quantum-duel --save sav": ["saved-game.json"],
    "strongroom doctor --": ["--json", "--try"],
    "strongroom doctor open": ["openenv", "openspiel"],
    "strongroom completion ": ["bash", "zsh", "fish"],
    "strongroom puzzle --game ": GAMES,
    "strongroom puzzles --only q": ["quantum-duel"],
    "strongroom puzzles --output saved": ["saved-game.json"],
}


def test_bash_gets_the_completions_that_fit(
    prepare: Prepare, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    value = ["strongroom", "play", "safe-cracker", "--set", "attempts", "="]  # three words in bash
    lines = [*(line.split(" ") for line in OFFERED), value, [*value, "2"]]
    *got, values, more = completed(lines, prepare("bash"), tmp_path)
    for line, offered in zip(OFFERED, got, strict=True):
        with subtests.test(line):
            assert set(OFFERED[line]) <= set(offered)
            assert all(word.startswith(line.split(" ")[-1]) for word in offered)
    assert values[:3] == ["none", "1", "2"]
    assert more == ["2", *map(str, range(20, 30))]


def test_saved_games_are_offered_from_any_folder_and_their_names_are_not_run(
    strongroom: Strongroom, prepare: Prepare, games: Path, tmp_path: Path
) -> None:
    strongroom("play", "quantum-duel", lines=["3"])
    (file,) = games.iterdir()
    (games / "$(touch ran)`touch ran`").write_text("")
    takes_a_file = ("replay", "resume", "analyze", "verify")
    lines = [["strongroom", command, ""] for command in takes_a_file]
    environment = prepare("bash")
    got = completed(lines, environment, tmp_path)
    assert all({str(file), "ran)`touch"} <= set(offered) for offered in got)
    if shutil.which("fish"):
        (tmp_path / "script").write_bytes(strongroom("completion", "fish").raw)
        asked = (f"complete -C 'strongroom {command} '" for command in takes_a_file)
        fish = [*SHELLS["fish"], "-c", f"source {tmp_path}/script; {'; '.join(asked)}"]
        said = subprocess.run(fish, env=environment, capture_output=True, text=True)
        assert said.stdout.splitlines().count(str(file)) == len(takes_a_file)
    assert not (tmp_path / "ran").exists()


@pytest.mark.proof
@pytest.mark.parametrize("shell", SHELLS)
def test_the_tab_key_completes_and_prints_nothing_where_strongroom_is_missing(
    prepare: Prepare, at_terminal: AtTerminal, shell: str
) -> None:
    terminal = at_terminal([*SHELLS[shell], "-i"], env=prepare(shell))
    process = terminal.process
    terminal.types("source ./script; echo rea''dy")
    terminal.sees("ready")
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
        terminal.presses(f"{typed}\r")
        process.expect(rb"RAN<([^>]*)>")
        assert process.match[1].decode().strip() == means
    terminal.types("export PATH=/usr/bin:/bin; echo go''ne")
    terminal.sees("gone")
    for line in ("play q", "play safe-cracker --set d", "replay comp", "rules q"):
        terminal.presses(f"strongroom {line}\t\x15")
    terminal.types("echo do''ne")
    terminal.sees("done")
    assert b"not found" not in process.before
    assert b"nknown command" not in process.before
