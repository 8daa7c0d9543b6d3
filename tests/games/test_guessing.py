"""The codes that guesses leave are those that the rules' own feedback leaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Event, Seat
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.games.guessing import (
    GuessingGame,
    Unguessed,
    Unshown,
    code_digits,
    every_code,
    possible_digits,
)
from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerOptions

CRACKER = SafeCracker(SafeCrackerOptions(digits=4))
DEDUCTIONS = DigitDeductions()
SPACE = CRACKER.space


def asked(game: GuessingGame, left: Unguessed, hidden: Code, guesses: list[Code]) -> Unguessed:
    """The candidates left after the referee's answers to these guesses."""
    for guess in guesses:
        left = left.after(Event(left.seat, guess, game.answer(guess, hidden)))
    return left


@pytest.mark.parametrize("game", [CRACKER, DEDUCTIONS], ids=["exact matches", "distances"])
@given(data=st.data())
def test_answers_leave_the_codes_that_the_rules_leave(
    game: GuessingGame, data: st.DataObject
) -> None:
    code = st.sampled_from(game.space.codes)
    hidden, guesses = data.draw(code), data.draw(st.lists(code, max_size=5))
    left = asked(game, game.candidates(data.draw(st.sampled_from(Seat))), hidden, guesses)
    fit = [
        code
        for code in game.space.codes
        if all(game.answer(guess, code) == game.answer(guess, hidden) for guess in guesses)
    ]
    assert list(left) == [code.digits for code in fit]
    assert len(left) == len(fit)
    assert all((code.digits in left) is (code in fit) for code in game.space.codes)
    assert left.digits_at == possible_digits({code.digits for code in fit})


def test_an_event_that_rules_nothing_out_returns_the_same_object() -> None:
    left = CRACKER.candidates(Seat.ONE)
    guess = Code((1, 1, 2))
    after = left.after(Event(Seat.ONE, guess, 1))
    assert len(after) < len(left)
    assert after.after(Event(Seat.ONE, guess, 1)) is after
    assert after.after(Event(Seat.TWO, Code((3, 3, 3)), 0)) is after


def test_half_a_million_codes_are_counted_and_the_hidden_one_stays() -> None:
    game = SafeCracker(SafeCrackerOptions(digits=9, length=6))
    left = game.candidates(Seat.ONE)
    assert len(left) == 9**6
    with pytest.raises(ValueError, match="too many codes for a table: 531,441"):
        _ = game.answer_table
    hidden = Code((8, 3, 9, 1, 7, 2))
    counts = []
    for guess in ((1, 2, 3, 4, 5, 6), (7, 7, 7, 7, 7, 7), (8, 3, 9, 4, 4, 4), (8, 3, 1, 1, 1, 1)):
        left = asked(game, left, hidden, [Code(guess)])
        counts.append(len(left))
        assert hidden.digits in left
    # No digit of the first guess is right, so eight digits are left at each of six places.
    assert counts[0] == 8**6
    assert counts == sorted(counts, reverse=True)
    assert (9, 9, 9, 9, 9, 9, 9) not in left


def test_a_code_that_was_shown_is_no_longer_a_candidate() -> None:
    left = Unshown(SPACE, every_code(SPACE))
    shown = Code((2, 1, 4))
    after = left.after(Event(Seat.ONE, Code((1, 1, 1)), shown))
    assert set(left) - set(after) == {shown.digits}
    assert after.after(Event(Seat.TWO, Code((1, 1, 1)), shown)) is after


@pytest.mark.parametrize(
    "game", [CRACKER, DEDUCTIONS, SafeCracker(SafeCrackerOptions(digits=4, length=4))], ids=repr
)
def test_the_table_of_answers_holds_what_the_referee_answers(game: GuessingGame) -> None:
    codes = game.space.codes
    assert code_digits(game.space).tolist() == [list(code.digits) for code in codes]
    for guess, line in zip(codes[::5], game.answer_table[::5].tolist(), strict=True):
        assert line == [game.answers.index(game.answer(guess, secret)) for secret in codes]
