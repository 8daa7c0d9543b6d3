"""Sentences read as clues: what is understood, what is refused and why, what the help shows."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from strongroom.contract import Ambiguous, NotLegal, NotUnderstood, Refusal
from strongroom.contract.refusal import LONGEST_LINE
from strongroom.games.safe_code.clues import CLUES, Clue
from strongroom.games.safe_code.kinds import KINDS, Kind
from strongroom.games.safe_code.reading import CLUE_HELP, parse_clue

clues = st.sampled_from(CLUES)
any_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


# --- what is understood -------------------------------------------------------------------------


def test_every_sentence_is_read_back_as_its_clue() -> None:
    assert [clue for clue in CLUES if parse_clue(str(clue)) != clue] == []


@any_kind
def test_the_short_wording_in_the_help_means_the_example(kind: Kind) -> None:
    assert parse_clue(kind.brief.format(*kind.example)) == Clue(kind.name, kind.example)


UNDERSTOOD = {
    "The number is even.": """
        even | EVEN | it is even | It's even! | it\u2019s even | The number is **even**. | "even"
        the   number is an even  number | My number is even | my code is even. | The code is even
        n is even | not odd | isn't odd | It isnt odd | non-odd | The number's even | “Even.”
        1. The number is even. | Clue 2: "The number is **even**." | *even* | - even | `Even`
        """,
    "The number is odd.": "odd | an odd number | not even | not an even number | isn\u2019t even",
    "The number is a prime.": "prime | a prime | is prime | a prime number | My code is prime",
    "The number is not a prime.": "is not prime | isn't a prime number | non-prime | not a prime",
    "The number is composite.": "composite | It's a composite number",
    "The number is not composite.": "not composite",
    "It is greater than 15.": """
        > 15 | >15 | n > 15 | greater than 15 | It's greater than 15 | bigger than 15 | over fifteen
        larger than 15 | higher than 15 | more than 15 | over 15 | above 15 | exceeds 15 | 15 < n
        not at most 15 | The number is greater than **15**.
        """,
    "It is less than 20.": """
        The number is less than 20. | The number is **less than 20**. | < 20 | smaller than 20
        lower than 20 | fewer than twenty | under 20 | below 20 | 20 > x | not at least 20
        """,
    "It is at least 12.": """
        at least 12 | no less than 12 | not less than 12 | 12 or more | 12 or higher | >= 12 | ≥ 12
        > = 12 | => 12 | greater than or equal to 12 | isn't under 12 | 12 <= n | twelve and up
        """,
    "It is at most 20.": """
        at most 20 | no more than 20 | not more than 20 | 20 or less | 20 or fewer | <= 20 | ≤20
        less than or equal to 20 | up to 20 | not above twenty | 20 >= n
        """,
    "It is between 5 and 9, inclusive.": """
        between 5 and 9 | from 5 to 9 | 5 to 9 | 5-9 | 5 \u2013 9 | between five and nine, inclusive
        in the range 5 to 9 | 5 <= n <= 9 | between 5 and 9 (inclusive) | 4 < n < 10 | 5..9
        strictly between 4 and 10 | between 4 and 10 exclusive | more than 4 but less than 10
        """,
    "It is not between 5 and 9, inclusive.": "not between 5 and 9 | it isn't between 5 and 9",
    "It is divisible by 3.": """
        divisible by 3 | multiple of three | a multiple of 3 | divides evenly by 3 | divides by 3
        evenly divisible by 3 | can be divided by 3 | 3 divides it | 3 is a factor of it
        in the 3 times table | has 3 as a factor
        """,
    "It is not divisible by 4.": """
        isn't divisible by 4 | not a multiple of 4 | doesn't divide evenly by 4
        not divisible by four | can't be divided by 4 | cannot be divided by 4
        """,
    "It is a factor of 24.": """
        a factor of 24 | divisor of 24 | divides 24 | goes into 24 | divides evenly into twenty-four
        24 is divisible by it | 24 is a multiple of it
        """,
    "It is not a factor of 24.": "not a factor of twenty four | doesn't divide 24",
    "Its number of divisors is 4.": "4 divisors | exactly four factors | has 4 distinct factors",
    "Its number of divisors is not 4.": "doesn't have 4 divisors | does not have four factors",
    "Its number of divisors is 1.": "has only one divisor | neither prime nor composite",
    "It is a power of 2, counting 1.": "power of two | one of the powers of 2",
    "It is not a power of 2, counting 1.": "no power of 2 | isn't a power of two",
    "The number is a perfect square.": "square | perfect square | a square number | **square**",
    "The number is not a perfect square.": "not square | isn't a perfect square",
    "The number is a perfect cube.": "cube | a perfect cube | cubic number",
    "The number is a triangular number.": "triangular | a triangle number",
    "The number is a Fibonacci number.": "Fibonacci | FIBONACCI number | in the Fibonacci sequence",
    "The number is not a Fibonacci number.": "not Fibonacci | isn't in the Fibonacci sequence",
    "The number has one digit.": """
        one digit | has one digit | single-digit | a single digit number | 1-digit
        has only one digit
        doesn't have two digits | the number of digits is 1
        """,
    "The number has two digits.": """
        two digits | has 2 digits | two-digit | a two-digit number | double digits
        not single-digit
        """,
    "It has two equal digits.": "equal digits | both digits are the same | a double",
    "It does not have two equal digits.": "no repeated digits | no two digits are the same",
    "It has two different digits.": "two different digits | both digits differ",
    "It has only even digits.": "all its digits are even | has no odd digits",
    "It does not have only even digits.": "not all digits are even | has an odd digit",
    "It has only odd digits.": "every digit is odd | contains no even digit",
    "Its digit product is 8.": "digit product 8 | its digits multiply to 8",
    "Its digit product is not 8.": "the product of its digits isn't eight",
    "Its first digit is 1.": "starts with 1 | begins with a one | leading digit 1",
    "Its first digit is not 1.": "doesn't start with 1 | the first digit is not 1",
    "Its digit sum is 9.": """
        digit sum is 9 | digit sum equals 9 | its digit sum = nine | digits add up to 9
        the sum of its digits is 9 | its digits sum to 9 | The sum of the digits of the number is 9
        has a digit sum of 9 | digit sum 9 | its digits total 9
        """,
    "Its digit sum is not 9.": "digit sum isn't 9 | its digits don't add up to 9",
    "Its digit sum is greater than 6.": "digit sum > 6 | digits add up to more than 6",
    "Its digit sum is less than 4.": "digit sum below 4 | sum of its digits is less than four",
    "Its digit sum is at least 7.": "digit sum >= 7 | digit sum is no less than 7",
    "Its digit sum is at most 5.": "digit sum at most 5 | its digit sum is not greater than 5",
    "Its last digit is 8.": """
        last digit is 8 | ends in 8 | ends with an 8 | units digit is 8 | final digit 8
        has last digit 8 | the last digit of my number is eight | ends in the digit 8
        """,
    "Its last digit is not 5.": "doesn't end in 5 | does not end with a 5 | last digit is not 5",
    "It contains the digit 1.": """
        contains the digit 1 | contains a 1 | has a 1 in it | has the digit one
        includes the digit 1
        there's a 1 in it | one of its digits is 1
        """,
    "It does not contain the digit 1.": """
        doesn't contain the digit 1 | does not contain 1 | has no 1 in it | doesn't have a 1 in it
        """,
    "It leaves remainder 1 when divided by 3.": """
        remainder 1 when divided by 3 | leaves 1 when divided by 3 | n mod 3 = 1 | n % 3 == 1
        leaves a remainder of 1 when divided by three | has remainder 1 on division by 3
        when divided by 3, it leaves 1 | the remainder when divided by 3 is 1 | x ≡ 1 (mod 3)
        """,
    "It does not leave remainder 1 when divided by 3.": "doesn't leave 1 when divided by 3",
    "It is not equal to 7.": "not equal to 7 | is not 7 | isn't seven | != 7 | ≠ 7 | other than 7",
}  # fmt: skip
WORDINGS = [
    (wording.strip(), sentence)
    for sentence, lines in UNDERSTOOD.items()
    for line in lines.strip().splitlines()
    for wording in line.split(" | ")
]


@pytest.mark.parametrize(("wording", "sentence"), WORDINGS)
def test_everyday_wordings_are_understood(wording: str, sentence: str) -> None:
    assert str(parse_clue(wording)) == sentence


@any_kind
def test_every_kind_has_everyday_wordings_in_the_table_above(kind: Kind) -> None:
    assert any(parse_clue(sentence).kind == kind.name for sentence in UNDERSTOOD)


@settings(deadline=None)
@given(
    clues,
    st.sampled_from(
        ["{}", "  {}  ", '"{}"', "**{}**", "{}.", "\t{}\n", "'{}'", "- {}", "* {}", "2) {}"]
    ),
    st.sampled_from([str.upper, str.lower, str.title, str.swapcase]),
)
def test_case_and_ornament_never_change_the_meaning(
    clue: Clue, ornament: str, case: Callable[[str], str]
) -> None:
    assert parse_clue(ornament.format(case(str(clue)))) == clue


# --- what is refused ----------------------------------------------------------------------------


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
def test_what_is_not_understood_is_answered_with_sentences_that_are(text: str, shown: str) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        parse_clue(text)
    assert f'"{shown}"' in refusal.value.accepted
    assert refusal.value.accepted.count('"') >= 2 * 2


@pytest.mark.parametrize(
    "text",
    [
        "n*n > 15", "n * n > 15", "n**2 > 15", "n² > 15", "n! > 15", "-n < 15", "2n > 15",
        "n + 1 is prime", "n/2 > 5", "its square is even", "the sum of its digits is even",
        "one less than 10", "divisible only by 3", "not only even",
        "3 digits", "more than one digit", ">= 15. even", "> 1 5", "> 1,5", "greater than ٣",
        "> 3a",
    ],
)  # fmt: skip
def test_a_statement_that_says_something_else_is_never_taken_for_a_clue(text: str) -> None:
    with pytest.raises((NotUnderstood, Ambiguous)):
        parse_clue(text)


@pytest.mark.parametrize(
    "text",
    [
        "The square of the number is greater than 200", "the cube of it is less than 1000",
        "twice the number is over 20", "double my number is over 30", "half of it is odd",
        "the number squared is > 100", "its square is even", "n + 1 is a square",
        "three times the number is less than 40", "my number minus one is even",
        "one more than a square", "The next number is prime", "2n > 15", "> 3x", "divisible by 3x",
    ],
)  # fmt: skip
def test_a_sentence_about_another_number_is_called_that(text: str) -> None:
    with pytest.raises(NotUnderstood, match="may be true, but is not about your number itself"):
        parse_clue(text)


@pytest.mark.parametrize("text", ["It is 18.", "18", "n = 18", "my number equals eighteen"])
def test_a_sentence_that_names_the_number_is_asked_to_say_something_about_it(text: str) -> None:
    with pytest.raises(Ambiguous, match="names a number; say something about it") as refusal:
        parse_clue(text, 18)
    assert '"It is greater than 17."' in refusal.value.accepted


@pytest.mark.parametrize("code", range(1, 31))
@pytest.mark.parametrize(
    "text",
    [
        "It is 18.", "It's 7", "digit 3", "even and > 10", "square or prime", "an odd prime",
        "my favourite", "less than 31", "not divisible by 31", "it is not evn",
        "The square of the number is greater than 200", "both digits are even",
    ],
)  # fmt: skip
def test_what_is_offered_is_true_of_the_code_and_does_not_give_it_away(
    text: str, code: int
) -> None:
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
        ("square or prime", "The number is a perfect square.", "The number is a prime."),
        ("even and > 10", "The number is even.", "It is greater than 10."),
        ("an odd prime", "The number is odd.", "The number is a prime."),
        ("both digits are even", "The number has two digits.", "It has only even digits."),
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
        ("It is even. It is not prime.", "The number is even.", "The number is not a prime."),
    ],
)
def test_words_that_fit_several_clues_are_ambiguous(text: str, one: str, other: str) -> None:
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


@settings(deadline=None)
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
def test_any_text_is_a_clue_of_the_list_or_a_short_printable_refusal(text: str) -> None:
    answer = clue_or_refusal(text)
    if isinstance(answer, Clue):
        assert answer in CLUES
    else:
        assert isinstance(answer, NotUnderstood | NotLegal | Ambiguous)
        assert str(answer).isprintable()
        assert len(answer.reason) < 120
        assert answer.accepted.startswith("Try: ")


@settings(deadline=None)
@given(clues, st.text(min_size=1, max_size=30))
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


# --- the help -----------------------------------------------------------------------------------


def test_the_help_fits_a_small_screen() -> None:
    lines = CLUE_HELP.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


@any_kind
def test_the_help_shows_an_example_of_every_kind(kind: Kind) -> None:
    assert str(Clue(kind.name, kind.example)) in CLUE_HELP
    assert kind.brief.format(*kind.example) in CLUE_HELP
