"""The clues of Safe Code: what each says, which there are, and which may be given."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import NotLegal, NotUnderstood
from strongroom.games.safe_code.clues import CLUES, Clue, check_clue, clues_about
from strongroom.games.safe_code.kinds import KINDS, NUMBERS
from strongroom.games.safe_code.reading import parse_clue

EVERY = frozenset(range(1, 31))
clues = st.sampled_from(CLUES)
numbers = st.sampled_from(NUMBERS)


# --- what a clue says ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clue", "sentence"),
    [
        (Clue("even"), "The number is even."),
        (Clue("odd"), "The number is odd."),
        (Clue("prime"), "The number is a prime."),
        (Clue("greater", (15,)), "It is greater than 15."),
        (Clue("less", (10,)), "It is less than 10."),
        (Clue("divisible", (3,)), "It is divisible by 3."),
        (Clue("square"), "The number is a perfect square."),
    ],
)
def test_the_rule_books_own_clues_are_printed_to_the_letter(clue: Clue, sentence: str) -> None:
    assert str(clue) == sentence


def test_the_sentence_of_a_range_says_that_it_is_inclusive() -> None:
    clue = Clue("between", (5, 9))
    assert str(clue) == "It is between 5 and 9, inclusive."
    assert clue.meaning == {5, 6, 7, 8, 9}


@pytest.mark.parametrize(
    ("clue", "meaning"),
    [
        (Clue("prime"), {2, 3, 5, 7, 11, 13, 17, 19, 23, 29}),
        (Clue("prime", negated=True), EVERY - {2, 3, 5, 7, 11, 13, 17, 19, 23, 29}),
        (Clue("square"), {k * k for k in range(1, isqrt(30) + 1)}),
        (Clue("cube"), {1, 8, 27}),
        (Clue("triangular"), {sum(range(k + 1)) for k in range(1, 8)}),
        (Clue("fibonacci"), {1, 2, 3, 5, 8, 13, 21}),
        (Clue("even"), set(range(2, 31, 2))),
        (Clue("odd"), set(range(1, 31, 2))),
        (Clue("greater", (28,)), {29, 30}),
        (Clue("less", (3,)), {1, 2}),
        (Clue("at least", (28,)), {28, 29, 30}),
        (Clue("at most", (3,)), {1, 2, 3}),
        (Clue("between", (5, 9), negated=True), {*range(1, 5), *range(10, 31)}),
        (Clue("divisible", (7,)), {7, 14, 21, 28}),
        (Clue("factor", (24,)), {1, 2, 3, 4, 6, 8, 12, 24}),
        (Clue("factor", (100,)), {1, 2, 4, 5, 10, 20, 25}),
        (Clue("divisors", (3,)), {4, 9, 25}),
        (Clue("divisors", (8,)), {24, 30}),
        (Clue("power", (2,)), {1, 2, 4, 8, 16}),
        (Clue("power", (10,)), {1, 10}),
        (Clue("one digit"), set(range(1, 10))),
        (Clue("two digits"), set(range(10, 31))),
        (Clue("equal digits"), {11, 22}),
        (Clue("equal digits", negated=True), EVERY - {11, 22}),
        (Clue("different digits"), {10, *range(12, 22), *range(23, 31)}),
        (Clue("different digits", negated=True), {*range(1, 10), 11, 22}),
        (Clue("even digits"), {2, 4, 6, 8, 20, 22, 24, 26, 28}),
        (Clue("odd digits"), {1, 3, 5, 7, 9, 11, 13, 15, 17, 19}),
        (Clue("digit product", (0,)), {10, 20, 30}),
        (Clue("digit product", (8,)), {8, 18, 24}),
        (Clue("first digit", (2,)), {2, *range(20, 30)}),
        (Clue("first digit", (3,)), {3, 30}),
        (Clue("digit sum", (9,)), {9, 18, 27}),
        (Clue("digit sum greater", (9,)), {19, 28, 29}),
        (Clue("digit sum less", (3,)), {1, 2, 10, 11, 20}),
        (Clue("digit sum at least", (10,)), {19, 28, 29}),
        (Clue("digit sum at most", (1,)), {1, 10}),
        (Clue("last digit", (0,)), {10, 20, 30}),
        (Clue("contains", (3,)), {3, 13, 23, 30}),
        (Clue("contains", (2,)), {2, 12, *range(20, 30)}),
        (Clue("remainder", (1, 10)), {1, 11, 21}),
        (Clue("different", (7,)), EVERY - {7}),
    ],
    ids=str,
)
def test_the_meaning_of_a_clue_is_the_numbers_it_is_true_of(clue: Clue, meaning: set[int]) -> None:
    assert clue.meaning == meaning


def test_one_is_the_only_number_neither_prime_nor_composite() -> None:
    assert EVERY - Clue("prime").meaning - Clue("composite").meaning == {1}
    assert not Clue("prime").meaning & Clue("composite").meaning


@given(clues, numbers)
def test_holds_and_meaning_always_agree(clue: Clue, number: int) -> None:
    assert clue.holds(number) == (number in clue.meaning)


@given(clues)
def test_a_contrary_is_true_exactly_where_the_clue_is_false(clue: Clue) -> None:
    if clue.kind == "different":
        assert clue.contrary is None
    else:
        assert clue.contrary is not None
        assert clue.contrary.meaning == EVERY - clue.meaning
        assert clue.contrary.contrary == clue


@pytest.mark.parametrize(
    "build",
    [
        lambda: Clue("greater"),
        lambda: Clue("prime", (7,)),
        lambda: Clue("even", negated=True),
        lambda: Clue("different", (7,), negated=True),
        lambda: Clue("nonsense"),
        lambda: Clue("greater", (15.0,)),  # type: ignore[arg-type]
        lambda: Clue("greater", [15]),  # type: ignore[arg-type]
        lambda: Clue("greater", (True,)),
        lambda: Clue("prime", negated=1),  # type: ignore[arg-type]
    ],
)
def test_a_clue_without_a_sentence_cannot_be_built(build: Callable[[], Clue]) -> None:
    with pytest.raises(NotUnderstood, match="No clue can be made of"):
        build()


# --- the list of clues --------------------------------------------------------------------------


def test_every_clue_rules_out_a_number_and_leaves_one() -> None:
    assert all(0 < len(clue.meaning) < 30 for clue in CLUES)


def test_every_clue_has_its_own_sentence() -> None:
    assert len({str(clue) for clue in CLUES}) == len(CLUES) == len(set(CLUES))


def test_clues_with_the_same_meaning_are_adjacent() -> None:
    groups = [meaning for meaning, _ in groupby(CLUES, key=lambda clue: clue.meaning)]
    assert len(groups) == len(set(groups))


def test_groups_come_in_the_order_of_the_table() -> None:
    firsts = [next(group) for _, group in groupby(CLUES, key=lambda clue: clue.meaning)]
    order = [[kind.name for kind in KINDS].index(first.kind) for first in firsts]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("kind", "how_many"),
    [
        ("even", 1),
        ("prime", 2),
        ("greater", 29),
        ("between", 2 * (30 * 29 // 2 - 1)),
        ("divisible", 2 * 29),
        ("factor", 2 * 100),
        ("divisors", 2 * 7),
        ("power", 2 * 9),
        ("equal digits", 2),
        ("digit sum", 2 * 11),
        ("digit product", 2 * 15),
        ("first digit", 2 * 9),
        ("last digit", 2 * 10),
        ("remainder", 2 * sum(range(2, 16))),
        ("different", 30),
    ],
)
def test_the_list_is_complete_for_each_kind(kind: str, how_many: int) -> None:
    assert sum(clue.kind == kind for clue in CLUES) == how_many


@pytest.mark.parametrize("code", NUMBERS)
def test_the_clues_about_a_code_are_the_true_ones_in_order(code: int) -> None:
    assert clues_about(code) == tuple(clue for clue in CLUES if clue.holds(code))


def test_any_code_can_be_told_from_every_other() -> None:
    for code in NUMBERS:
        assert frozenset.intersection(*(clue.meaning for clue in clues_about(code))) == {code}


# --- checking a clue against the code -----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("odd", "18 is even."),
        ("prime", "18 is not a prime."),
        ("not composite", "18 is composite."),
        ("> 20", "18 is at most 20."),
        ("between 5 and 9", "18 is not between 5 and 9, inclusive."),
        ("not divisible by 3", "18 is divisible by 3."),
        ("one digit", "18 has two digits."),
        ("digits add up to 5", "The digit sum of 18 is 9."),
        ("digit sum less than 4", "The digit sum of 18 is 9."),
        ("digits multiply to 5", "The digit product of 18 is 8."),
        ("has 4 divisors", "18 has 6: 1, 2, 3, 6, 9, 18."),
        ("a power of two", "18 is not a power of 2, counting 1."),
        ("starts with 8", "The first digit of 18 is 1."),
        ("a double", "18 does not have two equal digits."),
        ("in the twenties", "18 is not between 20 and 29, inclusive."),
        ("doesn't end in 8", "The last digit of 18 is 8."),
        ("contains a 3", "18 does not contain the digit 3."),
        ("n mod 5 = 1", "18 leaves remainder 3 when divided by 5."),
        ("not 18", "The number is 18."),
    ],
)
def test_a_false_clue_is_refused_with_the_truth(text: str, truth: str) -> None:
    with pytest.raises(NotLegal) as refusal:
        check_clue(parse_clue(text), 18, [])
    assert refusal.value.reason == truth


def test_a_clue_that_says_the_same_as_an_earlier_one_is_refused() -> None:
    earlier = [parse_clue("even"), parse_clue("greater than 14")]
    with pytest.raises(NotLegal, match=r'the same as your clue "It is greater than 14\."'):
        check_clue(parse_clue("at least 15"), 18, earlier)
    check_clue(parse_clue("at least 16"), 18, earlier)


def test_a_clue_outside_the_list_is_refused_even_when_true() -> None:
    with pytest.raises(NotLegal, match="rules out no number"):
        check_clue(Clue("greater", (0,)), 18, [])


@given(clues, numbers, st.lists(clues, max_size=2))
def test_a_clue_is_always_accepted_exactly_when_true_and_new(
    clue: Clue, code: int, earlier: list[Clue]
) -> None:
    new = all(clue.meaning != other.meaning for other in earlier)
    try:
        check_clue(clue, code, earlier)
    except NotLegal:
        assert code not in clue.meaning or not new
    else:
        assert code in clue.meaning
        assert new
