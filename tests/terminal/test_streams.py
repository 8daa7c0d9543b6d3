"""Strange input and poor or broken output streams: always an answer, never a traceback."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean, Strongroom, Whole


# --- strange input --------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    "arguments",
    ["games", "play quantum-duel", "--help", "list", "analyze over.json", "replay over.json"],
)
@pytest.mark.parametrize(
    ("output", "fails"),
    [(">(exec >&- <&-)", False), ("/dev/full", True)],
    ids=["a reader who leaves early", "a full disk"],
)
def test_an_unwritable_output_causes_no_traceback(
    strongroom: Strongroom,
    clean: Clean,
    tmp_path: Path,
    arguments: str,
    output: str,
    fails: bool,
) -> None:
    strongroom("play", "quantum-duel", "--save", "over.json", lines=["1", "resign", "yes"])
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m strongroom {arguments} <<< 3 > {output}'],
        env=clean(),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert b"Exception ignored" not in done.stderr, done.stderr.decode()
    assert b"broke" not in done.stderr, done.stderr.decode()
    assert done.returncode != 0 or not fails


# --- no Unicode -----------------------------------------------------------------------------------


def test_every_command_prints_ascii_in_the_c_locale(strongroom: Strongroom, whole: Whole) -> None:
    c = {"LANG": "C"}
    commands = [["help", "rules", "history", "board"], []]
    lines = [*commands[0], *whole.all_but_the_last_turn, *commands[0], *whole.turns[-1]]
    runs = [
        strongroom("play", whole.name, "--save", "a.json", lines=lines, env=c),
        strongroom("replay", "a.json", env=c),
        strongroom("rules", whole.name, env=c),
    ]
    assert [ran.code for ran in runs] == [0, 0, 0]
    for ran in runs:
        assert (ran.raw + ran.raw_err).isascii()


@pytest.mark.parametrize(
    "arguments", ["", "games", "--help", "play --help", "completion bash", "completion fish"]
)
def test_the_small_commands_print_ascii_too(strongroom: Strongroom, arguments: str) -> None:
    ran = strongroom(*arguments.split(), env={"LANG": "C"})
    assert ran.raw
    assert (ran.raw + ran.raw_err).isascii()
