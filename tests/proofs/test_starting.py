"""Forked programs behave as if they had been started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pytest
from starting import PATIENCE, STRONGROOM, Piped, Started, can_be_forked, surroundings

from tests.terminal.programs import AtTerminal, end, wait_for_state

PYTHON = [sys.executable, "-m", "program"]
TELLS = """
import gc, json, os, resource, signal, sys, threading

def stream(each):
    return [each.encoding, each.errors, each.line_buffering, each.write_through, each.fileno(),
            type(each.buffer).__name__, each.isatty(), each.closed]

def all_of_it():
    streams = sys.stdin, sys.stdout, sys.stderr
    return {
        "name": [__name__, __spec__.name, __file__, sys.modules["__main__"].__dict__ is globals()],
        "arguments": [sys.argv, sys.orig_argv, list(sys.flags), sys.path, sys.executable],
        "environment": dict(os.environ),
        "place": [os.getcwd(), os.umask(0o22), os.getuid(), os.nice(0)],
        "streams": [stream(each) for each in streams],
        "first": [each is first for each, first in
                  zip(streams, (sys.__stdin__, sys.__stdout__, sys.__stderr__))],
        "open": sorted(os.listdir("/proc/self/fd"))[:4],
        "signals": {str(n): repr(signal.getsignal(n)).split(" at ")[0] for n in range(1, 32)},
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        "limits": [resource.getrlimit(getattr(resource, name)) for name in dir(resource)
                   if name.startswith("RLIMIT_")],
        "threads": [threading.active_count(), threading.current_thread().name],
        "parents": len(os.listdir(f"/proc/{os.getppid()}/task")),
        "group": os.getpgrp() == int(os.environ["GROUP"]),
        "collects": [gc.isenabled(), gc.get_threshold()],
    }

def said():
    print(json.dumps(all_of_it()))
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a module that can be run from its folder, and returns the folder."""

    def write(code: str) -> Path:
        (tmp_path / "program.py").write_text(textwrap.dedent(code))
        return tmp_path

    return write


def test_a_forked_program_finds_the_same_environment_as_a_started_one(
    program: Callable[[str], Path],
) -> None:
    folder = program(f"{TELLS}\nsaid()")
    environment = {**surroundings(), "GROUP": str(os.getpgrp()), "TZ": "Asia/Tokyo"}
    started = subprocess.run(
        [*PYTHON, "a b", "ü"], cwd=folder, env=environment, capture_output=True, text=True, input=""
    )
    with Piped([*PYTHON, "a b", "ü"], folder=folder, environment=environment) as forked:
        printed, complained = forked.communicate()
    found = json.loads(printed)
    assert found == json.loads(started.stdout) | {"signals": found["signals"], "parents": 1}
    assert complained == started.stderr == ""
    assert found["group"]
    ignored = {number for number, how in found["signals"].items() if "SIG_IGN" in how}
    assert ignored == {str(int(signal.SIGPIPE)), str(int(signal.SIGXFSZ))}


ENDINGS = (
    "print('half', end='')",
    "import sys; print('half', end=''); sys.exit(3)",
    "import sys; sys.exit(259)",
    "import sys; sys.exit('No.')",
    "import sys; sys.exit()",
    "raise SystemExit from ValueError('why')",
    "raise KeyboardInterrupt",
    "import os; os.kill(os.getpid(), 15)",
    "import os; print('lost', end=''); os._exit(5)",
    "import atexit, sys; atexit.register(print, 'last', end=''); sys.exit(4)",
    "import sys, threading as t; t.Timer(0.2, print, ['later']).start(); sys.exit(6)",
    "import sys; sys.stdout.close(); sys.exit(2)",
)


def test_a_forked_program_ends_like_a_started_one(
    program: Callable[[str], Path], subtests: pytest.Subtests
) -> None:
    for code in ENDINGS:
        with subtests.test(code):
            folder = program(code)
            ends = []
            for afresh in (True, False):
                with Piped(PYTHON, folder=folder, afresh=afresh) as process:
                    printed, complained = process.communicate()
                ends.append((process.returncode, printed, complained.splitlines()[-1:]))
            assert ends[0] == ends[1]
    folder = program("print('half', end='')")
    with open("/dev/full", "w") as full, open(os.devnull) as nothing:
        files = (nothing.fileno(), full.fileno(), full.fileno())
        assert Started(PYTHON, files, folder=folder, afresh=False).wait() == 120, "cannot flush"


def test_a_program_at_a_terminal_leads_a_session_and_gets_the_keys(
    program: Callable[[str], Path],
) -> None:
    folder = program(
        """
        import os, sys
        own = os.getpid() == os.getpgrp() == os.getsid(0) == os.tcgetpgrp(0)
        print(own, os.get_terminal_size(), os.open("/dev/tty", os.O_RDWR) > 2, sys.stdin.readline())
        sys.stdin.readline()
        """
    )
    terms: dict[str, Any] = {"env": surroundings(), "cwd": str(folder), "timeout": PATIENCE}
    process = AtTerminal(PYTHON, dimensions=(33, 77), **terms)
    try:
        process.sendline("typed")
        process.expect_exact("True os.terminal_size(columns=77, lines=33) True typed")
        wait_for_state(process.pid, "S")
        process.sendintr()
        process.expect(pexpect.EOF)
        process.wait()
        assert process.signalstatus == signal.SIGINT
    finally:
        end(process)


def test_signals_that_the_tests_ignore_are_not_ignored_in_a_program(
    program: Callable[[str], Path],
) -> None:
    """As when tests run under `nohup`, or in the background of a shell."""
    folder = program("import signal; print([n.name for n in signal.valid_signals() "
                     "if signal.getsignal(n) is signal.SIG_IGN])")  # fmt: skip
    tests = (
        "import signal, sys\n"
        "for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):\n"
        "    signal.signal(number, signal.SIG_IGN)\n"
        "from starting import Piped\n"
        "for afresh in (False, True):\n"
        f"    with Piped({PYTHON}, folder={str(folder)!r}, afresh=afresh) as process:\n"
        "        print(sorted(eval(process.communicate()[0])))\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", tests]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.stdout == 2 * "['SIGPIPE', 'SIGXFSZ']\n", done.stderr


def test_variables_that_are_read_at_startup_prevent_forking() -> None:
    assert can_be_forked(STRONGROOM, surroundings())
    assert can_be_forked(STRONGROOM, surroundings() | {"NO_COLOR": "1"})
    assert not can_be_forked(["sh", "-c", "true"], surroundings())
    for name in ("LANG", "LC_ALL", "PYTHONPATH", "PYTHONDEVMODE"):
        assert not can_be_forked(STRONGROOM, surroundings() | {name: "C"})
