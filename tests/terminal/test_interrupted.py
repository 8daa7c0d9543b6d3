"""Signals while worker processes run: all end at once, and nothing is left on the screen."""

from __future__ import annotations

import os
import re
import signal
import time

import pytest

from tests.terminal.conftest import SitDown, Terminal


def is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def assert_nothing_is_left_of(terminal: Terminal) -> None:
    kept = r"\d+ games? kept; the same command goes on from there\."
    assert re.sub(kept, "", terminal.everything).replace("^C", "").strip() == ""
    deadline = time.monotonic() + 60
    while not is_gone(terminal.process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert is_gone(terminal.process.pid)


@pytest.mark.parametrize(
    ("arguments", "begun"),
    [
        ("solve --all --verify", r"\d%|\d:\d\d"),
        ("solve --all --verify", "waiting"),
        ("tournament --all --games 100000", r"[1-9]\d* of \d+ games"),
        ("tournament --all --games 100000", "0%"),
        ("exploit --all --games 100000", r"\d%"),
    ],
    ids=["solve", "solve at its start", "tournament", "tournament at its start", "exploit"],
)
def test_ctrl_c_ends_every_process_and_leaves_nothing_else_on_the_screen(
    sit_down: SitDown, arguments: str, begun: str
) -> None:
    terminal = sit_down(*arguments.split())
    terminal.shows(begun)
    terminal.presses("\x03")
    assert terminal.ends() == 130
    assert_nothing_is_left_of(terminal)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_termination_signal_does_the_same(sit_down: SitDown, number: int) -> None:
    terminal = sit_down("tournament", "quantum-duel", "--games", "100000")
    terminal.shows(r"[1-9]\d* of \d+ games")
    terminal.process.kill(number)
    assert terminal.ends() == 128 + number
    assert_nothing_is_left_of(terminal)
