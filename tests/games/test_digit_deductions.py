"""Digit Deductions: the book's games and every ruling."""

from __future__ import annotations

from itertools import product

import pytest

from strongroom.contract import NotLegal, NotUnderstood, Outcome, Seat
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import DigitDeductions, DigitDeductionsReason
from strongroom.testing.perft import after

NAME = "digit-deductions"


def test_the_books_example_games() -> None:
    for secrets, turns in (
        (("4-7", "6-5"), {"5-5": 1, "3-9": 3, "6-5": 0}),
        (("8-3", "2-9"), {"5-5": 7, "7-4": 2, "2-8": 1, "8-2": 1, "2-9": 0}),
        (("3-7", "5-6"), {"5-5": 1, "3-5": 2, "5-6": 0}),
    ):
        assert after(NAME, *secrets, *[*turns][:-1]).outcome is None
        over = after(NAME, *secrets, *turns)
        assert [event.answer for event in over.log] == [*turns.values()]
        actors = [*[Seat.ONE, Seat.TWO] * 2, Seat.ONE]
        assert [event.actor for event in over.log] == actors[-len(turns) :]
        assert over.outcome == Outcome(Seat.ONE, DigitDeductionsReason.GUESSED)


def test_the_feedback_is_the_number_of_single_steps_from_guess_to_secret() -> None:
    assert DigitDeductions().answer(Code((5, 7)), Code((6, 8))) == 2, "the book's example"
    for a, b, c, d in product((1, 2, 5, 8, 9), repeat=4):
        steps = len(range(min(a, c), max(a, c))) + len(range(min(b, d), max(b, d)))
        assert DigitDeductions().answer(Code((c, d)), Code((a, b))) == steps


def test_5_7_and_57_and_5_dash_7_are_the_same_guess_and_other_than_two_digits_is_refused() -> None:
    hiding, guessing = (after(NAME, *texts).view(Seat.ONE) for texts in ((), ("4-7", "6-5")))
    words = DigitDeductions().words
    for text in ("5 7", "57", "5-7", " 5  7 "):
        assert str(words.parse(text, guessing)) == "5-7"
    for text, view in product(("50", "0 7", "5", "567", "10 7", "five seven"), (hiding, guessing)):
        with pytest.raises(NotUnderstood, match=r"^(Digits run from 1 to 9;|A number (has|is)) "):
            words.parse(text, view)


def test_both_digits_may_be_the_same_and_no_other_code_is_a_number() -> None:
    assert after(NAME, "4-7", "5-5", "5-5").outcome is not None, "both digits may be the same"
    with pytest.raises(NotUnderstood, match="Digits run from 1 to 9"):
        Code((0, 5))
    with pytest.raises(NotLegal):
        after(NAME).play(Code((1, 2, 3)))


def test_a_guess_may_be_repeated_and_the_second_player_wins_too() -> None:
    state = after(NAME, "4-7", "6-5", "1-1", "1-1", "1-1", "1-1")
    assert [event.answer for event in state.log] == [9, 9, 9, 9]
    over = after(NAME, "4-7", "6-5", "1-1", "4-7")
    assert over.outcome == Outcome(Seat.TWO, DigitDeductionsReason.GUESSED)
    assert over.game.words.say(over.view(None)).endswith("Player 2 Wins")
