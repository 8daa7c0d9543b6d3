"""The page at a real terminal: its own screen, keys, clicks, signals, stops, and poor screens."""

from __future__ import annotations

import os
import re
import signal
import termios

import pexpect  # type: ignore[import-untyped]
import pytest

from tests.terminal.conftest import ALONE, LAST_PAGE, SitDown, Terminal, plays_a_little
from tests.terminal.programs import wait_for_state
from tests.terminal.whole_games import WHOLE, Whole

CELL = "want to observe: "
MOUSE_ON, MOUSE_OFF = b"\x1b[?1000h\x1b[?1006h", b"\x1b[?1006l\x1b[?1000l"
COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-7]|38|4[0-7]|48|9[0-7]|10[0-7])(?:;\d+)*m")


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


@pytest.mark.parametrize(("whole", "columns"), [(WHOLE[0], 80), (WHOLE[4], 40)])
def test_a_whole_game_is_one_page_that_never_scrolls_and_restores_the_shells_screen(
    sit_down: SitDown, whole: Whole, columns: int
) -> None:
    terminal = sit_down("play", whole.name, "--fast", columns=columns, shell=True, before="seq 100")
    terminal.plays(whole)
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


def test_a_resized_page_is_redrawn_at_once_and_without_the_mouse_asks_for_no_clicks(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "quantum-duel", "--no-mouse")
    terminal.answers(CELL, "3")
    terminal.sees("Player 2 (O), it's your turn.", CELL)
    for columns, rows in ((50, 18), (40, 15), (100, 30)):
        terminal.resizes(columns, rows)
        terminal.sees("Player 2 (O)", "observe:")
        assert "Quantum Duel" in terminal.shown.splitlines()[0]
        assert max(map(len, terminal.shown.splitlines())) <= columns
    terminal.types("4")
    terminal.sees("Player 1 (X), it's your turn.", CELL)
    assert MOUSE_ON not in terminal.raw
    clicks_on_the_first_cell(terminal)
    terminal.presses("\r")
    terminal.sees("Nothing typed.")


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
    terminal.presses("\x1b[C\x1b[C")
    terminal.shows(r"observe: 2\s*$")
    clicks_on_the_first_cell(terminal)
    terminal.shows(r"observe: 1\s*$")
    terminal.presses("\r")
    terminal.sees("Player 1 observes cell 1.")


def clicks_on_the_first_cell(terminal: Terminal) -> None:
    """Send what a terminal sends when the first button is pressed and released there."""
    found = re.search(r"[ ▸](1) +▸?2 +▲?3 +▲?4\b", terminal.shown)
    assert found, terminal.shown
    *above, line = terminal.shown[: found.start(1)].split("\n")
    place = f"{len(line) + 1};{len(above) + 1}"
    terminal.presses(f"\x1b[<0;{place}M\x1b[<0;{place}m")


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
    terminal.presses("\r")
    terminal.sees(CELL)
    pastes(terminal, "x" * PASTE + "\r", "A line has at most 200 characters.")


# --- signals and stops ----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGINT])
@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["drawn", "plain"])
def test_whatever_ends_the_game_removes_a_private_page_and_gives_the_terminal_back(
    sit_down: SitDown, face: list[str], number: signal.Signals
) -> None:
    terminal = sit_down("play", "safe-code", *face, shell=True, before=f"trap : {int(number)}")
    terminal.chooses("23", "(1-30): ")
    terminal.writes("of 3: ", "greater than 20")
    terminal.sees("clue 2 of 3: ")
    assert asks_for_clicks(terminal) is (not face)
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


@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["drawn", "plain"])
def test_a_game_continued_after_sigstop_shows_no_secret(sit_down: SitDown, face: list[str]) -> None:
    terminal = sit_down("play", "safe-cracker", "--set", "digits=9", *face)
    terminal.answers(ALONE, "")
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


# --- colours and signs ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "paper"),
    [
        ({"NO_COLOR": "1"}, None),
        ({"NO_COLOR": "", "TERM": "xterm", "COLORFGBG": "0;15"}, b";107m"),
        ({"TERM": "xterm", "COLORFGBG": "15;0"}, b";40m"),
        ({"TERM": "xterm", "COLORFGBG": ""}, b";40m"),
    ],
)
def test_a_page_has_its_own_background_where_no_color_does_not_forbid_colours(
    sit_down: SitDown, env: dict[str, str], paper: bytes | None
) -> None:
    terminal = sit_down("play", "quantum-duel", env=env)
    terminal.sees(CELL)
    if paper is None:
        assert not COLOUR.search(terminal.raw)
        return
    rows = re.findall(rb"\x1b\[\d+;1H(\x1b\[[\d;]*m)", terminal.raw)
    assert len(rows) >= 24
    assert all(row.endswith(paper) for row in rows)


@pytest.mark.parametrize(
    ("env", "face"),
    [({"TERM": "linux"}, []), ({"LANG": "C"}, []), ({"LANG": "POSIX"}, ["--plain"])],
    ids=["the console of Linux", "drawn", "plain"],
)
def test_without_unicode_only_ascii_is_printed(
    sit_down: SitDown, env: dict[str, str], face: list[str]
) -> None:
    terminal = sit_down("play", "safecracker-duel", *face, env=env)
    plays_a_little(terminal)
    assert bytes(terminal.raw).isascii()
    assert "dial 1 > 3" in terminal.text
    assert ("| 3 |" in terminal.text) is (not face)
    assert "3-4-2" not in terminal.text.partition("Resign?")[0]
    if "TERM" in env:  # it has no second screen
        assert b"\x1b[2J\x1b[H" in terminal.raw.rpartition(b"Game over:")[0]
