"""Two people at a real terminal: whole games, hidden entry, hand-over, keys, and poor screens."""

from __future__ import annotations

import re
import shlex
import termios
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.terminal import store

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Terminal

ALONE = "Press Enter when nobody else is looking: "
AGAIN = "Type it again to confirm: "
HIDE = "Press Enter to hide it: "
ANALYSIS = "Analyze the game? (yes/no): "
REMATCH = "Rematch with seats swapped? (yes/no): "
CLEARED = (b"\x1b[2J", b"\x1b[3J")
"""What clears a screen, and what clears the scroll-back above it."""


def chooses(terminal: Terminal, secret: str, prompt: str = "): ") -> None:
    """One person, alone at the screen, chooses a secret unseen."""
    terminal.answers(ALONE, "")
    terminal.answers(prompt, secret)
    terminal.answers(AGAIN, secret)


def turns(terminal: Terminal, prompt: str, *lines: str) -> None:
    for line in lines:
        terminal.answers(prompt, line)


def comes_to_the_rematch(terminal: Terminal) -> None:
    """A game that is solved is offered for analysis first, which nobody wants here."""
    if terminal.sees_either(ANALYSIS, REMATCH) == ANALYSIS:
        terminal.types("no")
        terminal.sees(REMATCH)


def leaves(terminal: Terminal) -> None:
    """Decline the rematch after a finished game."""
    comes_to_the_rematch(terminal)
    terminal.types("no")
    assert terminal.ends() == 0


def before_the_end(terminal: Terminal) -> str:
    return terminal.text.partition("Game over:")[0]


# --- a whole game of each kind --------------------------------------------------------------------


