"""No engine, and nothing that it has started, outlives the run."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from strongroom.agents.engine_process import EngineProcess

PATIENCE = 60.0
STUBBORN = """
    import json, os, signal, sys, time
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    pids = [os.getpid()]
    for leaves in (False, True):
        child = os.fork()
        if child == 0:
            if leaves:  # a session of its own, and no parent
                os.setsid()
                if os.fork():
                    os._exit(0)
            with open(sys.argv[1], "a") as file:
                file.write(f"{os.getpid()}\\n")
            while True:
                time.sleep(1000)
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getpid()}\\n")
    while len(open(sys.argv[1]).read().split()) < 3:
        time.sleep(0.01)
    for line in sys.stdin:
        print(json.dumps({"type": "hello", "protocol": 1, "name": "Stubborn"}), flush=True)
    while True:
        time.sleep(1000)
"""
"""Ignores signals and the end of its input, and has a child and an orphan."""


@pytest.fixture
def stubborn(tmp_path: Path) -> Iterator[list[str]]:
    """The command of a stubborn engine, whose last word is the file with its processes."""
    bot, pids = tmp_path / "stubborn.py", tmp_path / "pids"
    bot.write_text(dedent(STUBBORN))
    pids.touch()
    yield [sys.executable, str(bot), str(pids)]
    for pid in map(int, pids.read_text().split()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def until(met: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def started(stubborn: list[str]) -> list[int]:
    """The engine's three processes, once they are there."""
    pids = Path(stubborn[-1])
    until(lambda: len(pids.read_text().split()) == 3, "the engine did not start")
    return [*map(int, pids.read_text().split())]


def all_end(pids: list[int]) -> None:
    until(lambda: not any(map(is_alive, pids)), "a process was left")


def test_ending_an_engine_ends_all_that_it_started(stubborn: list[str]) -> None:
    process = EngineProcess(stubborn)
    pids = started(stubborn)
    assert all(map(is_alive, pids))
    process.kill()
    assert not any(map(is_alive, pids))


def test_an_engine_that_does_not_end_after_the_goodbye_is_ended(stubborn: list[str]) -> None:
    process = EngineProcess(stubborn)
    pids = started(stubborn)
    assert not process.close(grace=0.1)
    assert not any(map(is_alive, pids))


PLAYS = """
    import signal, sys, time
    from random import Random
    from strongroom import load
    from strongroom.agents.engine import Engine
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests
    engine = Engine(tuple(sys.argv[2:]), 1000.0)
    engine.introduced()
    print("ready", flush=True)
    {then}
"""


@pytest.mark.parametrize(
    ("then", "sent"),
    [
        ("", None),
        ("import os; os._exit(3)", None),
        ("time.sleep(1000)", signal.SIGTERM),
        ("time.sleep(1000)", signal.SIGKILL),
        ("time.sleep(1000)", signal.SIGINT),
    ],
    ids=["the end", "a sudden end", "SIGTERM", "kill -9", "Ctrl-C"],
)
def test_no_process_outlives_the_run_however_it_ends(
    stubborn: list[str], then: str, sent: signal.Signals | None
) -> None:
    program = dedent(PLAYS).format(then=then)
    with subprocess.Popen(
        [sys.executable, "-c", program, "-", *stubborn],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"ready\n"
        pids = started(stubborn)
        if sent is not None:
            run.send_signal(sent)
        run.wait(PATIENCE)
    all_end(pids)


def test_a_stopped_guard_ends_all_that_the_engine_started(stubborn: list[str]) -> None:
    process = EngineProcess(stubborn)
    pids = started(stubborn)
    process._guard.terminate()
    all_end(pids)
    process.kill()


def test_an_engine_does_not_outlive_a_killed_guard(stubborn: list[str]) -> None:
    process = EngineProcess(stubborn)
    engine = next(pid for pid in started(stubborn) if os.getsid(pid) == pid)
    process._guard.kill()
    all_end([engine])
    process.kill()
