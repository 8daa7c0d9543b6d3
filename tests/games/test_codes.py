"""Codes and numbers at every prompt; the codes that guesses leave, by the rules' own feedback."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Event, NotUnderstood, Question, Seat, numerals, whole_number
from strongroom.games.codes import Code, CodeSpace
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
from strongroom.plugins.registry import load

DUEL = CodeSpace(length=3, highest=5)


def test_a_code_is_typed_with_dashes_or_spaces_or_nothing_between_and_not_otherwise() -> None:
    for text in (
        *("3-4-2", "342", "3 4 2", " 3 4 2 ", "3,4,2", "3, 4, 2", "3 - 4 - 2", "3\t4\t2"),
        *("3- 4- 2", "3 ,4 , 2"),
    ):
        assert DUEL.parse(text) == Code((3, 4, 2)), text
    strange = "A code is digits only, not '{}'."
    for text, reason in (
        *((text, strange.format(text)) for text in ("- - -", "three", "3+4+2", "３４２", "³⁴²")),
        ("\x1b[2J3", strange.format("?[2J3")),
        ("3-4-7", "Digits run from 1 to 5; you typed 7."),
        ("306", "Digits run from 1 to 5; you typed 0."),
        ("3 40 2", "Digits run from 1 to 5; you typed 40."),
        ("3 04 2", "Digits run from 1 to 5; you typed 04."),
        ("34", "A code has three digits; '34' has two."),
        ("3-4-2-1", "A code has three digits; '3-4-2-1' has four."),
        ("", "A code has three digits; '' has none."),
    ):
        with pytest.raises(NotUnderstood) as refusal:
            DUEL.parse(text)
        assert refusal.value.reason == reason
        assert refusal.value.accepted == "Type three digits from 1-5, like 2-3-4, 234 or 2 3 4."
    with pytest.raises(NotUnderstood, match="is not a number"):
        CodeSpace(length=2, highest=9, noun="number").read("12")


@given(st.integers(2, 6), st.integers(3, 9), st.data())
def test_codes_are_read_back_from_each_form(length: int, highest: int, data: st.DataObject) -> None:
    digits = data.draw(st.lists(st.integers(1, highest), min_size=length, max_size=length))
    space, code = CodeSpace(length, highest), Code(tuple(digits))
    assert code in space
    for separator in ("-", " ", ""):
        assert space.parse(separator.join(map(str, digits))) == code
    examples = space.accepts.partition("like ")[2].rstrip(".").replace(" or ", ", ").split(", ")
    assert len({space.parse(example) for example in examples}) == 1, "what is accepted is"


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


def test_a_number_is_one_run_of_digits_that_blanks_commas_and_single_hyphens_separate() -> None:
    for text in ("5 7", "57", "5-7", "5,7", "5, 7", "5 - 7", " 5   7 ", "5\t7"):
        assert "".join(numerals(text)) == "57", text
    for text in ("", " ", "-", "--", ",", "1 - - 2", "1 , , 2", "1-,2"):
        assert numerals(text) == (), text
        assert whole_number(text) is None, text
    assert whole_number("16") == whole_number(" 016 ") == 16
    assert whole_number("1 6") is whole_number("1-6") is None
    assert (whole_number("9" * 400) or 0) >= 10**8, "one that long stays out of every range"


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
def test_answers_leave_the_codes_the_rules_leave(game: GuessingGame, data: st.DataObject) -> None:
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


@pytest.mark.parametrize(
    "game", [CRACKER, DEDUCTIONS, SafeCracker(SafeCrackerOptions(digits=4, length=4))], ids=repr
)
def test_the_table_of_answers_holds_what_the_referee_answers(game: GuessingGame) -> None:
    codes = game.space.codes
    assert code_digits(game.space).tolist() == [list(code.digits) for code in codes]
    for guess, line in zip(codes[::5], game.answer_table[::5].tolist(), strict=True):
        assert line == [game.answers.index(game.answer(guess, secret)) for secret in codes]


def test_an_event_that_rules_nothing_out_returns_the_same_object_and_a_shown_code_is_out() -> None:
    guess, other = Code((1, 1, 2)), Code((3, 3, 3))
    left = CRACKER.candidates(Seat.ONE)
    after = left.after(Event(Seat.ONE, guess, 1))
    assert len(after) < len(left)
    assert after.after(Event(Seat.ONE, guess, 1)) is after
    assert after.after(Event(Seat.TWO, other, 0)) is after
    unshown, shown = Unshown(SPACE, every_code(SPACE)), Code((2, 1, 4))
    rest = unshown.after(Event(Seat.ONE, guess, shown))
    assert set(unshown) - set(rest) == {shown.digits}
    assert rest.after(Event(Seat.TWO, guess, shown)) is rest
