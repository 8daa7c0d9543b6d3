"""The drawn page: redrawn in place, at any size, and the shell's screen restored afterwards."""

from __future__ import annotations

import json
import re
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pexpect  # type: ignore[import-untyped]
import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean, SitDown, Terminal
    from tests.terminal.whole_games import Whole

ALONE = "looking:"
LAST_PAGE = "q leave"
SIZES = [(80, 24), (40, 24)]


def plays(terminal: Terminal, whole: Whole) -> None:
    """Two people play a game."""
    half = len(whole.set_up) // 2
    for secret, *clues in filter(None, (whole.set_up[:half], whole.set_up[half:])):
        terminal.chooses(secret)
        for clue in clues:
            terminal.writes("of 3: ", clue)
    for number, turn in enumerate(whole.turns):
        if whole.name == "safecracker-duel" and number < 2:
            terminal.answers(ALONE, "")
        for line in turn:
            terminal.answers(": ", line)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_whole_game_is_one_page_that_never_scrolls_and_restores_the_shells_screen(
    sit_down: SitDown, whole: Whole, columns: int, rows: int
) -> None:
    terminal = sit_down(
        "play", whole.name, "--fast", columns=columns, rows=rows, shell=True, before="seq 100"
    )
    plays(terminal, whole)
    terminal.sees(LAST_PAGE)
    assert terminal.screen.on_second_screen
    assert terminal.screen.scrolls == 0, "nothing ever scrolls on the page"
    terminal.presses("q")
    terminal.sees("code=0")
    assert not terminal.screen.on_second_screen
    above = terminal.everything
    assert re.findall(r"^\d+$", above, re.M) == [str(number) for number in range(1, 101)]
    assert "Game over: Player 1" in above
    assert "Record: " in above.replace("\n", "")
    assert "─" not in above, "nothing of the page is left"
    assert terminal.echo_is_on


OTHER_SECRETS = {
    "safecracker-duel": {"342": "352", "5 1 3": "5 2 3"},
    "safe-cracker": {"2-1-3": "2-2-2", "331": "221"},
    "safe-code": {"18": "12", "7": "3"},
    "digit-deductions": {"3 7": "3 3", "56": "65"},
}
"""Other secrets for which the same guesses get the same answers."""


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_with_other_secrets_every_byte_on_the_page_of_two_people_is_the_same(
    sit_down: SitDown, whole: Whole, columns: int, rows: int
) -> None:
    others = OTHER_SECRETS.get(whole.name)
    if others is None:
        pytest.skip("nothing is hidden in it")
    outputs = []
    for secrets in ({}, others):
        terminal = sit_down("play", whole.name, "--fast", columns=columns, rows=rows)
        set_up = tuple(secrets.get(line, line) for line in whole.set_up)
        plays(terminal, replace(whole, set_up=set_up, turns=whole.turns[:-1]))
        terminal.types("quit")
        assert terminal.ends() == 4
        outputs.append(bytes(terminal.raw).partition(b"Saved.")[0])
    assert outputs[0] == outputs[1]


