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
from unittest.mock import Mock

import pytest

from strongroom.agents.engine_process import Ended, EngineProcess, end_all
from tests.agents.engines import is_alive

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
                print(os.getpid(), file=file)
            while True:
                time.sleep(1000)
    with open(sys.argv[1], "a") as file:
        print(os.getpid(), file=file)
    while len(open(sys.argv[1]).read().split()) < 3:
        time.sleep(0.01)
    for line in sys.stdin:
        {deed}
        print(json.dumps(dict(type="hello", protocol=1, name="Stubborn")), flush=True)
    while True:
        time.sleep(1000)
"""
"""Ignores signals and the end of its input, has a child and an orphan, and does a deed."""
STOPS_GUARD = "os.kill(os.getppid(), signal.SIGSTOP)"
DEEDS = {
    "stops its guard": STOPS_GUARD,
    "kills its guard": "os.kill(os.getppid(), signal.SIGKILL); time.sleep(1000)",
    "kills its guard's group": "os.killpg(os.getppid(), signal.SIGKILL); time.sleep(1000)",
}
HELLO: dict[str, object] = {"type": "hello"}


@pytest.fixture
def stubborn(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """The command of a stubborn engine, whose last word is the file with its processes."""
    bot, pids = tmp_path / "stubborn.py", tmp_path / "pids"
    bot.write_text(dedent(STUBBORN).format(deed=getattr(request, "param", "pass")))
    pids.touch()
    yield [sys.executable, str(bot), str(pids)]
    for pid in map(int, pids.read_text().split()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


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


@pytest.mark.parametrize("stubborn", DEEDS.values(), ids=DEEDS, indirect=True)
def test_an_engine_is_ended_whatever_it_did_to_its_guard(stubborn: list[str]) -> None:
    process = EngineProcess(stubborn)
    pids = started(stubborn)
    with contextlib.suppress(Ended):
        process.ask(HELLO, PATIENCE, "hello")
    process.kill()
    assert not any(map(is_alive, pids))


def test_an_engine_is_ended_when_its_guard_does_nothing(
    stubborn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    process = EngineProcess(stubborn)
    pids = started(stubborn)
    monkeypatch.setattr("strongroom.agents.engine_process.AFTERMATH", 0.1)
    monkeypatch.setattr(process, "cut", lambda: None)
    process.kill()
    all_end(pids)


@pytest.mark.parametrize("stubborn", [DEEDS["kills its guard"]], indirect=True)
def test_a_killed_guard_is_noticed_at_once_though_orphans_keep_the_output_open(
    stubborn: list[str],
) -> None:
    process = EngineProcess(stubborn)
    with pytest.raises(Ended, match=r"guard was killed by signal 9 when a hello was expected"):
        process.ask(HELLO, PATIENCE, "hello")
    assert not process.close()


def test_what_was_interrupted_while_it_was_ended_is_ended_at_the_exit(
    stubborn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    process = EngineProcess(stubborn)
    pids = started(stubborn)
    with monkeypatch.context() as interrupted:
        interrupted.setattr(process._guard, "wait", Mock(side_effect=KeyboardInterrupt))
        interrupted.setattr(process, "cut", lambda: None)
        with pytest.raises(KeyboardInterrupt):
            process.kill()
    end_all()
    assert not any(map(is_alive, pids))
    process.kill()


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
    ("stubborn", "then", "sent"),
    [
        ("pass", "", None),
        ("pass", "import os; os._exit(3)", None),
        ("pass", "time.sleep(1000)", signal.SIGTERM),
        ("pass", "time.sleep(1000)", signal.SIGKILL),
        ("pass", "time.sleep(1000)", signal.SIGINT),
        (STOPS_GUARD, "time.sleep(1000)", signal.SIGKILL),
    ],
    ids=["the end", "a sudden end", "SIGTERM", "kill -9", "Ctrl-C", "kill -9, a stopped guard"],
    indirect=["stubborn"],
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


def test_a_terminated_guard_ends_all_that_the_engine_started(stubborn: list[str]) -> None:
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
