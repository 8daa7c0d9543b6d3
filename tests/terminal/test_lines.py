"""What people and scripts type, and the terminal they type at: real pipes, real terminals."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pexpect  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starting import PATIENCE

from strongroom.players import Leaves
from strongroom.terminal.lines import LONGEST_READ, InputEnded, Script, open_lines, plain_text
from tests.terminal.programs import AtTerminal, end

READER = """
from strongroom.terminal.lines import InputEnded, open_lines
lines = open_lines({echo})
print(type(lines).__name__, flush=True)
try:
    while True:
        text = lines.read("> ", {unseen})
        print(len(text), ascii(text[:40]), flush=True)
except InputEnded:
    print("ended", flush=True)
"""


def reader(echo: bool = False, unseen: bool = False) -> list[str]:
    return [sys.executable, "-c", READER.format(echo=echo, unseen=unseen)]


def read_all(script: bytes, **how: bool) -> list[str]:
    """What is read from a script's lines."""
    done = subprocess.run(
        reader(**how), input=script, capture_output=True, timeout=PATIENCE, check=True
    )
    assert done.stderr == b""
    begin, *told = done.stdout.decode().splitlines()
    assert begin == "Script"
    return told


# --- plain text -----------------------------------------------------------------------------------


@given(st.text(st.sampled_from("\x1b[]0;?A~m \t\n\r\0\x07\x9b\u202eé7-")))
def test_nothing_in_a_plain_text_can_control_a_screen(text: str) -> None:
    plain = plain_text(text)
    assert plain.isprintable()
    assert plain_text(plain) == plain


def test_escape_sequences_leave_nothing_and_a_tab_becomes_a_blank() -> None:
    assert plain_text("\x1b[A3-\x1b[1;5D4\x1bOP\t2\x1b") == "3-4P 2"


@pytest.mark.parametrize("piece", ["\x1b[", "\x1b[0", "\x1b[;;; ", "0;", " /", "\x1b"])
def test_making_a_plain_text_takes_linear_time(piece: str) -> None:
    """Ten times the length may take ten times as long, but not a hundred times."""

    def took(count: int) -> float:
        text = "\x1b[" + piece * count
        begin = time.process_time()
        plain_text(text)
        return time.process_time() - begin

    short = min(took(20_000) for _ in range(5))
    assert min(took(200_000) for _ in range(3)) < 40 * max(short, 0.0005)


# --- Ctrl-C -----------------------------------------------------------------------------------

INTERRUPTED = """
import os
from strongroom.terminal.lines import Keyboard
lines = Keyboard()
if {beside}:
    class Silence:
        ear, _ = os.pipe()
        def fileno(self): return self.ear
        def heard(self): return ""
    lines.beside = Silence()
for number in range({many}):
    try:
        lines.read(f"ask {{number}}> ", {unseen})
    except KeyboardInterrupt:
        print("heard", number, flush=True)
"""


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("unseen", [False, True])
def test_ctrl_c_is_heard_at_once_however_soon_after_the_prompt_it_comes(
    beside: bool, unseen: bool
) -> None:
    many = 150
    program = INTERRUPTED.format(beside=beside, unseen=unseen, many=many)
    process = AtTerminal([sys.executable, "-c", program], timeout=PATIENCE)
    try:
        for number in range(many):
            process.expect_exact(f"ask {number}> ")
            process.send("\x03")
            process.expect_exact(f"heard {number}")
    finally:
        end(process)


# --- a script -------------------------------------------------------------------------------------


def test_the_end_of_the_input_counts_as_leaving() -> None:
    assert issubclass(InputEnded, Leaves)


def test_a_script_is_read_line_by_line_to_its_end() -> None:
    assert read_all(b"1 2\n\n\x1b[A3\r\nlast") == ["3 '1 2'", "0 ''", "1 '3'", "4 'last'", "ended"]


def test_a_script_is_echoed_except_for_what_is_hidden() -> None:
    told = read_all(b"\x1b[2Jopen\n", echo=True)
    assert told == ["> open", "4 'open'", "> ", "ended"]
    told = read_all(b"secret\n\n", echo=True, unseen=True)
    assert told == ["> ***", "6 'secret'", "> ", "0 ''", "> ", "ended"]


