"""The board as the control: what arrows, Enter, clicks and single keys choose on a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.plugins.packages import BLUFF, add_package
from tests.terminal.conftest import SitAtPage
from tests.terminal.faces.test_page import BOT, preferences, verdict
from tests.terminal.screen.at_page import LAST_PAGE, AtPage
from tests.terminal.whole_games import ALONE

ARROWS = str.maketrans({"↑": "\x1b[A", "↓": "\x1b[B", "→": "\x1b[C", "←": "\x1b[D"})

Choice = tuple[str, str, str]
"""A prompt, the arrows pressed at it, and the answer that they fill in."""

CODE, DIAL, NUMBER, CLUE = "1-5):", "(1-3):", "(1-30):", "of 3:"
MENU, CELL, REPLY, GUESS = "Enter 1 or 2:", "observe:", "(yes/no):", "Guess:"

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
        [[("1-3):", "↓↓→→↓↓", "2-1-3")], [("1-3):", "↓↑→↑", "3-3-1")]],
        [("1-3):", "↓", "1-1-1"), ("1-3):", "↓→↓→↑", "1-2-3"), ("1-3):", "↓↑→↑", "3-3-1")],
    ),
    "safe-code": (
        [
            [(NUMBER, "↓↓↓→→→→→", "18"), *[(CLUE, "→", "")] * 3],
            [(NUMBER, "→↓", "7"), *[(CLUE, "→", "")] * 3],
        ],
        [
            *[(MENU, "→", "1"), (MENU, "→→", "2"), (NUMBER, "→↓↓→→→", "16")],
            *[(MENU, "→→", "2"), (NUMBER, "→↓", "7")],
        ],
    ),
    "digit-deductions": (
        [[("1-9):", "→↑↑→→", "3-7")], [("1-9):", "→→", "5-6")]],
        [(GUESS, "↓", "5-5"), (GUESS, "↓↑↑", "3-5"), (GUESS, "↓→", "5-6")],
    ),
    "quantum-duel": (
        [],
        [
            *[(CELL, "→", "1"), (CELL, "→→→→→→", "7"), (CELL, "→", "2"), (REPLY, "→", "no")],
            *[(CELL, "→→→→", "6"), (REPLY, "→", "no"), (CELL, "→", "3"), (REPLY, "→", "no")],
            *[(CELL, "→→", "5"), (REPLY, "→", "no"), (CELL, "→", "4"), (REPLY, "→", "no")],
        ],
    ),
}
"""For each game, what is chosen in private, hand-over by hand-over, and then in turns."""


def chooses(person: AtPage, choice: Choice) -> None:
    """Press arrows at a prompt, see there what they chose, and confirm it."""
    prompt, arrows, answer = choice
    person.sees(prompt)
    person.presses(arrows.translate(ARROWS))
    # On a narrow page a clue's beginning is seen only above the prompt.
    person.shows(rf"{re.escape(prompt)}\s+{answer}" if answer else r"\[(?:The|It)")
    person.presses("\r")
    if prompt == CLUE:
        person.sees("Taken as: ", "another:")
        person.presses("\r")


CLOSING = {
    "safecracker-duel": "Updated Safe Combination: 3-4-2",
    "safe-cracker": "Feedback: 3 exact matches",
    "safe-code": "Congratulations, Player 1! You have cracked the safe.",
    "digit-deductions": "Player 1 Wins",
    "quantum-duel": "The chain is cells 1 to 4.",
}
NARROW, USUAL, WIDE = (40, 24), (80, 24), (200, 60)


@pytest.mark.parametrize(
    ("name", "size"),
    [*((name, size) for name in GAMES for size in (NARROW, USUAL)), ("safe-code", WIDE)],
)
def test_a_whole_game_is_played_with_arrows_and_enter_and_ends_with_the_words_of_its_book(
    at_page: SitAtPage, name: str, size: tuple[int, int]
) -> None:
    person = at_page("play", name, "--fast", size=size)
    private, turns = GAMES[name]
    for choices in private:
        person.answers(ALONE, "")
        for choice in choices:
            chooses(person, choice)
    for choice in turns:
        chooses(person, choice)
    person.sees(LAST_PAGE, "Game over: Player 1")
    if size == USUAL:
        assert CLOSING[name] in verdict(person)
        if name == "quantum-duel":
            assert not re.search("You have observed|unchallenged", verdict(person))
            looks = " ".join(str(span.style) for row in person.paper.rows for span in row.spans)
            assert re.search(r"bold[^,]*reverse", looks), "the chain that won lights up"
    person.presses("q", code=0)
    assert "Game over: Player 1" in person.printed


@pytest.mark.parametrize("name", [name for name in GAMES if GAMES[name][0]])
def test_a_secret_chosen_with_arrows_leaves_nothing_on_the_page(
    at_page: SitAtPage, name: str
) -> None:
    pages = []
    for arrows in ("", "→↓"):
        person = at_page("play", name, "--fast")
        person.answers(ALONE, "")
        (prompt, usual, _), *more = GAMES[name][0][0]
        person.sees(prompt)
        person.presses((usual + arrows).translate(ARROWS) + "\r")
        for choice in more:
            chooses(person, choice)
        person.sees("Player 2 is next, to choose in private.", ALONE)
        pages.append(person.paper.drawn[-1])
    assert pages[0] == pages[1]


def test_what_is_chosen_is_shown_before_and_typing_replaces_it(at_page: SitAtPage) -> None:
    person = at_page("play", "safecracker-duel", *BOT)
    person.answers(CODE, "342")
    person.presses("→→↑↑↑".translate(ARROWS))
    person.sees(f"{DIAL} 2 4", "Enter: Dial 2 → 4: the safe shows 1-4-1.")
    person.shows(r"│ 1 │ +│ 4 │ +│ 1 │")
    assert not re.search(r"1 +dial 2 → 4", person.shown), "nothing has happened yet"
    person.presses("\r")
    person.shows(r"1 +dial 2 → 4")
    person.presses("→→".translate(ARROWS) + "\r", "Enter new digit (1-5):")
    person.presses("↑↑".translate(ARROWS), "Enter new digit (1-5): 5")
    person.presses("\r")
    person.shows(r"3 +dial 2 → 5")
    person = at_page("play", "quantum-duel", "--fast")
    person.presses("→→→".translate(ARROWS), f"{CELL} 3")
    person.presses("2\r", "Player 1 observes cell 2.", CELL)
    person.presses("→→".translate(ARROWS), f"{CELL} 3")
    person.presses("\x1b")
    person.shows(rf"{CELL}\s*$")
    person.presses("\r", "Nothing typed.")


def test_an_added_game_without_a_board_is_played_by_choosing_among_its_moves(
    at_page: SitAtPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(add_package(tmp_path / "packages", "bluff", BLUFF))
    person = at_page("play", "bluff", "--fast")
    person.answers(ALONE, "")
    chooses(person, ("Claim a card (1 to 5):", "→→→", "3"))
    person.answers(ALONE, "")
    chooses(person, ("Believe or doubt?", "→→", "doubt"))
    person.sees(LAST_PAGE)


def test_commands_are_keys_after_escape_beginnings_and_tabs(at_page: SitAtPage) -> None:
    person = at_page("play", "quantum-duel", *BOT)
    person.sees("Esc single keys", CELL)
    person.presses("\x1b", "[? help]", "r rules", "h hint", "n notebook")
    person.presses("r", "Quantum Duel: the rules", "q back")
    person.presses("q", CELL)
    person.presses("\x1b")
    person.presses("5", f"{CELL} 5")
    for keys in ("\x7f?", "7\x1bOP", "\x1b[11~", "\x7fhelp\r"):
        person.presses(keys, "Keys and words", "hint      the best move", "Esc back")
        assert "notebook  what" not in person.shown, "nothing is hidden"
        person.presses("\x1b", f"{CELL} 7" if "7" in keys else CELL)
    person.presses("\x1b")
    person.presses("q", code=4)
    person = at_page("play", "quantum-duel", *BOT)
    for short in ("h", "hin", "HIN", "hint"):
        person.answers(CELL, short, "as Master plays", "Tab takes the hint: Cell ")
    cell = person.shows(r"▸(\d)")[1]
    person.presses("\t", f"{CELL} {cell}")
    person.presses("\r")
    person.shows(rf"(?m)^.* 1  {cell}\b")
    person = at_page("play", "quantum-duel", *BOT)
    person.presses("h\t", "help, hint, history")
    person.presses("is\t", f"{CELL} history")
    person.presses("\r", "Nothing has been played yet.")


@pytest.mark.parametrize(
    ("name", "lines", "prompt"),
    [
        ("safecracker-duel", ["342"], DIAL),
        ("safecracker-duel", ["342", "1"], "new digit (1-5):"),
        ("safe-cracker", ["312"], "1-3):"),
        ("safe-code", [], "1-30):"),
        ("safe-code", ["18", "even", "", "not 7", "", "not 9", ""], MENU),
        ("safe-code", ["18", "even", "", "not 7", "", "not 9", "", "2"], NUMBER),
        ("digit-deductions", ["37"], GUESS),
        ("quantum-duel --seat 2", ["7"], CELL),
    ],
)
def test_tab_takes_the_hint(at_page: SitAtPage, name: str, lines: list[str], prompt: str) -> None:
    person = at_page("play", *name.split(), *BOT)
    person.types(*lines)
    person.answers(prompt, "hint", "Tab takes the hint: ")
    before = len(person.paper.pages)
    person.presses("\t")
    person.presses("\r")
    assert "not accepted" not in "".join(person.paper.pages[before:])
    assert "Tab takes" not in person.shown


def test_a_hint_answers_no_question_that_is_not_about_the_move(at_page: SitAtPage) -> None:
    person = at_page("play", "safe-code", *BOT)
    person.types("18")
    person.answers("clue 1 of 3:", "hint", "Tab takes the hint: ")
    person.presses("\t")
    person.presses("\r", "Press Enter to keep it")
    assert "Tab takes" not in person.shown
    person = at_page("play", "safe-cracker", *BOT)
    person.types("312")
    person.answers("1-3):", "hint", "Tab takes the hint: ")
    person.answers("1-3):", "resign", "Resign?")
    assert "Tab takes" not in person.shown
    person.answers("Resign?", "no", "Tab takes the hint: ")


@pytest.mark.parametrize("size", [NARROW, USUAL])
def test_a_click_chooses_and_enter_takes_it(at_page: SitAtPage, size: tuple[int, int]) -> None:
    person = at_page("play", "quantum-duel", "--fast", size=size)
    person.clicks(r" 1 +2 +(3) +4 ")
    person.shows(r"observe: 3\s*$")
    assert "observes" not in person.shown, "a click confirms nothing"
    person.clicks(r" 1 +2 +▸3 +4 +(5) ")
    person.shows(r"observe: 5\s*$")
    person.presses("\r")
    person.shows(r"Player 1 observes\s+cell 5")
    person.clicks(r" 4 +[▲▸]?(5) ")
    person.clicks(r" (4) +[▲▸]?5 ")
    person.shows(r"observe: 4\s*$")
    person.clicks(r" ▸(4) +[▲▸]?5 ")
    person.shows(r"Player 2 observes\s+cell 4")
    person.clicks(r" 1 +(2) ")
    person.clicks(r"(Enter: Cell 2)")
    person.shows(r"Player 1 observes\s+cell 2")


CLICKED: dict[str, tuple[str, tuple[str, ...], list[tuple[str, str]]]] = {
    "an answer": (
        "quantum-duel",
        ("1", "7", "2"),
        [(r" no +(yes)", r"\(yes/no\): yes"), (r" (no) +\[yes", r"\(yes/no\): no")],
    ),
    "the dials of a code": (
        "safecracker-duel",
        (),
        [(r"│ 1 │ +│ (1) │ +│ 1 │", r"1-5\): 1-1-1"), (r"│ 1 │ +│ (1) │ +│ 1 │", r"1-5\): 1-2-1")],
    ),
    "a dial to turn": (
        "safecracker-duel",
        ("342",),
        [(r"│ 1 │ +│ 1 │ +│ (1) │", r"1-3\): 3 2"), (r"│ 1 │ +│ 1 │ +│ (2) │", r"1-3\): 3 3")],
    ),
    "a digit": ("safe-cracker", (), [(r"\n +1 +1 +1 .*\n +2 +2 +(2)", r"1-3\): 1-1-2")]),
    "a cell of the plane": ("digit-deductions", (), [(r" (37) ", r"1-9\): 3-7")]),
    "a number": ("safe-code", (), [(r" (18)\b", r"1-30\): 18")]),
}


@pytest.mark.parametrize("what", CLICKED)
def test_what_arrows_choose_is_clicked(at_page: SitAtPage, what: str) -> None:
    name, lines, clicks = CLICKED[what]
    person = at_page("play", name, *([] if name == "quantum-duel" else BOT), "--fast")
    person.types(*lines)
    for pattern, prompt in clicks:
        person.clicks(pattern)
        person.shows(rf"{prompt}\s*$")


def test_secrets_are_not_clicked_between_two_people_but_commands_are(at_page: SitAtPage) -> None:
    person = at_page("play", "safe-code", "--fast")
    person.answers(ALONE, "")
    person.clicks(r" (18)\b", "the pointer would stay where you clicked")
    person.shows(r"1-30\):\s*$")
    person = at_page("play", "quantum-duel", "--fast")
    person.clicks(r" (rules) ", "[r rules]")
    person.presses("\r", "Quantum Duel: the rules")
    person.presses("\x1b[<65;5;5M", "23 of")
    person.presses("q", CELL)


def test_the_set_up_page_leads_to_rules_and_games_and_comes_back(at_page: SitAtPage) -> None:
    person = at_page()
    person.presses("↓\t".translate(ARROWS), "Digit Deductions: the rules", "q back")
    person.presses("q")
    person.shows("› Digit Deductions +Find")
    person.presses("\r")
    person.answers("from 1-9):", "quit")
    person.shows("› Digit Deductions +Find")
    assert "Continue" not in person.shown, "nothing was chosen yet"
    person.presses("\r", "Welcome to Digit Deductions!")
    person.answers("from 1-9):", "47")
    person.answers("Input Guess:", "quit")
    person.shows(r"(?s)› Digit Deductions +Find.*Continue +Digit Deductions against Casual")
    person.presses("5↓↓\r".translate(ARROWS), "Back at Digit Deductions.")
    person.answers("Input Guess:", "quit")
    person.presses("3→1↓→↓↓\rAda↓Bob\r↑".translate(ARROWS))
    person.shows(r"(?s)› Hints.*")
    person.presses("\r", "Bob (X), it's your turn.")
    person.resigns("observe:")
    person.presses("q")
    person.shows(r"(?s)› Quantum Duel .*another person.*Esc leave")
    person.presses("q", code=0)
    assert "Saved. Resume with: " in person.printed
    assert "Game over: Ada won, because Bob resigned." in person.printed
    person = at_page()
    person.interrupts()
    assert person.code == 130


def test_rows_and_arrows_of_the_set_up_page_are_clicked(at_page: SitAtPage) -> None:
    person = at_page()
    person.clicks(r"(First) +you")
    person.clicks(r"› First ‹ (you) ›")
    person.clicks(r"› First ‹ your opponent (›)")
    person.clicks(r"› First (‹) a toss decides")
    person.shows("› First ‹ your opponent ›")
    person.clicks(r" (Quantum Duel) +Four")
    person.shows("› Quantum Duel")
    person.clicks(r"› Quantum Duel +(Four)", "Welcome to Quantum Duel!")


def test_without_the_mouse_no_click_chooses(at_page: SitAtPage, tmp_path: Path) -> None:
    for options in (["--no-mouse"], []):
        person = at_page("play", "quantum-duel", "--fast", *options)
        person.clicks(r" 1 +2 +(3) +4 ")
        person.presses("5")
        person.shows(rf"{CELL} 5\s*$")
    assert preferences(tmp_path)["mouse"] is False
