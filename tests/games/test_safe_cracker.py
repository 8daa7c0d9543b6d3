"""Safe Cracker: the book's game with corrected feedback, the variations, and every ruling."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import AnyState, BadOption, NotLegal, NotUnderstood, Seat
from strongroom.games.codes import Code
from strongroom.games.safe_cracker.rules import Cracked, SafeCracker
from strongroom.plugins.registry import load
from strongroom.testing.perft import after

NAME = "safe-cracker"

# The book's example game: each guess, the feedback by the rule, and the book's where it errs.
BOOK = [
    ("1-1-1", 1, None),
    ("1-2-3", 1, 2),
    ("1-3-1", 2, 0),
    ("2-2-3", 2, None),
    ("2-2-1", 1, None),
    ("2-3-3", 2, 1),
    ("2-1-3", 0, 3),
]


def play(state: AnyState, text: str) -> AnyState:
    return state.play(state.game.move(text))


def test_the_books_example_game_gets_the_feedback_of_the_books_rule() -> None:
    state = after(NAME, "2-1-3", "3-3-1")
    for turn, (guess, feedback, _) in enumerate(BOOK):
        assert state.actor is (Seat.TWO if turn % 2 else Seat.ONE)
        state = play(state, guess)
        assert state.log[-1].answer == feedback
    assert state.outcome is None, "the book's winning guess scores nothing"


def test_the_books_example_game_has_exactly_four_errata() -> None:
    errata = {guess: (right, wrong) for guess, right, wrong in BOOK if wrong is not None}
    assert errata == {"1-2-3": (1, 2), "1-3-1": (2, 0), "2-3-3": (2, 1), "2-1-3": (0, 3)}


def test_the_books_command_line_example_in_words() -> None:
    state = after(NAME, "2-2-2", "1-2-1")  # the book names no codes
    view = state.view(Seat.ONE)
    assert state.game.words.question(view).prompt.endswith(
        "Enter your guess (three digits from 1-3): "
    )
    state = state.play(state.game.words.parse("1 2 3", view))
    assert state.game.words.say(state.view(Seat.ONE)) == "Feedback: 2 exact matches"
    state = state.play(state.game.words.parse("3 2 3", state.view(Seat.TWO)))
    assert state.game.words.say(state.view(Seat.TWO)) == "Feedback: 1 exact match"


def test_the_feedback_is_the_number_of_exact_matches_in_words() -> None:
    state = after(NAME, "1-1-1", "2-2-2")
    said = [
        state.game.words.say(play(state, guess).view(None))
        for guess in ("1-1-1", "2-1-1", "2-2-1", "2-2-2")
    ]
    assert said == [
        "Feedback: 0 exact matches",
        "Feedback: 1 exact match",
        "Feedback: 2 exact matches",
        "Feedback: 3 exact matches",
    ]


def test_a_right_digit_in_a_wrong_place_counts_for_nothing() -> None:
    assert SafeCracker().answer(Code((3, 1, 2)), Code((1, 2, 3))) == 0


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=3, max_size=6))
def test_the_feedback_is_the_length_minus_the_places_that_differ(
    pairs: list[tuple[int, int]],
) -> None:
    code, guess = (Code(digits) for digits in zip(*pairs, strict=True))
    differing = [place for place, (a, b) in enumerate(pairs) if a != b]
    assert SafeCracker().answer(guess, code) == len(pairs) - len(differing)


def test_a_player_wins_at_once_by_guessing_the_others_code() -> None:
    over = after(NAME, "2-1-3", "3-3-1", "1-1-1", "2-1-3")
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.reason) == (Seat.TWO, Cracked.CRACKED)
    assert (over.actor, over.moves) == (None, ())
    with pytest.raises(NotLegal, match="over"):
        play(over, "1-1-1")


def test_guessing_ones_own_code_wins_nothing() -> None:
    assert after(NAME, "2-1-3", "3-3-1", "2-1-3").outcome is None


def test_a_guess_may_be_repeated() -> None:
    state = after(NAME, "2-1-3", "3-3-1", "1-1-1", "1-1-1", "1-1-1", "1-1-1")
    assert [event.answer for event in state.log] == [1, 1, 1, 1]
    assert len(state.moves) == 27


def test_guesses_and_feedback_are_public_and_codes_are_not() -> None:
    state = after(NAME, "2-1-3", "3-3-1", "1-1-1")
    for seat in (Seat.ONE, Seat.TWO, None):
        assert state.view(seat).history == state.log
    assert "3-3-1" not in str(state.view(Seat.ONE).to_json())
    assert "2-1-3" not in str(state.view(None).to_json()["secret"])


@pytest.mark.parametrize("text", ["4-1-1", "9-1-1", "1-1", "1-1-1-1"])
def test_a_guess_outside_the_codes_is_refused(text: str) -> None:
    state = after(NAME, "2-1-3", "3-3-1")
    with pytest.raises(NotUnderstood):
        state.game.words.parse(text, state.view(Seat.ONE))
    with pytest.raises(NotLegal, match="not a code here"):
        state.play(Code(tuple(map(int, text.split("-")))))


# --- the variations -------------------------------------------------------------------------------


def test_an_extended_digit_range() -> None:
    state = after(NAME, "4-4-1", "1-4-1", digits=4)
    assert len(state.moves) == 4**3
    assert state.game.words.question(state.view(Seat.ONE)).prompt.endswith(
        "(three digits from 1-4): "
    )
    over = play(state, "1-4-1")
    assert over.outcome is not None


def test_longer_codes() -> None:
    state = after(NAME, "1-2-3-1", "3-2-1-1", length=4)
    assert len(state.moves) == 3**4
    assert state.game.words.question(state.view(Seat.ONE)).prompt.endswith(
        "(four digits from 1-3): "
    )
    assert play(state, "3-2-1-2").outcome is None, "three of four are not enough"
    assert play(state, "3-2-1-1").outcome is not None


def test_the_variations_combine() -> None:
    state = after(NAME, "5-4-3-2", "1-1-1-5", "1-1-1-4", digits=5, length=4, attempts=1)
    assert state.log[-1].answer == 3
    over = play(state, "1-1-1-1")
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.reason) == (Seat.ONE, Cracked.MOST_MATCHES)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"digits": 2}, "digits must be a number from 3 to 9; you gave 2."),
        ({"digits": 10}, "digits must be a number from 3 to 9; you gave 10."),
        ({"length": 2}, "length must be a number from 3 to 6; you gave 2."),
        ({"length": 7}, "length must be a number from 3 to 6; you gave 7."),
        ({"attempts": 0}, "attempts must be a number from 1 to 100, or none; you gave 0."),
        ({"attempts": 101}, "attempts must be a number from 1 to 100, or none; you gave 101."),
        ({"digits": None}, "digits must be a number from 3 to 9; you gave None."),
    ],
)
def test_an_option_out_of_range_is_refused_with_the_range(
    options: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadOption) as refusal:
        load(NAME, **options)
    assert str(refusal.value) == words


# --- limited attempts -----------------------------------------------------------------------------


def limited(attempts: int, *guesses: str) -> AnyState:
    """Player 1 holds 1-1-1, Player 2 holds 2-2-2: a 2 scores for Player 1, a 1 for Player 2."""
    return after(NAME, "1-1-1", "2-2-2", *guesses, attempts=attempts)


def test_limited_attempts_do_not_end_the_game_before_both_have_used_theirs() -> None:
    assert limited(2, "2-2-3", "3-3-3", "2-2-3").outcome is None


def test_with_attempts_the_most_exact_matches_in_one_guess_win() -> None:
    for guesses, winner in [
        (["2-2-3", "1-3-3"], Seat.ONE),
        (["2-3-3", "1-1-3"], Seat.TWO),
    ]:
        over = limited(1, *guesses)
        assert over.outcome is not None
        assert (over.outcome.winner, over.outcome.reason) == (winner, Cracked.MOST_MATCHES)


def test_matches_of_several_guesses_do_not_add_up() -> None:
    over = limited(3, "2-3-3", "3-3-3", "2-3-3", "3-3-3", "2-3-3", "1-1-3")
    assert over.outcome is not None
    assert over.outcome.winner is Seat.TWO


def test_with_equal_most_matches_the_one_who_reached_them_first_wins() -> None:
    for guesses, winner in [
        (["2-2-3", "1-1-3"], Seat.ONE),
        (["2-3-3", "1-1-3", "2-2-3", "3-3-3"], Seat.TWO),
        (["2-3-3", "1-1-3", "2-2-3", "1-1-3"], Seat.TWO),
        (["3-3-3", "3-3-3"], Seat.ONE),
    ]:
        over = limited(len(guesses) // 2, *guesses)
        assert over.outcome is not None
        assert (over.outcome.winner, over.outcome.reason) == (winner, Cracked.REACHED_FIRST)


def test_the_ending_does_not_mention_matches_that_nobody_had() -> None:
    over = limited(1, "3-3-3", "3-3-3")
    assert over.outcome is not None
    assert over.game.words.ending(over.outcome) == (
        "Player 1 won, because both best guesses had equally many exact matches"
        " and the winner's came first."
    )


def test_cracking_the_code_with_the_last_attempt_is_a_win_by_cracking() -> None:
    over = limited(1, "2-2-3", "1-1-1")
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.reason) == (Seat.TWO, Cracked.CRACKED)


def test_without_attempts_nobody_wins_by_matches() -> None:
    state = after(NAME, "1-1-1", "2-2-2", *["2-2-3", "3-3-3"] * 101)
    assert state.outcome is None