def test_invalid_bytes_become_characters_that_no_answer_has() -> None:
    told = read_all(b"\xff\xfe3\n\0004\0\n\xe2\x82\n5\n")
    assert told == ["3 '\\ufffd\\ufffd3'", "1 '4'", "1 '\\ufffd'", "1 '5'", "ended"]


def test_the_rest_of_a_long_line_is_skipped() -> None:
    long = [LONGEST_READ - 1, LONGEST_READ, LONGEST_READ + 1, 2 * LONGEST_READ, 999_000]
    told = read_all(b"".join(b"7" * length + b"\nnext\n" for length in long))
    assert told[:-1:2] == [f"{min(each, LONGEST_READ)} '{'7' * 40}'" for each in long]
    assert told[1::2] == ["4 'next'"] * len(long)


@pytest.mark.parametrize("source", ["/dev/zero", "/dev/urandom", "long"])
def test_input_without_lines_is_ended_at_once_with_a_line_that_says_so(
    tmp_path: Path, source: str
) -> None:
    if source == "long":
        source = str(tmp_path / "long")
        Path(source).write_bytes(b"7" * 1_100_000 + b"\n8\n")
    if source == "/dev/urandom":
        # Its lines are short; all of them are garbage, and none is an error.
        program = f"head -c 3000000 {source} | {sys.executable} -c '{READER}'"
        program = program.format(echo=False, unseen=False)
        done = subprocess.run(["sh", "-c", program], capture_output=True, timeout=PATIENCE)
        assert done.stderr == b""
        assert done.stdout.endswith(b"ended\n")
        return
    limited = f"ulimit -v 2000000; exec {sys.executable} -c '{READER}' < {source}"
    done = subprocess.run(
        ["sh", "-c", limited.format(echo=False, unseen=False)],
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout == b"Script\nended\n"
    assert done.stderr.decode().strip() == (
        "strongroom: The input has a line of more than 1,000,000 characters; nothing more is read."
    )


@pytest.mark.parametrize("how", ["<&-", "< /dev/null", "0>/dev/null", "0>&1", "< /proc/self/mem"])
def test_an_unreadable_input_counts_as_ended(how: str) -> None:
    program = f"{sys.executable} -c '{READER.format(echo=False, unseen=False)}' {how}"
    done = subprocess.run(["sh", "-c", program], capture_output=True, timeout=PATIENCE, check=True)
    assert done.stdout == b"Script\nended\n"
    assert done.stderr == b""


def test_a_closed_input_counts_as_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull) as closed:
        pass
    monkeypatch.setattr(sys, "stdin", closed)
    lines = open_lines(echo=False)
    assert isinstance(lines, Script)
    with pytest.raises(InputEnded):
        lines.read("> ")


# --- a keyboard -----------------------------------------------------------------------------------


class SitDown(Protocol):
    """Starts a program at a terminal, which outlives the program."""

    def __call__(self, program: str) -> pexpect.spawn: ...