def test_a_whole_game_of_safecracker_duel(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel", "--names", "Ada", "Bob")
    chooses(terminal, "342")
    chooses(terminal, "513")
    terminal.answers(ALONE, "")
    terminal.answers("(1-3): ", "1 3")
    terminal.answers(ALONE, "")
    terminal.answers("(1-3): ", "2 2")
    terminal.answers("(1-3): ", "2")
    terminal.answers("(1-5): ", "4")
    turns(terminal, "(1-3): ", "3 3", "3 2")
    terminal.sees("Game over: Ada set the safe to the secret code.")
    terminal.sees("Ada's secret: 3-4-2", "Bob's secret: 5-1-3", "Turns: 5", "Score: Ada 1, Bob 0")
    comes_to_the_rematch(terminal)
    assert "342" not in before_the_end(terminal)
    assert not re.search(r"5-?1-?3", before_the_end(terminal))
    assert terminal.shown.count("position 2 to 4: 3-4-1") == 1, "the record stands beside the safe"
    terminal.types("no")
    assert terminal.ends() == 0


def test_a_whole_game_of_safe_cracker(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-cracker")
    chooses(terminal, "213")
    chooses(terminal, "331")
    turns(terminal, "from 1-3): ", "111", "122", "331")
    terminal.sees("Game over: Player 1 cracked the code.", "Player 1's secret: 2-1-3")
    assert not re.search(r"2-?1-?3", before_the_end(terminal))
    leaves(terminal)
    assert re.search(r"1-1-1: 1 exact match.*1-2-2: 0 exact matches", terminal.shown)


def test_a_whole_game_of_safe_code(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code")
    chooses(terminal, "23", "(1-30): ")
    for number, clue in enumerate(("odd", "prime", "greater than 20"), 1):
        terminal.answers(f"clue {number} of 3: ", clue)
    terminal.sees(ALONE)
    assert "greater than" not in terminal.everything, (
        "the clues were typed in the open, and cleared"
    )
    terminal.types("")
    terminal.answers("(1-30): ", "14")
    terminal.answers(AGAIN, "14")
    for number, clue in enumerate(("even", "divisible by 7", "less than 20"), 1):
        terminal.answers(f"clue {number} of 3: ", clue)
    terminal.answers("Enter 1 or 2: ", "1")
    terminal.sees('Player 2\'s Clue: "The number is even."')
    assert "divisible by 7" not in terminal.everything
    assert "prime" not in terminal.everything
    terminal.answers("Enter 1 or 2: ", "2")
    terminal.answers("(1-30): ", "16")
    terminal.answers("Enter 1 or 2: ", "guess 14")
    terminal.sees("Congratulations, Player 1! You have cracked the safe.", "Game over")
    assert not re.search(r"\b23\b", before_the_end(terminal))
    leaves(terminal)


def test_a_whole_game_of_digit_deductions(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions")
    chooses(terminal, "37")
    chooses(terminal, "56")
    turns(terminal, "Input Guess: ", "55", "35")
    terminal.sees("Input Guess: ")
    assert not re.search("3-?7|5-?6", terminal.text)
    terminal.types("56")
    terminal.sees("Player 1 Wins", "Game over: Player 1 guessed the secret number.")
    leaves(terminal)


def test_a_whole_game_of_quantum_duel_needs_no_hand_over(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel")
    for cell, challenged in zip("1726354", (0, 0, 1, 1, 1, 1, 1), strict=True):
        terminal.answers("observe: ", cell)
        if challenged:
            terminal.answers("(yes/no): ", "no")
    terminal.sees("Game over: Player 1 made an unbroken chain of 4.")
    leaves(terminal)
    assert ALONE not in terminal.text
    assert CLEARED[0] not in terminal.raw, "what both may see stays visible"


def test_a_whole_game_against_a_bot_needs_no_hand_over(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--vs", "random", "--seed", "2")
    terminal.answers("from 1-9): ", "r")
    terminal.sees("Picked for you: ")
    turns(terminal, "Input Guess: ", "55", "resign")
    terminal.answers("Resign? (yes/no): ", "yes")
    terminal.sees("Game over: Player 2 won by the opponent's resignation.")
    leaves(terminal)
    assert ALONE not in terminal.text


# --- hidden entry ---------------------------------------------------------------------------------


def test_a_secret_typed_shows_nothing_at_all(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions")
    terminal.answers(ALONE, "")
    terminal.sees("from 1-9): ")
    terminal.types("87")
    terminal.sees(AGAIN)
    (line,) = (each for each in terminal.shown.splitlines() if "choose your secret" in each)
    assert line.endswith("from 1-9):"), "not even stars, which would tell how long it is"
    terminal.types("87")
    terminal.sees(ALONE)
    assert "87" not in terminal.text


def test_two_entries_that_differ_choose_nothing_and_are_asked_again(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--save", "a.json")
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "87")
    terminal.answers(AGAIN, "78")
    terminal.sees("did not match")
    chooses_again = ("from 1-9): ", "96"), (AGAIN, "9 6")
    for prompt, line in chooses_again:
        terminal.answers(prompt, line)
    terminal.sees(" is next, to choose in private.")
    terminal.process.sendintr()
    assert terminal.ends() == 130
    assert not re.search("87|78|9 ?6", terminal.text.partition("Saved.")[0])
    file = Path(str(terminal.process.cwd)) / "a.json"
    assert [str(played.move) for played in store.read(file).moves] == ["9-6"]


def test_a_refused_secret_is_told_only_on_the_private_page(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions")
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "70")
    terminal.sees("Digits run from 1 to 9; you typed 0.")
    terminal.answers("from 1-9): ", "71")
    terminal.answers(AGAIN, "71")
    terminal.sees(ALONE)
    assert "you typed 0" not in terminal.everything


def test_a_secret_picked_at_random_is_shown_to_its_owner_and_then_hidden(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "safe-cracker", "--set", "digits=9", "--set", "length=6")
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "")
    terminal.sees("Picked for you: ")
    terminal.sees(HIDE)
    picked = re.search(r"Picked for you: (\S+)", terminal.shown)
    assert picked
    terminal.types("")
    terminal.sees(ALONE)
    assert "Picked" not in terminal.everything
    assert picked[1] not in terminal.everything


def test_the_secret_command_shows_it_on_a_private_page_and_clears_it(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions")
    chooses(terminal, "87")
    chooses(terminal, "65")
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
    terminal.sees("Player 2's Turn:", "Input Guess: ")


# --- hand-over ------------------------------------------------------------------------------------


def test_hand_over_clears_the_screen_and_its_scroll_back_between_private_parts(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "safe-code", rows=12)
    chooses(terminal, "23", "(1-30): ")
    # Enough refused and accepted clues to push private lines off the screen.
    for line in ("even", "divisible by 5", "less than 9", "help", "odd", "prime"):
        terminal.answers("of 3: ", line)
    terminal.sees("clue 3 of 3: ")
    assert terminal.scrolled.strip(), "something private has scrolled away"
    start = len(terminal.raw)
    terminal.types("greater than 20")
    terminal.sees(ALONE)
    between = bytes(terminal.raw[start:])
    for code in CLEARED:
        assert code in between
    assert terminal.scrolled.strip() == ""
    assert not re.search(r"\b23\b|prime|divisible|greater", terminal.everything)
    assert "Player 2 is next, to choose in private." in terminal.shown
    start = len(terminal.raw)
    terminal.types("")
    terminal.sees("(1-30): ")
    for code in CLEARED:
        assert code in bytes(terminal.raw[start:])


def test_a_refused_first_turn_is_told_on_a_private_page_that_is_cleared(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel")
    chooses(terminal, "211")
    chooses(terminal, "513")
    terminal.sees(" is next, and moves in private.")
    terminal.answers(ALONE, "")
    terminal.answers("(1-3): ", "1 2")
    terminal.sees("That would set the safe to your own code.")
    terminal.answers("(1-3): ", "3 4")
    terminal.sees(" is next, and moves in private.", ALONE)
    assert "own code" not in terminal.everything
    assert "1 2" not in terminal.everything
    assert "position 3 to 4: 1-1-4" in terminal.shown, "the turn itself is open"


def test_a_mistyped_first_turn_leaves_the_same_screen_as_a_refused_one(sit_down: SitDown) -> None:
    screens = []
    for line in ("1 2", "1 9"):
        terminal = sit_down("play", "safecracker-duel")
        chooses(terminal, "211")
        chooses(terminal, "513")
        terminal.answers(ALONE, "")
        terminal.answers("(1-3): ", line)
        terminal.answers("(1-3): ", "3 4")
        terminal.sees(" is next, ", ALONE)
        screens.append(terminal.everything)
    assert screens[0] == screens[1]


def test_leaving_on_a_private_page_clears_it(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code")
    chooses(terminal, "23", "(1-30): ")
    terminal.answers("clue 1 of 3: ", "greater than 20")
    terminal.answers("clue 2 of 3: ", "quit")
    assert terminal.ends() == 4
    assert "greater than" not in terminal.everything
    assert "Saved." in terminal.shown


def test_private_parts_are_cleared_though_the_output_goes_through_a_pipe(
    sit_down: SitDown,
) -> None:
    """As in `strongroom play safe-code | tee log`: the keyboard and the eyes are at a terminal."""
    terminal = sit_down("play", "safe-code", pipe="tee log")
    chooses(terminal, "23", "(1-30): ")
    for number, clue in enumerate(("odd", "prime", "greater than 20"), 1):
        terminal.answers(f"clue {number} of 3: ", clue)
    terminal.sees(" is next, ", ALONE)
    assert "greater than 20" not in terminal.everything


def test_a_secret_picked_at_random_does_not_go_down_a_pipe(
    sit_down: SitDown, tmp_path: Path
) -> None:
    terminal = sit_down("play", "digit-deductions", pipe="tee log")
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "r")
    terminal.sees("Picked for you: ", HIDE)
    terminal.types("")
    terminal.sees(ALONE)
    assert "Picked for you: " not in (tmp_path / "log").read_text()


# --- keys -----------------------------------------------------------------------------------------


def test_arrow_up_brings_back_nothing(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions")
    chooses(terminal, "87")
    chooses(terminal, "65")
    terminal.answers("Input Guess: ", "34")
    for _ in range(2):
        terminal.sees("Input Guess: ")
        start = len(terminal.raw)
        terminal.presses("\x1b[A\x1b[A\x10\r")  # twice up, then Ctrl-P
        terminal.sees("Nothing typed.")
        assert not re.search(rb"34|87|65", bytes(terminal.raw[start:]))
    terminal.answers("Input Guess: ", "43")
    terminal.sees("Feedback: ")


def test_arrow_keys_in_a_secret_are_no_part_of_it(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions")
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "8\x1b[A7")
    terminal.answers(AGAIN, "87")
    terminal.sees(" is next, to choose in private.")


def test_control_c_saves_exits_130_and_resume_finishes_the_game(
    sit_down: SitDown, games: Path
) -> None:
    terminal = sit_down("play", "digit-deductions")
    chooses(terminal, "37")
    chooses(terminal, "56")
    terminal.answers("Input Guess: ", "55")
    terminal.sees("Player 2's Turn:", "Input Guess: ")
    terminal.process.sendintr()
    assert terminal.ends() == 130
    (file,) = games.iterdir()
    again = sit_down("resume")
    again.answers("Input Guess: ", "35")
    again.answers("Input Guess: ", "56")
    again.sees("Player 1 Wins", "Player 1's secret: 3-7", "Turns: 3")
    leaves(again)
    assert store.read(file).outcome is not None


def test_the_resume_command_is_one_unbroken_line_that_can_be_copied(
    sit_down: SitDown, games: Path
) -> None:
    terminal = sit_down("play", "quantum-duel")
    terminal.answers("observe: ", "3")
    terminal.answers("observe: ", "quit")
    assert terminal.ends() == 4
    (file,) = games.iterdir()
    shown = re.search(r"Go on with: strongroom (.+)", terminal.text)
    assert shown
    assert shlex.split(shown[1]) == ["resume", str(file)]


def test_control_c_while_typing_a_secret_saves_and_gives_the_echo_back(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", shell=True)
    terminal.answers(ALONE, "")
    terminal.sees("from 1-9): ")
    assert not echo_is_on(terminal)
    terminal.presses("8")
    terminal.process.sendintr()
    terminal.sees("Saved.", "code=130")
    assert echo_is_on(terminal)
    terminal.types("")
    assert terminal.ends() == 0


def echo_is_on(terminal: Terminal) -> bool:
    flags: int = termios.tcgetattr(terminal.process.fileno())[3]
    return bool(flags & termios.ECHO)


def test_control_c_at_a_hand_over_page_saves(sit_down: SitDown, games: Path) -> None:
    terminal = sit_down("play", "safe-cracker")
    chooses(terminal, "213")
    terminal.sees(ALONE)
    terminal.process.sendintr()
    assert terminal.ends() == 130
    (file,) = games.iterdir()
    assert len(store.read(file).moves) == 1


@pytest.mark.parametrize("place", ["turn", "secret", "hand-over"])
def test_control_d_saves_and_exits_4(sit_down: SitDown, games: Path, place: str) -> None:
    terminal = sit_down("play", "quantum-duel" if place == "turn" else "digit-deductions")
    if place == "turn":
        terminal.sees("observe: ")
    else:
        terminal.sees(ALONE)
    if place == "secret":
        terminal.types("")
        terminal.sees("from 1-9): ")
    terminal.process.sendeof()
    assert terminal.ends() == 4
    assert "Saved. Go on with: strongroom resume" in terminal.text
    assert len([*games.iterdir()]) == 1


def test_control_c_in_the_menu_leaves_with_130(sit_down: SitDown) -> None:
    terminal = sit_down()
    terminal.sees("(or quit): ")
    terminal.process.sendintr()
    assert terminal.ends() == 130


# --- another game ---------------------------------------------------------------------------------


def test_a_rematch_swaps_the_seats_and_the_score_runs_on(sit_down: SitDown, games: Path) -> None:
    terminal = sit_down("play", "quantum-duel", "--names", "Ada", "Bob")
    for starter, other, score in (
        ("Ada", "Bob", "Score: Ada 0, Bob 1"),
        ("Bob", "Ada", "Score: Ada 1, Bob 1"),
        ("Ada", "Bob", "Score: Ada 1, Bob 2"),
    ):
        terminal.sees(f"{starter} (X), it's your turn.")
        terminal.answers("observe: ", "resign")
        terminal.answers("(yes/no): ", "yes")
        terminal.sees(f"Game over: {other} won by the opponent's resignation.", score)
        comes_to_the_rematch(terminal)
        terminal.types("y" if score != "Score: Ada 1, Bob 2" else "n")
    assert terminal.ends() == 0
    assert len([*games.iterdir()]) == 3


def test_a_rematch_is_not_tossed_for_again(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--seat", "toss", "--names", "Ada", "Bob")
    for again in ("y", "n"):
        terminal.answers("observe: ", "resign")
        terminal.answers("(yes/no): ", "yes")
        comes_to_the_rematch(terminal)
        terminal.types(again)
    assert terminal.ends() == 0
    assert bytes(terminal.raw).count(b"The toss: ") == 1


def test_the_menu_leads_to_a_game_at_the_terminal(sit_down: SitDown) -> None:
    terminal = sit_down()
    for line in ("quantum", "1", "2"):
        terminal.answers("(or quit): ", line)
    terminal.answers("Your name", "Ada")
    terminal.answers("The other's name", "Bob")
    terminal.sees("Bob (X), it's your turn.")
    terminal.answers("observe: ", "quit")
    assert terminal.ends() == 4


def test_names_with_brackets_are_shown_as_they_are(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--names", "[/red]", "[bold]Bob")
    terminal.sees("[/red] (X), it's your turn.")
    terminal.answers("observe: ", "3")
    terminal.sees("[bold]Bob (O), it's your turn.")
    assert terminal.shown.count("[bold]Bob") >= 2, "in the record's head too"
    terminal.answers("observe: ", "quit")
    assert terminal.ends() == 4


# --- poor screens ---------------------------------------------------------------------------------

COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-7]|38|4[0-7]|48|9[0-7]|10[0-7])(?:;\d+)*m")


def plays_a_little(terminal: Terminal) -> None:
    """A hand-over, an unseen entry, a refusal, the board, the record, and the end."""
    chooses(terminal, "342")
    chooses(terminal, "513")
    for line in ("1 3", "2 2"):
        terminal.answers(ALONE, "")
        terminal.answers("(1-3): ", line)
    turns(terminal, "(1-3): ", "9", "2 4", "board", "history", "resign")
    terminal.answers("Resign? (yes/no): ", "y")
    leaves(terminal)


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
    assert "342" not in before_the_end(terminal)
    assert "Updated Safe Combination: 3-4-1" in terminal.text


def test_a_dumb_terminal_pushes_private_lines_off_the_screen(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code", env={"TERM": "dumb"})
    chooses(terminal, "23", "(1-30): ")
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
    chooses(terminal, "213")
    chooses(terminal, "331")
    turns(terminal, "from 1-3): ", *["111"] * 40)
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


# --- what a stranger tried ------------------------------------------------------------------------


def test_control_z_does_not_bring_the_echo_back_while_a_secret_is_typed(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--vs", "random")
    terminal.sees("from 1-9): ")
    terminal.presses("\x1a")
    terminal.types("87")
    terminal.sees("Type it again to confirm: ")
    assert b"87" not in terminal.raw


def test_json_is_refused_at_a_keyboard(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code", "--json")
    terminal.sees("--json reads its lines from a script.")


def test_the_board_is_there_again_after_a_hint(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel")
    terminal.answers("want to observe: ", "4")
    terminal.answers("want to observe: ", "hint")
    terminal.answers(ALONE, "")
    terminal.answers(HIDE, "")
    terminal.sees("it's your turn.")
    assert " X " in terminal.shown
    assert "cell 4" in terminal.shown
