"""What people and scripts type, and the terminal they type at."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starting import PATIENCE

from strongroom.terminal.lines import LONGEST_READ, InputEnded, Script, open_lines, plain_text
from tests.terminal.conftest import AtTerminal
from tests.terminal.programs import children


@given(st.text(st.sampled_from("\x1b[]0;?A~m \t\n\r\0\x07\x9b\u202eé7-")))
def test_nothing_in_a_plain_text_can_control_a_screen(text: str) -> None:
    plain = plain_text(text)
    assert plain.isprintable()
    assert plain_text(plain) == plain


def test_escape_sequences_leave_nothing_and_are_found_in_linear_time() -> None:
    """In linear time this takes a tenth of a second of the processor, otherwise many minutes."""
    assert plain_text("\x1b[A3-\x1b[1;5D4\x1bOP\t2\x1b") == "3-4P 2"
    for piece in ("\x1b[", "\x1b[0", "\x1b[;;; ", "0;", " /", "\x1b"):
        begin = time.process_time()
        assert "\x1b" not in plain_text("\x1b[" + piece * 100_000)
        assert time.process_time() - begin < 10


def read_all(stdin: io.TextIOBase | None, echo: bool = False, unseen: bool = False) -> list[str]:
    """What is printed and read, line by line, from a standard input that is no terminal."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setattr(sys, "stdin", stdin)
        lines = open_lines(echo)
        assert isinstance(lines, Script)
        with contextlib.suppress(InputEnded):
            while True:
                text = lines.read("> ", unseen)
                print(len(text), ascii(text[:40]))
    return [*out.getvalue().splitlines(), *err.getvalue().splitlines(), "ended"]


def script(content: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), "utf-8")


@pytest.mark.parametrize(
    ("content", "how", "told"),
    [
        (b"1 2\n\n\x1b[A3\r\nlast", {}, ["3 '1 2'", "0 ''", "1 '3'", "4 'last'", "ended"]),
        (b"\x1b[2Jopen\n", {"echo": True}, ["> open", "4 'open'", "> ", "ended"]),
        (
            b"secret\n\n",
            {"echo": True, "unseen": True},
            ["> ***", "6 'secret'", "> ", "0 ''", "> ", "ended"],
        ),
        (
            b"\xff\xfe3\n\0004\0\n\xe2\x82\n5\n",
            {},
            ["3 '\\ufffd\\ufffd3'", "1 '4'", "1 '\\ufffd'", "1 '5'", "ended"],
        ),
    ],
    ids=["line by line", "echoed", "hidden", "invalid bytes"],
)
def test_a_script_is_read_to_its_end(content: bytes, how: dict[str, bool], told: list[str]) -> None:
    assert read_all(script(content), **how) == told


def test_the_rest_of_a_long_line_is_skipped() -> None:
    long = [LONGEST_READ - 1, LONGEST_READ, LONGEST_READ + 1, 2 * LONGEST_READ, 999_000]
    told = read_all(script(b"".join(b"7" * length + b"\nnext\n" for length in long)))
    assert told[:-1:2] == [f"{min(each, LONGEST_READ)} '{'7' * 40}'" for each in long]
    assert told[1::2] == ["4 'next'"] * len(long)


def test_input_without_lines_is_ended_at_once_with_a_line_that_says_so() -> None:
    for sign in (b"7", b"\0"):
        assert read_all(script(sign * 1_100_000 + b"\n8\n")) == [
            "",
            "strongroom: The input has a line of more than 1,000,000 characters; "
            "nothing more is read.",
            "ended",
        ]


def test_an_unreadable_input_counts_as_ended() -> None:
    assert read_all(None) == ["ended"]
    for source in ("/dev/null", "/dev/full", "/proc/self/mem", "closed"):
        writes = source == "/dev/full"
        with open(os.devnull if source == "closed" else source, "w" if writes else "r") as stdin:
            if source == "closed":
                stdin.close()
            assert read_all(stdin) == ["ended"]


KEYBOARD = """
from strongroom.terminal.lines import InputEnded, open_lines
lines = open_lines()
print(type(lines).__name__, flush=True)
try:
    while True:
        text = lines.read("> ", unseen)
        print(len(text), ascii(text[:40]), flush=True)
except InputEnded:
    print("ended", flush=True)
"""
SEEN, UNSEEN = "unseen = False\n" + KEYBOARD, "unseen = True\n" + KEYBOARD
BOTH = pytest.mark.parametrize("program", [SEEN, UNSEEN], ids=["seen", "unseen"])


SitDown = Callable[[str], pexpect.spawn]
"""Starts a program at a terminal, which outlives the program."""


@pytest.fixture
def sit_down(at_terminal: AtTerminal) -> SitDown:
    def start(program: str) -> pexpect.spawn:
        return at_terminal([sys.executable, "-c", program]).process

    return start


def modes(process: pexpect.spawn) -> list[Any]:
    """The terminal's modes; they outlive the program, as a shell would find them."""
    return termios.tcgetattr(process.child_fd)


@pytest.fixture
def found() -> list[Any]:
    """The modes in which every program finds its terminal."""
    ours, theirs = os.openpty()
    try:
        return termios.tcgetattr(ours)
    finally:
        os.close(ours)
        os.close(theirs)


