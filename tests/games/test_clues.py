"""The clues of Safe Code: what each says, which there are, and which may be given."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import NotLegal, NotUnderstood
from strongroom.games.safe_code.clues import CLUES, EVERY, Clue, check_clue, clues_about
from strongroom.games.safe_code.kinds import KINDS, NUMBERS
from strongroom.games.safe_code.reading import parse_clue

clues = st.sampled_from(CLUES)


# --- what a clue says -----------------------------------------------------------------------------


def test_the_rule_books_own_clues_are_printed_to_the_letter() -> None:
    assert list(map(str, (Clue("even"), Clue("odd"), Clue("prime"), Clue("square")))) == [
        "The number is even.",
        "The number is odd.",
        "The number is a prime.",
        "The number is a perfect square.",
    ]
    assert str(Clue("greater", (15,))) == "It is greater than 15."
    assert str(Clue("less", (10,))) == "It is less than 10."
    assert str(Clue("divisible", (3,))) == "It is divisible by 3."


def test_one_is_the_only_number_neither_prime_nor_composite() -> None:
    assert EVERY - Clue("prime").meaning - Clue("composite").meaning == {1}
    assert not Clue("prime").meaning & Clue("composite").meaning


def test_a_clue_holds_for_its_meaning_and_its_contrary_exactly_where_it_is_false() -> None:
    for clue in CLUES:
        assert {number for number in NUMBERS if clue.holds(number)} == clue.meaning
        if clue.kind == "different":
            assert clue.contrary is None
        else:
            assert clue.contrary is not None
            assert clue.contrary.meaning == EVERY - clue.meaning
            assert clue.contrary.contrary == clue


@pytest.mark.parametrize(
    "parts",
    [
        ("greater",), ("prime", (7,)), ("even", (), True), ("different", (7,), True), ("nonsense",),
        ("greater", (15.0,)), ("greater", [15]), ("greater", (True,)), ("prime", (), 1),
    ],
)  # fmt: skip
def test_a_clue_without_a_sentence_cannot_be_built(parts: tuple[Any, ...]) -> None:
    with pytest.raises(NotUnderstood, match="No clue can be made of"):
        Clue(*parts)


# --- the list of clues ----------------------------------------------------------------------------


def test_every_clue_rules_out_a_number_and_leaves_one_and_has_its_own_sentence() -> None:
    assert all(0 < len(clue.meaning) < 30 for clue in CLUES)
    assert len({str(clue) for clue in CLUES}) == len(CLUES) == len(set(CLUES))


def test_clues_with_the_same_meaning_are_adjacent_in_the_order_of_the_table() -> None:
    firsts = [next(group) for _, group in groupby(CLUES, key=lambda clue: clue.meaning)]
    assert len(firsts) == len({clue.meaning for clue in firsts})
    order = [[kind.name for kind in KINDS].index(first.kind) for first in firsts]
    assert order == sorted(order)


def test_the_list_is_complete_for_each_kind() -> None:
    expected = {
        "even": 1, "prime": 2, "greater": 29, "between": 2 * (30 * 29 // 2 - 1),
        "divisible": 2 * 29, "factor": 2 * 100, "divisors": 2 * 7, "power": 2 * 9,
        "equal digits": 2, "digit sum": 2 * 11, "digit product": 2 * 15, "first digit": 2 * 9,
        "last digit": 2 * 10, "remainder": 2 * sum(range(2, 16)), "different": 30,
    }  # fmt: skip
    assert {kind: sum(clue.kind == kind for clue in CLUES) for kind in expected} == expected


def test_the_clues_about_a_code_are_the_true_ones_in_order_and_tell_it_from_every_other() -> None:
    for code in NUMBERS:
        assert clues_about(code) == tuple(clue for clue in CLUES if code in clue.meaning)
        assert frozenset.intersection(*(clue.meaning for clue in clues_about(code))) == {code}


# --- checking a clue against the code -------------------------------------------------------------


def test_a_clue_that_says_the_same_as_an_earlier_one_is_refused() -> None:
    earlier = [parse_clue("even"), parse_clue("greater than 14")]
    with pytest.raises(NotLegal, match=r'the same as your clue "It is greater than 14\."'):
        check_clue(parse_clue("at least 15"), 18, earlier)
    check_clue(parse_clue("at least 16"), 18, earlier)


def test_a_clue_outside_the_list_is_refused_even_when_true() -> None:
    with pytest.raises(NotLegal, match="rules out no number"):
        check_clue(Clue("greater", (0,)), 18, [])


@given(clues, st.sampled_from(NUMBERS), st.lists(clues, max_size=2))
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
