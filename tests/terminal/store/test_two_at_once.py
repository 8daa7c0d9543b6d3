"""Only one of several processes plays a game; each is a small program that uses the store."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from starting import PATIENCE

from strongroom.terminal import store
from strongroom.terminal.store import Journal

if TYPE_CHECKING:
    from tests.terminal.store.conftest import Command, Refused, Started


def test_a_game_that_is_being_played_elsewhere_is_refused_until_that_ends(
    file: Path, started: Started, command: Command, refused: Refused
) -> None:
    program = """
journal = Journal.create(file, match.record)
print("ready", flush=True)
sys.stdin.readline()
"""
    with subprocess.Popen(
        command(program, file), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        told = f"The game in '{file}' is being played elsewhere. Close it there first."
        record = store.read(file)
        assert refused(Journal.resume, file) == told
        assert refused(Journal.create, file, started().record) == told
        assert refused(store.save_copy, started().record, file) == told
        process.kill()
        process.wait()
    journal, resumed = Journal.resume(file)
    assert resumed == record
    journal.close()


def test_of_many_processes_that_begin_in_the_same_file_one_succeeds(
    file: Path, command: Command
) -> None:
    program = """
sys.stdin.readline()
try:
    journal = Journal.create(file, match.record)
    play("4-7")
    journal.update(match.record)
    print("won", match.record.id)
except CannotSave as trouble:
    print(trouble)
sys.stdout.flush()
sys.stdin.readline()
"""
    for _ in range(3):
        file.unlink(missing_ok=True)
        crowd = [
            subprocess.Popen(
                command(program, file), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            for _ in range(4)
        ]
        for process in crowd:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        told = []
        for process in crowd:
            assert process.stdout is not None
            told.append(process.stdout.readline())
        for process in crowd:
            process.communicate("\n", timeout=PATIENCE)
        (won,) = [line for line in told if line.startswith("won")]
        assert [line.strip() for line in told if line != won] == [
            f"The game in '{file}' is being played elsewhere. Close it there first."
        ] * 3
        record = store.read(file)
        assert (record.id, len(record.steps)) == (won.split()[1], 1)
