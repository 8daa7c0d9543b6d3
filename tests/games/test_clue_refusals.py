"""Sentences that are refused as clues: the reason, and what is offered instead."""

from __future__ import annotations

import sys
import time
from types import FrameType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strongroom.contract import Ambiguous, NotLegal, NotUnderstood, Refusal
from strongroom.contract.refusal import LONGEST_LINE
from strongroom.games.safe_code.clues import CLUES, Clue
from strongroom.games.safe_code.grammar import LONGEST, grammar
from strongroom.games.safe_code.reading import parse_clue
from tests.games.clue_wordings import WORDINGS


def clue_or_refusal(text: str) -> Clue | Refusal:
    try:
        return parse_clue(text)
    except Refusal as refusal:
        return refusal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It's my favorite number.", "The number is even."),
        ("", "It is greater than 15."),
        ("The number is", "It is divisible by 3."),
        ("evne", "The number is even."),
        ("divisble by 7", "It is divisible by 7."),
        ("isn't prmie", "The number is not a prime."),
        ("roughly between 3 and 9", "It is between 3 and 9, inclusive."),
        ("greater than 15.5", "It is greater than 15."),
        ("greater than .5", "It is greater than 15."),
    ],
)
def test_a_sentence_that_is_not_understood_is_answered_with_ones_that_are(
    text: str, shown: str
) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        parse_clue(text)
    assert f'"{shown}"' in refusal.value.accepted
    assert refusal.value.accepted.count('"') >= 2 * 2


@pytest.mark.parametrize(
    "text",
    [
        "n! > 15", "-n < 15", "n + 1 is prime", "n/2 > 5", "the sum of its digits is even",
        "one less than 10", "divisible only by 3", "not only even",
        ">= 15. even", "> 1 5", "> 1,5", "greater than ٣", "> 3a",
        "The next number is prime", "> 3x", "divisible by 3x", "even minus one",
    ],
)  # fmt: skip
def test_a_statement_that_says_something_else_is_never_taken_for_a_clue(text: str) -> None:
    with pytest.raises((NotUnderstood, Ambiguous)):
        parse_clue(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("The square of the number is greater than 200", "It is greater than 14."),
        ("n*n > 15", "It is greater than 3."),
        ("n**2 > 15", "It is greater than 3."),
        ("n² > 15", "It is greater than 3."),
        ("the cube of it is less than 1000", "It is less than 10."),
        ("twice the number is over 20", "It is greater than 10."),
        ("double my number is over 30", "It is greater than 15."),
        ("half of it is odd", "It leaves remainder 2 when divided by 4."),
        ("the number squared is > 100", "It is greater than 10."),
        ("its square is even", "The number is even."),
        ("three times the number is less than 40", "It is less than 14."),
        ("my number minus one is even", "The number is odd."),
        ("2n > 15", "It is greater than 7."),
        ("more than one digit", "It is greater than 9."),
    ],
)
def test_what_follows_from_the_number_is_read_as_the_clue_with_the_same_meaning(
    text: str, sentence: str
) -> None:
    assert str(parse_clue(text)) == sentence


@pytest.mark.parametrize("text", ["It is 18.", "18", "n = 18", "my number equals eighteen"])
def test_a_sentence_that_names_the_number_is_refused_with_clues_about_it(text: str) -> None:
    with pytest.raises(Ambiguous, match="names a number; say something about it") as refusal:
        parse_clue(text, 18)
    assert '"It is greater than 17."' in refusal.value.accepted


@pytest.mark.parametrize("code", range(1, 31))
@pytest.mark.parametrize(
    "text",
    [
        "It is 18.", "It's 7", "digit 3", "even and > 10", "square or prime", "an odd prime",
        "my favourite", "less than 31", "not divisible by 31", "it is not evn",
        "The next number is prime", "both digits are even", "the sum of its digits is even",
    ],
)  # fmt: skip
def test_offered_clues_are_true_of_the_code_and_do_not_give_it_away(text: str, code: int) -> None:
    with pytest.raises((NotUnderstood, Ambiguous, NotLegal)) as refusal:
        parse_clue(text, code)
    offered = refusal.value.accepted.split('"')[1::2]
    assert offered
    for sentence in offered:
        meaning = parse_clue(sentence).meaning
        assert code in meaning, sentence
        assert len(meaning) > 1, sentence


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("digit 3", "Its last digit is 3.", "It contains the digit 3."),
        ("not the digit 3", "Its last digit is not 3.", "It does not contain the digit 3."),
        ("18", "It is greater than 18.", "It is divisible by 18."),
        ("The number is 18.", "It is greater than 18.", "It is less than 18."),
        ("30", "It is greater than 29.", "It is less than 30."),
        ("even and > 10", "The number is even.", "It is greater than 11."),
        ("an odd prime", "The number is odd.", "The number is a prime."),
        ("both digits are even", "It has only even digits.", "It is between 20 and 28, inclusive."),
        (
            "all digits are different",
            "It does not have two equal digits.",
            "It has two different digits.",
        ),
        (
            "all its digits are the same",
            "It has two equal digits.",
            "It does not have two different digits.",
        ),
        ("It is even. It is not prime.", "The number is even.", "The number is composite."),
    ],
)
def test_words_that_no_single_clue_says_are_answered_with_what_follows(
    text: str, one: str, other: str
) -> None:
    with pytest.raises(Ambiguous) as refusal:
        parse_clue(text)
    assert f'"{one}"' in refusal.value.accepted
    assert f'"{other}"' in refusal.value.accepted


