"""Odd names, places, lines and streams: nothing controls the screen; every error is one line."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile

import pytest
from starting import STRONGROOM, Started

from strongroom.terminal.main import main
from strongroom.terminal.printing import file_label, shell_quote
from tests.terminal.conftest import Clean, Strongroom, Whole

EVIL = "\x1b]0;owned\x07\n\x9b2Jé"
"""Text that sets the title of a terminal, breaks the line and clears the screen."""
ACTS = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
LONG = "x" * 100_000
NAMED = (
    "EVIL", "play EVIL", "rules EVIL", "resume EVIL", "replay EVIL", "analyze EVIL",
    "completion EVIL", "tournament quantum-duel --players EVIL",
    "exploit quantum-duel --players EVIL", "play quantum-duel EVIL", "play quantum-duel --EVIL",
    "play quantum-duel --names EVIL Bob", "play quantum-duel --seed EVIL",
    "play quantum-duel --vs EVIL", "play quantum-duel --words EVIL",
    "play quantum-duel --set EVIL", "play quantum-duel --set EVIL=1",
    "play safe-cracker --set digits=EVIL", "play quantum-duel --turn-limit EVIL",
    "play quantum-duel --save /dev/null/EVIL",
)  # fmt: skip


def test_no_argument_controls_the_screen_or_fills_it(
    strongroom: Strongroom, subtests: pytest.Subtests
) -> None:
    for arguments in NAMED:
        for text in (EVIL, LONG):
            with subtests.test(arguments, length=len(text)):
                ran = strongroom(*(each.replace("EVIL", text) for each in arguments.split()))
                assert ran.code == 2
                assert not ACTS.search(ran.raw + ran.raw_err)
                assert len(ran.err.splitlines()) <= 2
                assert len(ran.err) < 1500


def test_names_follow_the_same_rule_everywhere(strongroom: Strongroom) -> None:
    long = strongroom(lines=["3", "1", "1", "A" * 10**5, "Bob", "Ada", "Bob", "3"])
    assert "A name has 1 to 24 printable characters." in long.out
    assert "Ada (X), it's your turn." in long.lines
    endless = strongroom(lines=["3", "1", "1", "A" * (2 * 10**6), "Ada"], code=4)
    assert len(endless.err) < 200
    assert len(endless.out) < 2000


def test_an_odd_file_name_never_reaches_the_screen(strongroom: Strongroom, tmp_path: Path) -> None:
    broken_off = strongroom("play", "quantum-duel", "--save", EVIL, lines=["3", "save"])
    assert (tmp_path / EVIL).is_file()
    assert not ACTS.search(broken_off.raw)
    assert f"Saved. Resume with: strongroom resume {shell_quote(EVIL)}" in broken_off.lines
    over = strongroom("resume", EVIL, lines=["resign", "yes"], code=0)
    assert "Record: ?]0;owned???2Jé" in over.lines
    for command in ("resume", "replay"):
        ran = strongroom(command, EVIL)
        assert not ACTS.search(ran.raw + ran.raw_err)
    (tmp_path / EVIL).unlink()
    ran = strongroom("play", "quantum-duel", "--save", EVIL, "--json", lines=["resign", "y"])
    assert not ACTS.search(ran.raw)
    assert ran.events[-1]["file"] == EVIL, "it is complete in the events"


def test_a_shell_reads_a_quoted_name_as_the_name_and_a_shown_one_is_short() -> None:
    names = ["a b", "-x", "it's", "\x1b[2J", "\udcff", "a\nb", "'\\'\x07", "é"]
    line = " ".join(map(shell_quote, names))
    assert line.isprintable()
    shell = ["bash", "-c", f"printf '%s\\0' {line}"]
    done = subprocess.run(shell, capture_output=True, check=True)
    names[1] = "./-x"
    read = done.stdout.decode(errors="surrogateescape").split("\0")
    assert read == [*names, ""]
    assert file_label("a" * 500) == "a" * 398 + "..."
    assert file_label(Path("plain name.json")) == "plain name.json"


def test_in_a_deleted_folder_every_command_works_or_prints_one_clear_line(
    tmp_path: Path, games: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(games.parents[1]))
    for code, *arguments in (
        *((0, "games"), (0, "--help"), (0, "rules", "safe-code")),
        *((4, "play", "quantum-duel"), (4, "resume")),
        *((2, "play", "quantum-duel", "--save", "a.json"), (2, "replay", "a.json")),
    ):
        monkeypatch.setattr(sys, "stdin", io.StringIO("3\n"))
        assert main([str(each) for each in arguments]) == code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        assert ("Saved. Resume with: " in out) is (code == 4)
        assert err.startswith("strongroom: ") is (code == 2)
        assert err.count("\n") <= 1


def test_the_resume_command_names_a_program_off_the_path(clean: Clean, tmp_path: Path) -> None:
    command = tmp_path / "bin" / "strongroom"
    command.parent.mkdir()
    called = "import sys\nfrom strongroom.terminal.main import main\nsys.exit(main())\n"
    command.write_text(f"#!{sys.executable}\n{called}")
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
    assert "Traceback" not in done.stderr
    assert done.returncode == 4
    assert f"Saved. Resume with: {command} resume" in done.stdout


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
OF_A_RECORD = ("analyze over.json", "replay over.json")


def test_strange_lines_are_refused_harmlessly(strongroom: Strongroom, whole: Whole) -> None:
    strange = b"".join(STRANGE)
    script = b"".join(strange + line.encode() + b"\n" for line in whole.lines)
    ran = strongroom("play", whole.name, lines=script, code=0)
    assert not ACTS.search(ran.raw + ran.raw_err)
    assert "\u202e" not in ran.out + ran.err
    longest = max(len(line) for line in ran.raw_err.splitlines() or [b""])
    assert longest < 1000, "a refusal does not quote a hundred kilobytes back"


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
def test_an_unwritable_output_causes_no_traceback(
    strongroom: Strongroom, clean: Clean, tmp_path: Path, output: str
) -> None:
    strongroom("play", "quantum-duel", "--save", "over.json", lines=["1", "resign", "yes"])
    reading, writing = os.pipe()
    os.close(reading)
    if output == "a full disk":
        os.close(writing)
        writing = os.open("/dev/full", os.O_WRONLY)
    for command in ("games", "play quantum-duel", "--help", "list", *OF_A_RECORD):
        with TemporaryFile() as script, TemporaryFile() as errors:
            script.write(b"3\n")
            script.seek(0)
            program = Started(
                [*STRONGROOM, *command.split()],
                (script.fileno(), writing, errors.fileno()),
                environment=clean(),
                folder=tmp_path,
                afresh=command == "games",  # what the interpreter does at its end
            )
            code = program.wait()
            errors.seek(0)
            told = errors.read().decode()
        assert not re.search("Traceback|Exception ignored|broke", told), f"{command}: {told}"
        assert code not in (0, 120), f"{command}; 120: the last words could not be written"
    os.close(writing)


def test_without_unicode_a_whole_game_is_ascii(strongroom: Strongroom, whole: Whole) -> None:
    asked = ["help", "rules", "history", "board"]
    lines = [*asked, *whole.all_but_the_last_turn, *asked, *whole.turns[-1]]
    for arguments in (["play", whole.name, "--save", "a"], ["replay", "a"], ["rules", whole.name]):
        ran = strongroom(*arguments, lines=lines, env={"TERM": "linux"}, code=0)
        assert (ran.raw + ran.raw_err).isascii()


def test_every_command_prints_ascii_without_unicode(strongroom: Strongroom) -> None:
    in_c = [(each, {"LANG": "C"}) for each in ("", "play --help")]  # that takes an interpreter
    no_font = [(x, {"TERM": "linux"}) for x in ("", "games", "play --help", "completion fish")]
    for arguments, env in (*in_c, *no_font):
        ran = strongroom(*arguments.split(), env=env)
        assert ran.raw
        assert (ran.raw + ran.raw_err).isascii(), (arguments, env)
