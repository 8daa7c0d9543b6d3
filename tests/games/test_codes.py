"""Codes: how they are typed, printed and refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import NotUnderstood
from strongroom.games.codes import Code, CodeSpace

DUEL = CodeSpace(length=3, highest=5)


@pytest.mark.parametrize(
    "text",
    [
        "3-4-2",
        "342",
        "3 4 2",
        " 3 4 2 ",
        "3,4,2",
        "3, 4, 2",
        "3 - 4 - 2",
        "3\t4\t2",
        "3- 4- 2",
        "3 ,4 , 2",
    ],
)
def test_a_code_is_typed_with_dashes_or_spaces_or_nothing_between(text: str) -> None:
    assert DUEL.parse(text) == Code((3, 4, 2))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3-4-7", "Digits run from 1 to 5; you typed 7."),
        ("306", "Digits run from 1 to 5; you typed 0."),
        ("3 40 2", "Digits run from 1 to 5; you typed 40."),
        ("34", "A code has three digits; '34' has two."),
        ("3-4-2-1", "A code has three digits; '3-4-2-1' has four."),
        ("", "A code has three digits; '' has none."),
        ("- - -", "A code is digits only, not '- - -'."),
        ("3 04 2", "Digits run from 1 to 5; you typed 04."),
        ("three", "A code is digits only, not 'three'."),
        ("3+4+2", "A code is digits only, not '3+4+2'."),
        ("３４２", "A code is digits only, not '３４２'."),
        ("³⁴²", "A code is digits only, not '³⁴²'."),
    ],
)
def test_anything_else_is_refused_with_the_reason_and_the_form(text: str, reason: str) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        DUEL.parse(text)
    assert refusal.value.reason == reason
    assert refusal.value.accepted == "Type three digits from 1-5, like 2-3-4, 234 or 2 3 4."


def test_a_refusal_calls_a_code_what_its_game_calls_it() -> None:
    numbers = CodeSpace(length=2, highest=9, noun="number")
    with pytest.raises(NotUnderstood, match="A number is digits only, not 'y'"):
        numbers.parse("y")
    with pytest.raises(NotUnderstood, match="A number has two digits; '1' has one"):
        numbers.parse("1")
    with pytest.raises(NotUnderstood, match="is not a number"):
        numbers.read("12")


def test_a_refusal_does_not_repeat_control_characters_to_the_screen() -> None:
    with pytest.raises(NotUnderstood) as refusal:
        DUEL.parse("\x1b[2J3")
    assert "\x1b" not in str(refusal.value)


@given(st.integers(3, 6), st.integers(3, 9), st.data())
def test_every_code_is_read_back_from_each_of_its_forms(
    length: int, highest: int, data: st.DataObject
) -> None:
    digits = data.draw(st.lists(st.integers(1, highest), min_size=length, max_size=length))
    space, code = CodeSpace(length, highest), Code(tuple(digits))
    assert code in space
    for separator in ("-", " ", ""):
        assert space.parse(separator.join(map(str, digits))) == code


@given(st.integers(2, 6), st.integers(3, 9))
def test_the_example_in_the_form_is_itself_accepted(length: int, highest: int) -> None:
    space = CodeSpace(length, highest)
    examples = space.accepts.partition("like ")[2].rstrip(".").replace(" or ", ", ").split(", ")
    assert len({space.parse(example) for example in examples}) == 1


def test_every_code_is_listed_once_in_ascending_order() -> None:
    texts = [str(code) for code in DUEL.codes]
    assert len(texts) == 5**3
    assert texts == sorted(set(texts))
    assert (texts[0], texts[-1]) == ("1-1-1", "5-5-5")


@pytest.mark.parametrize("digits", [(1, 2), (1, 2, 3, 4), (9, 1, 1), (1, 1, 6)])
def test_a_code_of_another_length_or_with_other_digits_is_not_in_the_space(
    digits: tuple[int, ...],
) -> None:
    assert Code(digits) not in DUEL
