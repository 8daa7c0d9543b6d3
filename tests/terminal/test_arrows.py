"""The board as the control: whole games by arrows and Enter alone, and what arrows show."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Terminal

ALONE = "looking:"
LAST_PAGE = "q leave"
BLUFF = Path(__file__).parents[2] / "examples" / "bluff"
ARROWS = {"↑": "\x1b[A", "↓": "\x1b[B", "→": "\x1b[C", "←": "\x1b[D"}

Choice = tuple[str, str, str]
"""A prompt, the arrows pressed at it, and the answer that they fill in."""

CODE, DIAL, NUMBER, CLUE = "1-5): ", "(1-3): ", "(1-30): ", "of 3: "
MENU, CELL, REPLY = "Enter 1 or 2: ", "observe: ", "(yes/no): "

GAMES: dict[str, tuple[list[list[Choice]], list[Choice]]] = {
    "safecracker-duel": (
        [
            [(CODE, "↑↑↑→↑↑↑→↑", "3-4-2")],
            [(CODE, "↑↓→→↑↑", "5-1-3")],
            [(DIAL, "→↑↑", "1 3")],
            [(DIAL, "→→↑", "2 2")],
        ],
        [(DIAL, "→→↑↑", "2 4"), (DIAL, "→→→↑↑", "3 3"), (DIAL, "→→→↓", "3 2")],
    ),
    "safe-cracker": (
        [
            [("1-3): ", "↓↓→→↓↓", "2-1-3")],
            [("1-3): ", "↓↑→↑", "3-3-1")],
        ],
        [
            ("1-3): ", "↓", "1-1-1"),
            ("1-3): ", "↓→↓→↑", "1-2-3"),
            ("1-3): ", "↓↑→↑", "3-3-1"),
        ],
    ),
    "safe-code": (
        [
            [(NUMBER, "↓↓↓→→→→→", "18"), *[(CLUE, "→", "")] * 3],
            [(NUMBER, "→↓", "7"), *[(CLUE, "→", "")] * 3],
        ],
        [
            (MENU, "→", "1"),
            (MENU, "→→", "2"),
            (NUMBER, "→↓↓→→→", "16"),
            (MENU, "→→", "2"),
            (NUMBER, "→↓", "7"),
        ],
    ),
    "digit-deductions": (
        [[("1-9): ", "→↑↑→→", "3-7")], [("1-9): ", "→→", "5-6")]],
        [
            ("Guess: ", "↓", "5-5"),
            ("Guess: ", "↓↑↑", "3-5"),
            ("Guess: ", "↓→", "5-6"),
        ],
    ),
    "quantum-duel": (
        [],
        [
            (CELL, "→", "1"),
            (CELL, "→→→→→→", "7"),
            (CELL, "→", "2"),
            (REPLY, "→", "no"),
            (CELL, "→→→→", "6"),
            (REPLY, "→", "no"),
            (CELL, "→", "3"),
            (REPLY, "→", "no"),
            (CELL, "→→", "5"),
            (REPLY, "→", "no"),
            (CELL, "→", "4"),
            (REPLY, "→", "no"),
        ],
    ),
}
"""For each game, what is chosen in private, hand-over by hand-over, and then in turns."""


def chooses(terminal: Terminal, choice: Choice) -> None:
    """Press arrows at a prompt, see there what they chose, and confirm it."""
    prompt, arrows, answer = choice
    terminal.sees(prompt.strip())
    terminal.presses("".join(map(ARROWS.__getitem__, arrows)))
    # On a narrow page a clue's beginning is seen only above the prompt.
    terminal.shows(rf"{re.escape(prompt.strip())}\s+{answer}" if answer else r"\[(?:The|It)")
    terminal.presses("\r")
    if prompt == CLUE:
        terminal.sees("Taken as: ", "another:")
        terminal.presses("\r")


def plays(terminal: Terminal, name: str) -> None:
    """Two people play a whole game without typing a character."""
    private, turns = GAMES[name]
    for choices in private:
        terminal.answers(ALONE, "")
        for choice in choices:
            chooses(terminal, choice)
    for choice in turns:
        chooses(terminal, choice)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played_with_arrows_and_enter_alone(
    sit_down: SitDown, name: str, columns: int, rows: int
) -> None:
    terminal = sit_down("play", name, "--fast", columns=columns, rows=rows)
    plays(terminal, name)
    terminal.sees(LAST_PAGE)
    terminal.shows("Game over: Player 1")
    assert terminal.screen.scrolls == 0
    terminal.presses("q")
    assert terminal.ends() == 0


def test_what_is_chosen_is_shown_on_the_board_and_at_the_prompt_before_it_happens(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "safecracker-duel", "--vs", "random", "--fast", "--seed", "1")
    terminal.answers(CODE, "342")
    terminal.sees(DIAL)
    terminal.presses(ARROWS["→"] * 2 + ARROWS["↑"] * 3)
    terminal.sees(f"{DIAL}2 4")
    terminal.shows(r"│ 1 │ +│ 4 │ +│ 1 │")
    assert "Enter: Dial 2 → 4: the safe shows 1-4-1." in terminal.shown
    assert not re.search(r"1 +dial 2 → 4", terminal.shown), "nothing has happened yet"
    terminal.presses("\r")
    terminal.shows(r"1 +dial 2 → 4")


def test_a_position_alone_leads_to_the_second_question_of_the_book(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel", "--vs", "random", "--fast", "--seed", "1")
    terminal.answers(CODE, "342")
    terminal.sees(DIAL)
    terminal.presses(ARROWS["→"] * 2 + "\r")
    terminal.sees("Enter new digit (1-5): ")
    terminal.presses(ARROWS["↑"] * 2)
    terminal.sees("Enter new digit (1-5): 3")
    terminal.presses("\r")
    terminal.shows(r"1 +dial 2 → 3")


def test_typing_replaces_what_arrows_chose_and_escape_takes_it_back(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    terminal.sees(CELL)
    terminal.presses(ARROWS["→"] * 3)
    terminal.sees(f"{CELL}3")
    terminal.presses("5\r")
    terminal.sees("Player 1 observes cell 5.", CELL)
    terminal.presses(ARROWS["→"])
    terminal.sees(f"{CELL}1")
    terminal.presses("\x1b")
    terminal.shows(rf"{CELL}?\s*$")
    terminal.presses("\r")
    terminal.sees("Nothing typed.")


def test_a_taken_cell_is_passed_over(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    terminal.answers(CELL, "2")
    terminal.sees("Player 1 observes cell 2.", CELL)
    terminal.presses(ARROWS["→"] * 2)
    terminal.sees(f"{CELL}3")


@pytest.mark.parametrize("name", [name for name in GAMES if GAMES[name][0]])
def test_a_secret_chosen_with_arrows_leaves_nothing_on_the_page_of_two_people(
    sit_down: SitDown, name: str
) -> None:
    screens = []
    for arrows in ("", "→↓"):
        terminal = sit_down("play", name, "--fast")
        terminal.answers(ALONE, "")
        (prompt, usual, _), *more = GAMES[name][0][0]
        terminal.sees(prompt)
        terminal.presses("".join(map(ARROWS.__getitem__, usual + arrows)) + "\r")
        for choice in more:
            chooses(terminal, choice)
        terminal.sees("Player 2 is next, to choose in private.", ALONE)
        screens.append(cells(terminal))
        assert not terminal.scrolled.strip()
    assert screens[0] == screens[1]


def cells(terminal: Terminal) -> list[list[Any]]:
    """Every character on the screen, with its colours."""
    screen = terminal.screen
    return [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]


def test_an_added_game_without_a_board_is_played_by_choosing_among_its_moves(
    sit_down: SitDown, tmp_path: Path
) -> None:
    points = tmp_path / "packages" / "bluff-1.dist-info" / "entry_points.txt"
    points.parent.mkdir(parents=True)
    points.write_text("[strongroom.games]\nbluff = strongroom_bluff.game:Bluff\n")
    folders = (str(points.parent.parent), str(BLUFF), os.environ.get("PYTHONPATH", ""))
    env = {"PYTHONPATH": os.pathsep.join(folders)}
    terminal = sit_down("play", "bluff", "--fast", env=env)
    terminal.answers(ALONE, "")
    chooses(terminal, ("Claim a card (1 to 5): ", "→→→", "3"))
    terminal.answers(ALONE, "")
    chooses(terminal, ("Believe or doubt? ", "→→", "doubt"))
    terminal.sees(LAST_PAGE)


# --- commands -------------------------------------------------------------------------------------


def test_after_escape_a_single_key_gives_a_command_and_the_bar_says_which(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast", "--vs", "random")
    terminal.sees("Esc keys", CELL)
    terminal.presses("\x1b")
    terminal.sees("[? help]", "r rules", "h hint")
    terminal.presses("r")
    terminal.sees("Quantum Duel: the rules", "q back")
    terminal.presses("q")
    terminal.sees(CELL)
    terminal.presses("\x1b")
    terminal.sees("q quit")
    terminal.presses("q")
    assert terminal.ends() == 4


def test_after_escape_a_key_that_gives_no_command_is_typed(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    terminal.sees("Esc keys", CELL)
    terminal.presses("\x1b")
    terminal.sees("[? help]")
    terminal.presses("5")
    terminal.shows(rf"{CELL}5")
    terminal.presses("\r")
    terminal.sees("Player 1 observes cell 5.")


def test_a_question_mark_shows_the_help_at_once(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    terminal.sees(CELL)
    terminal.presses("?")
    terminal.sees("At every prompt: help, rules")


@pytest.mark.parametrize("short", ["h", "hin", "HIN"])
@pytest.mark.parametrize("face", [["--plain"], ["--fast"]], ids=["plain", "page"])
def test_the_beginning_of_a_command_is_the_command(
    sit_down: SitDown, face: list[str], short: str
) -> None:
    terminal = sit_down("play", "quantum-duel", *face, "--vs", "random")
    terminal.answers(CELL, short)
    terminal.sees("certified")


def test_tab_takes_a_hint_that_is_marked_on_the_board(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast", "--vs", "random")
    terminal.answers(CELL, "hint")
    terminal.sees("Tab takes the hint: Cell ")
    (cell,) = re.findall(r"▸(\d)", terminal.shown)
    terminal.presses("\t")
    terminal.shows(rf"{CELL}{cell}")
    terminal.presses("\r")
    terminal.shows(rf"(?m)^.* 1  {cell}\b")


def test_a_hint_leaves_no_mark_on_the_board_of_two_people(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast", "--aids")
    terminal.answers(CELL, "hint")
    terminal.answers(ALONE, "")
    terminal.answers("hide it: ", "")
    terminal.sees(CELL)
    assert "Tab takes" not in terminal.text
    assert "▸" not in terminal.shown


def test_tab_completes_a_command_or_says_what_it_could_be(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast", "--vs", "random")
    terminal.sees(CELL)
    terminal.presses("h\t")
    terminal.sees("help, hint, history")
    terminal.presses("is\t")
    terminal.sees(f"{CELL}history")
    terminal.presses("\r")
    terminal.sees("Nothing has been played yet.")
