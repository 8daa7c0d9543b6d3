"""Forked programs behave as if they had been started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from starting import Piped, Started, surroundings

PYTHON = [sys.executable, "-m", "program"]
TELLS = """
import json, os, signal, sys, threading

def stream(each):
    return [each.encoding, each.errors, each.line_buffering, each.write_through, each.fileno(),
            type(each.buffer).__name__, each.isatty(), each.closed]

def all_of_it():
    return {
        "name": [__name__, __spec__.name, __file__, sys.modules["__main__"].__dict__ is globals()],
        "arguments": [sys.argv, sys.orig_argv, list(sys.flags), sys.path, sys.executable],
        "environment": dict(os.environ),
        "place": [os.getcwd(), os.umask(0o22), os.getuid(), os.nice(0)],
        "streams": [stream(each) for each in (sys.stdin, sys.stdout, sys.stderr)],
        "open": sorted(os.listdir("/proc/self/fd"))[:4],
        "signals": {str(n): repr(signal.getsignal(n)).split(" at ")[0] for n in range(1, 32)},
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        "threads": [threading.active_count(), threading.current_thread().name],
        "parents": len(os.listdir(f"/proc/{os.getppid()}/task")),
        "group": os.getpgrp() == int(os.environ["GROUP"]),
    }

def said():
    print(json.dumps(all_of_it()))
"""


@pytest.mark.proof
def test_a_forked_program_finds_the_same_environment_as_a_started_one(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(f"{TELLS}\nsaid()")
    environment = {**surroundings(), "GROUP": str(os.getpgrp()), "TZ": "Asia/Tokyo"}
    program = [*PYTHON, "a b", "ü"]
    started = subprocess.run(
        program, cwd=tmp_path, env=environment, capture_output=True, text=True, input=""
    )
    with Piped(program, folder=tmp_path, environment=environment) as forked:
        printed, complained = forked.communicate()
    found = json.loads(printed)
    assert found == json.loads(started.stdout) | {"signals": found["signals"], "parents": 1}
    assert complained == started.stderr == ""
    assert found["group"]
    ignored = {number for number, how in found["signals"].items() if "SIG_IGN" in how}
    assert ignored == {str(int(signal.SIGPIPE)), str(int(signal.SIGXFSZ))}


@pytest.mark.proof
def test_a_forked_program_ends_like_a_started_one(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for code in (
        "print('half', end='')",
        "import sys; print('half', end=''); sys.exit(3)",
        "import sys; sys.exit('No.')",
        "raise KeyboardInterrupt",
        "import os; os.kill(os.getpid(), 15)",
        "import os; print('lost', end=''); os._exit(5)",
        "import atexit, sys; atexit.register(print, 'last', end=''); sys.exit(4)",
        "import sys, threading as t; t.Timer(0.2, print, ['later']).start(); sys.exit(6)",
        "import sys; sys.stdout.close(); sys.exit(2)",
    ):
        with subtests.test(code):
            (tmp_path / "program.py").write_text(code)
            ends = []
            for afresh in (True, False):
                with Piped(PYTHON, folder=tmp_path, afresh=afresh) as process:
                    printed, complained = process.communicate()
                ends.append((process.returncode, printed, complained.splitlines()[-1:]))
            assert ends[0] == ends[1]
    (tmp_path / "program.py").write_text("print('half', end='')")
    with open("/dev/full", "w") as full, open(os.devnull) as nothing:
        files = (nothing.fileno(), full.fileno(), full.fileno())
        assert Started(PYTHON, files, folder=tmp_path, afresh=False).wait() == 120, "cannot flush"
