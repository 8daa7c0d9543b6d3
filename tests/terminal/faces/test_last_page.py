"""The last page: how the game ended, how it went, and what can be done with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from strongroom.contract import Seat
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.terminal.faces import page
from strongroom.terminal.faces.face import Wish
from tests.terminal.faces.test_page import plays
from tests.terminal.screen.at_page import LAST_PAGE, AtPage
from tests.terminal.screen.paper import Paper
from tests.terminal.whole_games import WHOLE, Whole

if TYPE_CHECKING:
    from tests.terminal.faces.conftest import SitAtPage

BOT = ("--vs", "random", "--seed", "1", "--fast")
CLOSING = {
    "safecracker-duel": "Updated Safe Combination: 3-4-2",
    "safe-cracker": "Feedback: 3 exact matches",
    "safe-code": "Congratulations, Player 1! You have cracked the safe.",
    "digit-deductions": "Player 1 Wins",
    "quantum-duel": "Player 1 (X) wins with cells 1 to 4.",
}
"""The closing words of the rule books."""


def verdict(person: AtPage) -> str:
    """The framed result, in one line."""
    person.shows(r"(?m)[╰└]─{9,}╯ *$")
    framed = [re.findall(r"│ ([^│]*) │$", line) for line in person.shown.splitlines()]
    return " ".join(" ".join(text for (text,) in filter(None, framed)).split())


@pytest.mark.parametrize("whole", WHOLE, ids=lambda whole: whole.name)
def test_the_closing_words_of_the_book_stay_on_the_last_page(
    at_page: SitAtPage, whole: Whole
) -> None:
    person = at_page("play", whole.name, "--fast")
    plays(person, whole)
    person.sees(LAST_PAGE, "Game over: Player 1")
    assert CLOSING[whole.name] in verdict(person)
    if whole.name == "quantum-duel":
        assert not re.search("You have observed|unchallenged", verdict(person))
        looks = " ".join(str(span.style) for row in person.paper.rows for span in row.spans)
        assert re.search(r"bold[^,]*reverse", looks), "the chain that won lights up"
    person.presses("q")
    assert person.code == 0
    assert "Game over: Player 1" in person.printed


def test_it_offers_rematch_analysis_replay_the_result_and_saving(at_page: SitAtPage) -> None:
    person = at_page("play", "digit-deductions", *BOT)
    person.answers("from 1-9):", "37")
    person.answers("Input Guess:", "55")
    person.answers("Input Guess:", "resign")
    person.answers("Resign? (yes/no):", "maybe", "'maybe' is neither yes nor no.")
    person.answers("Resign? (yes/no):", "yes", "How it went", "Play, out of 100: You ", LAST_PAGE)
    assert "Random 1" in person.shown.splitlines()[0]
    for key, shown in (
        ("a", "what each move cost"),
        ("p", "Moment 0 of "),
        ("c", r"(?s)to copy.*strongroom: Digit Deductions.*resigned.*Turns: 2.*Play, out of 100"),
    ):
        person.presses(key)
        person.shows(shown)
        assert key != "c" or "3-7" not in person.shown
        person.presses("q", LAST_PAGE)
    person.presses("s", "Save as (a file's name):", "Game over: ")
    assert "Resign?" not in person.shown
    person.types("mine.jsonl")
    person.sees(LAST_PAGE)
    person.presses("r", "Choose your secret number")
    person.shows("You 0   Random 1|Random 1   You 0")
    person.types("quit")
    assert person.code == 4
    assert "Saved to mine.jsonl" in person.printed
    assert "Saved. Resume with: " in person.printed


def test_it_is_clicked_or_walked_with_arrows_and_mentions_no_secrets_where_there_are_none(
    at_page: SitAtPage,
) -> None:
    person = at_page("play", "quantum-duel", "--fast")
    person.turns("observe:", "1", "7")
    person.resigns("observe:")
    person.shows("How it went: Player 1's chance to win *\n")
    assert "secret" not in person.shown
    person.clicks(r"(p replay)", "[p replay]")
    person.presses("\x1b[C", "[s save as]")
    person.clicks(r"q (leave)", "[q leave]")
    person.presses("\r")
    assert person.code == 0


def test_the_players_guess_has_its_feedback_though_the_bot_ended_the_game(
    at_page: SitAtPage,
) -> None:
    person = at_page("play", "safe-cracker", "--set", "attempts=1", *BOT)
    person.answers("from 1-3):", "213")
    person.answers("Enter your guess", "111", LAST_PAGE)
    assert re.search(r"Your last turn: 1-1-1: \d exact", verdict(person))
    assert re.search(r"Random guesses \d-\d-\d\. Feedback: \d exact match", verdict(person))


@pytest.mark.parametrize(("name", "secret"), [("safe-cracker", "213"), ("digit-deductions", "37")])
def test_it_shows_the_loser_the_winning_board(at_page: SitAtPage, name: str, secret: str) -> None:
    person = at_page("play", name, "--fast", "--vs", "master", "--seed", "1")
    person.answers("):", secret)
    while LAST_PAGE not in person.shown:
        person.types("1" * len(secret))
    person.sees("Game over: Master")
    lit = re.findall(r"\[ ?(\d+)\]", person.shown.partition("How it went")[0])
    assert sorted("".join(lit)) == sorted(secret)


# --- without a command ----------------------------------------------------------------------------


def resigned(
    face: page.PageFace, size: tuple[int, int], *moves: str, name: str = "quantum-duel"
) -> str:
    """The last page of a game that is resigned after these moves."""
    game = load(name)
    face.forget()
    face.words, face.display = game.words, Paper(size=size)
    match = Match.start(game)
    for move in moves:
        assert isinstance(match.actor, Seat)
        match, _ = match.step(match.actor, game.move(move))
    match = match.resign(Seat.ONE)
    face.ended(match.view(None), face.the_end(match.view(None)))
    face.display.press("q")
    assert face.wish(match.record, analysis=True) is Wish.LEAVE
    return face.display.page


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_curve_stands_beside_the_board_where_there_is_room_and_below_it_elsewhere(
    face: page.PageFace, size: tuple[int, int]
) -> None:
    rows = resigned(face, size, "1", "7", "2", "no", "6", "no", "3", "no", "5", "no").split("\n")
    board = next(row for row, text in enumerate(rows) if text.count("╭──") >= 7)
    (headed,) = (row for row, text in enumerate(rows) if "How it went" in text)
    (ended,) = (row for row, text in enumerate(rows) if "Game over" in text)
    assert ended < headed, "the verdict comes first"
    assert (headed < board + 5) == (size[0] >= 110)
    without_a_turn = resigned(face, size)
    assert "Game over" in without_a_turn
    assert "How it went" not in without_a_turn


def test_after_a_long_game_it_keeps_its_choices(face: page.PageFace) -> None:
    moves = ["5-5-5", "5-5-4", *["1 2", "1 3", "1 4"] * 40]
    for size in ((40, 24), (80, 24), (120, 40)):
        shown = resigned(face, size, *moves, name="safecracker-duel")
        assert LAST_PAGE in shown.split("\n")[-1]
