"""The page at a real terminal: its own screen, its keys, signals, stops, and what stays behind."""

from __future__ import annotations

import os
import re
import signal
import termios
from typing import TYPE_CHECKING

import pexpect  # type: ignore[import-untyped]
import pytest

from tests.terminal.programs import wait_for_state

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Terminal
    from tests.terminal.whole_games import Whole

ALONE = "looking:"
LAST_PAGE = "q leave"
CELL = "want to observe: "
MOUSE_ON, MOUSE_OFF = b"\x1b[?1000h\x1b[?1006h", b"\x1b[?1006l\x1b[?1000l"
SIGNALS = [
    *(signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGINT),
    *(signal.SIGUSR1, signal.SIGALRM, signal.SIGXCPU),
]


def asks_for_clicks(terminal: Terminal) -> bool:
    """Whether the terminal was last asked for clicks, and not to stop."""
    return terminal.raw.rfind(MOUSE_ON) > terminal.raw.rfind(MOUSE_OFF)


def is_the_shells(terminal: Terminal) -> bool:
    """Whether the shell has its screen, its cursor, its echo and its mouse."""
    return not (
        terminal.screen.on_second_screen
        or terminal.screen.cursor.hidden
        or asks_for_clicks(terminal)
        or not terminal.echo_is_on
    )


def test_a_whole_game_is_one_page_that_never_scrolls_and_restores_the_shells_screen(
    sit_down: SitDown, whole: Whole
) -> None:
    columns = 40 if whole.name in ("safe-cracker", "quantum-duel") else 80
    terminal = sit_down("play", whole.name, "--fast", columns=columns, shell=True, before="seq 100")
    terminal.sets_up(whole)
    for number, turn in enumerate(whole.turns):
        if number < whole.private_turns:
            terminal.answers(ALONE, "")
        terminal.turns(": ", *turn)
    terminal.sees(LAST_PAGE)
    assert terminal.screen.on_second_screen
    assert terminal.screen.scrolls == 0, "nothing ever scrolls on the page"
    terminal.presses("q")
    terminal.sees("code=0")
    above = terminal.everything
    assert re.findall(r"^\d+$", above, re.M) == [str(number) for number in range(1, 101)]
    assert "Game over: Player 1" in above
    assert "Record: " in above.replace("\n", "")
    assert "─" not in above, "nothing of the page is left"
    assert is_the_shells(terminal)


