"""Codes left by guesses: as many, and the same ones, as the rules' own feedback leaves."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq

from hypothesis import given, settings
from hypothesis import strategies as st

from strongroom.contract import Event, Seat
from strongroom.games.codes import Code, CodeSpace
from strongroom.games.digit_deductions.rules import NUMBERS, difference, distance
from strongroom.games.guessing import Unguessed, Unshown, possible_digits
from strongroom.games.safe_cracker.rules import exact_matches
from strongroom.registry import load

SPACE = CodeSpace(length=3, highest=4)
CODES = st.sampled_from(SPACE.codes)
PAIRS = st.sampled_from(NUMBERS.codes)
Answers = Callable[[Code, Code], int]


def asked(left: Unguessed, hidden: Code, guesses: list[Code], answers: Answers) -> Unguessed:
    """What is left after the referee's answers to the guesses of the seat that it is left for."""
    for guess in guesses:
        left = left.after(Event(left.seat, guess, answers(hidden, guess)))
    return left


def by_the_rules(
    space: CodeSpace, hidden: Code, guesses: list[Code], answers: Answers
) -> list[Code]:
    """Every code that the rules would have answered for like the hidden one."""
    return [
        code
        for code in space.codes
        if all(answers(code, guess) == answers(hidden, guess) for guess in guesses)
    ]


@settings(deadline=None)
@given(CODES, st.lists(CODES, max_size=5))
def test_exact_matches_leave_the_codes_that_the_rules_leave(
    hidden: Code, guesses: list[Code]
) -> None:
    left = asked(Unguessed.all_of(SPACE, Seat.ONE, eq), hidden, guesses, exact_matches)
    fit = by_the_rules(SPACE, hidden, guesses, exact_matches)
    assert list(left) == [code.digits for code in fit]
    assert len(left) == len(fit)
    assert all((code.digits in left) is (code in fit) for code in SPACE.codes)
    assert left.digits_at == possible_digits({code.digits for code in fit})


@settings(deadline=None)
@given(PAIRS, st.lists(PAIRS, max_size=4))
def test_distances_leave_the_numbers_that_the_rules_leave(
    hidden: Code, guesses: list[Code]
) -> None:
    left = asked(Unguessed.all_of(NUMBERS, Seat.TWO, difference), hidden, guesses, distance)
    assert list(left) == [c.digits for c in by_the_rules(NUMBERS, hidden, guesses, distance)]


def test_what_rules_nothing_out_leaves_the_very_same() -> None:
    left = Unguessed.all_of(SPACE, Seat.ONE, eq)
    guess = Code((1, 1, 2))
    after = left.after(Event(Seat.ONE, guess, 1))
    assert len(after) < len(left)
    assert after.after(Event(Seat.ONE, guess, 1)) is after
    assert after.after(Event(Seat.TWO, Code((3, 3, 3)), 0)) is after


def test_half_a_million_codes_are_counted_and_the_hidden_one_stays() -> None:
    game = load("safe-cracker", digits=9, length=6)
    left = game.candidates(Seat.ONE)
    assert isinstance(left, Unguessed)
    assert len(left) == 9**6
    hidden = Code((8, 3, 9, 1, 7, 2))
    counts = []
    for guess in ((1, 2, 3, 4, 5, 6), (7, 7, 7, 7, 7, 7), (8, 3, 9, 4, 4, 4), (8, 3, 1, 1, 1, 1)):
        left = asked(left, hidden, [Code(guess)], exact_matches)
        counts.append(len(left))
        assert hidden.digits in left
    # Of six places none of the first guess is right: eight digits are left at each.
    assert counts[0] == 8**6
    assert counts == sorted(counts, reverse=True)
    assert (9, 9, 9, 9, 9, 9, 9) not in left


def test_a_code_that_was_shown_is_left_no_more() -> None:
    left = Unshown.all_of(SPACE)
    shown = Code((2, 1, 4))
    after = left.after(Event(Seat.ONE, Code((1, 1, 1)), shown))
    assert set(left) - set(after) == {shown.digits}
    assert after.after(Event(Seat.TWO, Code((1, 1, 1)), shown)) is after
