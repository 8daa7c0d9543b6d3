"""Screens without colour, without Unicode, narrow, dumb, or small for a long game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Terminal

ALONE = "Press Enter when nobody else is looking: "
AGAIN = "Type it again to confirm: "
CLEARED = (b"\x1b[2J", b"\x1b[3J")
"""What clears a screen, and what clears the scroll-back above it."""


COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-7]|38|4[0-7]|48|9[0-7]|10[0-7])(?:;\d+)*m")


def plays_a_little(terminal: Terminal) -> None:
    """A hand-over, an unseen entry, a refusal, the board, the record, and the end."""
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
    assert CLEARED[1] in terminal.raw, "but secrets are still cleared away"


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
        terminal.answers(f"clue {number} of 3: ", clue)
    terminal.sees(ALONE)
    assert "greater than 20" not in terminal.shown


def test_plain_on_a_terminal_is_the_books_lines(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--plain")
    terminal.answers("Enter the cell number you want to observe: ", "3")
    terminal.sees("[ _ ] [ _ ] [ X ] [ _ ] [ _ ] [ _ ] [ _ ]\r\n  1     2     3     4 ")
    terminal.answers("observe: ", "quit")
    assert terminal.ends() == 4
    assert b"\x1b[" not in re.sub(rb"\x1b\[\?2004[hl]", b"", bytes(terminal.raw))


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_without_unicode_only_ascii_is_printed(sit_down: SitDown, locale: str) -> None:
    terminal = sit_down("play", "safecracker-duel", env={"LANG": locale})
    plays_a_little(terminal)
    assert bytes(terminal.raw).isascii()
    assert "| 3 |" in terminal.text


def test_the_rules_are_ascii_on_a_terminal_without_unicode(sit_down: SitDown) -> None:
    terminal = sit_down("rules", "safe-code", env={"LANG": "C"})
    assert terminal.ends() == 0
    assert bytes(terminal.raw).isascii()


def test_at_80_by_24_no_line_of_the_board_is_broken(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--names", "A" * 24, "B" * 24)
    for cell, challenged in zip("172635", (0, 0, 1, 1, 1, 1), strict=True):
        terminal.answers("observe: ", cell)
        if challenged:
            terminal.answers("(yes/no): ", "no")
    terminal.sees("observe: ")
    drawn = terminal.shown
    cells = [line for line in drawn.splitlines() if line.count("│ X │") + line.count("│ O │") == 6]
    assert cells, drawn
    assert any(re.search(r"1 +2 +3 +4 +5 +6 +7", line) for line in drawn.splitlines())
    for line in drawn.splitlines():
        assert sum(line.count(glyph) for glyph in "╭╰") == sum(line.count(g) for g in "╮╯"), drawn
    assert "it's your turn." in drawn, "the question and the board fit on one screen"


def test_a_long_game_keeps_the_board_and_the_question_on_one_screen(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-cracker")
    terminal.chooses("213")
    terminal.chooses("331")
    terminal.turns("from 1-3): ", *["111"] * 40)
    terminal.sees("Player 1's Turn:", "from 1-3): ")
    assert "Player 2" in terminal.shown, "the heads of the record"
    assert "1-1-1: 1 exact match" in terminal.shown
    assert "history" in terminal.shown, "how to see the rest"
    terminal.types("history")
    terminal.sees("from 1-3): ")
    assert terminal.everything.count("Player 1: 1-1-1: 1 exact match") == 20


@pytest.mark.parametrize("game", ["quantum-duel", "digit-deductions"])
def test_on_a_narrow_screen_nothing_is_cut_off(sit_down: SitDown, game: str) -> None:
    terminal = sit_down("play", game, "--vs", "random", "--seed", "3", columns=30, rows=40)
    if game == "quantum-duel":
        terminal.answers("observe: ", "4")
        terminal.sees("You have observed cell 4.")
        terminal.sees("it's your turn.")
        assert re.search(r"_ ?_ ?_ ?X ?_ ?_ ?_|\[ X \]|│ X │", terminal.shown), terminal.shown
    else:
        terminal.answers("from 1-9): ", "37")
        terminal.answers(AGAIN, "37")
        terminal.answers("Input Guess: ", "55")
        terminal.sees("Feedback: ")
        terminal.sees("Player 1's Turn:")
        assert "5-5" in terminal.shown
    assert "…" not in terminal.shown
    for line in terminal.shown.splitlines():
        assert not line.startswith(tuple("╭╰│├")) or line[-1] in "╮╯│┤", (
            f"a broken box:\n{terminal.shown}"
        )


def test_rules_in_a_game_are_readable_on_a_narrow_screen(sit_down: SitDown) -> None:
    terminal = sit_down("rules", "quantum-duel", columns=30)
    assert terminal.ends() == 0
    words = re.sub(r"\s+", " ", terminal.text)
    assert "four" in words
    assert "[ _ ]" in words