def test_a_resized_page_is_redrawn_at_once(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel")
    terminal.answers(CELL, "3")
    terminal.sees("Player 2 (O), it's your turn.", CELL)
    for columns, rows in ((50, 18), (100, 30), (40, 15)):
        terminal.resizes(columns, rows)
        terminal.sees("Player 2 (O)", "observe:")
        assert "Quantum Duel" in terminal.shown.splitlines()[0]
        assert max(map(len, terminal.shown.splitlines())) <= columns
    terminal.types("4")
    terminal.sees("Player 1 (X), it's your turn.")


# --- keys and clicks ------------------------------------------------------------------------------

RUBBISH = (
    *("\x1b[<M", "\x1b[<;;M", "\x1b[<0;5M", "\x1b[<0;0;0M", "\x1b[<-1;5;5M", "\x1b[<0;500;500M"),
    *("\x1b[<0;99999;99999M", "\x1b[<0;5;5;5M", "\x1b[<2;5;6M", "\x1b[<35;5;6M"),
    *(f"\x1b[<{'9' * 300};5;5M", "\x1b[M #!"),
)
"""What a mouse may send that chooses nothing."""
REPORT = re.compile(r"\x1b\[<\d{1,3};\d{1,4};\d{1,4}M")
"""A whole report of a click; the rest of anything else is typed if it comes late."""


def test_arrows_and_clicks_choose_and_rubbish_from_the_mouse_types_nothing(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    terminal.shows(r"observe:\s*$")
    assert asks_for_clicks(terminal)
    for late in (False, True):
        for sent in RUBBISH:
            if late and REPORT.fullmatch(sent):
                terminal.presses(sent[:-1])
                terminal.rests()
                sent = sent[-1]
            terminal.presses(sent)
        terminal.presses("5")
        terminal.shows(rf"{CELL}5\s*$")
        terminal.presses("\x7f")
    terminal.presses("\x1b[<0;5\r")  # a report that never ends
    terminal.sees("Nothing typed.")
    terminal.presses("\x1b[C")
    terminal.shows(r"observe: 1\s*$")
    clicks_on_the_third_cell(terminal)
    terminal.shows(r"observe: 3\s*$")
    terminal.presses("\r")
    terminal.sees("Player 1 observes cell 3.")


def clicks_on_the_third_cell(terminal: Terminal) -> None:
    """Send what a terminal sends when the first button is pressed and released there."""
    found = re.search(r"[ ▸]1 +2 +(3) +4 ", terminal.shown)
    assert found
    *above, line = terminal.shown[: found.start(1)].split("\n")
    place = f"{len(line) + 1};{len(above) + 1}"
    terminal.presses(f"\x1b[<0;{place}M\x1b[<0;{place}m")


def test_without_the_mouse_no_clicks_are_asked_for_and_none_chooses(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast", "--no-mouse")
    terminal.shows(r"observe:\s*$")
    assert MOUSE_ON not in terminal.raw
    clicks_on_the_third_cell(terminal)
    terminal.presses("\r")
    terminal.sees("Nothing typed.")


PASTE = 6_000
"""How many keys are pasted."""
MOST_WRITTEN = 4 * PASTE
"""How many bytes may be written meanwhile; redrawing a page takes at least 25."""


def pastes(terminal: Terminal, text: str, shown: str) -> None:
    """Send a text piece by piece, as a terminal does, and wait for a page that came of it."""
    before = len(terminal.raw)
    data = text.encode()
    while data:
        data = data[terminal.process.send(data[:4000]) :]
        while terminal.process.expect([r".+", pexpect.TIMEOUT], timeout=0) == 0:
            pass
    terminal.shows(shown)
    assert len(terminal.raw) - before < MOST_WRITTEN


def test_a_paste_into_a_form_a_pager_or_a_prompt_is_not_drawn_key_by_key(
    sit_down: SitDown,
) -> None:
    terminal = sit_down()
    terminal.shows("› Game +‹ Safecracker Duel ›")
    pastes(terminal, "x" * PASTE + "5", "› Game +‹ Quantum Duel ›")
    terminal.presses("\t")
    terminal.shows("q back")
    pastes(terminal, "x" * PASTE + "q", "› Game +‹ Quantum Duel ›")
    terminal.presses("\x1b")
    assert terminal.ends() == 0
    terminal = sit_down("play", "quantum-duel")
    terminal.sees(CELL)
    pastes(terminal, "x" * PASTE + "\r", "A line has at most 200 characters.")


# --- signals and stops ----------------------------------------------------------------------------


@pytest.mark.parametrize("number", SIGNALS)
def test_whatever_ends_the_game_removes_a_private_page_and_gives_the_terminal_back(
    sit_down: SitDown, number: signal.Signals
) -> None:
    terminal = sit_down("play", "safe-code", shell=True, before=f"trap : {int(number)}")
    terminal.chooses("23", "(1-30): ")
    terminal.writes("of 3: ", "greater than 20")
    terminal.sees("clue 2 of 3: ")
    assert asks_for_clicks(terminal)
    terminal.rests()
    os.killpg(terminal.process.pid, number)
    terminal.sees(f"code={128 + number}")
    assert is_the_shells(terminal)
    assert "greater" not in terminal.everything


def test_ctrl_z_gives_the_terminal_back_and_resuming_redraws_the_page(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", shell=True, before="set -m", after="fg")
    terminal.sees(CELL)
    terminal.presses("\x1a")
    terminal.sees("code=")
    assert is_the_shells(terminal)
    terminal.types("")
    terminal.sees(CELL)
    assert terminal.screen.on_second_screen
    assert asks_for_clicks(terminal)
    terminal.types("quit")
    terminal.sees("Saved. Resume with: ")
    terminal.ends()
    assert not asks_for_clicks(terminal)


def test_ctrl_z_without_a_shell_stops_nothing_and_covers_a_private_page(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code")
    terminal.sees(ALONE)
    terminal.presses("\x1a")
    terminal.chooses("23", "(1-30): ")
    terminal.writes("clue 1 of 3: ", "greater than 20")
    terminal.sees("clue 2 of 3: ")
    terminal.presses("\x1a")
    terminal.shows("^ Press Enter when nobody else is looking:\\s*$")
    terminal.types("", "prime")
    terminal.answers("keep it", "")
    terminal.sees("clue 3 of 3: ")
    assert terminal.screen.on_second_screen


@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["drawn", "plain"])
def test_a_game_continued_after_sigstop_shows_no_secret(sit_down: SitDown, face: list[str]) -> None:
    terminal = sit_down("play", "safe-cracker", "--set", "digits=9", *face)
    terminal.answers("looking: ", "")
    terminal.sees("from 1-9): ")
    game = terminal.process
    game.kill(signal.SIGSTOP)
    wait_for_state(game.pid, "T")
    modes = termios.tcgetattr(game.fileno())
    modes[3] |= termios.ECHO | termios.ICANON  # as a shell sets them
    termios.tcsetattr(game.fileno(), termios.TCSANOW, modes)
    game.kill(signal.SIGCONT)
    while terminal.echo_is_on:
        assert game.isalive()
    terminal.types("987")
    terminal.answers("again to confirm: ", "987")
    terminal.sees("Player 2 is next")
    assert "987" not in terminal.text


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_control_c_in_the_menu_leaves_with_130(sit_down: SitDown, term: str) -> None:
    terminal = sit_down(env={"TERM": term})
    terminal.sees("quit): " if term == "dumb" else "Esc leave")
    terminal.interrupts()
    assert terminal.ends() == 130
    assert not terminal.screen.on_second_screen