def test_hidden_input_is_read_and_not_shown(sit_down: SitDown, found: list[Any]) -> None:
    process = sit_down(
        UNSEEN + "import signal\nprint(signal.getsignal(signal.SIGTSTP).name, flush=True)\n"
    )
    process.expect_exact("> ")
    assert not modes(process)[3] & termios.ECHO
    process.sendline("3-4-2")
    process.expect_exact("5 '3-4-2'")
    assert b"3-4-2" not in process.before
    process.expect_exact("> ")
    process.kill(signal.SIGTSTP)
    process.sendline("5-1-3")
    process.expect_exact("5 '5-1-3'")
    assert b"5-1-3" not in process.before
    process.expect_exact("> ")
    process.sendeof()
    process.expect_exact("ended")
    process.expect_exact("SIG_DFL")
    process.expect(pexpect.EOF)
    assert modes(process) == found


def test_a_keyboard_can_be_read_by_a_thread(sit_down: SitDown) -> None:
    process = sit_down(
        f"import threading\nthread = threading.Thread(target=exec, args=({UNSEEN!r}, {{}}))\n"
        "thread.start()\nthread.join()\n"
    )
    process.expect_exact("> ")
    process.sendline("5")
    process.expect_exact("1 '5'")


@BOTH
def test_odd_bytes_and_a_very_long_line_are_harmless(sit_down: SitDown, program: str) -> None:
    process = sit_down(program)
    process.expect_exact("> ")
    process.send(b"\xff\xfe7\n")
    process.expect(r"\d '.*'\r\n")
    process.expect_exact("> ")
    process.sendline("8")
    process.expect_exact("1 '8'")
    if program == SEEN:
        process.expect_exact("> ")
        process.send("7" * 30_000 + "\n")
        process.expect_exact(f"{LONGEST_READ} '")


INTERRUPTED = """
import os
from strongroom.terminal.lines import Keyboard

class Silence:
    ear, _ = os.pipe()
    def fileno(self): return self.ear
    def heard(self): return ""

lines = Keyboard()
for number in range({many}):
    lines.beside = Silence() if number & 1 else None
    try:
        lines.read(f"ask {{number}}> ", number & 2 > 0)
    except KeyboardInterrupt:
        print("heard", number, flush=True)
"""


def test_ctrl_c_is_heard_at_once_however_soon_after_the_prompt_it_comes(sit_down: SitDown) -> None:
    """At a seen and an unseen prompt, with and without something else to listen to."""
    many = 60
    process = sit_down(INTERRUPTED.format(many=many))
    for number in range(many):
        process.expect_exact(f"ask {number}> ")
        process.send("\x03")
        process.expect_exact(f"heard {number}")


DEADLY = """
import os, resource, signal, termios
from strongroom.terminal.modes import keep_modes
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
found = termios.tcgetattr(0)
for name in "TERM HUP INT QUIT ABRT USR1 USR2 XCPU ALRM VTALRM PROF".split():
    child = os.fork()
    if not child:
        try:
            with keep_modes(0, lambda: print("put away", flush=True)) as modes:
                modes = termios.tcgetattr(0)
                modes[3] &= ~termios.ECHO
                termios.tcsetattr(0, termios.TCSANOW, modes)
                signal.raise_signal(signal.Signals["SIG" + name])
        except KeyboardInterrupt:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
    _, status = os.waitpid(child, 0)
    own = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.Signals["SIG" + name]
    print(name, "as usual" if own and termios.tcgetattr(0) == found else "differs", flush=True)
"""


def test_every_signal_that_kills_restores_the_terminal_and_kills(sit_down: SitDown) -> None:
    process = sit_down(DEADLY)
    process.expect(pexpect.EOF)
    told = process.before.decode().split("\r\n")
    assert told[::2] == [*["put away"] * 11, ""]
    assert [line for line in told[1::2] if not line.endswith(" as usual")] == []


HANDLED = "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n" + UNSEEN


def test_signals_at_a_prompt_have_their_normal_effect(sit_down: SitDown, found: list[Any]) -> None:
    closed = [signal.SIGHUP, signal.SIGTERM, signal.SIGINT]  # as for a session that is closed
    for program, numbers in (
        (SEEN, [signal.SIGINT]),
        (HANDLED, [signal.SIGTERM]),
        (UNSEEN, closed),
    ):
        process = sit_down(program)
        process.expect_exact("> ")
        for number in numbers:
            process.kill(number)
        process.expect(pexpect.EOF)
        assert modes(process) == found
        process.wait()
        assert program != HANDLED or process.exitstatus == 7
        assert program != SEEN or b"KeyboardInterrupt" in process.before, "Python's normal effect"


def test_half_a_secret_does_not_reach_the_next_reader(sit_down: SitDown) -> None:
    process = sit_down(
        f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", {UNSEEN!r}])
print("next", flush=True)
print("got", ascii(sys.stdin.readline()))
"""
    )
    process.expect_exact("> ")
    process.send("3-4-2")
    process.expect(rb"\xe2\x80\xa2|\*")
    (child,) = children(process.pid)
    os.kill(child, signal.SIGTERM)
    process.expect_exact("next")
    process.sendline("7")
    process.expect(re.escape(r"got '7\n'"))


@BOTH
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
