"""Codes and numbers: how they are typed, printed and refused, alike at every prompt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import NotUnderstood, Question, Seat, numerals, whole_number
from strongroom.games.codes import Code, CodeSpace
from strongroom.plugins.registry import load

DUEL = CodeSpace(length=3, highest=5)


def test_a_code_is_typed_with_dashes_or_spaces_or_nothing_between() -> None:
    for text in (
        *("3-4-2", "342", "3 4 2", " 3 4 2 ", "3,4,2", "3, 4, 2", "3 - 4 - 2", "3\t4\t2"),
        *("3- 4- 2", "3 ,4 , 2"),
    ):
        assert DUEL.parse(text) == Code((3, 4, 2)), text


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
        ("\x1b[2J3", "A code is digits only, not '?[2J3'."),
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


@given(st.integers(2, 6), st.integers(3, 9), st.data())
def test_every_code_is_read_back_from_each_of_its_forms(
    length: int, highest: int, data: st.DataObject
) -> None:
    digits = data.draw(st.lists(st.integers(1, highest), min_size=length, max_size=length))
    space, code = CodeSpace(length, highest), Code(tuple(digits))
    assert code in space
    for separator in ("-", " ", ""):
        assert space.parse(separator.join(map(str, digits))) == code
    examples = space.accepts.partition("like ")[2].rstrip(".").replace(" or ", ", ").split(", ")
    assert len({space.parse(example) for example in examples}) == 1, "what is accepted is"


def test_every_code_is_listed_once_in_ascending_order() -> None:
    texts = [str(code) for code in DUEL.codes]
    assert len(texts) == 5**3
    assert texts == sorted(set(texts))
    assert (texts[0], texts[-1]) == ("1-1-1", "5-5-5")
    for digits in ((1, 2), (1, 2, 3, 4), (9, 1, 1), (1, 1, 6)):
        assert Code(digits) not in DUEL


# --- every prompt ---------------------------------------------------------------------------------

SIGNED = ("-2", "+2", "1--1", "-123", "5 -7", "-1-1-1", "1--1-1", "- 2", "2-", "2, -1")
STRANGE = ("123.", "1/2/3", "1_2_3", "5:7", "3;4", "2=4", "2->4", ",2", "2,", "1,,2")
FOREIGN = ("２", "٣", "²", "1２", "Ⅳ", "five", "one two")
CLUES = ("18", "even", "> 15", "< 20", "7", "odd", "prime", "< 10")


@pytest.mark.parametrize(
    ("name", "before", "given"),
    [
        ("safecracker-duel", (), ()),
        ("safecracker-duel", ("342", "513"), ()),
        ("safecracker-duel", ("342", "513"), ("2",)),
        ("safe-cracker", (), ()),
        ("safe-cracker", ("213", "331"), ()),
        ("safe-code", (), ()),
        ("safe-code", CLUES, ()),
        ("safe-code", CLUES, ("2",)),
        ("digit-deductions", (), ()),
        ("digit-deductions", ("37", "56"), ()),
        ("quantum-duel", (), ()),
    ],
)
def test_signs_and_other_marks_are_refused_at_every_prompt(
    name: str, before: tuple[str, ...], given: tuple[str, ...]
) -> None:
    words, state = load(name).words, load(name).start()
    for line in before:
        assert isinstance(state.actor, Seat)
        state = state.play(words.parse(line, state.view(state.actor)))
    view = state.view(Seat.ONE)
    question = words.question(view)
    for line in given:
        following = words.answer(line, view, question)
        assert isinstance(following, Question)
        question = following
    for text in (*SIGNED, *STRANGE, *FOREIGN):
        with pytest.raises(NotUnderstood) as refusal:
            words.answer(text, view, question)
        assert "Type" in refusal.value.accepted, "the refusal says what is accepted"
        if not given:
            with pytest.raises(NotUnderstood):
                words.parse(text, view)


def test_blanks_commas_and_single_hyphens_separate_digits() -> None:
    for text in ("5 7", "57", "5-7", "5,7", "5, 7", "5 - 7", " 5   7 ", "5\t7"):
        assert "".join(numerals(text)) == "57", text
    for text in ("", " ", "-", "--", ",", "1 - - 2", "1 , , 2", "1-,2"):
        assert numerals(text) == (), text
        assert whole_number(text) is None, text


def test_a_number_is_a_single_run_of_digits() -> None:
    assert whole_number("16") == whole_number(" 016 ") == 16
    assert whole_number("1 6") is whole_number("1-6") is None
    longest = whole_number("9" * 400)
    assert longest is not None
    assert longest >= 10**8, "a number that long stays out of every range"
