"""The page at a real terminal: its own screen, keys, clicks, signals, stops, and poor screens."""

from __future__ import annotations

import re
import signal
import termios

import pexpect  # type: ignore[import-untyped]
import pytest

from tests.terminal.conftest import ALONE, LAST_PAGE, SHELL, SitDown, Terminal
from tests.terminal.programs import wait_for_state
from tests.terminal.whole_games import WHOLE, Whole

CELL = "want to observe: "
COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-7]|38|4[0-7]|48|9[0-7]|10[0-7])(?:;\d+)*m")


@pytest.mark.parametrize(("whole", "columns"), [(WHOLE[0], 80), (WHOLE[4], 40)])
def test_a_whole_game_is_one_page_that_never_scrolls_and_restores_the_shells_screen(
    sit_down: SitDown, whole: Whole, columns: int
) -> None:
    shell = f"seq 100; {SHELL}"
    terminal = sit_down("play", whole.name, "--fast", columns=columns, shell=shell)
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
    assert terminal.is_the_shells


def test_a_resized_page_is_redrawn_and_may_ask_for_no_clicks(sit_down: SitDown) -> None:
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
    assert not terminal.asks_for_clicks
    clicks_on_the_first_cell(terminal)
    terminal.presses("\r")
    terminal.sees("Nothing typed.")


def test_arrows_and_clicks_choose_and_rubbish_types_nothing(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    terminal.shows(r"observe:\s*$")
    assert terminal.asks_for_clicks
    terminal.presses("\x1b[<0;500;500M\x1b[<2;5;6M\x1b[<35;5;6")
    terminal.rests()
    terminal.presses("M5")
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


def test_a_paste_is_not_drawn_key_by_key(sit_down: SitDown) -> None:
    terminal = sit_down()
    terminal.shows("› Safe Cracker +Crack")
    pastes(terminal, "x" * PASTE + "3", "› Quantum Duel +Four")
    terminal.presses("\t")
    terminal.shows("q back")
    pastes(terminal, "x" * PASTE + "q", "› Quantum Duel +Four")
    terminal.presses("\r")
    terminal.sees(CELL)
    pastes(terminal, "x" * PASTE + "\r", "A line has at most 200 characters.")


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
    terminal.chooses("342")
    terminal.chooses("513")
    for line in ("1 3", "2 2"):
        terminal.answers(ALONE, "")
        terminal.answers("(1-3): ", line)
    terminal.turns("(1-3): ", "9", "2 4", "board", "history", "resign")
    terminal.answers("Resign? (yes/no): ", "y")
    terminal.leaves()
    assert bytes(terminal.raw).isascii()
    assert "dial 1 > 3" in terminal.text
    assert ("| 3 |" in terminal.text) is (not face)
    assert "3-4-2" not in terminal.text.partition("Resign?")[0]
    if "TERM" in env:  # it has no second screen
        assert b"\x1b[2J\x1b[H" in terminal.raw.rpartition(b"Game over:")[0]
