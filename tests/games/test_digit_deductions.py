"""Digit Deductions: the book's games and every ruling."""

from __future__ import annotations

from itertools import product

import pytest

from strongroom.contract import NotLegal, NotUnderstood, Seat
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import DigitDeductions, Guessed
from strongroom.testing.perft import after

NAME = "digit-deductions"


@pytest.mark.parametrize(
    ("secrets", "turns"),
    [
        (("4-7", "6-5"), {"5-5": 1, "3-9": 3, "6-5": 0}),
        (("8-3", "2-9"), {"5-5": 7, "7-4": 2, "2-8": 1, "8-2": 1, "2-9": 0}),
        (("3-7", "5-6"), {"5-5": 1, "3-5": 2, "5-6": 0}),
    ],
    ids=["basic gameplay", "strategic deduction", "at the command line"],
)
def test_the_books_example_games(secrets: tuple[str, str], turns: dict[str, int]) -> None:
    assert after(NAME, *secrets, *[*turns][:-1]).outcome is None
    over = after(NAME, *secrets, *turns)
    assert [event.answer for event in over.log] == [*turns.values()]
    assert [event.actor for event in over.log] == [*[Seat.ONE, Seat.TWO] * 2, Seat.ONE][
        -len(turns) :
    ]
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.reason) == (Seat.ONE, Guessed.GUESSED)
    assert (over.actor, over.moves) == (None, ())


def test_the_books_command_line_example_in_words() -> None:
    state = after(NAME, "3-7", "5-6")
    said = []
    for line in ("5 5", "3 5", "5 6"):
        assert isinstance(state.actor, Seat)
        view = state.view(state.actor)
        question = state.game.words.question(view)
        assert question.heading == f"Player {state.actor.value}'s Turn:"
        assert question.prompt == "Input Guess: "
        state = state.play(state.game.words.parse(line, view))
        said.append(state.game.words.say(state.view(None)))
    assert said == ["Feedback: 1", "Feedback: 2", "Feedback: 0\nPlayer 1 Wins"]


def test_the_feedback_is_the_number_of_single_steps_from_guess_to_secret() -> None:
    assert DigitDeductions().answer(Code((5, 7)), Code((6, 8))) == 2, "the book's example"
    for a, b, c, d in product((1, 2, 5, 8, 9), repeat=4):
        steps = len(range(min(a, c), max(a, c))) + len(range(min(b, d), max(b, d)))
        assert DigitDeductions().answer(Code((c, d)), Code((a, b))) == steps


@pytest.mark.parametrize("text", ["5 7", "57", "5-7", " 5  7 "])
def test_5_7_and_57_and_5_dash_7_are_the_same_guess(text: str) -> None:
    state = after(NAME, "4-7", "6-5")
    assert str(state.game.words.parse(text, state.view(Seat.ONE))) == "5-7"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("50", "Digits run from 1 to 9; you typed 0."),
        ("0 7", "Digits run from 1 to 9; you typed 0."),
        ("5", "A number has two digits; '5' has one."),
        ("567", "A number has two digits; '567' has three."),
        ("10 7", "Digits run from 1 to 9; you typed 10."),
        ("five seven", "A number is digits only, not 'five seven'."),
    ],
)
def test_zero_and_everything_else_that_is_not_two_digits_is_refused(text: str, reason: str) -> None:
    for state in (after(NAME), after(NAME, "4-7", "6-5")):
        with pytest.raises(NotUnderstood) as refusal:
            state.game.words.parse(text, state.view(Seat.ONE))
        assert refusal.value.reason == reason


def test_a_code_with_a_zero_cannot_be_built_and_one_of_three_digits_not_be_played() -> None:
    with pytest.raises(NotUnderstood, match="Digits run from 1 to 9"):
        Code((0, 5))
    with pytest.raises(NotLegal):
        after(NAME).play(Code((1, 2, 3)))


def test_there_are_81_numbers_to_hide_and_to_guess_and_both_digits_may_be_the_same() -> None:
    assert len(after(NAME).moves) == len(after(NAME, "4-7", "6-5").moves) == 81
    assert after(NAME, "4-7", "5-5", "5-5").outcome is not None


def test_a_guess_may_be_repeated() -> None:
    state = after(NAME, "4-7", "6-5", "1-1", "1-1", "1-1", "1-1")
    assert [event.answer for event in state.log] == [9, 9, 9, 9]


def test_the_second_player_wins_too() -> None:
    over = after(NAME, "4-7", "6-5", "1-1", "4-7")
    assert over.outcome is not None
    assert over.outcome.winner is Seat.TWO
    assert over.game.words.say(over.view(None)).endswith("Player 2 Wins")