def test_clues_and_codes_are_cleared_when_the_keyboard_is_handed_over(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code")
    terminal.chooses("23", "(1-30): ")
    terminal.answers("of 3: ", "even")
    for line in ("prime", "greater than 20", "odd"):
        terminal.writes("of 3: ", line)
    terminal.sees(ALONE)
    assert not re.search("prime|greater|odd|even", terminal.everything)
    assert "Player 2 is next, to choose in private." in terminal.shown


def test_a_secret_is_typed_as_dots_and_says_so(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions")
    terminal.answers(ALONE, "")
    terminal.sees("from 1-9): ")
    assert "Typing is hidden: each key shows a dot." in terminal.shown
    terminal.presses("8")
    terminal.sees("from 1-9): • ")
    terminal.presses("7")
    terminal.sees("from 1-9): •• ")


def test_a_second_enter_at_the_hand_over_picks_nothing(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions")
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "")
    terminal.sees("Nothing typed.")
    terminal.answers("from 1-9): ", "random")
    terminal.sees("Picked for you: ", 'or type "again" for another: ')
    terminal.types("again")
    terminal.sees("Picked for you: ", 'or type "again" for another: ')
    terminal.types("")
    terminal.sees("Player 2 is next")
    assert "Picked" not in terminal.everything


def test_alone_against_a_bot_the_secret_is_typed_once_and_stays_visible(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "safecracker-duel", "--vs", "casual", "--fast")
    terminal.answers("from 1-5): ", "342")
    terminal.sees("your code 3-4-2")
    terminal.sees("Enter position to change (1-3): ")
    terminal.presses("\x18")
    terminal.sees("your code hidden (^X)")
    assert "3-4-2" not in terminal.shown
    terminal.presses("\x18")
    terminal.sees("your code 3-4-2")


def test_a_bot_is_spoken_of_in_the_third_person(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--vs", "random", "--fast", "--seat", "2")
    terminal.sees("Random observes cell ")
    terminal.sees_either("Your turn (O).", "Do you want to challenge?")
    assert "You have observed" not in terminal.text


def test_the_record_of_a_long_game_scrolls_and_its_newest_turn_is_visible(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "safecracker-duel", "--no-aids")
    terminal.chooses("5 5 5")
    terminal.chooses("4 4 4")
    for turn in range(30):
        if turn < 2:
            terminal.answers(ALONE, "")
        terminal.answers("to change (1-3): ", f"1 {2 + turn % 2}")
    terminal.shows(r"30 +dial 1 → 3 +3-1-1")
    assert not re.search(r" 2 +dial 1 → 3 ", terminal.shown)
    assert "earlier" in terminal.shown
    terminal.presses("\x1b[5~")
    terminal.shows(r"(?s)\A(?!.*30 +dial).*25 +dial(?!.*26 +dial)")  # once the whole page is drawn
    assert terminal.screen.scrolls == 0


def test_a_resized_page_is_redrawn_at_once(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel")
    terminal.answers("want to observe: ", "3")
    terminal.sees("Player 2 (O), it's your turn.", "want to observe: ")
    for columns, rows in ((50, 18), (100, 30), (40, 15)):
        terminal.resizes(columns, rows)
        terminal.sees("Player 2 (O)", "observe:")
        assert "Quantum Duel" in terminal.shown.splitlines()[0]
        assert max(map(len, terminal.shown.splitlines())) <= columns
    terminal.types("4")
    terminal.sees("Player 1 (X), it's your turn.")


def test_the_line_can_be_edited(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel")
    terminal.sees("want to observe: ")
    terminal.presses("9\x7f6\x1b[D\x0b5\r")
    terminal.sees("Player 1 observes cell 5.")


def test_rules_open_in_a_pager_with_search_and_the_game_is_as_it_was(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel")
    terminal.answers("want to observe: ", "4")
    terminal.answers("want to observe: ", "rules")
    terminal.sees("Quantum Duel: the rules", "q back")
    assert "want to observe" not in terminal.shown
    terminal.presses("/coin\r")
    terminal.sees("coin")
    terminal.presses("/no such words\r")
    terminal.sees("Not found from here on.")
    terminal.presses("q")
    terminal.sees("want to observe: ")
    assert "│ X │" in terminal.shown
    assert "Player 2 (O), it's your turn." in terminal.shown


def test_a_refusal_replaces_the_announcement_and_then_disappears(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel")
    terminal.answers("want to observe: ", "9")
    terminal.sees("Cells run from 1 to 7; you typed 9.", "want to observe: ")
    terminal.types("4")
    terminal.sees("Player 1 observes cell 4.")
    assert "you typed 9" not in terminal.shown


def test_a_mistyped_command_is_asked_back(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel")
    terminal.answers("want to observe: ", "hitn")
    terminal.sees("Did you mean hint?")


def test_the_chain_that_won_lights_up(sit_down: SitDown, whole: Whole) -> None:
    if whole.name != "quantum-duel":
        pytest.skip("only one of them has a chain")
    terminal = sit_down("play", whole.name)
    plays(terminal, whole)
    terminal.sees(LAST_PAGE)
    assert b"\x1b[1;7;" in bytes(terminal.raw), "bold and reversed"


def test_the_last_page_offers_rematch_analysis_replay_and_saving(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--fast", "--vs", "random", "--seed", "1")
    terminal.answers("from 1-9): ", "37")
    terminal.answers("Input Guess: ", "resign")
    terminal.answers("Resign? (yes/no): ", "maybe")
    terminal.sees("'maybe' is neither yes nor no.")
    terminal.answers("Resign? (yes/no): ", "yes")
    terminal.sees("How it went", LAST_PAGE)
    assert "Random 1" in terminal.shown.splitlines()[0]
    terminal.presses("a")
    terminal.sees("what each move cost", "q back")
    terminal.presses("q")
    terminal.sees(LAST_PAGE)
    terminal.presses("p")
    terminal.sees("Moment 0 of ")
    terminal.presses("q")
    terminal.sees(LAST_PAGE)
    terminal.presses("s")
    terminal.sees("Save as (a file's name): ")
    assert "Game over: " in terminal.shown, "below the last page"
    assert "Resign?" not in terminal.shown
    terminal.types("mine.jsonl")
    terminal.sees(LAST_PAGE)
    terminal.presses("r")
    terminal.sees("Choose your secret number")
    assert "You 0   Random 1" in terminal.shown or "Random 1   You 0" in terminal.shown
    terminal.types("quit")
    assert terminal.ends() == 4
    assert "Saved to mine.jsonl" in terminal.shown
    assert "Saved. Resume with: " in terminal.shown


def test_the_score_survives_an_interrupt_and_resume(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast", "--names", "Ada", "Bob")
    terminal.answers("want to observe: ", "resign")
    terminal.answers("Resign? (yes/no): ", "yes")
    terminal.sees(LAST_PAGE)
    terminal.presses("r")
    terminal.sees("want to observe: ")
    terminal.interrupts()
    assert terminal.ends() == 130
    terminal = sit_down("resume")
    terminal.shows("Bob 1   Ada 0")
    terminal.shows("Bob .X., it's your turn.")


def test_ctrl_z_restores_the_shells_screen_and_resuming_redraws_the_page(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "quantum-duel", shell=True, before="set -m", after="fg")
    terminal.sees("want to observe: ")
    terminal.presses("\x1a")
    terminal.sees("code=")
    assert not terminal.screen.on_second_screen
    assert terminal.echo_is_on
    terminal.types("")
    terminal.sees("want to observe: ")
    assert terminal.screen.on_second_screen
    terminal.types("quit")
    terminal.sees("Saved. Resume with: ")


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_whatever_ends_the_game_removes_the_page(sit_down: SitDown, number: signal.Signals) -> None:
    terminal = sit_down("play", "safe-code")
    terminal.chooses("23", "(1-30): ")
    terminal.writes("of 3: ", "greater than 20")
    terminal.sees("clue 2 of 3: ")
    terminal.rests()
    terminal.process.kill(number)
    terminal.process.expect(pexpect.EOF)
    assert not terminal.screen.on_second_screen
    assert not re.search("greater", terminal.everything)


def test_no_motion_is_remembered_and_a_bot_is_still_seen_thinking(
    sit_down: SitDown, clean: Clean
) -> None:
    terminal = sit_down("play", "quantum-duel", "--vs", "random", "--no-motion")
    terminal.answers("want to observe: ", "1")
    terminal.sees("Random is thinking...")
    terminal.sees("Random observes cell ")
    terminal.interrupts()
    assert terminal.ends() == 130
    kept = Path(clean()["XDG_CONFIG_HOME"]) / "strongroom" / "preferences.json"
    assert json.loads(kept.read_text())["motion"] is False


def test_a_long_paste_is_read_as_a_whole_and_refused(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel")
    terminal.sees("want to observe: ")
    terminal.presses("7" * 1000 + "\r")
    terminal.shows("A line has at most 200 characters.")


@pytest.mark.parametrize("face", [["--plain"], ["--fast"]], ids=["plain", "page"])
def test_every_clue_is_read_back_before_the_hand_over_and_can_be_rewritten(
    sit_down: SitDown, face: list[str]
) -> None:
    terminal = sit_down("play", "safe-code", *face)
    terminal.chooses("23", "(1-30): ")
    terminal.writes("clue 1 of 3: ", "it is over twenty")
    terminal.writes("clue 2 of 3: ", "not even")
    terminal.answers("clue 3 of 3: ", "prime")
    terminal.sees("Taken as: The number is a prime.")
    assert "Player 2" not in terminal.shown.split("Taken as")[1]
    terminal.answers("keep it", "agin")
    terminal.sees("That is neither Enter nor again.")
    terminal.answers("keep it", "again")
    terminal.answers("clue 3 of 3: ", "two digits")
    terminal.sees("Taken as: The number has two digits.")
    terminal.answers("keep it", "")
    terminal.sees(ALONE)
    assert "two digits" not in terminal.everything
    terminal.process.sendintr()
    terminal.ends()


def verdict(terminal: Terminal) -> str:
    """The framed result on the last page, in one line."""
    terminal.shows(r"(?m)[╰└]─{9,}╯ *$")
    framed = [re.findall(r"│ ([^│]*) │$", line) for line in terminal.shown.splitlines()]
    return " ".join(" ".join(text for (text,) in filter(None, framed)).split())


CLOSING = {
    "safecracker-duel": "Updated Safe Combination: 3-4-2",
    "safe-cracker": "Feedback: 3 exact matches",
    "safe-code": "Congratulations, Player 1! You have cracked the safe.",
    "digit-deductions": "Player 1 Wins",
    "quantum-duel": "Player 1 (X) wins with cells 1 to 4.",
}
"""The closing words of the rule books."""


def test_the_last_page_mentions_no_secrets_where_there_are_none(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--fast")
    for cell in ("1", "7"):
        terminal.answers("observe: ", cell)
    terminal.answers("observe: ", "resign")
    terminal.answers("Resign? (yes/no): ", "yes")
    terminal.sees(LAST_PAGE)
    terminal.shows("How it went: Player 1's chance to win *\n")
    assert "secret" not in terminal.shown


def test_the_last_page_shows_the_feedback_to_the_players_guess_though_the_bot_ended_the_game(
    sit_down: SitDown,
) -> None:
    game = ("play", "safe-cracker", "--set", "attempts=1")
    terminal = sit_down(*game, "--fast", "--vs", "random", "--seed", "1")
    terminal.answers("from 1-3): ", "213")
    terminal.answers("Enter your guess", "111")
    terminal.sees(LAST_PAGE)
    told = verdict(terminal)
    assert re.search(r"Your last turn: 1-1-1: \d exact", told)
    assert re.search(r"Random guesses \d-\d-\d\. Feedback: \d exact match", told)


def test_the_last_page_has_the_result_as_text_without_secrets(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--fast", "--vs", "random", "--seed", "1")
    terminal.answers("from 1-9): ", "37")
    terminal.answers("Input Guess: ", "55")
    terminal.answers("Input Guess: ", "resign")
    terminal.answers("Resign? (yes/no): ", "yes")
    terminal.sees("Play, out of 100: You ")
    terminal.presses("c")
    terminal.sees("The result, to copy")
    terminal.shows("(?s)strongroom: Digit Deductions.*resigned.*Turns: 2.*Play, out of 100: You")
    assert "3-7" not in terminal.shown


def test_a_position_that_comes_up_three_times_is_named_once(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel", "--fast")
    terminal.chooses("555")
    terminal.chooses("444")
    # After the first turn it was not yet known that nobody hides 1-1-1.
    for turn, line in enumerate(("1 2", "1 1", "1 2", "1 1", "1 2", "1 1", "1 2")):
        if turn < 2:
            terminal.answers(ALONE, "")
        terminal.answers("(1-3): ", line)
    terminal.sees("This position has now come up three times.")
    terminal.answers("(1-3): ", "1 1")
    terminal.shows(r"(?s) 8 +dial 1 → 1.*Player 1's Turn")
    assert "three times" not in terminal.shown


def test_a_refused_line_does_not_stay_above_the_prompt(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safecracker-duel", "--fast", "--vs", "random", "--seed", "1")
    terminal.answers("from 1-5): ", "342")
    terminal.answers("(1-3): ", "1")
    terminal.sees("(1-5): ")
    for line in ("9", "x", "7"):
        terminal.types(line)
        terminal.shows(rf"(?s)'{line}' is not a digit from 1 to 5.*\(1-5\): *$")
    assert terminal.shown.count("Enter new digit (1-5):") == 1


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_board_keeps_its_column_when_the_count_comes(
    sit_down: SitDown, columns: int, rows: int
) -> None:
    game = ("play", "safecracker-duel", "--fast", "--vs", "random", "--seed", "1")
    terminal = sit_down(*game, columns=columns, rows=rows)
    terminal.answers("from 1-5): ", "342")
    terminal.shows(r"(?s)Your turn.*\(1-3\):")
    (before,) = {line.index("╭") for line in terminal.shown.splitlines() if "╭" in line}
    terminal.types("1 5")
    terminal.shows(r"Random can have \d+ of 125")
    (after,) = {line.index("╭") for line in terminal.shown.splitlines() if "╭" in line}
    assert before == after


@pytest.mark.parametrize(
    ("game", "set_up", "prompt"),
    [
        (("safe-cracker",), "213", "Enter your guess"),
        (("digit-deductions",), "37", "Input Guess: "),
    ],
    ids=["safe-cracker", "digit-deductions"],
)
def test_the_last_page_shows_the_loser_the_winning_board(
    sit_down: SitDown, game: tuple[str, ...], set_up: str, prompt: str
) -> None:
    terminal = sit_down("play", *game, "--fast", "--vs", "master", "--seed", "1")
    terminal.answers("): ", set_up)
    while terminal.sees_either(prompt, LAST_PAGE) == prompt:
        terminal.types("11" if game[0] == "digit-deductions" else "111")
    assert "Game over: Master" in terminal.shown
    lit = re.findall(r"\[ ?(\d+)\]", terminal.shown.partition("How it went")[0])
    assert (
        "".join(lit) == set_up if game[0] == "digit-deductions" else sorted(lit) == ["1", "2", "3"]
    )


def test_the_result_of_quantum_duel_speaks_of_nobody_as_you_between_two_people(
    sit_down: SitDown, whole: Whole
) -> None:
    if whole.name != "quantum-duel":
        pytest.skip("it is about one game")
    terminal = sit_down("play", whole.name, "--fast", "--names", "Ada", "Bob")
    plays(terminal, whole)
    terminal.sees(LAST_PAGE)
    assert "wins with cells" in verdict(terminal)
    assert "You have observed" not in verdict(terminal)
    assert "unchallenged" not in verdict(terminal)


def test_the_closing_words_of_the_book_stay_on_the_last_page(
    sit_down: SitDown, whole: Whole
) -> None:
    terminal = sit_down("play", whole.name, "--fast")
    plays(terminal, whole)
    terminal.sees(LAST_PAGE)
    assert CLOSING[whole.name] in verdict(terminal)
    assert "Game over: " in terminal.shown
    terminal.presses("q")
    assert terminal.ends() == 0
