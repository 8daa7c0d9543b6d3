"""Digits and numbers are read the same at every prompt of every game."""

from __future__ import annotations

import pytest

from strongroom.contract import Game, Move, NotUnderstood, Question, Seat, numerals, whole_number
from strongroom.plugins.registry import load
from strongroom.referee.match import Match

SIGNED = ("-2", "+2", "1--1", "-123", "5 -7", "-1-1-1", "1--1-1", "- 2", "2-", "2, -1")
STRANGE = ("123.", "1/2/3", "1_2_3", "5:7", "3;4", "2=4", "2->4", ",2", "2,", "1,,2")
FOREIGN = ("２", "٣", "²", "1２", "Ⅳ", "five", "one two")
OTHER_TEXTS = (*SIGNED, *STRANGE, *FOREIGN)

PROMPTS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("safecracker-duel", (), ()),
    ("safecracker-duel", ("342", "513"), ()),
    ("safecracker-duel", ("342", "513"), ("2",)),
    ("safe-cracker", (), ()),
    ("safe-cracker", ("213", "331"), ()),
    ("safe-code", (), ()),
    ("safe-code", ("18", "even", "> 15", "< 20", "7", "odd", "prime", "< 10"), ()),
    ("safe-code", ("18", "even", "> 15", "< 20", "7", "odd", "prime", "< 10"), ("2",)),
    ("digit-deductions", (), ()),
    ("digit-deductions", ("37", "56"), ()),
    ("quantum-duel", (), ()),
)


def asked(name: str, before: tuple[str, ...], given: tuple[str, ...]) -> tuple[Match, Question]:
    """A match after some lines, and the question after the first lines of a move."""
    game: Game = load(name)
    match = Match.start(game)
    for line in before:
        assert isinstance(match.actor, Seat)
        match, _ = match.step(match.actor, game.words.parse(line, match.view(match.actor)))
    assert isinstance(match.actor, Seat)
    view = match.view(match.actor)
    question = game.words.question(view)
    for line in given:
        answer = game.words.answer(line, view, question)
        assert isinstance(answer, Question)
        question = answer
    return match, question


@pytest.mark.parametrize("text", OTHER_TEXTS)
@pytest.mark.parametrize(("name", "before", "given"), PROMPTS)
def test_signs_and_other_marks_are_refused_at_every_prompt(
    name: str, before: tuple[str, ...], given: tuple[str, ...], text: str
) -> None:
    match, question = asked(name, before, given)
    assert isinstance(match.actor, Seat)
    words, view = match.record.game.words, match.view(match.actor)
    with pytest.raises(NotUnderstood) as refusal:
        words.answer(text, view, question)
    assert "Type" in refusal.value.accepted, "the refusal says what is accepted"
    if not given:
        with pytest.raises(NotUnderstood):
            words.parse(text, view)


@pytest.mark.parametrize("text", ["5 7", "57", "5-7", "5,7", "5, 7", "5 - 7", " 5   7 ", "5\t7"])
def test_blanks_commas_and_single_hyphens_separate_digits(text: str) -> None:
    match, question = asked("digit-deductions", ("37", "56"), ())
    answer = match.record.game.words.answer(text, match.view(Seat.ONE), question)
    assert isinstance(answer, Move)
    assert str(answer) == "5-7"


@pytest.mark.parametrize("text", ["", " ", "-", "--", ",", "1 - - 2", "1 , , 2", "1-,2"])
def test_lone_or_doubled_separators_are_not_numbers(text: str) -> None:
    assert numerals(text) == ()
    assert whole_number(text) is None


def test_a_number_is_a_single_run_of_digits() -> None:
    assert whole_number("16") == whole_number(" 016 ") == 16
    assert whole_number("1 6") is whole_number("1-6") is None
    longest = whole_number("9" * 400)
    assert longest is not None
    assert longest >= 10**8, "a number that long stays out of every range"