@pytest.mark.parametrize(
    ("text", "why", "accepted"),
    [
        ("greater than 0", "rules out no number from 1 to 30", "It is greater than 1."),
        ("greater than -3", "rules out no number from 1 to 30", "It is greater than 1."),
        ("less than 31", "rules out no number from 1 to 30", "It is less than 30."),
        ("multiple of 1", "rules out no number from 1 to 30", "It is divisible by 2."),
        ("not divisible by 31", "rules out no number from 1 to 30", "It is not divisible by 30."),
        ("not 31", "rules out no number from 1 to 30", "It is not equal to 30."),
        ("between 1 and 30", "rules out no number from 1 to 30", "It is between 1 and 29"),
        ("a factor of 0", "rules out no number from 1 to 30", "It is a factor of 1."),
        ("greater than 30", "fits no number from 1 to 30", "It is greater than 29."),
        ("divisible by 0", "fits no number from 1 to 30", "It is divisible by 2."),
        ("multiple of 40", "fits no number from 1 to 30", "It is divisible by 30."),
        ("digits add up to 12", "fits no number from 1 to 30", "Its digit sum is 11."),
        ("contains 12", "fits no number from 1 to 30", "It contains the digit 9."),
        ("between 20 and 10", "fits no number from 1 to 30", "It is between 10 and 20, inclusive."),
        ("remainder 1 when divided by 0", "fits no number from 1 to 30", "It leaves remainder"),
        ("a factor of 144", "numbers that no clue may use", "It is a factor of 100."),
        ("between 0 and 10", "numbers that no clue may use", "It is between 1 and 10, inclusive."),
        ("power of 40", "numbers that no clue may use", "It is a power of 10, counting 1."),
        ("has 7 divisors", "fits no number from 1 to 30", "Its number of divisors is 6."),
        ("digits multiply to 13", "fits no number from 1 to 30", "Its digit product is 12."),
        ("starts with a 0", "fits no number from 1 to 30", "Its first digit is 1."),
        (
            "the tens digit is 0",
            "numbers that no clue may use",
            "It is between 1 and 9, inclusive.",
        ),
        (
            "n mod 40 = 7",
            "numbers that no clue may use",
            "It leaves remainder 7 when divided by 15.",
        ),
    ],
)
def test_numbers_that_make_no_sense_are_refused_with_the_nearest_that_do(
    text: str, why: str, accepted: str
) -> None:
    with pytest.raises(NotLegal) as refusal:
        parse_clue(text)
    assert why in refusal.value.reason
    assert accepted in refusal.value.accepted


@given(
    st.lists(
        st.one_of(
            st.sampled_from([word for wording, _ in WORDINGS for word in wording.split()]),
            st.integers().map(str),
            st.text(max_size=8),
        ),
        max_size=12,
    ).map(" ".join)
)
@example("\ud800 is even")
@example("9" * LONGEST_LINE)
@example("ﷺ" * LONGEST_LINE)
def test_any_text_is_a_listed_clue_or_a_short_printable_refusal(text: str) -> None:
    answer = clue_or_refusal(text)
    if isinstance(answer, Clue):
        assert answer in CLUES
    else:
        assert isinstance(answer, NotUnderstood | NotLegal | Ambiguous)
        assert str(answer).isprintable()
        assert len(answer.reason) < 120
        assert answer.accepted.startswith("Try: ")


@given(st.sampled_from(CLUES), st.text(min_size=1, max_size=30))
def test_every_sentence_offered_is_itself_understood(clue: Clue, noise: str) -> None:
    answer = clue_or_refusal(f"{noise} {clue}")
    if isinstance(answer, Refusal):
        for sentence in answer.accepted.split('"')[1::2]:
            assert str(parse_clue(sentence)) == sentence


@pytest.mark.parametrize(
    "line", ["even " * 25_000, "not " * 30_000, "9" * 100_000, "." * 100_000, "(" * 100_000]
)
def test_an_endless_line_is_refused_at_once(line: str) -> None:
    began = time.process_time()
    with pytest.raises(NotUnderstood, match="at most 200 characters"):
        parse_clue(line)
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("line", ["." * 200, "…" * 200, "a," * 100, "digits " * 28, "ﷺ" * 200])
def test_the_longest_hostile_line_is_answered_quickly(line: str) -> None:
    began = time.process_time()
    with pytest.raises(NotUnderstood):
        parse_clue(line)
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("words", ["5 or", "not 5 ,", "has 5 ,", "1 or 2 ,", "even ,"])
def test_the_longest_sentences_are_read_in_a_few_steps(words: str) -> None:
    """A server reads them between the moves of others."""
    calls = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal calls
        calls += event == "call"

    grammar()  # built once
    text = " ".join((words.split() * LONGEST)[:LONGEST])
    sys.setprofile(count)
    try:
        clue_or_refusal(text)
    finally:
        sys.setprofile(None)
    assert calls < 150_000