@pytest.fixture
def sit_down() -> Iterator[SitDown]:
    started: list[pexpect.spawn] = []

    def start(program: str) -> pexpect.spawn:
        process = AtTerminal(
            [sys.executable, "-c", program],
            env={**os.environ, "TERM": "xterm", "LANG": "C.UTF-8"},
            timeout=PATIENCE,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        end(process)


KEYBOARD = READER.format(echo=True, unseen="unseen")
SEEN, UNSEEN = "unseen = False\n" + KEYBOARD, "unseen = True\n" + KEYBOARD


def modes(process: pexpect.spawn) -> list[Any]:
    """The terminal's modes; they outlive the program, as a shell would find them."""
    return termios.tcgetattr(process.child_fd)


def modes_of_a_new_terminal() -> list[Any]:
    """The modes in which every program finds its terminal."""
    ours, theirs = os.openpty()
    try:
        return termios.tcgetattr(ours)
    finally:
        os.close(ours)
        os.close(theirs)


def echo(process: pexpect.spawn) -> bool:
    return bool(modes(process)[3] & termios.ECHO)


def waits(process: pexpect.spawn, prompt: str = "> ") -> None:
    process.expect_exact(f"{prompt}")


def test_hidden_input_is_read_and_not_shown(sit_down: SitDown) -> None:
    process, found = sit_down(UNSEEN), modes_of_a_new_terminal()
    waits(process)
    assert not echo(process)
    process.sendline("3-4-2")
    process.expect_exact("5 '3-4-2'")
    assert b"3-4-2" not in process.before
    waits(process)
    process.sendeof()
    process.expect_exact("ended")
    process.expect(pexpect.EOF)
    assert modes(process) == found


@pytest.mark.parametrize("program", [SEEN, UNSEEN], ids=["seen", "unseen"])
def test_odd_bytes_and_keys_at_a_keyboard_are_harmless(sit_down: SitDown, program: str) -> None:
    process = sit_down(program)
    waits(process)
    process.send(b"\xff\xfe7\n")
    process.expect(r"\d '.*'\r\n")
    waits(process)
    process.sendline("8")
    process.expect_exact("1 '8'")


@pytest.mark.parametrize("program", [SEEN, UNSEEN], ids=["seen", "unseen"])
@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"])
def test_a_signal_restores_the_terminal_and_has_its_normal_effect(
    sit_down: SitDown, program: str, number: str
) -> None:
    process, found = sit_down(program), modes_of_a_new_terminal()
    waits(process)
    wanted = signal.Signals[number]
    if wanted is signal.SIGQUIT:
        import resource

        resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
    process.kill(wanted)
    process.expect(pexpect.EOF)
    assert modes(process) == found
    process.wait()
    if wanted is signal.SIGINT:
        assert b"KeyboardInterrupt" in process.before, "Python's normal effect"
    else:
        assert process.signalstatus == wanted


@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_the_terminal_is_restored_before_a_signal_handler_runs(
    sit_down: SitDown, number: str
) -> None:
    handler = f"""
import signal, sys
def leave(*_):
    sys.exit(7)
signal.signal(signal.{number}, leave)
"""
    process, found = sit_down(handler + UNSEEN), modes_of_a_new_terminal()
    waits(process)
    process.kill(signal.Signals[number])
    process.expect(pexpect.EOF)
    process.wait()
    assert process.exitstatus == 7
    assert modes(process) == found


def test_several_signals_in_a_row_restore_the_terminal(sit_down: SitDown) -> None:
    """A session that is closed sends several at once."""
    for pause in range(6):
        process, found = sit_down(UNSEEN), modes_of_a_new_terminal()
        waits(process)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process.kill(number)
            time.sleep(pause / 1000)
        process.expect(pexpect.EOF)
        assert modes(process) == found


def test_half_a_secret_does_not_reach_the_next_reader(sit_down: SitDown) -> None:
    process = sit_down(
        f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", {UNSEEN!r}])
print("next", flush=True)
print("got", ascii(sys.stdin.readline()))
"""
    )
    waits(process)
    process.send("3-4-2")
    time.sleep(0.2)
    child = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(child[0]), signal.SIGTERM)
    process.expect_exact("next")
    process.sendline("7")
    process.expect(re.escape(r"got '7\n'"))


def test_ctrl_z_does_not_stop_a_hidden_entry_and_works_again_afterwards(
    sit_down: SitDown,
) -> None:
    process = sit_down(
        UNSEEN + "import signal\nprint(signal.getsignal(signal.SIGTSTP).name, flush=True)\n"
    )
    waits(process)
    process.kill(signal.SIGTSTP)
    process.sendline("5")
    process.expect_exact("1 '5'")
    waits(process)
    process.sendeof()
    process.expect_exact("SIG_DFL")


@pytest.mark.parametrize("program", [SEEN, UNSEEN], ids=["seen", "unseen"])
def test_a_terminal_that_goes_away_ends_the_input(program: str) -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=theirs, stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        assert process.stdout is not None
        assert process.stdout.readline() == b"Keyboard\n"
        if program == UNSEEN:  # its prompt shows that it is reading
            assert os.read(ours, 2) == b"> "
        os.close(ours)
        out, _ = process.communicate(timeout=PATIENCE)
    assert out.endswith(b"ended\n")
    assert process.returncode == 0


def test_a_keyboard_can_be_read_by_a_thread(sit_down: SitDown) -> None:
    process = sit_down(
        f"import threading\nthread = threading.Thread(target=exec, args=({UNSEEN!r}, {{}}))\n"
        "thread.start()\nthread.join()\n"
    )
    waits(process)
    process.sendline("5")
    process.expect_exact("1 '5'")


def test_a_very_long_line_at_a_keyboard_is_cut(sit_down: SitDown) -> None:
    process = sit_down(SEEN)
    waits(process)
    process.send("7" * 30_000 + "\n")
    process.expect_exact(f"{LONGEST_READ} '")
