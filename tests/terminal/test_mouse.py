"""The mouse: clicks choose what arrows can reach, Enter confirms, and no report is ever typed."""

from __future__ import annotations

import json
import os
import re
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.conftest import SitDown, Terminal

ALONE = "looking:"
LAST_PAGE = "q leave"
CODE, DIAL, CELL, REPLY = "1-5): ", "(1-3): ", "observe: ", "(yes/no): "
ON, OFF = b"\x1b[?1000h\x1b[?1006h", b"\x1b[?1006l\x1b[?1000l"
RUBBISH = (
    "\x1b[<M",
    "\x1b[<;;M",
    "\x1b[<0;5M",
    "\x1b[<0;0;0M",
    "\x1b[<-1;5;5M",
    "\x1b[<0;500;500M",
    "\x1b[<0;99999;99999M",
    "\x1b[<0;5;5;5M",
    "\x1b[<2;5;6M",
    "\x1b[<35;5;6M",
    f"\x1b[<{'9' * 300};5;5M",
    "\x1b[M #!",
)
"""What a mouse may send that chooses nothing."""
REPORT = re.compile(r"\x1b\[<\d{1,3};\d{1,4};\d{1,4}M")
"""What a mouse sends, whether or not it chooses anything."""


def report(column: int, row: int) -> str:
    """What a terminal sends when the first button is pressed and released there."""
    return f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m"


def clicks(terminal: Terminal, pattern: str) -> None:
    """Wait for a pattern, and click on its group, or on its first character."""
    terminal.shows(pattern)
    found = re.search(pattern, terminal.shown)
    assert found
    before = terminal.shown[: found.start(found.re.groups)]
    terminal.presses(report(len(before.rpartition("\n")[2]), before.count("\n")))


def is_on(terminal: Terminal) -> bool:
    """Whether the terminal was last asked for clicks, and not to stop."""
    return terminal.raw.rfind(ON) > terminal.raw.rfind(OFF)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 24), (120, 40)])
def test_a_click_chooses_a_cell_and_enter_takes_it(
    sit_down: SitDown, columns: int, rows: int
) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast", columns=columns, rows=rows)
    terminal.shows(r"observe:\s*$")  # now the board stays where it is
    clicks(terminal, r" 1 +2 +(3) +4 ")
    terminal.shows(r"observe: 3\s*$")
    assert "observes" not in terminal.shown, "a click confirms nothing"
    clicks(terminal, r" 1 +2 +▸3 +4 +(5) ")
    terminal.shows(r"observe: 5\s*$")
    terminal.presses("\r")
    terminal.shows(r"Player 1 observes\s+cell 5")
    clicks(terminal, r" 4 +[▲▸]?(5) ")
    clicks(terminal, r" (4) +[▲▸]?5 ")
    terminal.shows(r"observe: 4\s*$")


