"""Screens without colour, without Unicode, narrow, dumb, or small for a long game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Terminal

ALONE = "Press Enter when nobody else is looking: "
AGAIN = "Type it again to confirm: "

COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-7]|38|4[0-7]|48|9[0-7]|10[0-7])(?:;\d+)*m")


def plays_a_little(terminal: Terminal) -> None:
    """Play through a hand-over, an unseen entry, a refusal, the board, the record and the end."""
    terminal.chooses("342")
    terminal.chooses("513")
    for line in ("1 3", "2 2"):
        terminal.answers(ALONE, "")
        terminal.answers("(1-3): ", line)
    terminal.turns("(1-3): ", "9", "2 4", "board", "history", "resign")
    terminal.answers("Resign? (yes/no): ", "y")
    terminal.leaves()


def test_colour_is_used_where_nothing_forbids_it(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel")
    plays_a_little(terminal)
    assert COLOUR.search(terminal.raw)


def test_no_color_gives_no_colour(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel", env={"NO_COLOR": "1"})
    plays_a_little(terminal)
    assert not COLOUR.search(terminal.raw)
    assert "3-4-2" not in terminal.text.partition("Resign?")[0]


def test_a_dumb_terminal_gets_no_escape_codes_and_still_hides_secrets(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel", env={"TERM": "dumb"})
    plays_a_little(terminal)
    assert b"\x1b" not in terminal.raw
    assert "342" not in terminal.before_the_end
    assert "Updated Safe Combination: 3-4-1" in terminal.text


def test_a_dumb_terminal_pushes_private_lines_off_the_screen(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code", env={"TERM": "dumb"})
    terminal.chooses("23", "(1-30): ")
    for number, clue in enumerate(("odd", "prime", "greater than 20"), 1):
        terminal.writes(f"clue {number} of 3: ", clue)
    terminal.sees(ALONE)
    assert "greater than 20" not in terminal.shown


@pytest.mark.parametrize("name", ["vt100", "linux", "nonsense", ""])
def test_on_a_terminal_without_a_second_screen_a_warning_says_that_everything_stays(
    sit_down: SitDown, name: str
) -> None:
    terminal = sit_down("play", "safe-code", "--plain", env={"TERM": name})
    terminal.sees("This terminal cannot be cleared", ALONE)
    assert b"\x1b[?1049h" not in terminal.raw
    assert "TERM" not in terminal.text, "plain lines were asked for"


def test_the_console_of_linux_gets_a_page_in_ascii_that_leaves_nothing(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel", env={"TERM": "linux"})
    plays_a_little(terminal)
    assert bytes(terminal.raw).isascii()
    assert "| 3 |" in terminal.text
    assert b"\x1b[2J\x1b[H" in terminal.raw.rpartition(b"Game over:")[0]


@pytest.mark.parametrize("name", ["nonsense", ""])
def test_a_terminal_that_nothing_is_known_about_is_told_once_why_there_is_no_page(
    sit_down: SitDown, name: str
) -> None:
    terminal = sit_down(env={"TERM": name})
    terminal.answers("quit): ", "quantum-duel")
    for question in ("Against whom?", "Who starts?"):
        terminal.sees(question)
        terminal.answers(": ", "")
    terminal.interrupts()
    terminal.ends()
    said = " ".join(terminal.text.split())
    assert said.count(f"TERM is {repr(name) if name else 'not set'}, by which no page") == 1
    assert "set TERM to what your terminal is, often xterm-256color" in said


@pytest.mark.parametrize(
    ("background", "paper"), [("0;15", b";107m"), ("15;0", b";40m"), ("", b";40m")]
)
def test_with_sixteen_colours_a_page_has_its_own_background(
    sit_down: SitDown, background: str, paper: bytes
) -> None:
    terminal = sit_down("play", "quantum-duel", env={"TERM": "xterm", "COLORFGBG": background})
    terminal.sees("want to observe: ")
    rows = re.findall(rb"\x1b\[\d+;1H(\x1b\[[\d;]*m)", terminal.raw)
    assert len(rows) >= 24
    assert all(row.endswith(paper) for row in rows)


def test_plain_on_a_terminal_is_the_books_lines(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--plain")
    terminal.answers("Enter the cell number you want to observe: ", "3")
    terminal.sees("[ _ ] [ _ ] [ X ] [ _ ] [ _ ] [ _ ] [ _ ]\r\n  1     2     3     4 ")
    terminal.answers("observe: ", "quit")
    assert terminal.ends() == 4
    assert b"\x1b[" not in re.sub(rb"\x1b\[\?2004[hl]", b"", bytes(terminal.raw))


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_without_unicode_only_ascii_is_printed(sit_down: SitDown, locale: str) -> None:
    for face in ([], ["--plain"]):
        terminal = sit_down("play", "safecracker-duel", *face, env={"LANG": locale})
        plays_a_little(terminal)
        assert bytes(terminal.raw).isascii()
        assert "dial 1 > 3" in terminal.text
        assert ("| 3 |" in terminal.text) is (not face)


def test_the_rules_are_ascii_on_a_terminal_without_unicode(sit_down: SitDown) -> None:
    terminal = sit_down("rules", "safe-code", env={"LANG": "C", "PAGER": "cat"})
    assert terminal.ends() == 0
    assert bytes(terminal.raw).isascii()


def test_at_80_by_24_no_line_of_the_board_is_broken(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--names", "A" * 24, "B" * 24)
    for cell, challenged in zip("172635", (0, 0, 1, 1, 1, 1), strict=True):
        terminal.answers("observe: ", cell)
        if challenged:
            terminal.answers("(yes/no): ", "no")
    terminal.sees("A (X), it's your turn.", "observe: ")
    drawn = terminal.shown.splitlines()
    (cells,) = (line for line in drawn if line.count("│ X │") + line.count("│ O │") == 6)
    assert len(cells) <= 80
    assert any(re.search(r"1 +▲?2 +▲?3 +▲?4 +▲?5 +▲?6 +▲?7", line) for line in drawn)
    for line in drawn:
        assert sum(map(line.count, "╭╰")) == sum(map(line.count, "╮╯")), terminal.shown
    assert re.search(r"^ A{24} \(X\), it's your turn\.$", terminal.shown, re.M), "on one screen"


def test_a_long_game_keeps_the_board_and_the_question_on_one_screen(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-cracker")
    terminal.chooses("213")
    terminal.chooses("331")
    for turn in range(1, 41):
        terminal.answers("from 1-3): ", "111")
        terminal.sees(f"Player {turn % 2 + 1}'s Turn")
    terminal.sees("from 1-3): ")
    head = next(line for line in terminal.shown.splitlines() if " # " in line)
    assert head.split()[-4:] == ["Player", "1", "Player", "2"], "the headings of the record"
    assert re.search(r"40 +1-1-1: 1 exact$", terminal.shown, re.M)
    assert re.search(r"⋮ \d+ earlier", terminal.shown)
    terminal.types("history")
    terminal.sees("q back")
    terminal.presses("G")
    terminal.sees("40. Player 2: 1-1-1: 1 exact")
    terminal.presses("g")
    terminal.sees(" 1. Player 1: 1-1-1: 1 exact")
    terminal.presses("q")
    terminal.sees("from 1-3): ")
    assert terminal.screen.scrolls == 0


@pytest.mark.parametrize("game", ["quantum-duel", "digit-deductions"])
def test_on_a_narrow_screen_nothing_is_cut_off(sit_down: SitDown, game: str) -> None:
    terminal = sit_down(
        "play", game, "--vs", "random", "--seed", "3", "--fast", columns=30, rows=40
    )
    if game == "quantum-duel":
        terminal.answers("observe:", "4")
        terminal.sees("Random observes cell ")
        terminal.sees_either("Your turn (O).", "Your turn (X).", "challenge?")
        assert re.search(r"^ +[_O] [_O] [_O] X [_O] [_O] [_O]$", terminal.shown, re.M)
    else:
        terminal.answers("digits from 1-9):", "37")
        terminal.answers("Input Guess: ", "55")
        terminal.sees("Random guesses ", "Input Guess: ")
        assert "[55]" in terminal.shown, "the whole plane is shown"
        assert re.search(r"9[1-9·.]? ?$", terminal.shown, re.M)
        assert "5-5: " in terminal.shown
    title, _, players, *rows = terminal.shown.splitlines()
    assert title.endswith("0 : 0"), "only the title may be shortened"
    assert players.startswith(" ● You")
    assert not any("…" in row for row in rows)
    for line in terminal.shown.splitlines():
        assert not line.startswith(tuple("╭╰│├")) or line[-1] in "╮╯│┤", (
            f"a broken box:\n{terminal.shown}"
        )


def test_rules_in_a_game_are_readable_on_a_narrow_screen(sit_down: SitDown) -> None:
    terminal = sit_down("rules", "quantum-duel", columns=30, env={"PAGER": "cat"})
    assert terminal.ends() == 0
    words = re.sub(r"\s+", " ", terminal.text)
    assert "four" in words
    assert "[ _ ]" in words
