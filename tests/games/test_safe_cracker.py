"""Safe Cracker: the book's game with corrected feedback, the variations, and every ruling."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strongroom.contract import AnyState, BadOption, NotLegal, NotUnderstood, Outcome, Seat
from strongroom.games.codes import Code
from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerReason
from strongroom.plugins.registry import load
from strongroom.testing.perft import after

NAME = "safe-cracker"

# The book's example game with the feedback by the rule. The book errs four times: it says 2, 0, 1
# and 3 about 1-2-3, 1-3-1, 2-3-3 and 2-1-3.
BOOK = {"1-1-1": 1, "1-2-3": 1, "1-3-1": 2, "2-2-3": 2, "2-2-1": 1, "2-3-3": 2, "2-1-3": 0}


def test_the_books_example_game_gets_the_feedback_of_the_books_rule() -> None:
    state = after(NAME, "2-1-3", "3-3-1", *BOOK)
    assert [event.answer for event in state.log] == [*BOOK.values()]
    assert [event.actor for event in state.log] == [*[Seat.ONE, Seat.TWO] * 3, Seat.ONE]
    assert state.outcome is None, "the book's winning guess scores nothing"


def test_the_feedback_is_told_in_words() -> None:
    for matches, guess in enumerate(("1-1-1", "2-1-1", "2-2-1", "2-2-2")):
        state = after(NAME, "1-1-1", "2-2-2", guess)
        said = f"Feedback: {matches} exact match{'' if matches == 1 else 'es'}"
        assert state.game.words.say(state.view(None)) == said


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=3, max_size=6))
@example([(3, 1), (1, 2), (2, 3)])
def test_the_feedback_is_the_length_less_places_that_differ(pairs: list[tuple[int, int]]) -> None:
    code, guess = (Code(digits) for digits in zip(*pairs, strict=True))
    differing = [place for place, (a, b) in enumerate(pairs) if a != b]
    assert SafeCracker().answer(guess, code) == len(pairs) - len(differing)


def test_a_player_wins_at_once_by_guessing_the_others_code() -> None:
    over = after(NAME, "2-1-3", "3-3-1", "1-1-1", "2-1-3")
    assert over.outcome == Outcome(Seat.TWO, SafeCrackerReason.CRACKED)
    assert after(NAME, "2-1-3", "3-3-1", "2-1-3").outcome is None, "one's own code wins nothing"


def test_a_guess_may_be_repeated_and_guesses_and_feedback_are_public_and_codes_are_not() -> None:
    state = after(NAME, "2-1-3", "3-3-1", *["1-1-1"] * 4)
    assert [event.answer for event in state.log] == [1, 1, 1, 1]
    assert len(state.moves) == 27
    for seat in (Seat.ONE, Seat.TWO, None):
        assert (state.view(seat).history, state.view(seat).secrets) == (state.log, None)


def test_a_guess_outside_the_codes_is_refused() -> None:
    state = after(NAME, "2-1-3", "3-3-1")
    for text in ("4-1-1", "9-1-1", "1-1", "1-1-1-1"):
        with pytest.raises(NotUnderstood):
            state.game.words.parse(text, state.view(Seat.ONE))
        with pytest.raises(NotLegal, match="not a code here"):
            state.play(Code(tuple(map(int, text.split("-")))))


def test_an_extended_digit_range_and_longer_codes_which_combine() -> None:
    more = after(NAME, "4-4-1", "1-4-1", digits=4)
    longer = after(NAME, "1-2-3-1", "3-2-1-1", length=4)
    assert (len(more.moves), len(longer.moves)) == (4**3, 3**4)
    for state, ask in ((more, "three digits from 1-4"), (longer, "four digits from 1-3")):
        prompt = state.game.words.question(state.view(Seat.ONE)).prompt
        assert prompt.endswith(f"({ask}): ")
    assert more.play(Code((1, 4, 1))).outcome is not None
    assert longer.play(Code((3, 2, 1, 2))).outcome is None, "three of four are not enough"
    assert longer.play(Code((3, 2, 1, 1))).outcome is not None
    guesses, options = ("1-1-1-4", "1-1-1-1"), {"digits": 5, "length": 4, "attempts": 1}
    over = after(NAME, "5-4-3-2", "1-1-1-5", *guesses, **options)
    assert over.log[0].answer == 3
    assert over.outcome == Outcome(Seat.ONE, SafeCrackerReason.MOST_MATCHES)


def test_an_option_out_of_range_is_refused_with_the_range() -> None:
    for name, low, high, more in (
        ("digits", 3, 9, ""),
        ("length", 3, 6, ""),
        ("attempts", 1, 100, ", or none"),
    ):
        for value in (low - 1, high + 1, *([] if more else [None])):
            told = f"{name} must be a number from {low} to {high}{more}; you gave {value}."
            with pytest.raises(BadOption, match=f"^{told}$"):
                load(NAME, **{name: value})
        assert load(NAME, **{name: low}) != load(NAME, **{name: high})


CRACKED, MOST, FIRST = SafeCrackerReason


def limited(guesses: str, attempts: int) -> AnyState:
    """Player 1 holds 1-1-1, Player 2 holds 2-2-2: a 2 scores for Player 1, a 1 for Player 2."""
    return after(NAME, "1-1-1", "2-2-2", *guesses.split(), attempts=attempts)


def test_with_attempts_the_most_exact_matches_in_one_guess_win() -> None:
    for why, guesses, winner, reason in (
        ("most exact matches in one guess", "2-2-3 1-3-3", Seat.ONE, MOST),
        ("most exact matches, the second player", "2-3-3 1-1-3", Seat.TWO, MOST),
        ("matches do not add up", "2-3-3 3-3-3 " * 2 + "2-3-3 1-1-3", Seat.TWO, MOST),
        ("equal, reached first", "2-2-3 1-1-3", Seat.ONE, FIRST),
        ("equal, the second was first", "2-3-3 1-1-3 2-2-3 3-3-3", Seat.TWO, FIRST),
        ("equal, and reached again", "2-3-3 1-1-3 2-2-3 1-1-3", Seat.TWO, FIRST),
        ("no matches at all", "3-3-3 3-3-3", Seat.ONE, FIRST),
        ("cracked with the last attempt", "2-2-3 1-1-1", Seat.TWO, CRACKED),
    ):
        over = limited(guesses, attempts=len(guesses.split()) // 2)
        assert over.outcome == Outcome(winner, reason), why
    assert limited("2-2-3 3-3-3 2-2-3", attempts=2).outcome is None, "both use all of theirs"
    assert after(NAME, "1-1-1", "2-2-2", *["2-2-3", "3-3-3"] * 101).outcome is None, "no limit"
    assert load(NAME).words.ending(Outcome(Seat.ONE, FIRST)) == (
        "Player 1 won, because both best guesses had equally many exact matches"
        " and the winner's came first."
    )
