"""Unusual keys, and more of them at once than anybody could press."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pexpect  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Terminal

PASTE = 20_000
"""How many keys are pasted."""
MOST_WRITTEN = 2 * PASTE
"""How many bytes may be written meanwhile; redrawing a page takes at least 25."""


def pastes(terminal: Terminal, text: str) -> None:
    """Send a text piece by piece, and read the output meanwhile, as a terminal does."""
    data = text.encode()
    while data:
        data = data[terminal.process.send(data[:4000]) :]
        while terminal.process.expect([r".+", pexpect.TIMEOUT], timeout=0) == 0:
            pass


def test_a_digit_that_is_not_a_number_chooses_nothing_on_the_set_up_page(
    sit_down: SitDown,
) -> None:
    terminal = sit_down()
    terminal.shows("› Game +‹ Safecracker Duel ›")
    terminal.presses("²٣5\t")
    terminal.sees("Quantum Duel: the rules")
    terminal.presses("q")
    terminal.shows("› Game +‹ Quantum Duel ›")
    terminal.presses("\x1b")
    assert terminal.ends() == 0


def test_search_works_on_a_very_narrow_screen(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", columns=9, rows=12)
    terminal.shows("observe")
    terminal.types("rules")
    terminal.shows("Quantum")
    terminal.presses("/coin\r")
    terminal.shows("coin")
    terminal.presses("q")
    terminal.interrupts()
    assert terminal.ends() == 130


def test_a_paste_into_a_form_a_pager_or_a_prompt_is_not_drawn_key_by_key(
    sit_down: SitDown,
) -> None:
    terminal = sit_down()
    terminal.shows("› Game +‹ Safecracker Duel ›")
    before = len(terminal.raw)
    pastes(terminal, "x" * PASTE + "5")
    terminal.shows("› Game +‹ Quantum Duel ›")
    assert len(terminal.raw) - before < MOST_WRITTEN
    terminal.presses("\t")
    terminal.sees("q back")
    before = len(terminal.raw)
    pastes(terminal, "x" * PASTE + "q")
    terminal.shows("› Game +‹ Quantum Duel ›")
    assert len(terminal.raw) - before < MOST_WRITTEN
    terminal.presses("\x1b")
    assert terminal.ends() == 0
    terminal = sit_down("play", "quantum-duel")
    terminal.sees("want to observe: ")
    before = len(terminal.raw)
    pastes(terminal, "x" * PASTE + "\r")
    terminal.sees("at most 200 characters")
    assert len(terminal.raw) - before < MOST_WRITTEN


def test_an_invalid_remembered_name_is_not_offered(sit_down: SitDown, tmp_path: Path) -> None:
    menu = {"opponent": "person", "yours": "\x1b]0;owned\x07", "others": "x" * 25}
    file = tmp_path / "config" / "strongroom" / "preferences.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"menu": menu}))
    terminal = sit_down()
    terminal.shows(r"(?s)› Game .*Opponent +another person.*Your name +Player 1.*name +Player 2")
    terminal.presses("\r")
    terminal.sees("looking: ")
    assert b"\x1b]0;" not in terminal.raw