def test_an_answer_is_clicked(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    for cell in "172":
        terminal.answers(CELL, cell)
    terminal.sees(REPLY)
    clicks(terminal, r" no +(yes)")
    terminal.shows(r"\(yes/no\): yes\s*$")
    clicks(terminal, r" (no) +\[yes")
    terminal.shows(r"\(yes/no\): no\s*$")


def test_a_dial_is_chosen_by_a_click_and_turned_by_the_next(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel", "--vs", "random", "--fast", "--seed", "1")
    clicks(terminal, r"│ 1 │ +│ (1) │ +│ 1 │")
    terminal.shows(r"1-5\): 1-1-1\s*$")
    clicks(terminal, r"│ 1 │ +│ (1) │ +│ 1 │")
    terminal.shows(r"1-5\): 1-2-1\s*$")
    terminal.presses("\r")
    terminal.sees(DIAL)
    clicks(terminal, r"│ 1 │ +│ 1 │ +│ (1) │")
    terminal.shows(r"1-3\): 3\s*$")
    clicks(terminal, r"│ 1 │ +│ 1 │ +│ (1) │")
    terminal.shows(r"1-3\): 3 2\s*$")


@pytest.mark.parametrize(
    ("name", "pattern", "prompt"),
    [
        ("safe-cracker", r"\n +1 +1 +1 *\n +2 +2 +(2)", r"1-3\): 1-1-2\s*$"),
        ("digit-deductions", r" (37) ", r"1-9\): 3-7\s*$"),
        ("safe-code", r" (18)\b", r"1-30\): 18\s*$"),
    ],
)
def test_a_number_is_clicked(sit_down: SitDown, name: str, pattern: str, prompt: str) -> None:
    terminal = sit_down("play", name, "--vs", "random", "--fast")
    terminal.sees("): ")
    clicks(terminal, pattern)
    terminal.shows(prompt)


def test_between_two_people_a_secret_is_not_clicked(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code", "--fast")
    terminal.answers(ALONE, "")
    terminal.sees("(1-30): ")
    clicks(terminal, r" (18)\b")
    terminal.shows("the pointer would stay where you clicked")
    assert re.search(r"1-30\):\s*$", terminal.shown)


def test_a_click_marks_a_command_on_the_bar(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    terminal.sees(CELL)
    clicks(terminal, r" (rules) ")
    terminal.shows(r"\[r rules\]")
    terminal.presses("\r")
    terminal.sees("Quantum Duel: the rules")
    terminal.presses("\x1b[<65;5;5M")
    terminal.shows("23 of")
    terminal.presses("q")
    terminal.sees(CELL)


def test_the_set_up_is_clicked(sit_down: SitDown) -> None:
    terminal = sit_down()
    terminal.sees("Esc leave")
    clicks(terminal, r"(Who starts) +you")
    clicks(terminal, r"› Who starts +‹ (you) ›")
    terminal.shows("› Who starts +‹ your opponent ›")
    clicks(terminal, r" (Game) +Safecracker Duel")
    clicks(terminal, r"› Game +‹ Safecracker Duel (›)")
    clicks(terminal, r"› Game +‹ Safe Cracker (›)")
    clicks(terminal, r"› Game +(‹) Safe Code")
    terminal.shows("› Game +‹ Safe Cracker ›")
    terminal.presses(report(0, 0) + "\r")
    terminal.sees("secret code (three")
    assert "Safe Cracker" in terminal.shown


def test_the_last_page_is_clicked_or_walked_with_arrows(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    terminal.answers(CELL, "resign")
    terminal.answers("(yes/no): ", "yes")
    clicks(terminal, r"(p replay)")
    terminal.shows(r"\[p replay\]")
    terminal.presses("\x1b[C")
    terminal.shows(r"\[s save as\]")
    clicks(terminal, r"q (leave)")
    terminal.shows(r"\[q leave\]")
    terminal.presses("\r")
    assert terminal.ends() == 0


@pytest.mark.parametrize("late", [False, True], ids=["whole", "split"])
def test_rubbish_from_the_mouse_chooses_and_types_nothing(sit_down: SitDown, late: bool) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    terminal.sees(CELL)
    for sent in RUBBISH:
        if late and REPORT.fullmatch(sent):  # the rest of anything else is typed if it comes late
            terminal.presses(sent[:-1])
            terminal.rests()
            terminal.presses(sent[-1])
        else:
            terminal.presses(sent)
    terminal.presses("5")
    terminal.shows(rf"{CELL}5\s*$")


def test_a_report_that_never_ends_is_dropped(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    terminal.sees(CELL)
    terminal.presses("\x1b[<0;5\r")
    terminal.sees("Nothing typed.")
    terminal.presses("5")
    terminal.shows(rf"{CELL}5\s*$")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGINT])
def test_the_mouse_is_given_back_when_a_signal_ends_the_game(
    sit_down: SitDown, number: signal.Signals
) -> None:
    terminal = sit_down("play", "quantum-duel", shell=True, before=f"trap : {int(number)}")
    terminal.sees(CELL)
    assert is_on(terminal)
    terminal.rests()
    os.killpg(terminal.process.pid, number)
    terminal.sees("code=")
    assert not is_on(terminal)


def test_the_mouse_is_given_back_at_the_end_and_while_the_game_is_stopped(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "quantum-duel", shell=True, before="set -m", after="fg")
    terminal.sees(CELL)
    terminal.presses("\x1a")
    terminal.sees("code=")
    assert not is_on(terminal)
    terminal.types("")
    terminal.sees(CELL)
    assert is_on(terminal)
    terminal.types("quit")
    terminal.ends()
    assert not is_on(terminal)


def test_without_the_mouse_no_clicks_are_asked_for_and_that_is_remembered(
    sit_down: SitDown, tmp_path: Path
) -> None:
    for options in (["--no-mouse"], []):
        terminal = sit_down("play", "quantum-duel", "--fast", *options)
        terminal.sees(CELL)
        assert ON not in terminal.raw
        clicks(terminal, r" 1 +2 +(3) +4 ")
        terminal.presses("5")
        terminal.shows(rf"{CELL}5\s*$")
    kept = tmp_path / "config" / "strongroom" / "preferences.json"
    assert json.loads(kept.read_text())["mouse"] is False
