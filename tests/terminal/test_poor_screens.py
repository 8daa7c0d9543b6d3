"""Screens without colour, without Unicode, narrow, dumb, or unknown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from strongroom.terminal.screen.wrapping import unchopped

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom, Terminal

ALONE = "Press Enter when nobody else is looking: "
COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-7]|38|4[0-7]|48|9[0-7]|10[0-7])(?:;\d+)*m")
NARROW = 44


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


@pytest.mark.parametrize("forbidden", ["", "1"])
def test_colour_is_used_where_no_color_does_not_forbid_it(
    sit_down: SitDown, forbidden: str
) -> None:
    terminal = sit_down("play", "safecracker-duel", env={"NO_COLOR": forbidden})
    plays_a_little(terminal)
    assert bool(COLOUR.search(terminal.raw)) is not bool(forbidden)
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


@pytest.mark.parametrize(("locale", "face"), [("C", []), ("POSIX", ["--plain"])])
def test_without_unicode_only_ascii_is_printed(
    sit_down: SitDown, locale: str, face: list[str]
) -> None:
    terminal = sit_down("play", "safecracker-duel", *face, env={"LANG": locale})
    plays_a_little(terminal)
    assert bytes(terminal.raw).isascii()
    assert "dial 1 > 3" in terminal.text
    assert ("| 3 |" in terminal.text) is (not face)


def test_the_rules_are_ascii_on_a_terminal_without_unicode(sit_down: SitDown) -> None:
    terminal = sit_down("rules", "safe-code", env={"LANG": "C", "PAGER": "cat"})
    assert terminal.ends() == 0
    assert bytes(terminal.raw).isascii()


# --- lines break between words --------------------------------------------------------------------


@pytest.mark.parametrize(
    "copied",
    ["strongroom replay '/a b/c d.jsonl'", "/home/of somebody/games/x.jsonl", "'/a folder/x'"],
)
def test_text_to_be_copied_stays_unbroken(copied: str) -> None:
    lines = unchopped(f"Some words that go on for a while before it: {copied}", 30).splitlines()
    assert any(copied in line for line in lines)
    assert all(len(line) <= 30 or line == copied for line in lines)


GOAL = "Guess your opponent's two digits first; each answer says how far off you are."


@pytest.mark.parametrize(
    ("arguments", "env", "words"),
    [
        (["play", "digit-deductions", "--plain"], {}, GOAL),
        ([], {"TERM": "dumb"}, "  1. "),
        (["play"], {}, "strongroom"),
        (["play", "quantum-duel", "--vs", "nobody"], {}, "strongroom"),
    ],
    ids=["plain face", "plain menu", "usage", "refusal"],
)
def test_a_terminal_breaks_between_words_what_is_one_line_in_a_pipe(
    sit_down: SitDown, strongroom: Strongroom, arguments: list[str], env: dict[str, str], words: str
) -> None:
    if words != GOAL:
        piped = strongroom(*arguments, lines=["quit"])
        words = next(each for each in (piped.out + piped.err).split("\n") if each.startswith(words))
    assert len(words) > NARROW, "piped output is not broken"
    terminal = sit_down(*arguments, columns=NARROW, env=env)
    terminal.sees(words.split()[-1])
    printed = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.raw.decode())
    found = re.search(r"\s+".join(map(re.escape, words.split())), printed)
    assert found
    assert all(len(line) <= NARROW for line in found[0].splitlines())
