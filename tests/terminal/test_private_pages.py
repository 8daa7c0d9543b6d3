"""Two people at one screen: hidden input, hand-overs, and private pages that are cleared."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.terminal import store

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

ALONE = "Press Enter when nobody else is looking: "
AGAIN = "Type it again to confirm: "
HIDE = "Press Enter to hide it: "
KEEP = 'Press Enter to keep it, or type "again" for another: '
BESIDE, BACK = b"\x1b[?1049h\x1b[2J", b"\x1b[2J\x1b[?1049l"
"""The codes that switch to a private page, and wipe it before switching back."""
PASSED_ON = "import os, time\nwhile d := os.read(0, 9999): time.sleep(0.3), os.write(1, d)"
LATE = f"{sys.executable} -c '{PASSED_ON}'"
"""A pipe through which everything comes late."""
FACES = pytest.mark.parametrize("face", [["--plain"], ["--fast"]], ids=["plain", "page"])


# --- hidden entry ---------------------------------------------------------------------------------


@FACES
def test_typing_a_secret_shows_a_dot_for_every_key_and_nothing_else(
    sit_down: SitDown, face: list[str]
) -> None:
    terminal = sit_down("play", "digit-deductions", *face)
    terminal.answers(ALONE, "")
    terminal.sees("from 1-9): ")
    terminal.presses("87")
    terminal.sees("•", "•")
    (line,) = (each for each in terminal.shown.splitlines() if "choose your secret" in each)
    assert re.search("from 1-9\\): ••?$", line)
    assert "Typing is hidden: each key shows a dot." in terminal.shown
    terminal.types("")
    terminal.answers(AGAIN, "87")
    terminal.sees(ALONE)
    assert not re.search("8.?7", re.sub(r"86 +87 +88", "", terminal.text)), "but on the board"
    assert "•" not in terminal.everything


@FACES
def test_two_different_entries_choose_nothing_and_are_asked_again(
    sit_down: SitDown, face: list[str]
) -> None:
    terminal = sit_down("play", "safe-cracker", "--save", "a.json", *face)
    terminal.answers(ALONE, "")
    terminal.answers("from 1-3): ", "213")
    terminal.answers(AGAIN, "312")
    terminal.sees("The two did not match. Nothing is chosen yet.")
    chooses_again = ("from 1-3): ", "331"), (AGAIN, "3 3 1")
    for prompt, line in chooses_again:
        terminal.answers(prompt, line)
    terminal.sees("Player 2 is next, to choose in private.")
    terminal.interrupts()
    assert terminal.ends() == 130
    assert not re.search("213|312|3 ?3 ?1", terminal.text.partition("Saved.")[0])
    file = Path(str(terminal.process.cwd)) / "a.json"
    assert [str(step.move) for step in store.read(file).steps] == ["3-3-1"]


@FACES
def test_a_refused_secret_is_mentioned_only_on_the_private_page(
    sit_down: SitDown, face: list[str]
) -> None:
    terminal = sit_down("play", "digit-deductions", *face)
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "70")
    terminal.sees("That was not accepted.")
    terminal.answers("from 1-9): ", "71")
    terminal.answers(AGAIN, "71")
    terminal.sees(ALONE)
    assert "not accepted" not in terminal.everything


@FACES
def test_a_secret_picked_at_random_is_shown_to_its_owner_and_then_hidden(
    sit_down: SitDown, face: list[str]
) -> None:
    terminal = sit_down("play", "safe-cracker", "--set", "digits=9", "--set", "length=6", *face)
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "")
    terminal.sees("Nothing typed.")
    terminal.answers("from 1-9): ", "random")
    picked = []
    for answer in ("again", ""):
        terminal.sees("Picked for you: ", KEEP)
        picked += re.findall(r"Picked for you: (\S+)", terminal.shown)
        terminal.types(answer)
    terminal.sees(ALONE)
    assert len(set(picked)) == 2, "a different one the second time"
    assert "Picked" not in terminal.everything
    assert not any(secret in terminal.everything for secret in picked)


@FACES
def test_the_secret_command_shows_it_on_a_private_page_and_clears_it(
    sit_down: SitDown, face: list[str]
) -> None:
    terminal = sit_down("play", "digit-deductions", *face)
    terminal.chooses("87")
    terminal.chooses("65")
    terminal.sees("Player 1's Turn")
    terminal.answers("Input Guess: ", "secret")
    terminal.sees(ALONE)
    assert "8-7" not in terminal.text
    terminal.types("")
    terminal.sees("Your secret: 8-7", HIDE)
    terminal.types("")
    terminal.sees("Input Guess: ")
    assert "8-7" not in terminal.everything
    terminal.types("11")
    terminal.sees("Feedback: ")
    terminal.sees("Player 2's Turn", "Input Guess: ")


def test_the_board_is_shown_again_after_a_hint(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--aids")
    terminal.answers("want to observe: ", "4")
    terminal.answers("want to observe: ", "hint")
    terminal.answers(ALONE, "")
    terminal.answers(HIDE, "")
    terminal.sees("it's your turn.")
    assert " X " in terminal.shown
    assert re.search(r" 1 +4$", terminal.shown, re.M), "and the record"


# --- hand-over ------------------------------------------------------------------------------------


def test_hand_over_clears_the_screen_and_its_scroll_back_between_private_parts(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "safe-code", "--plain", rows=12)
    terminal.chooses("23", "(1-30): ")
    # Enough refused and accepted clues to push private lines off the screen.
    for line in ("even", "divisible by 5", "less than 9", "help"):
        terminal.answers("of 3: ", line)
    for line in ("odd", "prime"):
        terminal.writes("of 3: ", line)
    terminal.sees("clue 3 of 3: ")
    assert terminal.screen.scrolls, "something private has scrolled away"
    start = len(terminal.raw)
    terminal.types("greater than 20")
    terminal.answers("keep it", "")
    terminal.sees(ALONE)
    between = bytes(terminal.raw[start:])
    assert between.index(BACK) < between.index(BESIDE)
    assert not re.search(r"\b23\b|prime|divisible|greater", terminal.everything)
    assert "Player 2 is next, to choose in private." in terminal.shown
    start = len(terminal.raw)
    terminal.types("")
    terminal.sees("(1-30): ")
    assert BESIDE in bytes(terminal.raw[start:])
    terminal.interrupts()
    assert terminal.ends() == 130
    assert not terminal.screen.on_second_screen
    assert not re.search(r"\b23\b|prime|divisible|greater", terminal.everything)


@FACES
def test_a_refused_first_turn_is_explained_on_a_private_page_that_is_cleared(
    sit_down: SitDown, face: list[str]
) -> None:
    terminal = sit_down("play", "safecracker-duel", *face)
    terminal.chooses("211")
    terminal.chooses("513")
    terminal.sees("Player 1 is next, in private.")
    terminal.answers(ALONE, "")
    terminal.answers("(1-3): ", "1 2")
    terminal.sees("That would set the safe to your own code.")
    terminal.answers("(1-3): ", "3 4")
    terminal.sees("Player 2 is next, in private.", ALONE)
    assert "own code" not in terminal.everything
    assert "1 2" not in terminal.everything
    assert re.search("Combination: 1-1-4|dial 3 → 4 +1-1-4", terminal.shown), "the turn is open"


@FACES
def test_a_mistyped_first_turn_leaves_the_same_screen_as_a_refused_one(
    sit_down: SitDown, face: list[str]
) -> None:
    screens = []
    for line in ("1 2", "1 9"):
        terminal = sit_down("play", "safecracker-duel", *face)
        terminal.chooses("211")
        terminal.chooses("513")
        terminal.answers(ALONE, "")
        terminal.answers("(1-3): ", line)
        terminal.answers("(1-3): ", "3 4")
        terminal.sees(" is next, ", ALONE)
        screens.append(terminal.everything)
    assert screens[0] == screens[1]


@FACES
def test_leaving_on_a_private_page_clears_it(sit_down: SitDown, face: list[str]) -> None:
    terminal = sit_down("play", "safe-code", *face)
    terminal.chooses("23", "(1-30): ")
    terminal.writes("clue 1 of 3: ", "greater than 20")
    terminal.answers("clue 2 of 3: ", "quit")
    assert terminal.ends() == 4
    assert "greater than" not in terminal.everything
    assert "Saved." in terminal.shown


@pytest.mark.parametrize("pipe", ["tee log", LATE])
def test_private_parts_are_cleared_even_if_the_output_is_piped(
    sit_down: SitDown, pipe: str
) -> None:
    """As in `strongroom play safe-code | tee log`: the keyboard and the eyes are at a terminal."""
    terminal = sit_down("play", "safe-code", pipe=pipe)
    terminal.chooses("23", "(1-30): ")
    for number, clue in enumerate(("odd", "prime", "greater than 20"), 1):
        terminal.writes(f"clue {number} of 3: ", clue)
    terminal.sees(" is next, ", ALONE)
    assert "greater than 20" not in terminal.everything


def test_a_secret_picked_at_random_is_not_written_to_a_pipe(
    sit_down: SitDown, tmp_path: Path
) -> None:
    terminal = sit_down("play", "digit-deductions", pipe="tee log")
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "r")
    terminal.sees("Picked for you: ", KEEP)
    terminal.types("")
    terminal.sees(ALONE)
    assert "Picked for you: " not in (tmp_path / "log").read_text()


def test_a_script_shows_nothing_of_a_private_turn_that_was_undone(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("play", "safecracker-duel", lines=["211", "513", "1", "", "3", "4"])
    turn = ran.out.partition("Player 1's Turn:\n")[2].splitlines()
    assert [line.partition("): ")[2] for line in turn[:2]] == ["***", "3 4"]
