"""Strange input and poor or broken output streams: always an answer, never a traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile

import pytest
from starting import STRONGROOM, Started

from tests.terminal.conftest import Clean, Strongroom, Whole

STRANGE = (
    b"x\x00y\x00\n",  # NUL bytes
    b"\xff\xfe\x80\xc3\n",  # invalid UTF-8
    b"\xed\xa0\x80\n",  # a surrogate
    b"\x1b[2J\x1b[A\x1b]0;title\x07\x08\x7f\n",  # control sequences
    b"x\x1b\n",  # a lone escape
    "\x9b2J\x85\u2028\u202e\n".encode(),  # a C1 control
    "３ ٣ ² ①\n".encode(),  # digits that are not ASCII
    b"a" * 100_000 + b"\n",  # a long word
    b"9" * 100_000 + b"\n",  # a long number
    b"1 " * 50_000 + b"\n",  # many digits
    b"not is a the " * 8_000 + b"\n",  # many words
    b"%s %d {0} {} {{ }} \\n $HOME `id`\n",  # percents and braces
    b"[bold red]x[/] [/nonsense] [link=x]\n",  # rich markup
)
"""Lines that are not meant as answers; none of them is a move of any game."""


def test_strange_lines_are_refused_without_a_traceback(
    strongroom: Strongroom, whole: Whole
) -> None:
    strange = b"".join(STRANGE)
    script = b"".join(strange + line.encode() + b"\n" for line in whole.lines)
    ran = strongroom("play", whole.name, lines=script)
    assert ran.code == 0
    assert not re.search(rb"[\x00\x1b]", ran.raw + ran.raw_err)
    longest = max(len(line) for line in ran.raw_err.splitlines() or [b""])
    assert longest < 1000, "a refusal does not quote a hundred kilobytes back"


def test_control_characters_in_a_line_are_not_echoed(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", lines="\x9b2J\x9d0;x\x9c\u202e3\n".encode())
    assert not re.search("[\x80-\x9f\u202e]", ran.out)


def test_a_closed_input_counts_as_ended(clean: Clean, tmp_path: Path) -> None:
    for arguments in ("play quantum-duel", ""):
        done = subprocess.run(
            ["sh", "-c", f'"{sys.executable}" -m strongroom {arguments} <&-'],
            env=clean(),
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        assert done.returncode == 4


@pytest.mark.parametrize("output", ["a reader who leaves early", "a full disk"])
@pytest.mark.parametrize(
    "arguments",
    ["games", "play quantum-duel", "--help", "list", "analyze over.json", "replay over.json"],
)
def test_an_unwritable_output_causes_no_traceback(
    strongroom: Strongroom, clean: Clean, tmp_path: Path, arguments: str, output: str
) -> None:
    strongroom("play", "quantum-duel", "--save", "over.json", lines=["1", "resign", "yes"])
    reading, writing = os.pipe()
    os.close(reading)
    if output == "a full disk":
        os.close(writing)
        writing = os.open("/dev/full", os.O_WRONLY)
    with TemporaryFile() as script, TemporaryFile() as errors:
        script.write(b"3\n")
        script.seek(0)
        program = Started(
            [*STRONGROOM, *arguments.split()],
            (script.fileno(), writing, errors.fileno()),
            environment=clean(),
            folder=tmp_path,
            afresh=arguments == "games",  # what the interpreter does at its end
        )
        os.close(writing)
        code = program.wait()
        errors.seek(0)
        told = errors.read().decode()
    assert not re.search("Traceback|Exception ignored|broke", told), told
    assert code not in (0, 120), "120: the last words could not be written"


# --- no Unicode -----------------------------------------------------------------------------------


def test_a_whole_game_is_printed_in_ascii_without_unicode(
    strongroom: Strongroom, whole: Whole
) -> None:
    asked = ["help", "rules", "history", "board"]
    lines = [*asked, *whole.all_but_the_last_turn, *asked, *whole.turns[-1]]
    for arguments in (["play", whole.name, "--save", "a"], ["replay", "a"], ["rules", whole.name]):
        ran = strongroom(*arguments, lines=lines, env={"TERM": "linux"})
        assert ran.code == 0
        assert (ran.raw + ran.raw_err).isascii()


@pytest.mark.parametrize("env", [{"TERM": "linux"}, {"LANG": "C"}], ids=["no font", "C locale"])
@pytest.mark.parametrize("arguments", ["", "games", "play --help", "completion fish"])
def test_every_command_prints_ascii_without_unicode(
    strongroom: Strongroom, arguments: str, env: dict[str, str]
) -> None:
    ran = strongroom(*arguments.split(), env=env)
    assert ran.raw
    assert (ran.raw + ran.raw_err).isascii()
